"""Other axes for a refused call: everything that is not hopeless from the shapes alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jax
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes.changes import Change, compact, entries, same
from playground.axes.levels import Level
from playground.axes.paths import leaves_of
from playground.axes.static import Shape, entries_for, in_axes_choices, remaining_shapes

MOST_TUPLES = 1500
MOST_PAIRS = 1500


def _shapes(change: Change) -> tuple[Any, list[Shape]]:
    tree = jax.tree.structure((change.args, change.kwargs), is_leaf=batching.is_vmappable)
    leaves = leaves_of(change.args, change.kwargs, change.expressions)
    return tree, [leaf.shape for leaf in leaves]


def other_axes(change: Change, refusing: int | None) -> Iterator[Change]:
    """Yield the call with other in_axes: at the refusing level any, at the others one entry each.

    Args:
        change: the refused call.
        refusing: index of the level that refuses, or None.

    Yields:
        Calls that are not hopeless.
    """
    tree, shapes = _shapes(change)
    leaves = leaves_of(change.args, change.kwargs, change.expressions)
    grouped = [
        [shape for shape, leaf in zip(shapes, leaves, strict=True) if leaf.position == i]
        for i in range(len(change.args))
    ]
    single: list[tuple[int, Level]] = []
    for index, level in enumerate(change.levels):
        single += [(index, other) for other in _one_entry_apart(level, change.args, grouped)]
    chains: Any = [_with(change.levels, [one]) for one in single]
    pairs = itertools.combinations(single, 2)
    chains += [
        _with(change.levels, [one, other])
        for one, other in itertools.islice(pairs, MOST_PAIRS)
        if one[0] != other[0]
    ]
    order = range(len(change.levels)) if refusing is None else [refusing]
    for index in order:
        chains += [
            _with(change.levels, [(index, replace(old, in_axes=compact(old.in_axes, in_axes)))])
            for old in (change.levels[index],)
            for in_axes in itertools.islice(in_axes_choices(change.args, grouped), MOST_TUPLES)
        ]
    for levels in chains:
        if remaining_shapes(tree, shapes, levels) is not None:
            yield replace(change, levels=levels)


def _one_entry_apart(level: Level, args: tuple, grouped: list) -> Iterator[Level]:
    now = entries(level, len(args))
    if "missing" in [entry for entry in now if isinstance(entry, str)]:
        return
    for i, (argument, shapes) in enumerate(zip(args, grouped, strict=True)):
        for entry in entries_for(argument, shapes):
            if not same(entry, now[i]):
                in_axes = (*now[:i], entry, *now[i + 1 :])
                yield replace(level, in_axes=compact(level.in_axes, in_axes))


def _with(levels: tuple[Level, ...], changed: list[tuple[int, Level]]) -> tuple[Level, ...]:
    new = list(levels)
    for index, level in changed:
        new[index] = level
    return tuple(new)
