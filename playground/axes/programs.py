"""The jaxpr of a per-example function and of the chain of vmaps around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
from jax._src import config, core  # axis names, and constants that stay constants
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes.deferred import EAGER_ELEMENTS
from playground.axes.leaves import PYTHON_SCALARS, PythonScalar, abstract, mapped_leaves
from playground.axes.levels import Level
from playground.axes.running import Run


@dataclass(frozen=True)
class Programs:
    """The program of one example and that of the batch.

    Attributes:
        single: jaxpr of the per-example function, None if it cannot be traced.
        batched: jaxpr of the whole chain, None if it cannot be traced or the call is refused.
        reason: JAX's text where one is None, else "".
        traced: which leaves of (args, kwargs) are arguments of the jaxprs, by position.
    """

    single: Any
    batched: Any
    reason: str = ""
    traced: tuple[int, ...] = ()


def jaxpr_of(
    function: Callable, args: tuple, kwargs: dict, bound: Mapping[int, Any]
) -> tuple[Any, tuple[int, ...]]:
    """Trace a function to a jaxpr.

    Args:
        function: any function.
        args: positional arguments; leaves are arrays, ShapeDtypeStructs or other objects. What is
            no array stays out of the jaxpr, as jax.vmap keeps it out of tracing.
        kwargs: keyword arguments.
        bound: values of further leaves, by position, that stay out of the jaxpr.

    Returns:
        The jaxpr, and which leaves are its arguments.
    """
    leaves, treedef = jax.tree.flatten((args, kwargs), is_leaf=batching.is_vmappable)
    full = [leaf.value if isinstance(leaf, PythonScalar) else leaf for leaf in leaves]
    traced = []
    for i, leaf in enumerate(full):
        if i in bound:
            full[i] = bound[i]
        elif type(leaf) not in PYTHON_SCALARS and abstract(leaf) is not None:
            traced.append(i)

    def of_arrays(*arrays: Any) -> Any:
        values = list(full)
        for i, array in zip(traced, arrays, strict=True):
            values[i] = array
        inner_args, inner_kwargs = jax.tree.unflatten(treedef, values)
        return function(*inner_args, **inner_kwargs)

    return jax.make_jaxpr(of_arrays)(*(full[i] for i in traced)), tuple(traced)


def shared_values(args: tuple, kwargs: dict, chain: tuple[Level, ...]) -> dict[int, Any]:
    """Find the small arrays that no level maps: Python may look at their values.

    Args:
        args: positional arguments.
        kwargs: keyword arguments.
        chain: the levels.

    Returns:
        The values by position among the leaves.
    """
    leaves, treedef = jax.tree.flatten((args, kwargs), is_leaf=batching.is_vmappable)
    axes = [mapped_leaves(treedef, level) for level in chain]
    return {
        i: leaf
        for i, leaf in enumerate(leaves)
        if hasattr(leaf, "shape")
        and not isinstance(leaf, jax.ShapeDtypeStruct)
        and leaf.size <= EAGER_ELEMENTS
        and all(level_axes[i] is None for level_axes in axes)
    }


def chained(function: Callable, chain: tuple[Level, ...]) -> Callable:
    """Wrap a function in all its vmaps, innermost first."""
    for level in chain:
        function = level.apply(function)
    return function


def axis_names(chain: tuple[Level, ...], run: Run) -> list[tuple[Any, int]]:
    """List the named batch axes with their sizes."""
    return [
        (level.axis_name, visit.batch_size)
        for level, visit in zip(chain, run.visits, strict=True)
        if level.axis_name is not None and visit.batch_size is not None
    ]


def jaxprs_of(
    function: Callable, args: tuple, kwargs: dict, chain: tuple[Level, ...], run: Run
) -> Programs:
    """Trace the program of one example and that of the batch.

    Args:
        function: the per-example function.
        args: positional arguments of the call.
        kwargs: keyword arguments.
        chain: the levels, innermost first.
        run: how the call went; gives the per-example arguments.

    Returns:
        Both programs.
    """
    inputs = run.visits[0].inputs if chain else args
    keyword_inputs = run.visits[0].keyword_inputs if chain else kwargs
    if inputs is None:
        return Programs(None, None, str(run.error))
    names = axis_names(chain, run)
    reason = ""
    for bound in ({}, shared_values(args, kwargs, chain)):
        try:
            # Collectives need the axis names for one example too.
            with core.extend_axis_env_nd(names), config.eager_constant_folding(bool(bound)):
                single, traced = jaxpr_of(function, inputs, keyword_inputs or {}, bound)
        except Exception as error:
            reason = str(error)
            continue
        if not run.ok:
            return Programs(single, None, str(run.error), traced)
        try:
            with config.eager_constant_folding(bool(bound)):
                batched, _ = jaxpr_of(chained(function, chain), args, kwargs, bound)
        except Exception as error:
            return Programs(single, None, str(error), traced)
        return Programs(single, batched, "", traced)
    return Programs(None, None, reason)
