"""Rewriting the axes of single leaves, and finding which mapped leaf Python looks at."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes.code import parameter_names
from playground.axes.diagnosis import diagnose
from playground.axes.judging import judge
from playground.axes.leaves import mapped_leaves
from playground.axes.levels import Level
from playground.axes.paths import Leaf, leaves_of

if TYPE_CHECKING:
    from playground.axes.report import Report


def entry_of(argument: Any, axes: Sequence[int | None]) -> Any:
    """Write the axes of the leaves of one argument as short as possible.

    Args:
        argument: any pytree.
        axes: one axis per leaf.

    Returns:
        One int or None where all leaves agree, else a tree built like the argument.
    """
    if len(set(axes)) <= 1:
        return axes[0] if axes else 0
    treedef = jax.tree.structure(argument, is_leaf=batching.is_vmappable)
    return jax.tree.unflatten(treedef, list(axes))


def with_leaf_axes(level: Level, args: tuple, axes: Sequence[int | None]) -> Level:
    """Give each leaf of the positional arguments its own axis.

    Args:
        level: the level to change.
        args: positional arguments.
        axes: one axis per leaf of `args`, in order.

    Returns:
        The level with a tuple as in_axes.
    """
    entries, start = [], 0
    for argument in args:
        count = len(jax.tree.leaves(argument, is_leaf=batching.is_vmappable))
        entries.append(entry_of(argument, axes[start : start + count]))
        start += count
    return replace(level, in_axes=tuple(entries))


def blamed_leaf(report: Report) -> Leaf | None:
    """Find the mapped leaf without which the same refusal does not happen.

    Args:
        report: a refused call.

    Returns:
        The leaf, or None where no single one is to blame.
    """
    function, args, kwargs, chain = report.function, report.args, report.kwargs, report.chain
    leaves = leaves_of(args, kwargs, parameter_names(function, len(args)))
    treedef = jax.tree.structure((args, kwargs), is_leaf=batching.is_vmappable)
    by_level = [mapped_leaves(treedef, level) for level in chain]
    mapped = [i for i in range(len(leaves)) if any(axes[i] is not None for axes in by_level)]
    if len(mapped) == 1:
        return leaves[mapped[0]]
    kind = diagnose(function, args, kwargs, chain, report.run).kind
    for i in mapped:
        if leaves[i].position is None:
            name = leaves[i].path.split('"')[1]
            rest = {key: value for key, value in kwargs.items() if key != name}
            target, trial_kwargs = functools.partial(function, **{name: kwargs[name]}), rest
        else:
            target, trial_kwargs = function, kwargs
        trial = tuple(
            replace(
                with_leaf_axes(level, args, [*axes[:i], None, *axes[i + 1 :]])
                if leaves[i].position is not None
                else level,
                axis_size=visit.batch_size,
            )
            for level, axes, visit in zip(chain, by_level, report.run.visits, strict=True)
        )
        run = judge(target, args, trial_kwargs, trial)
        if run.ok or diagnose(target, args, trial_kwargs, trial, run).kind != kind:
            return leaves[i]
    return None
