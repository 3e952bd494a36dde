"""Times the methods of a lesson with the shared stopwatch, in the server's queue."""

import time
import uuid
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any

import jax
import streamlit as st

from playground.figures.racing import race_bars
from playground.measure.queue import MEASUREMENTS, Work
from playground.measure.stopwatch import Timing, race
from playground.ui.language import lang, t
from playground.ui.measuring import LOOK_EVERY_SECONDS, age, measured
from playground.ui.show import plot

PATIENCE_SECONDS = 8.0


def race_here(
    name: str,
    key: Hashable,
    methods: Mapping[str, Callable[..., Any]],
    arguments: tuple[Any, ...],
    *,
    compiled: Collection[str] = (),
    is_automatic: bool = False,
) -> tuple[Timing, ...] | None:
    """Show the button that measures, and the newest times of these methods.

    Args:
        name: of the widgets, unique in the app.
        key: what the result depends on (the settings).
        methods: functions of `arguments` by name; the first is the reference of the others.
        arguments: arrays.
        compiled: names of methods to compile as one program with `jax.jit`.
        is_automatic: measure without being asked when nobody has yet (a page's first view).

    Returns:
        The timings, or None before the first measurement.
    """

    def start():
        ready = {n: jax.jit(call) if n in compiled else call for n, call in methods.items()}
        return race(ready, arguments)

    if is_automatic and MEASUREMENTS.kept((name, key)) is None:
        _measure_now((name, key), start)
    kept = measured(name, (name, key), start)
    if kept is None:
        st.caption(
            t(
                "Not measured yet for these settings. Only ratios mean something on a machine "
                "that is shared.",
                "这组设置还没有测过。机器与他人共用，只有比值有意义。",
            )
        )
        return None
    plot(race_bars(kept.result, lang()), f"{name}_race")
    wrong = [timing.name for timing in kept.result if timing.drift and not timing.drift.agrees]
    if wrong:
        st.warning(t("Not timed, results differ: ", "结果不同，未计时：") + ", ".join(wrong))
    st.caption(age(kept))
    return kept.result


def _measure_now(key: Hashable, start: Work) -> None:
    """Wait in the queue for a measurement that nobody asked for by a button."""
    watcher = st.session_state.setdefault("measuring_as", uuid.uuid4().hex)
    ticket = MEASUREMENTS.submit(key, start, watcher)
    end = time.monotonic() + PATIENCE_SECONDS
    with st.spinner(t("Measuring …", "测量中……")):
        while ticket.is_active:
            if time.monotonic() > end:  # others measure: the rest of the page does not wait
                MEASUREMENTS.leave(ticket, watcher)
                return
            MEASUREMENTS.ticket(key, watcher)
            time.sleep(LOOK_EVERY_SECONDS)
    if ticket.error is not None:
        raise ticket.error
