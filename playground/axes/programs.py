"""The jaxpr of a per-example function and of the chain of vmaps around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax._src import core  # axis names outside vmap have no public way

from playground.axes.leaves import PYTHON_SCALARS, PythonScalar, abstract
from playground.axes.levels import Level
from playground.axes.running import Run


def jaxpr_of(function: Callable, args: tuple, kwargs: dict, *, bind_numbers: bool) -> Any:
    """Trace a function to a jaxpr; what is no array is bound first.

    Args:
        function: any function.
        args: positional arguments; leaves are arrays, ShapeDtypeStructs or other objects.
        kwargs: keyword arguments.
        bind_numbers: keep Python numbers out of the jaxpr, as jax.vmap keeps them out of tracing.

    Returns:
        The jaxpr.
    """
    leaves, treedef = jax.tree.flatten((args, kwargs))
    traced: list[int] = []
    for i, leaf in enumerate(leaves):
        number = type(leaf) in PYTHON_SCALARS or isinstance(leaf, PythonScalar)
        if (bind_numbers and number) or abstract(leaf) is None:
            leaves[i] = leaf.value if isinstance(leaf, PythonScalar) else leaf
        else:
            traced.append(i)

    def of_arrays(*arrays: Any) -> Any:
        full = list(leaves)
        for i, array in zip(traced, arrays, strict=True):
            full[i] = array
        inner_args, inner_kwargs = jax.tree.unflatten(treedef, full)
        return function(*inner_args, **inner_kwargs)

    of_arrays.__name__ = getattr(function, "__name__", "f")
    return jax.make_jaxpr(of_arrays)(*(leaves[i] for i in traced))


def jaxprs_of(
    function: Callable, args: tuple, kwargs: dict, chain: tuple[Level, ...], run: Run
) -> tuple[Any, Any, str]:
    """Trace both programs.

    Args:
        function: the per-example function.
        args: positional arguments of the call.
        kwargs: keyword arguments.
        chain: the levels, innermost first.
        run: how the call went; gives the per-example arguments.

    Returns:
        The jaxpr of one example, that of the batch, and the reason if one is None.
    """
    single, batched, reason = None, None, ""
    inner = run.visits[0].inputs if chain else args
    inner_kwargs = run.visits[0].keyword_inputs if chain else kwargs
    names = [
        (level.axis_name, visit.batch_size)
        for level, visit in zip(chain, run.visits, strict=True)
        if level.axis_name is not None and visit.batch_size is not None
    ]
    try:
        if inner is None:
            raise ValueError("the call is refused before the function is reached")
        # Collectives need the axis names also for one example.
        with core.extend_axis_env_nd(names):
            single = jaxpr_of(function, inner, inner_kwargs or {}, bind_numbers=True)
    except Exception as error:
        reason = str(error)
    if run.ok:
        try:
            vectorized = function
            for level in chain:
                vectorized = level.apply(vectorized)
            batched = jaxpr_of(vectorized, args, kwargs, bind_numbers=True)
        except Exception as error:
            reason = reason or str(error)
    else:
        reason = reason or str(run.error)
    return single, batched, reason

