"""From the arguments of a call to what the traced call gets, and from its results to shapes."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import api_util, core, dtypes  # prefix rules and abstract values as vmap has them
from jax._src.interpreters import batching
from jax._src.lax import lax as lax_internal

from playground.axes.deferred import EAGER_ELEMENTS, DeferredTrace, MappedNumPy
from playground.axes.forcing import ones_like
from playground.axes.levels import Level

PYTHON_SCALARS = (bool, int, float, complex)


class PythonScalar(jax.ShapeDtypeStruct):
    """Shape () and dtype of a Python number that passes through untouched, with its value."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        aval = core.typeof(value)
        super().__init__(aval.shape, aval.dtype)
        object.__setattr__(self, "value", value)

    def __repr__(self) -> str:
        return repr(self.value)


def mapped_leaves(in_tree: Any, level: Level) -> list[int | None]:
    """Spread the axes of a level over the leaves of (args, kwargs).

    Args:
        in_tree: the tree structure of `(args, kwargs)`.
        level: its `in_axes` are a prefix of `args`; keyword arguments are mapped along axis 0.

    Returns:
        The axis of each leaf, None where it is shared.

    Raises:
        ValueError: `in_axes` is not a prefix of the arguments.
    """
    in_axes = tuple(level.in_axes) if isinstance(level.in_axes, list) else level.in_axes
    return list(api_util.flatten_axes("vmap in_axes", in_tree, (in_axes, 0), kws=True))


def abstract(leaf: Any) -> Any:
    """Return JAX's type of a leaf.

    Args:
        leaf: array, ShapeDtypeStruct, key, NumPy or Python scalar.

    Returns:
        Its abstract value as the real array would have it (64-bit types become 32-bit ones
        unless they are enabled), or None where JAX does not accept the leaf.
    """
    if isinstance(leaf, jax.ShapeDtypeStruct):
        dtype = leaf.dtype
        if not dtypes.issubdtype(dtype, dtypes.extended):
            dtype = dtypes.canonicalize_dtype(dtype)
        return core.ShapedArray(leaf.shape, dtype, weak_type=bool(leaf.weak_type))
    try:
        return core.typeof(leaf)
    except (TypeError, ValueError, OverflowError):
        return None


def _small_stand_in(leaf: jax.ShapeDtypeStruct, aval: Any) -> Any:
    ones = ones_like(aval)
    if isinstance(ones, np.ndarray):
        ones = jnp.asarray(np.array(ones))
        if aval.weak_type:
            ones = lax_internal._convert_element_type(ones, aval.dtype, weak_type=True)
    return ones


def prepare(trace: DeferredTrace, args: tuple, kwargs: dict, levels: tuple[Level, ...]) -> Any:
    """Replace the arrays of a call by deferred ones where their values must not matter.

    Mapped arrays are deferred. Shared ones keep their values, so Python may look at them; a shared
    ShapeDtypeStruct is stood in for by ones. Python scalars, strings and other objects stay.

    Args:
        trace: the trace the call will run in.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.

    Returns:
        The pair (args, kwargs) to call with.
    """
    try:
        leaves, in_tree = jax.tree.flatten((args, kwargs), is_leaf=batching.is_vmappable)
    except Exception:
        return args, kwargs  # the call itself will raise this
    mapped = [False] * len(leaves)
    for level in levels:
        try:
            axes = mapped_leaves(in_tree, level)
        except Exception:
            axes = [0] * len(leaves)  # this level refuses before the function runs
        mapped = [m or axis is not None for m, axis in zip(mapped, axes, strict=True)]
    prepared = [_prepared(trace, leaf, m) for leaf, m in zip(leaves, mapped, strict=True)]
    return jax.tree.unflatten(in_tree, prepared)


def _prepared(trace: DeferredTrace, leaf: Any, mapped: bool) -> Any:
    if batching.is_vmappable(leaf):  # a sparse array counts as one leaf but holds several
        return jax.tree.map(lambda inner: _prepared(trace, inner, mapped), leaf)
    is_spec = isinstance(leaf, jax.ShapeDtypeStruct)
    if not is_spec and not isinstance(leaf, jax.Array | np.ndarray):
        return leaf
    if not is_spec and not mapped:
        return leaf
    aval = abstract(leaf)
    if not isinstance(aval, core.ShapedArray):
        return leaf
    if is_spec and not mapped and math.prod(aval.shape) <= EAGER_ELEMENTS:
        return _small_stand_in(leaf, aval)
    if is_spec:
        return trace.leaf(aval, lambda: ones_like(aval))
    if isinstance(leaf, np.ndarray):
        return leaf.view(MappedNumPy)
    return trace.leaf(aval, lambda: leaf)


def shape_of(value: Any) -> Any:
    """Describe one leaf by its shape and dtype.

    Args:
        value: array, tracer, Python number, or any other object.

    Returns:
        A ShapeDtypeStruct (PythonScalar for Python numbers), or the object itself if JAX
        does not accept it.
    """
    if type(value) in PYTHON_SCALARS and abstract(value) is not None:
        return PythonScalar(value)
    if isinstance(value, np.ndarray | np.generic):
        return jax.ShapeDtypeStruct(value.shape, value.dtype)
    aval = abstract(value)
    if isinstance(aval, core.ShapedArray):
        return jax.ShapeDtypeStruct(aval.shape, aval.dtype)
    return value


def shapes_of(tree: Any) -> Any:
    """Describe a pytree leaf by leaf; see `shape_of`."""
    return jax.tree.map(shape_of, tree)


def output_of(tree: Any) -> Any:
    """Describe the result of a call: plain ShapeDtypeStructs, None stays None."""

    def plain(value: Any) -> Any:
        shape = shape_of(value)
        return jax.ShapeDtypeStruct((), shape.dtype) if isinstance(shape, PythonScalar) else shape

    return jax.tree.map(plain, tree)
