"""`explain`: the verdict of the real call, found without running it on data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax._src import core  # which leaves are arrays

from playground.axes.forcing import FORCED_ELEMENTS, Undecided
from playground.axes.leaves import abstract
from playground.axes.levels import Level, as_levels
from playground.axes.report import Report
from playground.axes.running import Run, run_for_real, run_on_shapes

_USUAL_LEVELS = (Level(in_axes=(0, None)),)


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
        if _small_and_concrete((args, kwargs)):
            return run_for_real(function, args, kwargs, levels)
        raise


def _small_and_concrete(tree: Any) -> bool:
    leaves = jax.tree.leaves(tree)
    return not any(isinstance(leaf, jax.ShapeDtypeStruct) for leaf in leaves) and all(
        np.size(leaf) <= FORCED_ELEMENTS
        for leaf in leaves
        if isinstance(abstract(leaf), core.ShapedArray)
    )


def explain(
    function: Callable,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    levels: Sequence[Level] = _USUAL_LEVELS,
) -> Report:
    """Say what a chain of vmaps does with a call, and why it refuses.

    Args:
        function: the per-example function, called once or a few times on tracers.
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
    return Report(function, args, kwargs, chain, judge(function, args, kwargs, chain))
