"""Computing the value of a deferred array when Python asks for it, within limits.

Loops are interpreted step by step with a deadline, because nothing in Python can stop a compiled
loop. Where the limits are reached the value is assumed to be all ones, and `assumptions` says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax._src import core, dtypes  # primitives are bound to the eager trace explicitly

# No value with more elements is computed, and no loop is followed for longer.
FORCED_ELEMENTS = 2**20
FORCED_SECONDS = 2.0
# An operation with more to compute inside is interpreted with the deadline instead.
COMPILED_WORK = 2**20


# What was assumed during the current run: one line for each value.
assumptions: ContextVar[list[str] | None] = ContextVar("assumptions", default=None)


class Undecided(BaseException):
    """Deferred arrays cannot answer: an operation of its own kind, or too many keys to compute.

    Not an Exception: a function under explanation must not catch it.
    """


@dataclass(eq=False)
class Operation:
    """One operation that has not run: its results are kept once computed."""

    primitive: Any
    inputs: list
    avals: list
    params: dict
    out_avals: list
    results: list | None = None


@dataclass(eq=False)
class Recipe:
    """How one value comes about: a leaf (an argument) or one result of an operation."""

    aval: Any
    leaf: Callable[[], Any] | None = None
    operation: Operation | None = None
    position: int = 0

    @classmethod
    def of_operation(
        cls, primitive: Any, inputs: list, avals: list, params: dict, out_avals: list
    ) -> list[Recipe]:
        """Make the recipes of all results of one operation."""
        operation = Operation(primitive, inputs, avals, params, out_avals)
        return [cls(a, operation=operation, position=i) for i, a in enumerate(out_avals)]


def work(params: dict) -> float:
    """Estimate the elements an operation computes inside, infinite where a `while` is inside."""
    if "cond_jaxpr" in params:
        return math.inf
    rounds = params.get("length", 1)
    return rounds * sum(
        sum(element_count(variable.aval) for variable in equation.outvars) + work(equation.params)
        for jaxpr in core.jaxprs_in_params(params)
        for equation in jaxpr.eqns
    )


def element_count(aval: Any) -> int:
    """Count the elements of an abstract value; tokens and references count as one."""
    return math.prod(aval.shape) if isinstance(aval, core.ShapedArray) else 1


def ones_like(aval: Any) -> Any:
    """Return an array of ones of any size that takes no memory, or keys of seed 0."""
    if isinstance(aval, core.ShapedArray) and dtypes.issubdtype(aval.dtype, dtypes.extended):
        if math.prod(aval.shape) > FORCED_ELEMENTS:
            raise Undecided(aval)
        impl = aval.dtype._impl
        data = np.zeros((*aval.shape, *impl.key_shape), np.uint32)
        return jax.random.wrap_key_data(jax.numpy.asarray(data), impl=impl.name)
    return np.broadcast_to(np.ones((), aval.dtype), aval.shape)


def force(recipe: Recipe) -> Any:
    """Compute the value of a deferred array.

    Args:
        recipe: how the value comes about.

    Returns:
        The concrete array; ones where it is too large to compute.

    Raises:
        Undecided: too many random keys to compute; other values are assumed to be ones.
    """
    deadline = time.monotonic() + FORCED_SECONDS
    pending = [recipe]
    with core.set_current_trace(core.eval_trace):
        while pending:
            last = pending[-1]
            operation = last.operation
            if operation is None or operation.results is not None:
                pending.pop()
                continue
            missing = [
                item
                for item in operation.inputs
                if isinstance(item, Recipe) and item.operation and item.operation.results is None
            ]
            if missing:
                pending.extend(missing)
                continue
            operation.results = _run(operation, deadline)
            pending.pop()
        return _value(recipe)


def _value(recipe: Any) -> Any:
    if not isinstance(recipe, Recipe):
        return recipe
    if recipe.operation is not None:
        return recipe.operation.results[recipe.position]
    return jax.numpy.asarray(recipe.leaf()) if _fits([recipe.aval]) else ones_like(recipe.aval)


def _fits(avals: list) -> bool:
    return all(
        not isinstance(aval, core.ShapedArray) or math.prod(aval.shape) <= FORCED_ELEMENTS
        for aval in avals
    )


def _run(operation: Operation, deadline: float) -> list:
    if not _fits([*operation.avals, *operation.out_avals]):
        return _assumed(operation)
    values = [_value(item) for item in operation.inputs]
    try:
        return _evaluate(operation.primitive, values, operation.params, deadline)
    except TimeoutError:
        return _assumed(operation)


def _assumed(operation: Operation) -> list:
    notes = assumptions.get()
    if notes is not None:
        notes.append(f"{operation.primitive} was not computed: its results are taken to be ones")
    return [ones_like(aval) for aval in operation.out_avals]


def _evaluate(primitive: Any, values: list, params: dict, deadline: float) -> list:
    if time.monotonic() > deadline:
        raise TimeoutError
    if work(params) > COMPILED_WORK:
        name = primitive.name
        if name == "while":
            return _while(values, params, deadline)
        if name == "scan":
            return _scan(values, params, deadline)
        if name == "cond":
            branch = params["branches"][int(values[0])]
            return _program(branch, values[1:], deadline)
        inner = params.get("jaxpr") or params.get("call_jaxpr")
        if inner is None or len(inner.invars) != len(values):
            raise TimeoutError  # not a plain call: its value is assumed
        return _program(inner, values, deadline)
    out = primitive.bind(*values, **params)
    return list(out) if primitive.multiple_results else [out]


def _program(jaxpr: Any, values: list, deadline: float) -> list:
    known: dict = {}

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, core.Literal) else known[atom]

    known.update(zip(jaxpr.constvars, jaxpr.consts, strict=True))
    known.update(zip(jaxpr.invars, values, strict=True))
    for equation in jaxpr.eqns:
        params = equation.primitive.get_bind_params(equation.params)
        outs = _evaluate(
            equation.primitive, [read(atom) for atom in equation.invars], params, deadline
        )
        known.update(zip(equation.outvars, outs, strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _while(values: list, params: dict, deadline: float) -> list:
    first, second = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
    state = values[second:]
    while True:
        going = _program(params["cond_jaxpr"], values[:first] + state, deadline)[0]
        if not np.any(going):
            return state
        after = _program(params["body_jaxpr"], values[first:second] + state, deadline)
        if np.ndim(going):  # a batched predicate: finished examples keep their state
            after = [_where(going, new, old) for new, old in zip(after, state, strict=True)]
        state = after


def _where(going: Any, new: Any, old: Any) -> Any:
    wide = np.asarray(going).reshape(np.shape(going) + (1,) * (np.ndim(new) - np.ndim(going)))
    return jax.numpy.where(wide, new, old)


def _scan(values: list, params: dict, deadline: float) -> list:
    consts, state, rows = (list(part) for part in params["ft_in"].update(values).unpack())
    collected: list[list] = []
    order = range(params["length"])
    for i in reversed(order) if params["reverse"] else order:
        outs = _program(params["jaxpr"], [*consts, *state, *(row[i] for row in rows)], deadline)
        state, row = (list(part) for part in params["ft_out"].update(outs).unpack())
        collected.append(row)
    if params["reverse"]:
        collected.reverse()
    if not collected:
        raise TimeoutError  # no row to stack: the caller assumes ones
    return [*state, *(jax.numpy.stack(column) for column in zip(*collected, strict=True))]
