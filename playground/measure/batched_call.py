"""One call of a function for one example on a batch: which leaves are mapped, and its programs.

Takes what `jax.vmap` takes: any `in_axes`, pytrees, negative axes, shared Python values.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from playground.measure.reduction import Reduction

SHARED = "shared"
"""Stands for None among the axes: None is an empty tree to JAX, and would be lost."""


@dataclass(frozen=True, eq=False)
class BatchedCall:
    """A function, its arguments taken apart, and the size of the batch.

    Attributes:
        function: for one example.
        structure: tree of the positional arguments.
        leaves: their leaves; mapped ones are arrays.
        axes: batch axis of each leaf, not negative, or None for a shared leaf.
        batch_size: number of examples N.
    """

    function: Callable[..., Any]
    structure: Any
    leaves: tuple[Any, ...]
    axes: tuple[int | None, ...]
    batch_size: int

    @property
    def mapped(self) -> tuple[jax.Array, ...]:
        """Leaves that are mapped."""
        return tuple(leaf for leaf, axis in self._pairs if axis is not None)

    @property
    def mapped_axes(self) -> tuple[int, ...]:
        """Batch axes of the mapped leaves."""
        return tuple(axis for axis in self.axes if axis is not None)

    @property
    def shared(self) -> tuple[Any, ...]:
        """Arrays that all examples share; Python values stay as they are, as under `vmap`."""
        return tuple(leaf for leaf, axis in self._pairs if axis is None and is_array(leaf))

    @property
    def _pairs(self) -> list[tuple[Any, int | None]]:
        return list(zip(self.leaves, self.axes, strict=True))

    def one(self, mapped: Sequence[Any], shared: Sequence[Any]) -> Any:
        """Call the function for one example."""
        slices, arrays = iter(mapped), iter(shared)
        leaves = [
            next(slices) if axis is not None else next(arrays) if is_array(leaf) else leaf
            for leaf, axis in self._pairs
        ]
        return self.function(*jax.tree.unflatten(self.structure, leaves))

    def program(
        self, chunk_size: int, reduce: Reduction | None = None
    ) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
        """Make the program for one chunk size; N and more means one `vmap` of everything.

        Args:
            chunk_size: examples at once, 1 to N.
            reduce: how to bring the outputs down inside the loop; None returns all of them.

        Returns:
            A function of (mapped leaves, shared arrays), to be compiled.
        """

        def batch(mapped: Sequence[Any], shared: Sequence[Any]) -> Any:
            return jax.vmap(lambda slices: self.one(slices, shared))(tuple(mapped))

        def whole(mapped: Sequence[Any], shared: Sequence[Any]) -> Any:
            axes = (list(self.mapped_axes),)
            outputs = jax.vmap(lambda slices: self.one(slices, shared), in_axes=axes)(list(mapped))
            return (
                outputs if reduce is None else reduce.finish(reduce.chunk(outputs), self.batch_size)
            )

        def chunked(mapped: Sequence[Any], shared: Sequence[Any]) -> Any:
            moved = self._moved(mapped)
            if reduce is None:
                one = lambda slices: self.one(slices, shared)  # noqa: E731
                return jax.lax.map(one, moved, batch_size=chunk_size)
            return self._reduced(
                lambda chunk: reduce.chunk(batch(chunk, shared)), moved, chunk_size, reduce
            )

        return whole if chunk_size >= self.batch_size else chunked

    def _moved(self, mapped: Sequence[Any]) -> tuple[jax.Array, ...]:
        pairs = zip(mapped, self.mapped_axes, strict=True)
        return tuple(jnp.moveaxis(leaf, axis, 0) for leaf, axis in pairs)

    def _reduced(
        self,
        partial: Callable[[tuple[Any, ...]], Any],
        moved: tuple[jax.Array, ...],
        chunk_size: int,
        reduce: Reduction,
    ) -> Any:
        """Scan over whole chunks with the running result as carry; the rest comes last."""
        chunks = self.batch_size // chunk_size
        if reduce.name in ("sum", "mean"):
            shapes = jax.eval_shape(lambda: partial(tuple(a[:chunk_size] for a in moved)))
            total, begin = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes), 0
        else:
            total, begin = partial(tuple(leaf[:chunk_size] for leaf in moved)), 1
        end = chunks * chunk_size

        def cut(leaf: jax.Array) -> jax.Array:
            return leaf[begin * chunk_size : end].reshape(
                chunks - begin, chunk_size, *leaf.shape[1:]
            )

        def step(carry: Any, chunk: tuple[Any, ...]) -> tuple[Any, None]:
            return reduce.combine(carry, partial(chunk)), None

        if chunks > begin:
            total, _ = jax.lax.scan(step, total, tuple(cut(leaf) for leaf in moved))
        if end < self.batch_size:
            total = reduce.combine(total, partial(tuple(leaf[end:] for leaf in moved)))
        return reduce.finish(total, self.batch_size)

    def first_outputs(self, count: int) -> Any:
        """Return the stacked outputs of the first examples, at most `count`."""
        first = tuple(leaf[:count] for leaf in self._moved(self.mapped))
        return jax.vmap(lambda slices: self.one(slices, self.shared))(first)


def is_array(leaf: Any) -> bool:
    """Tell arrays from Python values, which `vmap` passes through when they are shared."""
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def _is_none(axis: Any) -> bool:
    return axis is None


def batched_call(function: Callable[..., Any], args: Any, in_axes: Any) -> BatchedCall:
    """Take a call apart; what `jax.vmap` refuses is refused with JAX's own error.

    Args:
        function: for one example.
        args: tuple of its positional arguments with their batch axes.
        in_axes: as for `jax.vmap`.

    Returns:
        The call, ready to be compiled for any chunk size.
    """
    args = tuple(args) if isinstance(args, tuple | list) else (args,)
    # A function without content, so that JAX checks axes and sizes and nothing is computed.
    jax.vmap(lambda *_: 0, in_axes=in_axes, out_axes=None)(*args)
    prefix = tuple(in_axes) if isinstance(in_axes, list) else in_axes
    prefix = jax.tree.map(lambda axis: SHARED if axis is None else axis, prefix, is_leaf=_is_none)
    leaves, structure = jax.tree.flatten(args)
    flat_axes = jax.tree.leaves(jax.tree.broadcast(prefix, args))
    ready, placed, size = [], [], 0
    for leaf, axis in zip(leaves, flat_axes, strict=True):
        if axis is SHARED:
            ready.append(leaf)
            placed.append(None)
            continue
        array = leaf if isinstance(leaf, jax.Array) else jnp.asarray(leaf)
        ready.append(array)
        placed.append(axis % array.ndim)
        size = array.shape[axis]
    return BatchedCall(function, structure, tuple(ready), tuple(placed), size)
