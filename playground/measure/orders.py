"""Two ways to write the same thing: the programs side by side, and their times."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from playground.measure.machine_facts import MachineFacts, machine_facts
from playground.measure.stopwatch import Timing, race

BATCH_SIZE = 64


@dataclass(frozen=True)
class Pair:
    """Two functions that should agree.

    Attributes:
        name: of the pair: "jit and vmap", "hand and vmap: add", "hand and vmap: X @ W.T",
            "grad and jit".
        labels: the two as code.
        programs: their jaxprs as text.
        inner: the jaxprs within the outermost `jit`, as text.
        timings: of both; they carry the drift.
    """

    name: str
    labels: tuple[str, str]
    programs: tuple[str, str]
    inner: tuple[str, str]
    timings: tuple[Timing, ...]

    @property
    def same_text(self) -> bool:
        """Whether both programs are the same text."""
        return self.programs[0] == self.programs[1]

    @property
    def agrees(self) -> bool:
        """Whether both give the same result, up to rounding."""
        return all(timing.drift is not None and timing.drift.agrees for timing in self.timings)


@dataclass(frozen=True)
class OrdersResult:
    """All pairs and the machine they were timed on."""

    pairs: tuple[Pair, ...]
    machine: MachineFacts

    def pair(self, name: str) -> Pair:
        """Return one pair by its name."""
        return next(pair for pair in self.pairs if pair.name == name)


def smooth(x: Float[Array, " n"]) -> Float[Array, " n"]:
    """Do four small operations on one example."""
    return jnp.tanh(x * 2 + 1) / 3


def add(x: Float[Array, " n"], y: Float[Array, " n"]) -> Float[Array, " n"]:
    """Add two vectors, or two batches: `+` does not mind."""
    return x + y


def layer(x: Float[Array, " n"], W: Float[Array, "m n"]) -> Float[Array, " m"]:
    """Apply a matrix to one example."""
    return W @ x


def layer_by_hand(x: Float[Array, "b n"], W: Float[Array, "m n"]) -> Float[Array, "b m"]:
    """Apply the matrix to all rows: transposed, and from the right."""
    return x @ W.T


def loss(w: Float[Array, " n"], x: Float[Array, "b n"]) -> Float[Array, ""]:
    """Sum the squares of x w."""
    return jnp.sum((x @ w) ** 2)


def measure_orders(seconds: float = 0.3) -> Generator[float, None, OrdersResult]:
    """Trace and time four pairs on small data, where the cost of Python shows.

    Yields:
        The share of the work that is done.

    Returns:
        The pairs.
    """
    keys = jax.random.split(jax.random.key(0), 4)
    x, y = (jax.random.normal(key, (BATCH_SIZE, 48)) for key in keys[:2])
    W, w = jax.random.normal(keys[2], (32, 48)), jax.random.normal(keys[3], (48,))
    cases = (
        ("jit and vmap", "jit(vmap(f))", jax.jit(jax.vmap(smooth)), "vmap(jit(f))",
         jax.vmap(jax.jit(smooth)), (x,)),
        ("hand and vmap: add", "x + y", add, "vmap(add)", jax.vmap(add), (x, y)),
        ("hand and vmap: X @ W.T", "X @ W.T", jax.jit(layer_by_hand), "jit(vmap(W @ x))",
         jax.jit(jax.vmap(layer, in_axes=(0, None))), (x, W)),
        ("grad and jit", "jit(grad(loss))", jax.jit(jax.grad(loss)), "grad(jit(loss))",
         jax.grad(jax.jit(loss)), (w, x)),
    )  # fmt: skip
    pairs = []
    for done, (name, one, first, other, second, arguments) in enumerate(cases):
        work = race({one: first, other: second}, arguments, seconds=seconds)
        while True:
            try:
                yield (done + next(work)) / len(cases)
            except StopIteration as end:
                timings = end.value
                break
        programs = [jax.make_jaxpr(call)(*arguments) for call in (first, second)]
        texts = tuple(str(program) for program in programs)
        inner = tuple(str(_inside(program)) for program in programs)
        pairs.append(Pair(name, (one, other), _two(texts), _two(inner), timings))
    return OrdersResult(tuple(pairs), machine_facts())


def _two(texts: tuple[str, ...]) -> tuple[str, str]:
    return texts[0], texts[1]


def _inside(program: Any) -> Callable[..., Any] | Any:
    """Return the program within the only equation when that is a compiled call."""
    equations = program.jaxpr.eqns
    if len(equations) == 1 and equations[0].primitive.name in ("jit", "pjit"):
        return equations[0].params["jaxpr"]
    return program
