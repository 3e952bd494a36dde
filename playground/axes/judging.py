"""The verdict on a call, without the report around it."""

from __future__ import annotations

from typing import Any

from playground.axes.forcing import Undecided
from playground.axes.levels import Level
from playground.axes.running import Run, run_on_shapes, run_staged


def judge(function: Any, args: tuple, kwargs: dict, levels: tuple[Level, ...]) -> Run:
    """Find the verdict on a call.

    Args:
        function: the per-example function.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.

    Returns:
        How the call goes.
    """
    try:
        return run_on_shapes(function, args, kwargs, levels)
    except Undecided:
        return run_staged(function, args, kwargs, levels)
