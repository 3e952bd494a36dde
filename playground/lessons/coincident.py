"""The gradient of a distance where two points coincide: four formulas that look alike."""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from playground.lessons.distances import Point, euclidean, squared

FORMULAS = ("plain", "clipped", "single where", "double where")


def plain(x: Point, y: Point) -> Float[Array, ""]:
    """Square root of the sum of squares; the slope of the root at 0 is infinite."""
    return jnp.sqrt(squared(x, y))


def clipped(x: Point, y: Point) -> Float[Array, ""]:
    """Advice that is often given, and does not help: clip below at 0."""
    return jnp.sqrt(jnp.maximum(squared(x, y), 0.0))


def single_where(x: Point, y: Point) -> Float[Array, ""]:
    """One `where` around the root: its gradient is still 0 times infinity."""
    square = squared(x, y)
    return jnp.where(square > 0, jnp.sqrt(square), 0.0)


def formula_named(name: str) -> Callable[[Point, Point], Float[Array, ""]]:
    """Return the formula of one pair that a name of `FORMULAS` stands for."""
    functions = (plain, clipped, single_where, euclidean)
    return dict(zip(FORMULAS, functions, strict=True))[name]


@partial(jax.jit, static_argnames="distance")
def gradient_towards(
    distance: Callable, X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "rows dimension"]:
    """Gradient, with respect to X, of the sum of all distances from X to Y."""

    def total(points: Array) -> Array:
        one_row = jax.vmap(distance, in_axes=(None, 0))
        return jax.vmap(one_row, in_axes=(0, None))(points, Y).sum()

    return jax.grad(total)(X)


def meeting(X: Array, Y: Array, count: int) -> Array:
    """Move the first `count` points of X exactly onto the first points of Y."""
    count = min(count, len(X), len(Y))
    return X.at[:count].set(Y[:count])


def coincident_gradients(
    X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> dict[str, np.ndarray]:
    """Compute the gradient of the summed distances by every formula of `FORMULAS`."""
    return {name: np.asarray(gradient_towards(formula_named(name), X, Y)) for name in FORMULAS}


def nan_counts(gradients: dict[str, np.ndarray]) -> dict[str, int]:
    """Count the points whose gradient holds a nan, by formula."""
    return {
        f"nan gradients of {name}": int(np.isnan(gradient).any(axis=1).sum())
        for name, gradient in gradients.items()
    }
