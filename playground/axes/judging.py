"""The verdict on a call, without the report around it."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jax._src import core  # which leaves are arrays

from playground.axes.forcing import FORCED_ELEMENTS, Undecided
from playground.axes.leaves import abstract
from playground.axes.levels import Level
from playground.axes.running import Run, run_for_real, run_on_shapes


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
