"""Running a chain of vmaps on deferred arrays, and watching how far it gets."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
from jax._src import config, core, source_info_util  # tracebacks; current trace; the user's frames
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes.deferred import DeferredTrace
from playground.axes.forcing import Undecided, assumptions
from playground.axes.leaves import abstract, output_of, prepare, shapes_of
from playground.axes.levels import Level

# Source lines in operations and in JAX's texts are the caller's, not those of this package.
source_info_util.register_exclusion(os.path.dirname(__file__))


@dataclass
class Visit:
    """What was seen of the function at one level."""

    entered: bool = False
    returned: bool = False
    batch_size: int | None = None
    inputs: tuple | None = None
    keyword_inputs: dict | None = None
    outputs: Any = None
    # For each leaf of the output: does it depend on the batch of this level?
    varies: tuple[bool, ...] = ()


@dataclass
class Run:
    """How one call went: its result or its exception, and the visits level by level."""

    visits: list[Visit]
    result: Any = None
    error: BaseException | None = None
    # The level that refused while vmap was being built, None when all were built.
    unbuilt: int | None = None
    # Values Python asked for that were too large or too slow to compute.
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Tell whether the call went through."""
        return self.error is None


def _varies(leaf: Any) -> bool:
    trace = core.trace_ctx.trace
    return getattr(leaf, "_trace", None) is trace and getattr(leaf, "batch_dim", None) is not None


def _watched(function: Any, visit: Visit, last: Callable | None) -> Any:
    # A callable that vmap itself refuses must reach vmap as it is.
    if not callable(function) or inspect.isgeneratorfunction(function):
        return function

    @functools.wraps(function, updated=())
    def watched(*args: Any, **kwargs: Any) -> Any:
        axis_data = getattr(core.trace_ctx.trace, "axis_data", None)
        visit.entered = True
        visit.batch_size = getattr(axis_data, "size", None)
        # What cannot be described (an unsortable dict) must not fail here: JAX fails on it itself.
        with contextlib.suppress(Exception):
            visit.inputs, visit.keyword_inputs = shapes_of(args), shapes_of(kwargs)
        out = last(function, args, kwargs) if last else function(*args, **kwargs)
        visit.returned = True
        with contextlib.suppress(Exception):
            visit.outputs = shapes_of(out)
            visit.varies = tuple(_varies(leaf) for leaf in jax.tree.leaves(out))
        return out

    return watched


def _bare_tracebacks() -> contextlib.AbstractContextManager:
    # JAX looks at the file of every frame to hide its own ones; nobody reads the tracebacks here,
    # and looking takes longer than all the rest of a refused call.
    return config.traceback_filtering("off")


def run_on_shapes(
    function: Any,
    args: tuple,
    kwargs: dict,
    levels: tuple[Level, ...],
    innermost: Callable | None = None,
) -> Run:
    """Make the call on deferred arrays.

    Args:
        function: the per-example function.
        args: positional arguments of the outermost call.
        kwargs: its keyword arguments.
        levels: the chain, innermost first.
        innermost: called as `innermost(function, args, kwargs)` in place of the function, to watch
            its operations.

    Returns:
        What happened.

    Raises:
        Undecided: deferred arrays cannot answer.
    """
    trace = DeferredTrace()
    run = Run([Visit() for _ in levels])
    args, kwargs = prepare(trace, tuple(args), dict(kwargs), levels)
    token = assumptions.set(run.notes)
    try:
        with _bare_tracebacks(), core.set_current_trace(trace):
            _call(run, function, args, kwargs, levels, innermost)
    finally:
        assumptions.reset(token)
    return run


def run_staged(function: Any, args: tuple, kwargs: dict, levels: tuple[Level, ...]) -> Run:
    """Make the call inside a trace of JAX's own, where every array is abstract.

    For the few operations that deferred arrays cannot answer (shard_map); Python can look at no
    array there, not even at shared ones.

    Args:
        function: the per-example function.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.

    Returns:
        What happened; the result holds shapes.
    """
    run = Run([Visit() for _ in levels])
    leaves, treedef = jax.tree.flatten((args, kwargs), is_leaf=batching.is_vmappable)
    arrays = [i for i, leaf in enumerate(leaves) if hasattr(leaf, "shape") and abstract(leaf)]

    def inside(*traced: Any) -> tuple:
        full = list(leaves)
        for i, array in zip(arrays, traced, strict=True):
            full[i] = array
        _call(run, function, *jax.tree.unflatten(treedef, full), levels, None)
        run.result = output_of(run.result)
        return ()

    with _bare_tracebacks():
        jax.eval_shape(inside, *(leaves[i] for i in arrays))
    return run


def _call(
    run: Run,
    function: Any,
    args: tuple,
    kwargs: dict,
    levels: tuple[Level, ...],
    innermost: Callable | None,
) -> None:
    try:
        chain = function
        for index, level in enumerate(levels):
            run.unbuilt = index
            chain = level.apply(_watched(chain, run.visits[index], innermost))
            innermost = None
        run.unbuilt = None
        result = chain(*args, **kwargs)
        jax.tree.leaves(result)
        run.result = result
    except Undecided:
        raise
    except (Exception, SystemExit) as error:
        run.error = error
