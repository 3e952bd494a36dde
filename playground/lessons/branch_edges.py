"""Gradients at the edge of a guarded function: `cond`, `where`, and the double `where`."""

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def log_by_cond(x):
    """Take the log of a positive number, give 0 for any other."""
    return lax.cond(x > 0, jnp.log, jnp.zeros_like, x)


def log_by_where(x):
    """Take the log in any case, and select."""
    return jnp.where(x > 0, jnp.log(x), 0.0)


def log_by_double_where(x):
    """Make the argument harmless first, and select."""
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.log(safe), 0.0)


def sqrt_by_cond(x):
    """Take the root of a positive number, give 0 for any other."""
    return lax.cond(x > 0, jnp.sqrt, jnp.zeros_like, x)


def sqrt_by_where(x):
    """Take the root in any case, and select."""
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


def sqrt_by_double_where(x):
    """Make the argument harmless first, and select."""
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(safe), 0.0)


def reciprocal_by_cond(x):
    """Divide 1 by a positive number, give 0 for any other."""
    return lax.cond(x > 0, lambda x: 1 / x, jnp.zeros_like, x)


def reciprocal_by_where(x):
    """Divide in any case, and select."""
    return jnp.where(x > 0, 1 / x, 0.0)


def reciprocal_by_double_where(x):
    """Make the argument harmless first, and select."""
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, 1 / safe, 0.0)


GUARDED: dict[str, tuple[FunctionType, FunctionType, FunctionType]] = {
    "log": (log_by_cond, log_by_where, log_by_double_where),
    "sqrt": (sqrt_by_cond, sqrt_by_where, sqrt_by_double_where),
    "reciprocal": (reciprocal_by_cond, reciprocal_by_where, reciprocal_by_double_where),
}
"""By name: the guarded function by cond, by where, by a double where."""

WAYS = ("cond", "where", "double where")


@dataclass(frozen=True)
class EdgeResult:
    """Values and gradients of the three guards.

    Attributes:
        xs: float32, shape (batch,).
        values: float32, shape (3, batch), in the order of `WAYS`.
        gradients: float32, shape (3, batch).
        curve_x: float32, shape (points,).
        curves: gradients along the curve, float32, shape (3, points).
        summary: headline numbers by name.
    """

    xs: np.ndarray
    values: np.ndarray
    gradients: np.ndarray
    curve_x: np.ndarray
    curves: np.ndarray
    summary: dict[str, object]


def values_and_gradients(guards: tuple[Callable, ...], xs):
    """Return values and gradients of each guard at every x, float32, shape (guards, batch) each."""
    values = jnp.stack([jax.vmap(guard)(xs) for guard in guards])
    gradients = jnp.stack([jax.vmap(jax.grad(guard))(xs) for guard in guards])
    return values, gradients


def edge_headlines(guards: tuple[Callable, ...], xs) -> dict[str, object]:
    """Return the gradients of the three guards as headline numbers."""
    _, gradients = values_and_gradients(guards, xs)
    names = ("cond", "where", "double where")
    rows = gradients.tolist()
    return {f"gradient by {name}": tuple(row) for name, row in zip(names, rows, strict=True)}


def run_edges(function: str, values: tuple[float, ...]) -> EdgeResult:
    """Compute values and gradients of a guarded function at some points and along a curve."""
    guards = GUARDED[function]
    xs = jnp.array(values, jnp.float32)
    curve_x = (jnp.arange(81.0) - 20) / 20  # from -1 to 3, and 0 is one of the points
    at_points = values_and_gradients(guards, xs)
    _, curves = values_and_gradients(guards, curve_x)
    return EdgeResult(
        np.asarray(xs),
        np.asarray(at_points[0]),
        np.asarray(at_points[1]),
        np.asarray(curve_x),
        np.asarray(curves),
        edge_headlines(guards, xs),
    )
