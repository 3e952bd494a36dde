"""Gradients that are hard to clip, run through the usual formula and through ours.

Zero, tiny, huge, infinite and nan gradients, for the chosen C and for C = 0; nothing is asserted,
every cell of the table is computed.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from playground.lessons.clipping import clip_gradient, clip_naively

CASES = {
    "zero": (0.0, 0.0),
    "small": (0.3, 0.4),
    "large": (3.0, 4.0),
    "norm squared overflows": (3e25, 4e25),
    "norm overflows": (3e38, 3e38),
    "inf": (float("inf"), 0.0),
    "nan": (float("nan"), 1.0),
}


@dataclass(frozen=True)
class ClipCases:
    """What becomes of each case; arrays have shape (cases, 2) or (cases,).

    Attributes:
        names: name of each case.
        given: the gradients.
        naive: gradient · min(1, C/norm).
        ours: by `clip_gradient`.
        refused: which ones were refused.
    """

    names: tuple[str, ...]
    given: np.ndarray
    naive: np.ndarray
    ours: np.ndarray
    refused: np.ndarray


def clip_cases(clip_norm: float) -> ClipCases:
    """Clip every case with the usual formula and with ours.

    Args:
        clip_norm: C.
    """
    given = {"w": jnp.array(list(CASES.values()))}
    ours, refused = jax.vmap(clip_gradient, in_axes=(0, None))(given, clip_norm)
    naive = jax.vmap(clip_naively, in_axes=(0, None))(given, clip_norm)
    return ClipCases(
        tuple(CASES),
        np.asarray(given["w"]),
        np.asarray(naive["w"]),
        np.asarray(ours["w"]),
        np.asarray(refused),
    )
