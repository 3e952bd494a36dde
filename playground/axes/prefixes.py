"""Comparing axes with the pytree they speak of: the first difference, and a grafted repair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
from jax._src.tree_util import default_registry  # one level of any registered container

from playground.axes.leaves import abstract
from playground.axes.paths import path_text, subscript


@dataclass(frozen=True)
class Difference:
    """Where axes stop being a prefix.

    Attributes:
        path: path below the argument, such as `["w"]`.
        reason: "missing_key", "extra_key", "container", "length" or "deeper" (axes go on where the
            argument ends).
        given: what the axes have there.
        needed: what the argument has there.
    """

    path: str
    reason: str
    given: str
    needed: str


def _is_leaf(value: Any) -> bool:
    return value is None or default_registry.flatten_one_level(value) is None


def _children(value: Any) -> list[tuple[str, Any]]:
    pairs, _ = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda x: x is not value)
    return [(path_text(path), child) for path, child in pairs]


def difference(axes: Any, value: Any, path: str = "") -> Difference | None:
    """Find where axes stop being a prefix of a value.

    Args:
        axes: an int, None or a container of axes.
        value: the argument or output they speak of.
        path: where we are.

    Returns:
        The first difference, or None.
    """
    if _is_leaf(axes):
        return None
    if _is_leaf(value):
        return Difference(path, "deeper", type(axes).__name__, _kind_of(value))
    if type(axes) is not type(value):
        return Difference(path, "container", type(axes).__name__, type(value).__name__)
    if isinstance(value, dict) and set(axes) != set(value):
        missing = [key for key in value if key not in axes]
        extra = [key for key in axes if key not in value]
        reason, key = ("missing_key", missing[0]) if missing else ("extra_key", extra[0])
        return Difference(path + subscript(key), reason, str(list(axes)), str(list(value)))
    ours, theirs = _children(axes), _children(value)
    if len(ours) != len(theirs):
        return Difference(path, "length", str(len(ours)), str(len(theirs)))
    for (step, axis), (_, child) in zip(ours, theirs, strict=True):
        found = difference(axis, child, path + step)
        if found:
            return found
    if jax.tree.structure(axes, is_leaf=_is_leaf) != jax.tree.structure(value, is_leaf=_is_leaf):
        below = [v for _, v in theirs]
        if all(_is_leaf(v) for v in below):
            return Difference(path, "container", repr(axes), type(value).__name__)
    return None


def _kind_of(value: Any) -> str:
    if value is None:
        return "None"
    return "array" if abstract(value) is not None else type(value).__name__


def graft(axes: Any, value: Any) -> Any:
    """Build axes of the same structure as a value, keeping what was said where it can be found.

    Args:
        axes: an int, None or any container of axes.
        value: the argument or output.

    Returns:
        Axes that are a prefix of the value; what nobody said is mapped along axis 0 where the
        leaf has an axis and shared where it has none.
    """
    if _is_leaf(axes):
        return axes if isinstance(axes, int) or axes is None else 0
    if _is_leaf(value):
        flat = [axis for axis in jax.tree.leaves(axes) if type(axis) is int]
        return flat[0] if flat else None
    pairs = _children(value)
    ours = dict(_children(axes))
    by_position = list(ours.values())
    grafted = []
    for i, (step, child) in enumerate(pairs):
        if step in ours:
            grafted.append(graft(ours[step], child))
        elif not isinstance(value, dict) and not isinstance(axes, dict) and i < len(by_position):
            grafted.append(graft(by_position[i], child))
        else:
            shapes = [getattr(abstract(leaf), "shape", ()) for leaf in jax.tree.leaves(child)]
            grafted.append(0 if shapes and all(shapes) else None)
    treedef = jax.tree.structure(value, is_leaf=lambda x: x is not value)
    return jax.tree.unflatten(treedef, grafted)
