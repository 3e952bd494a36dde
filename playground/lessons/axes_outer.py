"""A second vmap around a call: which arrays it maps, and what the call is without it."""

from itertools import count
from typing import Any

import jax

from playground.axes.leaf_entries import in_axes_changed
from playground.lessons.gallery import Example

Shapes = tuple[tuple[int, ...], ...]
Axes = tuple[int | str | None, ...]


def outer_call(
    example: Example, shapes: Shapes, axes: Axes, *, is_keyword: bool
) -> tuple[Shapes, Any]:
    """Put a leading axis before what a second vmap maps: every pair, or a batch of batches.

    What the inner vmap shares is mapped by the outer one, so that each shared value meets each
    example; where nothing is shared, all that is mapped gets a second batch axis. The new axis has
    a size that no other axis has, so that a wrong axis shows.

    Args:
        example: the function.
        shapes: shapes of the leaves for the inner vmap.
        axes: the axis of each leaf there, None where it is shared.
        is_keyword: whether the last argument is passed by keyword, and so mapped by every vmap.

    Returns:
        The shapes with the new axis, and the in_axes of the outer vmap.
    """
    marked = example.arguments(list(range(len(shapes))))
    passed = marked[:-1] if is_keyword else marked
    by_keyword = set(jax.tree.leaves(marked[len(passed) :]))
    free = jax.tree.leaves(passed)
    shared = [leaf for leaf in free if axes[leaf] is None]
    mapped = set(shared or free) | by_keyword
    size = next(n for n in count(2) if not any(n in shape for shape in shapes))
    new = tuple((size, *shape) if i in mapped else shape for i, shape in enumerate(shapes))
    in_axes: Any = (0,) * len(passed)
    for position, leaf in enumerate(free):
        if leaf not in mapped:
            in_axes = in_axes_changed(passed, in_axes, position, None)
    return new, in_axes or 0


def inner_shapes(shapes: Shapes, axes: Axes) -> Shapes:
    """Take the axis that a vmap maps out of each shape; what has no such axis stays as it is.

    Args:
        shapes: shapes of the leaves.
        axes: the axis of each leaf.
    """
    return tuple(
        (*shape[: axis % len(shape)], *shape[axis % len(shape) + 1 :])
        if isinstance(axis, int) and -len(shape) <= axis < len(shape)
        else shape
        for shape, axis in zip(shapes, axes, strict=True)
    )


def places(rank: int, axes: Axes) -> tuple[int | None, ...]:
    """Say where the batch axes of all levels stand in an array that is passed or comes out.

    Args:
        rank: how many axes the array has with all batch axes.
        axes: its axis at each level, innermost first; each is counted on the array without the
            batch axes of the levels around it.

    Returns:
        The position of each level's batch axis among all axes, None where it has none.
    """
    remaining, found = list(range(rank)), []
    for axis in reversed(axes):
        is_there = isinstance(axis, int) and -len(remaining) <= axis < len(remaining)
        found.append(remaining.pop(axis) if is_there else None)
    return tuple(reversed(found))
