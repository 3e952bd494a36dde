"""Remedies that fit one kind of refusal; each is only proposed here and tried in repairs.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import jax

from playground.axes.arguments import (
    FALLBACK_SIZE,
    keyword_remedies,
    leaf_remedies,
    set_level,
    size_remedies,
)
from playground.axes.changes import Change
from playground.axes.diagnosis import Diagnosis
from playground.axes.levels import VMAP_OPTIONS
from playground.axes.prefixes import graft
from playground.axes.running import Run

# How much simpler a change counts that keeps the axes as they were meant.
KEPT = 0.5


def _meant(change: Change) -> Change:
    """Prefer what keeps the axes that were written."""
    return replace(change, cost=change.cost - KEPT)


def _type_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    level = change.levels[found.level or 0]
    which = "in_axes" if found.kind == "in_axes_type" else "out_axes"
    axes = getattr(level, which)
    if which == "in_axes" and len(change.args) == 1:
        yield _meant(set_level(change, found.level or 0, in_axes=(axes,)))
    whole = _integers(axes)
    if whole is not None:
        yield _meant(set_level(change, found.level or 0, **{which: whole}))
    if which == "out_axes":
        yield set_level(change, found.level or 0, out_axes=0)


def _integers(axes: Any) -> Any:
    """Read 1.0, True or a NumPy integer as the int that was meant."""
    try:
        return jax.tree.map(lambda axis: int(axis), axes)
    except (TypeError, ValueError):
        return None


def _length_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    index = found.level or 0
    level, count = change.levels[index], len(change.args)
    axes = tuple(level.in_axes)
    if count == 1:  # one pytree argument, its axes written flat
        yield set_level(change, index, in_axes=(axes,))
        yield _meant(set_level(change, index, in_axes=(graft(axes, change.args[0]),)))
    if len(axes) > count:
        yield set_level(change, index, in_axes=axes[:count])
    else:
        for fill in (0, None):
            yield set_level(change, index, in_axes=axes + (fill,) * (count - len(axes)))
    yield set_level(change, index, in_axes=0)


def _prefix_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    index = found.level or 0
    axes = change.levels[index].in_axes
    if isinstance(axes, tuple | list) and len(axes) == len(change.args):
        grafted = tuple(graft(a, v) for a, v in zip(axes, change.args, strict=True))
        yield _meant(set_level(change, index, in_axes=grafted))


def _count_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    index = found.level or 0
    yield set_level(change, index, axis_size=None)
    if found.kind == "axis_size_conflict":
        yield set_level(change, index, axis_size=found.facts["size"])
    yield set_level(change, index, axis_size=FALLBACK_SIZE)


def _name_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    for index in range(len(change.levels)):
        yield set_level(change, index, axis_name=found.facts["axis_name"])


def _output_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    index = found.level or 0
    visit, axes = run.visits[index], change.levels[index].out_axes
    yield set_level(change, index, out_axes=0)
    outputs, treedef = jax.tree.flatten(visit.outputs)
    if found.kind == "out_axes_not_a_prefix":
        yield set_level(change, index, out_axes=graft(axes, visit.outputs))
        return
    ranks = [len(getattr(output, "shape", ())) for output in outputs]
    for axis in range(1, min(ranks, default=0) + 1):
        yield set_level(change, index, out_axes=axis)
    if found.kind == "output_varies":
        if "sum_match" in VMAP_OPTIONS:
            yield set_level(change, index, sum_match=True)
        per_leaf = [0 if varies else None for varies in visit.varies]
        if len(set(per_leaf)) > 1:
            yield set_level(change, index, out_axes=jax.tree.unflatten(treedef, per_leaf))
    if not any(visit.varies):
        yield set_level(change, index, out_axes=None)


_REMEDIES: dict[str, Callable[[Change, Diagnosis, Run], Iterator[Change]]] = {
    "in_axes_type": _type_remedies,
    "out_axes_type": _type_remedies,
    "wrong_tuple_length": _length_remedies,
    "keyword_arguments": keyword_remedies,
    "in_axes_not_a_prefix": _prefix_remedies,
    "not_an_array": leaf_remedies,
    "scalar_mapped": leaf_remedies,
    "key_mapped": leaf_remedies,
    "axis_out_of_range": leaf_remedies,
    "sizes_differ": size_remedies,
    "axis_size_conflict": _count_remedies,
    "axis_size_invalid": _count_remedies,
    "nothing_mapped": _count_remedies,
    "unbound_axis_name": _name_remedies,
    "out_axes_not_a_prefix": _output_remedies,
    "output_varies": _output_remedies,
    "out_axis_out_of_range": _output_remedies,
}


def remedies(change: Change, found: Diagnosis, run: Run) -> list[Change]:
    """Propose changes that fit the kind of a refusal.

    Args:
        change: the refused call.
        found: its diagnosis.
        run: how it went.

    Returns:
        Changed calls, untried.
    """
    propose = _REMEDIES.get(found.kind)
    proposed = list(propose(change, found, run)) if propose else []
    keyword = found.argument.startswith("kwargs")
    if keyword and propose not in (keyword_remedies, leaf_remedies):
        proposed += keyword_remedies(change, found, run)
    return proposed
