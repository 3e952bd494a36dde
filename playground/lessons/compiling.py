"""When a function is compiled again: in a loop, for every static value, shape and type."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from playground.lessons.counting import Try, compilations, try_all


def grow(x):
    """Advance ONE number."""
    return jnp.tanh(x) * x + 1


def compiled_outside(x, rounds):
    """Compile once, call again and again."""
    compiled = jax.jit(jax.vmap(grow))
    for _ in range(rounds):
        x = compiled(x)
    return x


def compiled_inside(x, rounds):
    """Make a new function in every round: it is compiled in every round."""
    for _ in range(rounds):
        x = jax.jit(jax.vmap(lambda x: grow(x)))(x)
    return x


def power(x, n):
    """Multiply ONE number with itself in a Python loop; n must be known at tracing."""
    product = 1.0
    for _ in range(n):
        product = product * x
    return product


STATIC_CALLS = (
    "jax.jit(power)(x, 3)",
    "jax.jit(power, static_argnums=1)(x, 3)",
    "jax.jit(power, static_argnums=1)(x, [3])",
    "jax.vmap(power, in_axes=(0, None))(x, 3)",
    "jax.jit(jax.vmap(power, in_axes=(0, None)))(x, 3)",
    "jax.jit(jax.vmap(power, in_axes=(0, None)), static_argnums=1)(x, 3)",
)


def compiled_programs(call: Callable[[], Any]) -> int:
    """Call something and count the programs that are compiled for it."""
    with compilations() as found:
        jax.block_until_ready(call())
    return len(found)


@dataclass(frozen=True)
class CompileResult:
    """Counts of compiled programs.

    Attributes:
        outside: for all rounds, compiled outside the loop.
        inside: for all rounds, compiled inside the loop.
        same: whether both give the same numbers.
        static: (call, programs compiled for it) in the order of the calls, one jitted function.
        shapes: the same for other shapes and types.
        calls: what is refused and what works.
        summary: headline numbers by name.
    """

    outside: int
    inside: int
    same: bool
    static: tuple[tuple[str, int], ...]
    shapes: tuple[tuple[str, int], ...]
    calls: tuple[Try, ...]
    summary: dict[str, Any]


def static_counts() -> tuple[tuple[str, int], ...]:
    """Count what one function compiles for a row of static values."""
    x = jnp.arange(4.0)
    compiled = jax.jit(lambda x, n: power(x, n), static_argnums=1)
    return tuple(
        (f"f(x, {n})", compiled_programs(lambda n=n: compiled(x, n))) for n in (2, 3, 2, 5, 3)
    )


def shape_counts() -> tuple[tuple[str, int], ...]:
    """Count what one function compiles for a row of shapes and types."""
    compiled = jax.jit(lambda x: 2 * grow(x))
    given = {
        "f(x), x of shape (4,)": jnp.arange(4.0),
        "f(x) again": jnp.arange(4.0) + 1,
        "f(x), x of shape (5,)": jnp.arange(5.0),
        "f(x), whole numbers": jnp.arange(4),
        "f(1.0), a Python number": 1.0,
        "f(2.0), another": 2.0,
        "f(jnp.float32(3))": jnp.float32(3),
        "f(1), a whole one": 1,
    }
    return tuple((name, compiled_programs(lambda x=x: compiled(x))) for name, x in given.items())


def compile_headlines(rounds: int) -> dict[str, Any]:
    """Count the programs that a loop compiles, and those of static values, shapes and types.

    Args:
        rounds: of the loop.
    """
    x = jnp.arange(4.0)
    return {
        "programs, compiled outside the loop": compiled_programs(
            lambda: compiled_outside(x, rounds)
        ),
        "programs, compiled inside the loop": compiled_programs(lambda: compiled_inside(x, rounds)),
        "programs for static values 2, 3, 2, 5, 3": sum(count for _, count in static_counts()),
        "programs for shapes and types": tuple(count for _, count in shape_counts()),
    }


def run_compiling(rounds: int) -> CompileResult:
    """Count what is compiled; see `compile_headlines`."""
    x = jnp.arange(4.0)
    summary = compile_headlines(rounds)
    once, again = compiled_outside(x, rounds), compiled_inside(x, rounds)
    return CompileResult(
        int(summary["programs, compiled outside the loop"]),
        int(summary["programs, compiled inside the loop"]),
        bool((once == again).all()),
        static_counts(),
        shape_counts(),
        try_all(STATIC_CALLS, {"power": power, "x": x}),
        summary,
    )
