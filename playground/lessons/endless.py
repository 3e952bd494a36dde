"""A loop that is safe behind a cond and never ends once the cond's predicate is mapped."""

from collections.abc import Generator
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from playground.foundation.script import standalone
from playground.lessons.killable import Outcome, run_killable

SECONDS = 5.0
CALLS = {
    "loop": "[float(guarded(x)) for x in xs]",
    "map": "lax.map(guarded, xs).tolist()",
    "vmap": "jax.vmap(guarded)(xs).tolist()",
    "map_batches": "lax.map(guarded, xs, batch_size=2).tolist()",
}
"""By name: four ways to call the guarded function on a batch."""


def halve_until_small(x):
    """Halve ONE number until it is small; a negative one runs away and never gets there."""
    return lax.while_loop(
        lambda x: (x < 0) | (x > 1e-3), lambda x: jnp.where(x < 0, 2 * x - 1, x / 2), x
    )


def guarded(x):
    """Enter the loop only where it ends."""
    return lax.cond(x >= 0, halve_until_small, lambda x: -x, x)


def repaired(x):
    """Make the loop's argument harmless first: then it ends for every example."""
    safe = jnp.where(x >= 0, x, 1.0)
    return jnp.where(x >= 0, halve_until_small(safe), -x)


@dataclass(frozen=True)
class EndlessResult:
    """What can be computed without entering the endless loop.

    Attributes:
        xs: the batch, float32, shape (2,).
        one_by_one: the guarded function in a Python loop, float32, shape (2,).
        repaired: vmap of the repaired function, float32, shape (2,).
        jaxpr: vmap of the guarded function, traced only.
        has_cond: whether a cond is left in it.
        has_while: whether the loop stands in it.
        summary: headline numbers by name.
    """

    xs: np.ndarray
    one_by_one: np.ndarray
    repaired: np.ndarray
    jaxpr: str
    has_cond: bool
    has_while: bool
    summary: dict[str, object]


def endless_headlines(xs) -> dict[str, object]:
    """Run what ends: the guarded function one by one, the repaired one mapped; trace the rest."""
    text = str(jax.make_jaxpr(jax.vmap(guarded))(xs))
    return {
        "guarded, one by one": tuple(float(guarded(x)) for x in xs),
        "repaired, vmap": tuple(jax.vmap(repaired)(xs).tolist()),
        "cond left after vmap": "cond[" in text,
        "while left after vmap": "while[" in text,
    }


def run_endless() -> EndlessResult:
    """Compute all that ends."""
    xs = jnp.array([1.0, -1.0])
    text = str(jax.make_jaxpr(jax.vmap(guarded))(xs))
    return EndlessResult(
        np.asarray(xs),
        np.array([float(guarded(x)) for x in xs], np.float32),
        np.asarray(jax.vmap(repaired)(xs)),
        text,
        "cond[" in text,
        "while[" in text,
        endless_headlines(xs),
    )


def attempt(way: str, seconds: float = SECONDS) -> Generator[float, None, Outcome]:
    """Call the guarded function in a process that can be killed; see `run_killable`.

    Args:
        way: one of `CALLS`.
        seconds: how long it may run.
    """
    body = f"""
    xs = jnp.array([1.0, -1.0])
    print("started", flush=True)
    print({CALLS[way]})
    """
    source = standalone(guarded, body=body, title="May never end.")
    return run_killable(source, seconds)
