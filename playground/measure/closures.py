"""Arrays that a compiled function closes over become constants inside its program."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

CAPTURED = (10, 1_000, 100_000, 1_000_000)
COMPILATIONS = 3
FORMS = ("closed over", "argument")


@dataclass(frozen=True)
class ClosureCost:
    """What one array costs a program, as a constant or as an argument.

    Attributes:
        form: "closed over" or "argument".
        numbers: size of the array.
        characters: length of the program text (StableHLO).
        lower_seconds: time to write the program, in the fastest of three runs.
        compile_seconds: time to compile it.
        largest_error: of the result against float64, relative.
        samples: seconds to write and compile the program, of every run in order.
    """

    form: str
    numbers: int
    characters: int
    lower_seconds: float
    compile_seconds: float
    largest_error: float
    samples: tuple[float, ...] = ()


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
        programs: tuple[tuple[str, Callable[..., Any], tuple[Any, ...]], ...] = (
            ("closed over", lambda x, w=weights: weighted(x, w), (x,)),
            ("argument", lambda x, w: weighted(x, w), (x, weights)),
        )
        for form, function, arguments in programs:
            runs = [_cost(form, function, arguments, wanted) for _ in range(COMPILATIONS)]
            samples = tuple(run.lower_seconds + run.compile_seconds for run in runs)
            fastest = runs[samples.index(min(samples))]
            costs.append(replace(fastest, samples=samples))
    return tuple(costs)


def _cost(
    form: str, function: Callable[..., Any], arguments: tuple[Any, ...], wanted: np.ndarray
) -> ClosureCost:
    def fresh(*values: Any) -> Any:
        return function(*values)  # a new function each time: nothing is found compiled

    start = time.perf_counter()
    lowered = jax.jit(fresh).lower(*arguments)
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
