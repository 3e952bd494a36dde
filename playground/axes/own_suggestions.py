"""Other calls to try, for a user's own function: repairs, the surprise, wanted shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from playground.axes.explain import explain
from playground.axes.leaf_entries import axes_of_leaves
from playground.axes.own_call import OwnCall, write_levels
from playground.axes.own_code import line_in_code
from playground.axes.own_text import read_wanted
from playground.axes.report import Report
from playground.axes.search import find_axes

MOST_CHOICES = 6
SEARCH_SECONDS = 4.0


def shape_text(tree: Any) -> str:
    """Write the shapes of a pytree of arrays."""
    return str(jax.tree.map(lambda leaf: tuple(leaf.shape), tree))


def _suggestion(
    call: OwnCall, words: tuple[str, str], found: Any, args: Any, kwargs: Any
) -> dict[str, Any]:
    same = getattr(found, "function", call.function) is call.function
    text = call.described(tuple(args), kwargs) if same else None
    levels = write_levels(tuple(found.levels))
    return {
        "words": list(words),
        "code": found.code,
        "gives": shape_text(found.output),
        "arguments": text,
        "levels": None if text is None else levels,
    }


def refusal(call: OwnCall, report: Report) -> dict[str, Any] | None:
    """Say why a call is refused, in which line of the code, and which changes repair it."""
    error = report.error
    if error is None:
        return None
    return {
        "exception": error.exception,
        "text": error.text[:4000],
        "kind": error.kind,
        "line": line_in_code(report.run.error),
        "words": [error.summary("en"), error.summary("zh")],
        "repairs": [
            _suggestion(call, repair.words, repair, repair.args, repair.kwargs)
            for repair in error.repairs
        ],
    }


def surprise(call: OwnCall, report: Report) -> dict[str, Any] | None:
    """Find the out_axes that give an output of a mapped argument's own shape."""
    if not report.ok or len(call.levels) > 1 or len(jax.tree.leaves(report.output)) != 1:
        return None
    level, shape = call.levels[0], jax.tree.leaves(report.output)[0].shape
    leaves = jax.tree.leaves(call.args)
    for leaf, axis in zip(leaves, axes_of_leaves(call.args, level.in_axes), strict=True):
        own = np.shape(leaf)
        if not isinstance(axis, int) or own == tuple(shape) or len(own) < 2:
            continue
        changed = replace(level, out_axes=axis)
        other = explain(call.function, call.args, call.kwargs, levels=(changed,))
        if other.ok and jax.tree.leaves(other.output)[0].shape == own:
            words = f"out_axes={axis}"
            found = _Found((changed,), other.code, other.output)
            return _suggestion(call, (words, words), found, call.args, call.kwargs)
    return None


@dataclass(frozen=True)
class _Found:
    levels: tuple[Any, ...]
    code: str
    output: Any


def wanted(call: OwnCall, want: str) -> dict[str, Any]:
    """Find the axes that give a wanted output; says whether all possibilities were looked at."""
    found = find_axes(
        call.function,
        call.args,
        read_wanted(want),
        depth=len(call.levels),
        kwargs=call.kwargs,
        seconds=SEARCH_SECONDS,
    )
    choices = []
    for choice in found[:MOST_CHOICES]:
        words = _chain_words(choice.levels)
        choices.append(_suggestion(call, words, choice, call.args, call.kwargs))
    return {"choices": choices, "complete": found.complete}


def mistakes(call: OwnCall, report: Report) -> list[str]:
    """List other shapes that people expect: another place of the batch axis, or none at all."""
    shapes = []
    if report.ok:
        shapes.append(shape_text(report.levels[0].outputs))
        for out_axes in (0, 1):
            chain = (*call.levels[:-1], replace(call.levels[-1], out_axes=out_axes))
            other = explain(call.function, call.args, call.kwargs, levels=chain)
            shapes += [shape_text(other.output)] if other.ok else []
    shapes += [str(np.shape(leaf)) for leaf in jax.tree.leaves(call.args)[:2]]
    return shapes


def _chain_words(levels: tuple[Any, ...]) -> tuple[str, str]:
    axes = [f"in_axes={level.in_axes}, out_axes={level.out_axes}" for level in levels]
    if len(axes) == 1:
        return axes[0], axes[0]
    inner, outer = axes[0], axes[-1]
    return f"inner {inner}; outer {outer}", f"内层 {inner}；外层 {outer}"
