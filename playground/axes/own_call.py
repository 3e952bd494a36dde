"""One call of a user's own function: built from text, and written back as text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes.code import parameter_names
from playground.axes.levels import Level
from playground.axes.own_arguments import (
    MOST_VALUES,
    Arguments,
    ArgumentsError,
    ArrayOf,
    KeyOf,
    Values,
    read_arguments,
)
from playground.axes.own_code import find_function
from playground.axes.own_text import read_axes, write_arguments, write_axes


def read_levels(written: list[dict[str, Any]]) -> tuple[Level, ...]:
    """Read the levels of a chain, innermost first.

    Args:
        written: for each level `in_axes`, `out_axes` (literals), `axis_size` (-1: not given),
            `axis_name` ("": none), `sum_match`.

    Raises:
        ArgumentsError: axes that are no literal.
    """
    return tuple(
        Level(
            in_axes=read_axes(level["in_axes"]),
            out_axes=read_axes(level["out_axes"]),
            axis_size=None if level["axis_size"] < 0 else level["axis_size"],
            axis_name=level["axis_name"] or None,
            sum_match=bool(level["sum_match"]),
        )
        for level in written
    )


def write_levels(levels: tuple[Level, ...]) -> list[dict[str, Any]] | None:
    """Write the levels of a chain, None when something in them is no literal."""
    written = []
    for level in levels:
        axes = [write_axes(level.in_axes), write_axes(level.out_axes)]
        is_plain_name = level.axis_name is None or isinstance(level.axis_name, str)
        if None in axes or not is_plain_name:
            return None
        size = level.axis_size
        if size is not None and (type(size) is not int or size < 0):
            return None
        written.append(
            {
                "in_axes": axes[0],
                "out_axes": axes[1],
                "axis_size": -1 if size is None else size,
                "axis_name": level.axis_name or "",
                "sum_match": bool(level.sum_match),
            }
        )
    return written


def build(spec: Any, *, is_real: bool = False) -> Any:
    """Make an argument from what was written.

    Args:
        spec: a pytree as `read_arguments` makes them.
        is_real: whether to make arrays (1, 2, 3, ...) where only a shape is given.

    Returns:
        The same pytree of arrays, ShapeDtypeStruct, keys and Python values.
    """
    return jax.tree.map(lambda leaf: _leaf(leaf, is_real), spec)


def _leaf(leaf: Any, is_real: bool) -> Any:
    match leaf:
        case ArrayOf(shape, dtype):
            kind = jax.dtypes.canonicalize_dtype(dtype)
            if is_real:
                return jnp.arange(1, math.prod(shape) + 1).astype(kind).reshape(shape)
            return jax.ShapeDtypeStruct(shape, kind)
        case Values(nested, dtype):
            return jnp.asarray(nested, dtype=jax.dtypes.canonicalize_dtype(dtype or None))
        case KeyOf(seed, None):
            return jax.random.key(seed)
        case KeyOf(seed, shape):
            key = jax.random.key(seed)
            if math.prod(shape or ()) > MOST_VALUES:
                return jax.ShapeDtypeStruct(shape, key.dtype)
            return jax.random.split(key, shape)
    return leaf


@dataclass(frozen=True, eq=False)
class OwnCall:
    """A user's function with what is passed to it.

    Attributes:
        function: for one example.
        arguments: what was written.
        levels: the chain, innermost first.
    """

    function: Any
    arguments: Arguments
    levels: tuple[Level, ...]

    @cached_property
    def args(self) -> tuple[Any, ...]:
        """Positional arguments; shapes where only shapes are given."""
        return build(self.arguments.args)

    @cached_property
    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments."""
        return build(self.arguments.kwargs)

    @cached_property
    def names(self) -> list[str]:
        """Name each leaf: the function's parameter and the path inside it."""
        known = parameter_names(self.function, len(self.args))
        named = zip(known, self.args, strict=True)
        pairs = [*named, *sorted(self.kwargs.items())]
        return [
            name + jax.tree_util.keystr(path).replace("'", '"')
            for name, tree in pairs
            for path, _ in jax.tree_util.tree_flatten_with_path(tree)[0]
        ]

    @cached_property
    def is_small(self) -> bool:
        """Tell whether all arrays together are small enough to run the call on real numbers."""
        leaves = jax.tree.leaves((self.args, self.kwargs))
        return sum(math.prod(np.shape(leaf)) for leaf in leaves) <= MOST_VALUES

    def described(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
        """Write the arguments of another call of the same function.

        Args:
            args: its positional arguments: leaves of this call, or new ones.
            kwargs: its keyword arguments.

        Returns:
            Text, or None when the other call cannot be written.
        """
        specs = jax.tree.leaves((self.arguments.args, self.arguments.kwargs))
        leaves = jax.tree.leaves((self.args, self.kwargs))
        known = {id(leaf): spec for leaf, spec in zip(leaves, specs, strict=True)}
        seeds = [spec.seed for spec in specs if isinstance(spec, KeyOf)]

        def spec_of(leaf: Any) -> Any:
            return known[id(leaf)] if id(leaf) in known else _spec(leaf, (*seeds, 0)[0])

        names = self.arguments.names if len(args) == len(self.args) else ("",) * len(args)
        if len(args) > len(self.args):
            names = parameter_names(self.function, len(args))
        other = Arguments(
            jax.tree.map(spec_of, tuple(args)), names, jax.tree.map(spec_of, dict(kwargs))
        )
        text = write_arguments(other)
        try:
            again = read_arguments(text)
        except ArgumentsError:
            return None
        rebuilt = build(again.args), build(again.kwargs)
        return text if _alike(rebuilt, (tuple(args), dict(kwargs))) else None


def _spec(leaf: Any, seed: int) -> Any:
    shape, dtype = getattr(leaf, "shape", None), getattr(leaf, "dtype", None)
    if shape is None or dtype is None:
        return getattr(leaf, "value", leaf)
    if jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key):
        return KeyOf(seed, tuple(shape) or None)
    return ArrayOf(tuple(shape), str(dtype))


def _alike(one: Any, other: Any) -> bool:
    def fact(leaf: Any) -> Any:
        return (np.shape(leaf), str(leaf.dtype)) if hasattr(leaf, "dtype") else leaf

    same = jax.tree.structure(one) == jax.tree.structure(other)
    return same and jax.tree.map(fact, one) == jax.tree.map(fact, other)


def call_from(names: Mapping[str, Any], question: dict[str, Any]) -> OwnCall | None:
    """Make the call that a question describes.

    Args:
        names: the names that the user's code left.
        question: `arguments` (text) and `levels`.

    Returns:
        The call, or None when the code defines no function.

    Raises:
        ArgumentsError: arguments or axes that cannot be read.
    """
    function = find_function(names)
    if function is None:
        return None
    return OwnCall(function, read_arguments(question["arguments"]), read_levels(question["levels"]))
