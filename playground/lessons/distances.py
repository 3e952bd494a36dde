"""Distances of ONE pair of points, and the two levels of vmap that make a matrix of them.

How the same matrix is computed fast is in `direct`, `expansion` and `choose`.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Point = Float[Array, " dimension"]
Metric = Callable[[Point, Point], Float[Array, ""]]

METRIC_NAMES = ("euclidean", "squared", "manhattan", "cosine", "dot")
ORDERS = ("rows", "columns")


def squared(x: Point, y: Point) -> Float[Array, ""]:
    """Squared Euclidean distance of one pair."""
    return jnp.sum((x - y) ** 2)


def euclidean(x: Point, y: Point) -> Float[Array, ""]:
    """Euclidean distance of one pair; its gradient at coincident points is 0, not nan."""
    square = squared(x, y)
    apart = square > 0
    # Two `where`: the inner one keeps the derivative of sqrt away from 0, where it is infinite.
    return jnp.where(apart, jnp.sqrt(jnp.where(apart, square, 1.0)), 0.0)


def manhattan(x: Point, y: Point) -> Float[Array, ""]:
    """Sum of absolute differences of one pair."""
    return jnp.sum(jnp.abs(x - y))


def unit(x: Point) -> Point:
    """Scale one point to length 1; a point at the origin stays there."""
    square = jnp.sum(x * x)
    away = square > 0
    return jnp.where(away, x / jnp.sqrt(jnp.where(away, square, 1.0)), 0.0)


def cosine(x: Point, y: Point) -> Float[Array, ""]:
    """Cosine distance of one pair, 1 - cos(angle).

    Computed as half the squared distance of the unit vectors: equal, but without the
    cancellation of "1 - something near 1" for nearly parallel points.
    """
    return squared(unit(x), unit(y)) / 2


def dot(x: Point, y: Point) -> Float[Array, ""]:
    """Inner product of one pair: a similarity, not a distance."""
    return jnp.sum(x * y)


def metric_named(name: str) -> Metric:
    """Return the function of one pair that a name of `METRIC_NAMES` stands for."""
    functions = (euclidean, squared, manhattan, cosine, dot)
    return dict(zip(METRIC_NAMES, functions, strict=True))[name]


@partial(jax.jit, static_argnames="metric")
def rows_outside(
    metric: Metric, X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "rows columns"]:
    """Compare every x with every y; the outer level walks X, so X's axis comes first."""
    one_row = jax.vmap(metric, in_axes=(None, 0))
    return jax.vmap(one_row, in_axes=(0, None))(X, Y)


@partial(jax.jit, static_argnames="metric")
def columns_outside(
    metric: Metric, X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "columns rows"]:
    """Compare every x with every y; the outer level walks Y, so Y's axis comes first."""
    one_column = jax.vmap(metric, in_axes=(0, None))
    return jax.vmap(one_column, in_axes=(None, 0))(X, Y)


@jax.jit
def paired(
    X: Float[Array, "rows dimension"], Y: Float[Array, "rows dimension"]
) -> Float[Array, " rows"]:
    """Compare x[i] with y[i] only: one level pairs, two levels combine."""
    return jax.vmap(squared)(X, Y)
