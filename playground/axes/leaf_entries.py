"""What `in_axes` says of each leaf of any arguments, and how to say something else of one leaf."""

from dataclasses import dataclass
from typing import Any

import jax


def axes_of_leaves(args: tuple[Any, ...], in_axes: Any) -> tuple[Any, ...]:
    """Return the axis of each leaf, None where it is shared, "?" where nothing is said.

    Args:
        args: positional arguments.
        in_axes: as for `jax.vmap`, right or wrong.

    Returns:
        One entry for each leaf, in order.
    """
    is_listed = isinstance(in_axes, list | tuple)
    entries = tuple(in_axes) if is_listed else (in_axes,) * len(args)
    found: list[Any] = []
    for position, argument in enumerate(args):
        leaves = jax.tree.leaves(argument)
        spread = ["?"] * len(leaves)
        if len(entries) == len(args):
            try:
                axes = jax.tree.broadcast(
                    entries[position], argument, is_leaf=lambda axis: axis is None
                )
                spread = jax.tree.leaves(axes, is_leaf=lambda axis: axis is None)
            except ValueError:
                pass
        if len(spread) != len(leaves):
            spread = ["?"] * len(leaves)
        found += [axis if axis is None or type(axis) is int else "?" for axis in spread]
    return tuple(found)


def in_axes_changed(args: tuple[Any, ...], in_axes: Any, leaf: int, axis: int | None) -> Any:
    """Make the in_axes that map one leaf differently and leave all others as they are.

    Args:
        args: positional arguments.
        in_axes: what they are now; unknown entries become 0.
        leaf: position of the leaf among all leaves.
        axis: its new axis, None to share it.

    Returns:
        A tuple with plain entries where a whole argument agrees.
    """
    axes = [0 if known == "?" else known for known in axes_of_leaves(args, in_axes)]
    axes[leaf] = axis
    remaining = iter(axes)
    trees = [jax.tree.map(lambda _: _Axis(next(remaining)), argument) for argument in args]
    return tuple(_plain(tree) for tree in trees)


@dataclass(frozen=True)
class _Axis:
    """An axis that counts as a leaf of a pytree even when it is None."""

    value: Any


def _plain(tree: Any) -> Any:
    leaves = jax.tree.leaves(tree)
    if not leaves:
        return None
    if all(leaf == leaves[0] for leaf in leaves):
        return leaves[0].value
    if isinstance(tree, dict):
        return {key: _plain(member) for key, member in tree.items()}
    return type(tree)(_plain(member) for member in tree)
