"""Runs a small call on real numbers, and follows its examples through it one by one."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes.leaf_entries import axes_of_leaves
from playground.axes.own_call import OwnCall, build
from playground.axes.own_code import line_in_code
from playground.axes.report import Report

MOST_SHOWN = 512
MOST_FOLLOWED = 32


def real_run(call: OwnCall, report: Report, told: dict[str, Any]) -> None:
    """Add to an answer the numbers of its arrays, and whether examples come out right.

    Args:
        call: a small call.
        report: what the engine says of it.
        told: the answer so far; `leaves` and `outputs` get `values`, outputs `agrees`: for each
            example of the outermost level that was followed, True, False or None (unknown).
    """
    args, kwargs = (
        build(part, is_real=True) for part in (call.arguments.args, call.arguments.kwargs)
    )
    leaves = jax.tree.leaves((args, kwargs))
    for described, leaf in zip(told["leaves"], leaves, strict=True):
        described["values"] = shown_numbers(leaf)
    if not report.ok:
        return
    inner = call.function
    for level in call.levels[:-1]:
        inner = level.apply(inner)
    outermost = call.levels[-1]
    try:
        outputs = jax.tree.leaves(outermost.apply(inner)(*args, **kwargs))
    except Exception as error:  # what only real numbers show
        told["failed"] = [type(error).__name__, str(error)[:1000], line_in_code(error)]
        return
    told["total"] = _total(outputs)
    size = report.levels[-1].batch_size or 0
    followed: list[int] = []
    if outermost.axis_name is None and not outermost.sum_match:
        followed = list(range(size)) if size <= MOST_FOLLOWED else [0]
    alone = [_alone(inner, call, args, kwargs, lit) for lit in followed]
    for position, (described, output) in enumerate(zip(told["outputs"], outputs, strict=True)):
        described["values"] = shown_numbers(output)
        described["agrees"] = [
            None if one is None else _agrees(output, described["axis"], lit, one[position])
            for lit, one in zip(followed, alone, strict=True)
        ]


def _alone(inner: Any, call: OwnCall, args: Any, kwargs: Any, lit: int) -> list[Any] | None:
    """Call the function below the outermost level for one example, without that level."""
    leaves, treedef = jax.tree.flatten(args)
    axes = axes_of_leaves(call.args, call.levels[-1].in_axes)
    picked = [
        leaf if axis is None else jnp.take(leaf, lit, axis=axis) if _is_number(leaf) else leaf[lit]
        for leaf, axis in zip(leaves, axes, strict=True)
    ]
    words = jax.tree.map(lambda leaf: leaf[lit], kwargs)
    try:
        return jax.tree.leaves(inner(*jax.tree.unflatten(treedef, picked), **words))
    except Exception:  # a function may need the batch around it
        return None


def _is_number(leaf: Any) -> bool:
    return not jax.dtypes.issubdtype(getattr(leaf, "dtype", np.dtype(float)), jax.dtypes.prng_key)


def _agrees(output: Any, axis: int | None, lit: int, alone: Any) -> bool | None:
    if not (_is_number(output) and _is_number(alone)):
        return None
    batch, single = np.asarray(output), np.asarray(alone)
    piece = batch if axis is None else np.take(batch, lit, axis=axis)
    if piece.shape != single.shape:
        return False
    wide = np.complex128 if piece.dtype.kind == "c" else np.float64
    piece, single = piece.astype(wide), single.astype(wide)
    scale = float(np.max(np.abs(single), initial=0.0, where=np.isfinite(single)))
    return bool(np.allclose(piece, single, rtol=1e-4, atol=1e-5 * scale, equal_nan=True))


def _total(outputs: list[Any]) -> float | None:
    arrays = [np.asarray(leaf) for leaf in outputs if _is_number(leaf)]
    if len(arrays) != len(outputs) or any(array.dtype.kind == "c" for array in arrays):
        return None
    return float(sum(array.astype(np.float64).sum() for array in arrays))


def shown_numbers(leaf: Any) -> Any:
    """Return the numbers of an array as nested lists, None where they are too many to show.

    Args:
        leaf: an array, or something else, which has no numbers.
    """
    if not hasattr(leaf, "dtype") or not _is_number(leaf) or leaf.ndim > 3:
        return None
    array = np.asarray(leaf)
    if array.dtype.kind == "V" or array.dtype.kind not in "biuf":
        array = array.astype(np.float32) if array.dtype.kind == "V" else array
    if array.dtype.kind not in "biuf" or math.prod(array.shape) > MOST_SHOWN:
        return None
    return array.tolist()
