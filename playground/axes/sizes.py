"""Bytes of arrays that need not exist."""

from __future__ import annotations

import math
from typing import Any

import jax


def bytes_of(shape: tuple[int, ...], dtype: Any) -> int:
    """Return the bytes of an array, a typed key counted by its data."""
    impl = getattr(dtype, "_impl", None)
    itemsize = 4 * math.prod(impl.key_shape) if impl else getattr(dtype, "itemsize", 0)
    return math.prod(shape) * itemsize


def tree_bytes(tree: Any) -> int:
    """Return the bytes of all leaves of a pytree that have a shape and a dtype."""
    return sum(
        bytes_of(tuple(leaf.shape), leaf.dtype)
        for leaf in jax.tree.leaves(tree)
        if hasattr(leaf, "shape") and hasattr(leaf, "dtype")
    )
