"""How far the expansion is wrong when the points lie far from the origin, against float64."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from playground.lessons.choose import pairwise_distances
from playground.lessons.distances import rows_outside, squared
from playground.lessons.expansion import centred_expansion, expansion

OFFSETS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
METHODS = ("nested", "expansion", "centred", "chosen")


@dataclass(frozen=True)
class Cancellation:
    """Squared distances by several methods, compared with float64.

    Attributes:
        offsets: what was added to every coordinate, shape (offsets,).
        errors: largest relative error of a squared distance by method, each (offsets,).
        negatives: how many squares the plain expansion made negative, int, (offsets,).
        pairs: how many pairs were compared.
    """

    offsets: np.ndarray
    errors: dict[str, np.ndarray]
    negatives: np.ndarray
    pairs: int


def squares_in_float64(X: Array, Y: Array) -> np.ndarray:
    """Squared distances of the very same points by NumPy in float64."""
    wide_x, wide_y = np.asarray(X, np.float64), np.asarray(Y, np.float64)
    return np.stack([((x - wide_y) ** 2).sum(axis=1) for x in wide_x])


def relative_error(found: np.ndarray, true: np.ndarray) -> float:
    """Largest |found - true| / true over the pairs that are truly apart; 0 when none is."""
    apart = true > 0
    return float((np.abs(found - true)[apart] / true[apart]).max(initial=0.0))


def error_at(X: Array, Y: Array, offset: float) -> dict[str, float]:
    """Move the points by an offset and compare three formulas with float64.

    Args:
        X: points around the origin, float32, shape (rows, dimension).
        Y: points around the origin, float32, shape (columns, dimension).
        offset: what is added to every coordinate.

    Returns:
        Largest relative error of nested vmap, expansion and centred expansion, and how many
        squares the expansion made negative. The reference takes the moved points as float32 holds
        them: what is measured is the formula, not the rounding of the points.
    """
    X, Y = X + jnp.float32(offset), Y + jnp.float32(offset)
    true = squares_in_float64(X, Y)
    expanded = np.asarray(expansion(X, Y))
    return {
        "error of nested vmap": relative_error(np.asarray(rows_outside(squared, X, Y)), true),
        "error of expansion": relative_error(expanded, true),
        "error of centred expansion": relative_error(np.asarray(centred_expansion(X, Y)), true),
        "negative squares of expansion": int((expanded < 0).sum()),
    }


def cancellation(X: Array, Y: Array) -> Cancellation:
    """Move the same points away from the origin, step by step; see `error_at`."""
    errors = {name: np.zeros(len(OFFSETS)) for name in METHODS}
    negatives = np.zeros(len(OFFSETS), int)
    for k, offset in enumerate(OFFSETS):
        *three, negatives[k] = error_at(X, Y, offset).values()
        moved = X + jnp.float32(offset), Y + jnp.float32(offset)
        chosen = pairwise_distances(*moved, "squared").matrix
        for name, error in zip(
            METHODS, [*three, relative_error(chosen, squares_in_float64(*moved))], strict=True
        ):
            errors[name][k] = error
    return Cancellation(np.array(OFFSETS), errors, negatives, len(X) * len(Y))
