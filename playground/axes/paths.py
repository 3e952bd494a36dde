"""Where a leaf stands in a call: `args[1]["w"]`, `kwargs["b"]`, `args[0].scale`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax._src import core  # the type of an abstract array
from jax._src.interpreters import batching  # what vmap takes as one leaf
from jax.tree_util import DictKey, GetAttrKey, SequenceKey

from playground.axes.leaves import PYTHON_SCALARS, PythonScalar, abstract


@dataclass(frozen=True)
class Leaf:
    """One leaf of a call as vmap sees it.

    Attributes:
        path: such as `args[1]["w"]`.
        name: the same in the function's words, such as `params["w"]`.
        value: the leaf itself or its ShapeDtypeStruct.
        shape: its shape, None where it is no array and no number.
        aval: JAX's type of it, or None.
        position: index of the positional argument it belongs to, None for keyword arguments.
    """

    path: str
    name: str
    value: Any
    shape: tuple[int, ...] | None
    aval: Any
    position: int | None


def key_text(key: Any) -> str:
    """Write one step into a pytree the way Python would."""
    if isinstance(key, SequenceKey):
        return f"[{key.idx}]"
    if isinstance(key, DictKey):
        return subscript(key.key)
    if isinstance(key, GetAttrKey):
        return f".{key.name}"
    return f"[{getattr(key, 'key', key)}]"


def subscript(key: Any) -> str:
    """Write a subscript, strings in double quotes."""
    return f'["{key}"]' if isinstance(key, str) else f"[{key!r}]"


def path_text(path: Sequence[Any]) -> str:
    """Write a path below some value."""
    return "".join(key_text(key) for key in path)


def leaves_of(args: tuple, kwargs: dict, names: Sequence[str]) -> list[Leaf]:
    """List the leaves of a call in the order vmap takes them.

    Args:
        args: positional arguments.
        kwargs: keyword arguments.
        names: names of the positional arguments.

    Returns:
        The leaves.
    """
    pairs, _ = jax.tree_util.tree_flatten_with_path((args, kwargs), is_leaf=batching.is_vmappable)
    leaves = []
    for path, value in pairs:
        positional = path[0].idx == 0
        below = path_text(path[1:])
        if positional:
            index = path[1].idx
            name = names[index] + path_text(path[2:])
        else:
            index = None
            name = path[1].key + path_text(path[2:])
        real = value.value if isinstance(value, PythonScalar) else value
        aval = abstract(real)
        shape = tuple(aval.shape) if isinstance(aval, core.ShapedArray) else None
        if type(real) in PYTHON_SCALARS:
            shape = ()
        head = "args" if positional else "kwargs"
        leaves.append(Leaf(head + below, name, real, shape, aval, index))
    return leaves
