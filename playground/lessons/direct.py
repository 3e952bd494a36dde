"""Distances without cancellation: differences first, in float64, a few coordinates at a time.

Written for one pair and batched by two levels of vmap. The coordinates are unrolled in short
runs, so the compiler keeps one running sum per pair and never stores rows x columns x dimension.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from playground.lessons.distances import Point

RUN = 16
"""Coordinates that are added up in one unrolled run."""

UNIT_ROUNDING = 1e-30
"""Squared distance of unit vectors that is nothing but the rounding of float64."""


def difference_squared(a: Float[Array, ""], b: Float[Array, ""]) -> Float[Array, ""]:
    """Contribution of one coordinate to the squared distance."""
    return (a - b) * (a - b)


def difference(a: Float[Array, ""], b: Float[Array, ""]) -> Float[Array, ""]:
    """Contribution of one coordinate to the Manhattan distance."""
    return jnp.abs(a - b)


def product(a: Float[Array, ""], b: Float[Array, ""]) -> Float[Array, ""]:
    """Contribution of one coordinate to the inner product."""
    return a * b


def total(term: Callable, x: Point, y: Point) -> Float[Array, ""]:
    """Add up `term(x_k, y_k)` over the coordinates of one pair, `RUN` of them at a time."""

    def add_run(so_far: Array, run: tuple[Array, Array]) -> tuple[Array, None]:
        a, b = run
        for k in range(a.shape[0]):
            so_far = so_far + term(a[k], b[k])
        return so_far, None

    start = jnp.zeros((), x.dtype)
    if x.shape[0] <= RUN:
        return add_run(start, (x, y))[0]
    padding = -x.shape[0] % RUN  # zeros add nothing to any of the three terms
    x_runs, y_runs = (jnp.pad(point, (0, padding)).reshape(-1, RUN) for point in (x, y))
    return lax.scan(add_run, start, (x_runs, y_runs))[0]


def direct_pair(metric: str, x: Point, y: Point) -> Float[Array, ""]:
    """Distance of one pair; for "cosine" both points must have length 1 already."""
    if metric == "manhattan":
        return total(difference, x, y)
    if metric == "dot":
        return total(product, x, y)
    square = total(difference_squared, x, y)
    if metric == "euclidean":
        return jnp.sqrt(square)
    if metric == "cosine":
        return jnp.where(square < UNIT_ROUNDING, 0.0, square / 2)
    return square


@partial(jax.jit, static_argnames="metric")
def direct(
    metric: str, X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "rows columns"]:
    """Compare every x with every y in float64; run it inside `in_float64`.

    Returns:
        Distances rounded to float32.
    """
    # Coordinates first: the compiler then walks neighbouring columns with one vector load.
    coordinates_first = (jnp.asarray(points, jnp.float64).T for points in (X, Y))
    one_row = jax.vmap(partial(direct_pair, metric), in_axes=(None, 1))
    matrix = jax.vmap(one_row, in_axes=(1, None))(*coordinates_first)
    return matrix.astype(jnp.float32)


@partial(jax.jit, static_argnames="metric")
def direct_pairs(
    metric: str, X: Float[Array, "pairs dimension"], Y: Float[Array, "pairs dimension"]
) -> Float[Array, " pairs"]:
    """Compare x[i] with y[i] in float64, rounded to float32; run it inside `in_float64`."""
    points = (jnp.asarray(side, jnp.float64) for side in (X, Y))
    return jax.vmap(partial(direct_pair, metric))(*points).astype(jnp.float32)


def in_float64(function: Callable, *arguments: Any) -> Any:
    """Call a function with 64-bit numbers switched on, for this call and this thread only."""
    with jax.enable_x64(True):
        return function(*arguments)
