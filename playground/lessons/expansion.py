"""Squared distances by the expansion |x|^2 + |y|^2 - 2 x.y: one matrix product, but it cancels.

Centring first removes the common offset; pairs so close that digits are still lost are named, and
`choose` computes them directly.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Bool, Float

from playground.lessons.distances import Point

NEAR = 0.01
"""A pair is near when its squared distance is below this share of |x|^2 + |y|^2.

The expansion in float32 is wrong by a few 6e-8 (|x|^2 + |y|^2); above this share the relative
error of the distance therefore stays near 1e-5. It names every pair closer than a thousandth of
the spread, and many more.
"""


def expanded(x: Point, y: Point) -> Float[Array, ""]:
    """Squared distance of one pair by the expansion; rounding can make it negative."""
    return jnp.sum(x * x) + jnp.sum(y * y) - 2 * jnp.dot(x, y)


@jax.jit
def expansion(
    X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "rows columns"]:
    """Squared distances of every x to every y by the expansion, as it stands."""
    return jax.vmap(jax.vmap(expanded, in_axes=(None, 0)), in_axes=(0, None))(X, Y)


@jax.jit
def centred_expansion(
    X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "rows columns"]:
    """Squared distances by the expansion after the common centre has been taken away."""
    centre = (X.mean(axis=0) + Y.mean(axis=0)) / 2
    return expansion(X - centre, Y - centre)


@partial(jax.jit, static_argnames="as_columns")
def centred(
    X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"], as_columns: bool
) -> tuple[Array, Array, Float[Array, ""]]:
    """Prepare both sets for `expand`: centre removed, scaled to at most 1.

    Args:
        X: points as rows, float32, or float64 inside `in_float64`.
        Y: points as rows.
        as_columns: hand them back with one point per column.

    Returns:
        Both sets in float32, and the factor by which they were divided.
    """
    centre = (X.mean(axis=0) + Y.mean(axis=0)) / 2
    X, Y = X - centre, Y - centre
    largest = jnp.maximum(jnp.max(jnp.abs(X)), jnp.max(jnp.abs(Y)))
    scale = jnp.where(largest > 0, largest, 1.0)
    X, Y = ((points / scale).astype(jnp.float32) for points in (X, Y))
    return *((X.T, Y.T) if as_columns else (X, Y)), scale.astype(jnp.float32)


@partial(jax.jit, static_argnames=("metric", "as_columns"))
def expand(
    metric: str, X: Array, Y: Array, scale: Float[Array, ""], as_columns: bool
) -> tuple[Float[Array, "rows columns"], Bool[Array, " rows"], Array, Array]:
    """Expand all pairs of prepared points and name the rows that hold near pairs.

    Args:
        metric: "euclidean", "squared", or "cosine" (of points of length 1).
        X: points from `centred`.
        Y: points from `centred`.
        scale: the factor that takes the coordinates back to their own units.
        as_columns: whether X and Y hold one point per column.

    Returns:
        Distances; which rows hold at least one near pair; squared lengths of X and of Y.
    """
    # The barrier keeps the layout that was asked for: the compiler would choose a slower one.
    X, Y = lax.optimization_barrier((X, Y))
    x_squares, y_squares = (jnp.sum(p * p, axis=0 if as_columns else 1) for p in (X, Y))
    products = X.T @ Y if as_columns else X @ Y.T
    has_near = jnp.max(2 * products - (1 - NEAR) * y_squares, axis=1) > (1 - NEAR) * x_squares
    squares = jnp.maximum(x_squares[:, None] + y_squares - 2 * products, 0)
    return in_units(metric, squares, scale), has_near, x_squares, y_squares


def in_units(metric: str, squares: Array, scale: Array) -> Array:
    """Turn squared distances of scaled points into the metric's own values."""
    if metric == "euclidean":
        return jnp.sqrt(squares) * scale
    halved = 2 if metric == "cosine" else 1
    return squares * scale * scale / halved


@partial(jax.jit, static_argnames="metric")
def near_mask(
    metric: str, distances: Array, x_squares: Array, y_squares: Array, scale: Array
) -> Bool[Array, "rows columns"]:
    """Mark the near pairs in a result of `expand`.

    The test is a little wider than the one of `expand`, which rounds differently: every row named
    there has its pairs here, and a spare pair costs nothing.
    """
    bounds = 1.01 * NEAR * (x_squares[:, None] + y_squares)
    return distances <= in_units(metric, bounds, scale)
