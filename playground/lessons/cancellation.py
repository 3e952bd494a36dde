"""How far the expansion is wrong when the points lie far from the origin, against float64."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

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
        negatives: number of negative "squared distances" by method, each (offsets,).
        pairs: how many pairs were compared.
    """

    offsets: np.ndarray
    errors: dict[str, np.ndarray]
    negatives: dict[str, np.ndarray]
    pairs: int


def chosen(X: Array, Y: Array) -> np.ndarray:
    """Squared distances by the method that `choose` takes for these points."""
    return pairwise_distances(X, Y, "squared").matrix


def squares_in_float64(X: Array, Y: Array) -> np.ndarray:
    """Squared distances of the very same points by NumPy in float64."""
    wide_x, wide_y = np.asarray(X, np.float64), np.asarray(Y, np.float64)
    return np.stack([((x - wide_y) ** 2).sum(axis=1) for x in wide_x])


def relative_error(found: np.ndarray, true: np.ndarray) -> float:
    """Largest |found - true| / true over the pairs that are truly apart; 0 when none is."""
    apart = true > 0
    return float((np.abs(found - true)[apart] / true[apart]).max(initial=0.0))


def cancellation(
    X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Cancellation:
    """Move the same points away from the origin and watch each method.

    Args:
        X: points around the origin, float32.
        Y: points around the origin, float32.

    Returns:
        Errors against float64 of the moved points as float32 holds them: what is measured is the
        formula, not the rounding of the points.
    """
    methods = {
        "nested": lambda x, y: rows_outside(squared, x, y),
        "expansion": expansion,
        "centred": centred_expansion,
        "chosen": chosen,
    }
    errors = {name: np.zeros(len(OFFSETS)) for name in methods}
    negatives = {name: np.zeros(len(OFFSETS), int) for name in methods}
    for k, offset in enumerate(OFFSETS):
        moved = jnp.float32(offset) + X, jnp.float32(offset) + Y
        true = squares_in_float64(*moved)
        for name, method in methods.items():
            found = np.asarray(jax.block_until_ready(method(*moved)))
            errors[name][k] = relative_error(found, true)
            negatives[name][k] = int((found < 0).sum())
    return Cancellation(np.array(OFFSETS), errors, negatives, len(X) * len(Y))
