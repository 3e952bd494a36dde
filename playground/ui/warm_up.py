"""Computes what the pages show first, while the first visitor still reads Home.

A page's first picture needs programs compiled and walks walked: seconds, once in a server's life.
One background thread does that in the order in which a chapter is read, one page after another,
and gives way as soon as somebody measures times. `PLAYGROUND_WARM_UP=off` leaves it out.

What lives as long as the server (modules, compiled programs) is then kept out of the garbage
collections that Streamlit asks for after every run of a page: going through it holds up the next
click.
"""

import gc
import logging
import os
import threading
from collections.abc import Callable
from typing import Any

from playground.lessons import (
    axes,
    compose,
    control_flow,
    gradients,
    nest,
    training,
    vectorize,
    walks,
)
from playground.lessons.walk_settings import WalkSettings
from playground.ui.work import compute

_log = logging.getLogger(__name__)
_start = threading.Lock()
_stopped = threading.Event()

FIRST_SIGHTS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (axes.compute, axes.AxesSettings()),
    (vectorize.ways, vectorize.VectorizeSettings().of_part()),
    (nest.compute, nest.NestSettings().of_matrix()),
    (gradients.compute, gradients.GradientsSettings()),
    (walks.compute, WalkSettings().walks_alone()),
    (control_flow.branches, control_flow.ControlFlowSettings().of_part()),
    (compose.order, compose.ComposeSettings().of_part()),
    (training.compute, training.TrainingSettings()),
)
"""What each page computes when it is opened without a link: function and settings."""


def warm_up() -> None:
    """Start the background thread, once in a process."""
    if os.environ.get("PLAYGROUND_WARM_UP") == "off" or not _start.acquire(blocking=False):
        return
    threading.Thread(target=_compute_all, name="warm-up", daemon=True).start()


def stop_warming_up() -> None:
    """Let the page under way be the last: a measurement wants the machine for itself."""
    _stopped.set()


def _compute_all() -> None:
    if hasattr(os, "setpriority"):  # on Linux a thread has a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    _spare_what_stays()
    for function, settings in FIRST_SIGHTS:
        if _stopped.is_set():
            return
        try:
            compute(function, settings)
        except Exception:  # the page itself will explain it to who opens it
            _log.exception("%s could not be computed ahead", function.__module__)
    _spare_what_stays()


def _spare_what_stays() -> None:
    """Let collections pass over all that is alive now, garbage apart."""
    gc.collect()
    gc.freeze()
