"""`explain`: the verdict of the real call, found without running it on data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playground.axes.judging import judge
from playground.axes.levels import Level, as_levels
from playground.axes.report import Report

_USUAL_LEVELS = (Level(in_axes=(0, None)),)


def explain(
    fn: Callable,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    levels: Sequence[Level] = _USUAL_LEVELS,
) -> Report:
    """Say what a chain of vmaps does with a call, and why it refuses.

    Args:
        fn: the per-example function, called once or a few times on tracers.
        args: positional arguments; leaves are arrays, jax.ShapeDtypeStruct, keys, Python scalars,
            strings, None, in any pytree.
        kwargs: keyword arguments, mapped along axis 0 at every level.
        levels: the chain, innermost first. Left out, a call with two positional arguments gets
            `in_axes=(0, None)` and any other the defaults of jax.vmap.

    Returns:
        The report. Shapes cost nothing: no array of the size of a mapped argument is allocated.

    Raises:
        TypeError: `levels` holds something else than Level.
    """
    args, kwargs = tuple(args), dict(kwargs or {})
    if levels is _USUAL_LEVELS and len(args) != 2:
        levels = (Level(),)
    chain = as_levels(levels)
    return Report(fn, args, kwargs, chain, judge(fn, args, kwargs, chain))
