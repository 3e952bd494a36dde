"""Steps that depend on each other: `scan` along the steps, `vmap` over the examples."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

EXAMPLES = 5


def step(rate, x):
    """Advance ONE logistic map by one step (May, Nature 261, 1976)."""
    return rate * x * (1 - x)


def trajectory(rate, start, n_steps):
    """Follow ONE logistic map: each step needs the one before.

    Args:
        rate: growth rate, a number.
        start: first value, a number.
        n_steps: static count.

    Returns:
        The values after each step, shape (n_steps,).
    """

    def advance(x, _):
        x = step(rate, x)
        return x, x

    _, path = lax.scan(advance, start, length=n_steps)
    return path


def all_from_the_start(rate, start, n_steps):
    """Map over the steps as if they did not depend on each other: wrong, for comparison."""
    return jax.vmap(lambda _: step(rate, start))(jnp.arange(n_steps))


def growth_rates(low: float, high: float, examples: int):
    """Return evenly spaced growth rates, float32, shape (examples,)."""
    return jnp.linspace(low, high, examples)


@dataclass(frozen=True)
class StepsResult:
    """Trajectories of a batch.

    Attributes:
        rates: float32, shape (examples,).
        paths: float32, shape (examples, steps).
        reference: the same in NumPy float64, a loop over the steps.
        mapped_steps: what mapping over the steps gives, float32, shape (examples, steps).
        jaxpr: the program of vmap over scan.
        summary: headline numbers by name.
    """

    rates: np.ndarray
    paths: np.ndarray
    reference: np.ndarray
    mapped_steps: np.ndarray
    jaxpr: str
    summary: dict[str, Any]


def steps_headlines(low: float, high: float, examples: int, n_steps: int) -> dict[str, Any]:
    """Run vmap over scan, look for the scan in the program, and map the steps wrongly.

    Args:
        low: smallest growth rate.
        high: largest growth rate.
        examples: how many maps.
        n_steps: steps of each.
    """
    rates = growth_rates(low, high, examples)
    starts = jnp.full(examples, 0.2)
    mapped = jax.vmap(trajectory, in_axes=(0, 0, None))
    program = jax.make_jaxpr(mapped, static_argnums=2)(rates, starts, n_steps)
    scans = [e for e in program.jaxpr.eqns if e.primitive.name == "scan"]
    wrong = jax.vmap(all_from_the_start, in_axes=(0, 0, None))(rates, starts, n_steps)
    return {
        "shape": mapped(rates, starts, n_steps).shape,
        "scans in the program": len(scans),
        "length of the scan": int(scans[0].params["length"]),
        "carry of the scan": str(scans[0].outvars[0].aval),
        "last values": tuple(mapped(rates, starts, n_steps)[:, -1].tolist()),
        "different values when the steps are mapped": len(set(wrong[0].tolist())),
    }


def run_steps(low: float, high: float, n_steps: int) -> StepsResult:
    """Follow a batch of logistic maps, rightly and wrongly."""
    rates = growth_rates(low, high, EXAMPLES)
    starts = jnp.full(EXAMPLES, 0.2)
    paths = jax.vmap(trajectory, in_axes=(0, 0, None))(rates, starts, n_steps)
    wrong = jax.vmap(all_from_the_start, in_axes=(0, 0, None))(rates, starts, n_steps)
    program = jax.make_jaxpr(
        lambda r, s: jax.vmap(trajectory, in_axes=(0, 0, None))(r, s, n_steps)
    )(rates, starts)
    x = np.asarray(starts, np.float64)
    reference = np.empty((EXAMPLES, n_steps))
    for i in range(n_steps):
        x = np.asarray(rates, np.float64) * x * (1 - x)
        reference[:, i] = x
    return StepsResult(
        np.asarray(rates),
        np.asarray(paths),
        reference,
        np.asarray(wrong),
        str(program),
        steps_headlines(low, high, EXAMPLES, n_steps),
    )
