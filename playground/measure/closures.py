"""Arrays that a compiled function closes over become constants inside its program."""

import time
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

CAPTURED = (10, 1_000, 100_000, 1_000_000)
FORMS = ("closed over", "argument")


@dataclass(frozen=True)
class ClosureCost:
    """What one array costs a program, as a constant or as an argument.

    Attributes:
        form: "closed over" or "argument".
        numbers: size of the array.
        characters: length of the program text (StableHLO).
        lower_seconds: time to write the program.
        compile_seconds: time to compile it.
        largest_error: of the result against float64, relative.
    """

    form: str
    numbers: int
    characters: int
    lower_seconds: float
    compile_seconds: float
    largest_error: float


def weighted(x: Float[Array, " n"], weights: Float[Array, " n"]) -> Float[Array, " n"]:
    """Multiply element by element."""
    return jnp.sin(x) * weights


def closure_costs(sizes: tuple[int, ...] = CAPTURED) -> tuple[ClosureCost, ...]:
    """Compile the same function with the array closed over and as an argument.

    Args:
        sizes: numbers in the array.

    Returns:
        One entry per size and form.
    """
    costs = []
    for size in sizes:
        weights = jax.random.normal(jax.random.key(size), (size,))
        x = jnp.linspace(0.0, 1.0, size)
        wanted = np.sin(np.asarray(x, np.float64)) * np.asarray(weights, np.float64)
        programs = (
            ("closed over", jax.jit(lambda x, w=weights: weighted(x, w)), (x,)),
            ("argument", jax.jit(weighted), (x, weights)),
        )
        for form, program, arguments in programs:
            costs.append(_cost(form, program, arguments, wanted))
    return tuple(costs)


def _cost(
    form: str, program: jax.stages.Wrapped, arguments: tuple[Any, ...], wanted: np.ndarray
) -> ClosureCost:
    start = time.perf_counter()
    lowered = program.lower(*arguments)
    written = time.perf_counter()
    compiled = lowered.compile()
    done = time.perf_counter()
    error = np.abs(np.asarray(compiled(*arguments), np.float64) - wanted).max()
    return ClosureCost(
        form,
        wanted.size,
        len(lowered.as_text()),
        written - start,
        done - written,
        float(error / np.abs(wanted).max()),
    )
