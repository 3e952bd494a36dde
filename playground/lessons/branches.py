"""Branches under vmap: `cond` with a mapped and with a shared predicate, and `where`.

What each becomes, how many bytes every intermediate takes, and which branches really run.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from playground.axes import Level, explain
from playground.axes.sizes import bytes_of
from playground.foundation.limits import allow_bytes

LANES = 8


def by_cond(p, W, x):
    """Multiply ONE vector with the matrix when p is positive, else leave it."""
    return lax.cond(p > 0, lambda W, x: W @ x, lambda W, x: x, W, x)


def by_where(p, W, x):
    """Compute the product in any case, and select."""
    return jnp.where(p > 0, W @ x, x)


PROGRAMS: dict[str, tuple[FunctionType, tuple]] = {
    "mapped": (by_cond, (0, None, 0)),
    "shared": (by_cond, (None, None, 0)),
    "where": (by_where, (0, None, 0)),
}
"""By name: the function and in_axes; the matrix is always shared."""


@dataclass(frozen=True)
class Intermediate:
    """One intermediate result of a program.

    Attributes:
        name: its operation and its place in the program, such as "3 broadcast_in_dim".
        shape: its shape, batch axis included.
        bytes: its size.
        is_copied_matrix: whether it holds one matrix for every example.
    """

    name: str
    shape: tuple[int, ...]
    bytes: int
    is_copied_matrix: bool


@dataclass(frozen=True)
class BranchProgram:
    """What one of `PROGRAMS` becomes.

    Attributes:
        jaxpr: the program after vmap.
        has_cond: whether a `cond` is left in it.
        has_select: whether it selects.
        intermediates: every result that is not an output, in order.
        largest: the biggest of them as text, "" when there is none.
        temporary_bytes: what the compiled program needs besides arguments and outputs.
    """

    jaxpr: str
    has_cond: bool
    has_select: bool
    intermediates: tuple[Intermediate, ...]
    largest: str
    temporary_bytes: int


@dataclass(frozen=True)
class BranchResult:
    """The three programs, and which branches ran.

    Attributes:
        programs: by name, see `PROGRAMS`.
        predicates: one number per lane of the picture.
        ran: by name ("mapped", "shared"): the (branch, lane) pairs that ran, in order.
        summary: headline numbers by name.
    """

    programs: dict[str, BranchProgram]
    predicates: tuple[float, ...]
    ran: dict[str, tuple[tuple[str, int], ...]]
    summary: dict[str, Any]


def branch_shapes(in_axes: tuple, batch_size: int, size: int) -> tuple:
    """Return predicate, matrix and vectors as shapes, float32.

    Args:
        in_axes: of the call; the predicate has a batch axis where it is mapped.
        batch_size: number of examples.
        size: rows and columns of the matrix.
    """
    shapes = ((batch_size,) if in_axes[0] == 0 else (), (size, size), (batch_size, size))
    return tuple(jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes)


def temporary_bytes(function: Callable, in_axes: tuple, shapes: tuple) -> int:
    """Compile vmap of a function and return the bytes of temporaries that the compiler plans.

    0 where the device's compiler does not say.
    """
    compiled = jax.jit(jax.vmap(function, in_axes=in_axes)).lower(*shapes).compile()
    planned = compiled.memory_analysis()
    return 0 if planned is None else int(planned.temp_size_in_bytes)


def branch_headlines(batch_size: int, size: int) -> dict[str, object]:
    """Trace and compile the three programs.

    Args:
        batch_size: number of examples.
        size: rows and columns of the shared matrix.

    Returns:
        Whether a cond is left, and temporary memory in MiB, by program.
    """
    numbers: dict[str, object] = {}
    programs = {
        "mapped predicate": (by_cond, (0, None, 0)),
        "shared predicate": (by_cond, (None, None, 0)),
        "where": (by_where, (0, None, 0)),
    }
    for name, (function, in_axes) in programs.items():
        shapes = branch_shapes(in_axes, batch_size, size)
        text = str(jax.make_jaxpr(jax.vmap(function, in_axes=in_axes))(*shapes))
        numbers[f"{name}: cond in the program"] = "cond[" in text
        numbers[f"{name}: temporary MiB"] = temporary_bytes(function, in_axes, shapes) / 2**20
    return numbers


def branches_run(predicate: Any, lanes: Any, in_axes: tuple) -> tuple[tuple[str, int], ...]:
    """Tell which branches of a cond run for which lanes: every branch leaves a note.

    Args:
        predicate: one number, or one per lane.
        lanes: the numbers of the lanes, float32, shape (lanes,).
        in_axes: of predicate and lanes.

    Returns:
        (branch, lane) pairs, sorted.
    """
    notes = []

    def noted(name):
        def branch(lane):
            jax.debug.callback(lambda value: notes.append((name, int(value))), lane)
            return lane

        return branch

    def choose(p, lane):
        return lax.cond(p > 0, noted("positive"), noted("other"), lane)

    jax.block_until_ready(jax.vmap(choose, in_axes=in_axes)(predicate, lanes))
    jax.effects_barrier()
    return tuple(sorted(notes))


def intermediates_of(jaxpr: Any, copied: tuple[int, ...]) -> tuple[Intermediate, ...]:
    """List the intermediate results of a jaxpr with their bytes.

    Args:
        jaxpr: a closed jaxpr.
        copied: shape of the matrix once per example.
    """
    outputs = {id(value) for value in jaxpr.jaxpr.outvars}
    found = []
    for place, equation in enumerate(jaxpr.jaxpr.eqns):
        for value in equation.outvars:
            if id(value) in outputs:
                continue
            shape = tuple(value.aval.shape)
            size = bytes_of(shape, value.aval.dtype)
            name = f"{place + 1} {equation.primitive.name}"
            is_copy = shape == copied and value.aval.dtype == jnp.float32
            found.append(Intermediate(name, shape, size, is_copy))
    return tuple(found)


def branch_program(name: str, batch_size: int, size: int) -> BranchProgram:
    """Trace, explain and compile one of `PROGRAMS`."""
    function, in_axes = PROGRAMS[name]
    shapes = branch_shapes(in_axes, batch_size, size)
    jaxpr = jax.make_jaxpr(jax.vmap(function, in_axes=in_axes))(*shapes)
    text = str(jaxpr)
    report = explain(function, shapes, levels=(Level(in_axes=in_axes),))
    largest = report.largest
    return BranchProgram(
        text,
        "cond[" in text,
        "select_n" in text,
        intermediates_of(jaxpr, (batch_size, size, size)),
        "" if largest is None else f"{largest.primitive} {largest.dtype}{list(largest.shape)}",
        temporary_bytes(function, in_axes, shapes),
    )


def run_branches(batch_size: int, size: int, positive: int) -> BranchResult:
    """Compare the three programs, and watch which branches run.

    Args:
        batch_size: number of examples.
        size: rows and columns of the matrix.
        positive: how many of the lanes of the picture have a positive predicate.
    """
    allow_bytes(4 * math.prod((batch_size, size, size)))
    lanes = jnp.arange(float(LANES))
    predicates = jnp.where(lanes < positive, 1.0, -1.0)
    ran = {
        "mapped": branches_run(predicates, lanes, (0, 0)),
        "shared": branches_run(predicates[0], lanes, (None, 0)),
    }
    programs, summary = _costs(batch_size, size)
    return BranchResult(programs, tuple(predicates.tolist()), ran, summary)


@lru_cache(maxsize=16)
def _costs(batch_size: int, size: int) -> tuple[dict[str, BranchProgram], dict[str, Any]]:
    """Trace and compile once per size: the picture of the lanes changes without it."""
    programs = {name: branch_program(name, batch_size, size) for name in PROGRAMS}
    return programs, branch_headlines(batch_size, size)
