"""Five ways to run a function written for one example on a whole batch."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

METHODS = ("loop", "hand-written", "vmap", "jit(vmap)", "lax.map")


def looped(example: Callable[..., Any], in_axes: tuple[int | None, ...]) -> Callable[..., Any]:
    """Call the function once per example in a Python loop and stack the results."""

    def call(*arguments: Any) -> Any:
        mapped = [a for a, axis in zip(arguments, in_axes, strict=True) if axis == 0]
        pairs = list(zip(arguments, in_axes, strict=True))
        rows = range(mapped[0].shape[0])
        return jnp.stack([example(*[a[i] if axis == 0 else a for a, axis in pairs]) for i in rows])

    return call


def chunked(
    example: Callable[..., Any], in_axes: tuple[int | None, ...], chunk_size: int
) -> Callable[..., Any]:
    """Compile `lax.map` with `vmap` over chunks of `chunk_size` examples inside."""

    def call(*arguments: Any) -> Any:
        pairs = list(zip(arguments, in_axes, strict=True))

        def one(slices: tuple[Any, ...]) -> Any:
            rest = iter(slices)
            return example(*[next(rest) if axis == 0 else a for a, axis in pairs])

        mapped = tuple(a for a, axis in pairs if axis == 0)
        return jax.lax.map(one, mapped, batch_size=chunk_size)

    return jax.jit(call)


def batch_methods(
    example: Callable[..., Any],
    batch: Callable[..., Any],
    in_axes: tuple[int | None, ...],
    chunk_size: int,
    names: Sequence[str],
) -> dict[str, Callable[..., Any]]:
    """Build the methods afresh, so that each first call really traces and compiles.

    Args:
        example: function for one example.
        batch: the same, written by hand for a batch along axis 0.
        in_axes: 0 for a mapped argument, None for a shared one.
        chunk_size: examples per step of `lax.map`.
        names: which methods to build; "hand-written", the reference, is always there and first.

    Returns:
        Functions of the batch's arguments by name.
    """
    made = {
        "hand-written": batch,
        "loop": looped(example, in_axes),
        "vmap": jax.vmap(example, in_axes=in_axes),
        "jit(vmap)": jax.jit(jax.vmap(example, in_axes=in_axes)),
        "lax.map": chunked(example, in_axes, chunk_size),
    }
    return {name: call for name, call in made.items() if name in names or name == "hand-written"}
