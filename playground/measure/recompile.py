"""Counts how often a compiled function is traced anew: by shape, dtype, and static argument."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class CallCost:
    """One call in a row of calls to the same functions.

    Attributes:
        call: the call as code.
        traces: how often the Python function ran: 0 when a compiled program was found.
        seconds: of the call, with compilation when there was one.
    """

    call: str
    traces: int
    seconds: float


class CountedFunction:
    """A function for one example that counts how often Python runs it."""

    def __init__(self) -> None:
        self.traces = 0

    def __call__(self, x: Any, power: int = 2) -> Any:
        """Raise to a power and add up; the count goes up only while JAX traces."""
        self.traces += 1
        return jnp.sum(jnp.sin(x) ** power)


def recompilations() -> tuple[CallCost, ...]:
    """Make a row of calls and count the traces of each; every shape and dtype costs one.

    Returns:
        One entry per call, in order.
    """
    counted = CountedFunction()
    batched = jax.jit(jax.vmap(counted))
    scalar = jax.jit(counted)
    static = jax.jit(counted, static_argnames="power")
    half = jnp.bfloat16
    calls: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("g(ones((8, 16)))", lambda: batched(jnp.ones((8, 16)))),
        ("g(ones((8, 16)))", lambda: batched(jnp.ones((8, 16)))),
        ("g(ones((9, 16)))", lambda: batched(jnp.ones((9, 16)))),
        ("g(ones((8, 16), bfloat16))", lambda: batched(jnp.ones((8, 16), half))),
        ("g(ones((8, 16)))", lambda: batched(jnp.ones((8, 16)))),
        ("h(1.0)", lambda: scalar(1.0)),
        ("h(2.0)", lambda: scalar(2.0)),
        ("h(float32(3))", lambda: scalar(jnp.float32(3))),
        ("h(1)", lambda: scalar(1)),
        ("s(ones(5), power=2)", lambda: static(jnp.ones(5), power=2)),
        ("s(ones(5), power=3)", lambda: static(jnp.ones(5), power=3)),
        ("s(ones(5), power=2)", lambda: static(jnp.ones(5), power=2)),
        ("jit(lambda x: f(x))(ones(5))", lambda: jax.jit(lambda x: counted(x))(jnp.ones(5))),
        ("jit(lambda x: f(x))(ones(5))", lambda: jax.jit(lambda x: counted(x))(jnp.ones(5))),
    )
    costs = []
    for code, call in calls:
        before, start = counted.traces, time.perf_counter()
        jax.block_until_ready(call())
        costs.append(CallCost(code, counted.traces - before, time.perf_counter() - start))
    return tuple(costs)
