"""Compares two results before anybody times them: equal within a tolerance, and how far apart."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

TOLERANCE = 1e-4


@dataclass(frozen=True)
class Drift:
    """How far a result is from the reference.

    Attributes:
        ulp: largest distance of two numbers, in units in the last place of the reference.
        relative: largest distance, divided by the largest magnitude of the reference.
        agrees: the structures and shapes are the same and `relative` is within the tolerance.
    """

    ulp: float
    relative: float
    agrees: bool


def drift_between(result: Any, reference: Any, tolerance: float = TOLERANCE) -> Drift:
    """Measure how far `result` is from `reference`; nan agrees with nan.

    Two correct float32 programs differ by rounding, so equality of bits is not asked for.

    Args:
        result: arrays or a pytree of them.
        reference: what they should be.
        tolerance: largest relative distance that still counts as rounding.

    Returns:
        The drift over all leaves; infinite when structure or shapes differ.
    """
    apart = Drift(float("inf"), float("inf"), False)
    if jax.tree.structure(result) != jax.tree.structure(reference):
        return apart
    ulps, relatives = [0.0], [0.0]
    for leaf, wanted in zip(jax.tree.leaves(result), jax.tree.leaves(reference), strict=True):
        if jnp.shape(leaf) != jnp.shape(wanted):
            return apart
        ulp, relative = _leaf_drift(leaf, wanted)
        ulps.append(ulp)
        relatives.append(relative)
    return Drift(max(ulps), max(relatives), max(relatives) <= tolerance)


def _leaf_drift(result: Any, reference: Any) -> tuple[float, float]:
    kind = jnp.result_type(reference)
    wide = np.complex128 if jnp.issubdtype(kind, jnp.complexfloating) else np.float64
    got, wanted = np.asarray(result).astype(wide), np.asarray(reference).astype(wide)
    if not wanted.size:
        return 0.0, 0.0
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(invalid="ignore"):
        distance = np.where(same, 0.0, np.abs(got - wanted))
    if not np.isfinite(distance).all():
        return float("inf"), float("inf")
    finite = np.where(np.isfinite(wanted), np.abs(wanted), 0.0)
    inexact = jnp.issubdtype(kind, jnp.inexact)
    spacing = _spacing(finite, kind) if inexact else np.ones_like(finite)
    largest = float(finite.max())
    scale = largest if inexact and largest > 0 else 1.0
    return float((distance / spacing).max()), float(distance.max() / scale)


def _spacing(magnitude: np.ndarray, kind: Any) -> np.ndarray:
    facts = jnp.finfo(kind)
    exponent = np.floor(np.log2(np.maximum(magnitude, float(facts.tiny))))
    return float(facts.eps) * 2.0**exponent
