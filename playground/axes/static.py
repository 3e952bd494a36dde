"""What can be said about the axes of a call without calling the function.

Used to pass over hopeless candidates in the searches; the verdict always comes from JAX.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import jax

from playground.axes.leaves import mapped_leaves
from playground.axes.levels import Level

Shape = tuple[int, ...] | None
MOST_LEAVES_APART = 4
MOST_TREES = 81


def remaining_shapes(
    in_tree: Any, shapes: Sequence[Shape], levels: Sequence[Level]
) -> tuple[list[Shape], list[int]] | None:
    """Take the mapped axes away level by level.

    Args:
        in_tree: structure of (args, kwargs).
        shapes: the shape of each leaf, None where it is no array.
        levels: the chain, innermost first.

    Returns:
        The shapes the function sees and the batch size of each level (innermost first), or None
        where JAX must refuse before it calls the function.
    """
    current, sizes = list(shapes), []
    for level in reversed(levels):
        try:
            axes = mapped_leaves(in_tree, level)
        except Exception:
            return None
        found = set() if level.axis_size is None else {level.axis_size}
        for i, axis in enumerate(axes):
            if axis is None:
                continue
            shape = current[i]
            if type(axis) is not int or shape is None or not -len(shape) <= axis < len(shape):
                return None
            axis %= len(shape)
            found.add(shape[axis])
            current[i] = shape[:axis] + shape[axis + 1 :]
        if len(found) != 1:
            return None
        sizes.append(found.pop())
    return current, sizes[::-1]


def entry_cost(entry: Any) -> tuple[int, int]:
    """Order the in_axes entries of one argument: 0, then later axes and shared, then trees."""
    axes = jax.tree.leaves(entry, is_leaf=lambda x: x is None)
    unusual = sum(axis != 0 for axis in axes)
    apart = 0 if entry is None or isinstance(entry, int) else len(axes) - 1
    return unusual + apart, sum(axis or 0 for axis in axes)


def entries_for(argument: Any, shapes: Sequence[Shape]) -> list[Any]:
    """List all in_axes entries one argument may have, simplest first.

    Args:
        argument: the argument (any pytree).
        shapes: the shapes of its leaves, None where a leaf cannot be mapped.

    Returns:
        Ints and None for the whole argument, then trees with an axis per leaf where the argument
        has at most four leaves.
    """
    if not shapes:
        return [0]
    per_leaf: list[list[int | None]] = [
        [None] if shape is None else [*range(len(shape)), None] for shape in shapes
    ]
    common = set(per_leaf[0]).intersection(*per_leaf[1:])
    entries: list[Any] = [axis for axis in per_leaf[0] if axis in common]
    treedef = jax.tree.structure(argument)
    if not jax.tree_util.treedef_is_leaf(treedef) and len(shapes) <= MOST_LEAVES_APART:
        for axes in itertools.islice(itertools.product(*per_leaf), MOST_TREES):
            if len(set(axes)) > 1:
                try:
                    entries.append(jax.tree.unflatten(treedef, axes))
                except Exception:
                    break  # a container that only holds arrays
    return sorted(entries, key=entry_cost)


def _combined_cost(entries: Sequence[Any]) -> tuple[int, int]:
    costs = [entry_cost(entry) for entry in entries]
    return sum(unusual for unusual, _ in costs), sum(depth for _, depth in costs)


def in_axes_choices(args: tuple, shapes_by_argument: Sequence[Sequence[Shape]]) -> Iterator[tuple]:
    """Yield all in_axes tuples of a call, simplest first.

    Args:
        args: positional arguments.
        shapes_by_argument: the shapes of the leaves of each argument.

    Yields:
        Tuples with one entry per argument.
    """
    options = [entries_for(a, s) for a, s in zip(args, shapes_by_argument, strict=True)]
    total = 1
    for option in options:
        total *= len(option)
    combos: Iterable[tuple] = itertools.product(*options)
    if total <= 20_000:
        combos = sorted(combos, key=_combined_cost)
    yield from combos
