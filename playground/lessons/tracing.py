"""What tracing shows: prints, and the program before and after vmap, beside that of the loop."""

import contextlib
import io
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes.largest import programs_of
from playground.lessons.home import sum_of_squares
from playground.lessons.one_batch import batches, dot

LOOP_SIZES = (1, 2, 4, 8, 16, 32)
_one_capture = threading.Lock()  # standard output belongs to the whole process


def square(x):
    """Square ONE number, and talk about it."""
    print("print:", x)  # noqa: T201 - this print is the lesson
    jax.debug.print("jax.debug.print: {}", x)
    return x**2


def printed_by(function: Callable, xs) -> tuple[str, ...]:
    """Run vmap of a function and return the lines that it printed.

    Args:
        function: for one example; its lines begin with "print:" or "jax.debug.print:".
        xs: the batch.

    Returns:
        Its lines in order; lines of anybody else who printed meanwhile are left out.
    """
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        jax.block_until_ready(jax.vmap(function)(xs))
        jax.effects_barrier()
    ours = ("print:", "jax.debug.print:")
    return tuple(line for line in written.getvalue().splitlines() if line.startswith(ours))


def count_lines(lines: tuple[str, ...]) -> dict[str, Any]:
    """Count the lines of each kind of print."""
    return {
        "lines of print": sum(line.startswith("print:") for line in lines),
        "lines of jax.debug.print": sum(line.startswith("jax.debug.print:") for line in lines),
    }


def tanh_layer(W, b, x):
    """Apply a layer with shared parameters to ONE example."""
    return jnp.tanh(W @ x + b)


def loop_of(function: Callable, in_axes: tuple) -> Callable:
    """Return the Python loop over the batch that vmap stands for."""

    def loop(*arguments):
        size = next(a.shape[0] for a, axis in zip(arguments, in_axes, strict=True) if axis == 0)
        rows = [
            [a if axis is None else a[i] for a, axis in zip(arguments, in_axes, strict=True)]
            for i in range(size)
        ]
        return jnp.stack([function(*row) for row in rows])

    return loop


def primitives(jaxpr) -> tuple[str, ...]:
    """List the operations of a jaxpr by name, in order; calls that only group are left out."""
    grouping = ("jit", "pjit", "closed_call", "custom_jvp_call")
    return tuple(
        equation.primitive.name
        for program in programs_of(jaxpr)
        for equation in program.eqns
        if equation.primitive.name not in grouping
    )


PROGRAMS: dict[str, tuple[FunctionType, tuple]] = {
    "sum_of_squares": (sum_of_squares, (0,)),
    "dot": (dot, (0, 0)),
    "tanh_layer": (tanh_layer, (None, None, 0)),
}
"""By name: a function for one example, and in_axes of its batched call."""


@dataclass(frozen=True)
class ProgramResult:
    """Three programs, and how they grow with the batch.

    Attributes:
        one: the jaxpr for one example.
        mapped: the jaxpr of vmap.
        looped: the jaxpr of the loop.
        changes: (operation, its setting for one example, its setting after vmap).
        sizes: batch sizes, int.
        mapped_operations: operations of vmap's program at each size, int.
        looped_operations: operations of the loop's program at each size, int.
        lines: what the two kinds of print wrote, in order.
        summary: headline numbers by name.
    """

    one: str
    mapped: str
    looped: str
    changes: tuple[tuple[str, str, str], ...]
    sizes: np.ndarray
    mapped_operations: np.ndarray
    looped_operations: np.ndarray
    lines: tuple[str, ...]
    summary: dict[str, Any]


def program_arguments(function: str, batch_size: int):
    """Return batched arguments, examples of length 3, of one of `PROGRAMS`."""
    X, Y = batches(2, batch_size, 3, seed=0)
    if function == "tanh_layer":
        return jnp.arange(6.0).reshape(2, 3), jnp.array([1.0, -1.0]), X
    return (X, Y) if function == "dot" else (X,)


def one_example(arguments: tuple, in_axes: tuple) -> tuple:
    """Return the arguments of the first example."""
    return tuple(a if axis is None else a[0] for a, axis in zip(arguments, in_axes, strict=True))


def program_headlines(
    function: Callable, arguments: tuple, in_axes: tuple, loop: Callable
) -> dict[str, Any]:
    """Count the operations of three programs and look for loops in vmap's.

    Args:
        function: for one example.
        arguments: batched and shared arrays.
        in_axes: which of them are mapped.
        loop: the Python loop over the batch.

    Returns:
        Headline numbers by name.
    """
    first = [a if axis is None else a[0] for a, axis in zip(arguments, in_axes, strict=True)]
    one = jax.make_jaxpr(function)(*first)
    mapped = jax.make_jaxpr(jax.vmap(function, in_axes=in_axes))(*arguments)
    looped = jax.make_jaxpr(loop)(*arguments)
    text = str(mapped)
    return {
        "operations for one example": len(one.jaxpr.eqns),
        "operations after vmap": len(mapped.jaxpr.eqns),
        "operations of the loop": len(looped.jaxpr.eqns),
        "vmap's program contains while or scan": " while[" in text or " scan[" in text,
    }


def changed_settings(one, mapped) -> tuple[tuple[str, str, str], ...]:
    """List the settings of operations that vmap changed, such as the axes of a sum."""
    changes = []
    for before, after in zip(one.jaxpr.eqns, mapped.jaxpr.eqns, strict=False):
        if before.primitive is not after.primitive:
            break
        for name in ("axes", "dimension_numbers"):
            pair = before.params.get(name), after.params.get(name)
            if pair[0] != pair[1]:
                old, new = (str(_plain(setting)) for setting in pair)
                changes.append((f"{before.primitive.name} {name}", old, new))
    return tuple(changes)


def _plain(setting):
    """Turn the NumPy integers of a setting into Python's."""
    return tuple(map(_plain, setting)) if isinstance(setting, tuple) else int(setting)


def run_programs(function: str, batch_size: int) -> ProgramResult:
    """Trace one function for one example, under vmap and in a loop; run the prints."""
    per_example, in_axes = PROGRAMS[function]
    loop, mapped = loop_of(per_example, in_axes), jax.vmap(per_example, in_axes=in_axes)
    arguments = program_arguments(function, batch_size)
    traced_one = jax.make_jaxpr(per_example)(*one_example(arguments, in_axes))
    traced = jax.make_jaxpr(mapped)(*arguments)
    counts = []
    for size in LOOP_SIZES:
        given = program_arguments(function, size)
        programs = (jax.make_jaxpr(way)(*given) for way in (mapped, loop))
        counts.append([len(program.jaxpr.eqns) for program in programs])
    with _one_capture:
        lines = printed_by(square, jnp.arange(1.0, batch_size + 1))
    counted = np.array(counts)
    return ProgramResult(
        str(traced_one),
        str(traced),
        str(jax.make_jaxpr(loop)(*arguments)),
        changed_settings(traced_one, traced),
        np.array(LOOP_SIZES),
        counted[:, 0],
        counted[:, 1],
        lines,
        count_lines(lines) | program_headlines(per_example, arguments, in_axes, loop),
    )
