"""What people expect of a call in place of what it gives; every answer is the engine's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import numpy as np

from playground.axes.explain import explain
from playground.axes.leaf_entries import axes_of_leaves
from playground.axes.levels import Level
from playground.axes.report import Report


def shape_text(tree: Any) -> str:
    """Write the shapes of a pytree of arrays: (5, 3), or one for each output."""
    return str(jax.tree.map(lambda leaf: tuple(leaf.shape), tree))


def surprise(report: Report) -> Report | None:
    """Find the out_axes that bring the one output back in a mapped argument's own shape.

    Args:
        report: of any call.

    Returns:
        The report of the call that people had in mind; None when the call is refused, has several
        outputs, or gives that shape already.
    """
    outputs = jax.tree.leaves(report.output)
    if not report.ok or len(outputs) != 1:
        return None
    by_level = [axes_of_leaves(report.args, level.in_axes) for level in report.chain]
    for position, leaf in enumerate(jax.tree.leaves(report.args)):
        own, axes = np.shape(leaf), [found[position] for found in by_level]
        if len(own) < 2 or own == outputs[0].shape or not any(isinstance(a, int) for a in axes):
            continue
        chain = tuple(
            replace(level, out_axes=axis) if isinstance(axis, int) else level
            for level, axis in zip(report.chain, axes, strict=True)
        )
        other = _with(report, chain)
        if other.ok and jax.tree.leaves(other.output)[0].shape == own:
            return other
    return None


def mistakes(report: Report) -> list[str]:
    """List the shapes of the classic mistakes.

    Args:
        report: of any call.

    Returns:
        Texts of shapes: the batch axis of the outermost level elsewhere, a batch axis forgotten,
        the function of the whole arrays. The right one may be among them.
    """
    shapes = []
    for out_axes in (0, 1, -1):
        outermost = replace(report.chain[-1], out_axes=out_axes)
        other = _with(report, (*report.chain[:-1], outermost))
        if other.ok:
            shapes.append(shape_text(other.output))
            shapes += [shape_text(level.outputs) for level in other.levels]
    try:
        shapes.append(shape_text(jax.eval_shape(report.function, *report.args, **report.kwargs)))
    except Exception:  # the whole arrays need not fit the function at all
        shapes += [str(np.shape(leaf)) for leaf in jax.tree.leaves((report.args, report.kwargs))]
    return shapes


def _with(report: Report, chain: tuple[Level, ...]) -> Report:
    return explain(report.function, report.args, report.kwargs, levels=chain)
