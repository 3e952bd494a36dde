"""What `in_axes` says of each leaf of a call, and how to say something else of one leaf."""

from dataclasses import dataclass
from typing import Any

import jax

from playground.lessons.axes_call import Call


def leaf_axes(call: Call) -> tuple[int | str | None, ...]:
    """Return the axis of each leaf, None where it is shared, "?" where nothing is said.

    Args:
        call: the call; its keyword arguments are mapped along axis 0.
    """
    marked = call.example.arguments(list(range(len(call.shapes))))
    positional = marked[: len(call.args)]
    spread: list[Any] = ["?"] * len(call.shapes)
    for leaf in jax.tree.leaves(marked[len(call.args) :]):
        spread[leaf] = 0
    in_axes = call.level.in_axes
    entries = tuple(in_axes) if isinstance(in_axes, list | tuple) else (in_axes,) * len(positional)
    if len(entries) != len(positional):
        return tuple(spread)
    for entry, argument in zip(entries, positional, strict=True):
        try:
            axes = jax.tree.broadcast(entry, argument, is_leaf=lambda axis: axis is None)
        except ValueError:
            continue
        flat = jax.tree.leaves(axes, is_leaf=lambda axis: axis is None)
        for leaf, axis in zip(jax.tree.leaves(argument), flat, strict=True):
            spread[leaf] = axis if axis is None or isinstance(axis, int) else "?"
    return tuple(spread)


def in_axes_with(call: Call, leaf: int, axis: int | None) -> str:
    """Write the in_axes that map one leaf differently and leave all others as they are.

    Args:
        call: the call now.
        leaf: position of the leaf.
        axis: its new axis, None to share it.

    Returns:
        A literal such as "(1, None)", with plain entries where a whole argument agrees.
    """
    axes = [0 if known == "?" else known for known in leaf_axes(call)]
    axes[leaf] = axis
    marked = call.example.arguments(list(range(len(call.shapes))))[: len(call.args)]
    entries = [jax.tree.map(lambda i: _Axis(axes[i]), argument) for argument in marked]
    return repr(tuple(_plain(entry) for entry in entries))


@dataclass(frozen=True)
class _Axis:
    """An axis that counts as a leaf of a pytree even when it is None."""

    value: Any


def _plain(entry: Any) -> Any:
    leaves = jax.tree.leaves(entry)
    if all(leaf == leaves[0] for leaf in leaves):
        return leaves[0].value
    if isinstance(entry, dict):
        return {key: _plain(member) for key, member in entry.items()}
    return tuple(_plain(member) for member in entry)
