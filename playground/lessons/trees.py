"""Comparing gradients that are pytrees, in float64, whatever their structure."""

from collections.abc import Mapping

import jax
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Float


def flat_vector(tree: Mapping[str, ArrayLike]) -> Float[np.ndarray, " numbers"]:
    """Write all leaves of one gradient as one float64 vector."""
    leaves = [np.asarray(leaf, np.float64).ravel() for leaf in jax.tree.leaves(tree)]
    return np.concatenate(leaves)


def flat_rows(gradients: Mapping[str, ArrayLike]) -> Float[np.ndarray, "batch numbers"]:
    """Write per-example gradients as one float64 matrix with a row for each example."""
    leaves = [np.asarray(leaf, np.float64) for leaf in jax.tree.leaves(gradients)]
    return np.concatenate([leaf.reshape(leaf.shape[0], -1) for leaf in leaves], axis=1)


def cosine(first: Mapping[str, ArrayLike], second: Mapping[str, ArrayLike]) -> float:
    """Return the cosine between two gradients over all leaves; nan when one of them is zero."""
    a, b = flat_vector(first), flat_vector(second)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths > 0 else float("nan")


def relative_distance(first: Mapping[str, ArrayLike], second: Mapping[str, ArrayLike]) -> float:
    """Return |first - second| / |second| over all leaves; |first| when the second is zero."""
    a, b = flat_vector(first), flat_vector(second)
    length = np.linalg.norm(b)
    return float(np.linalg.norm(a - b) / (length if length > 0 else 1.0))
