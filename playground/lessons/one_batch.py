"""One batch, three ways: a Python loop, a formula written for the whole batch, and vmap.

Each way is a function of its own, so that a page can show it, time it and compare it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from playground.lessons.home import small_batch, sum_of_squares


def dot(x, y):
    """Multiply ONE pair of vectors, (features,) each, to a number."""
    return jnp.dot(x, y)


def dot_by_loop(X, Y):
    """Call the function once per pair."""
    return jnp.stack([dot(x, y) for x, y in zip(X, Y, strict=True)])


def dot_by_hand(X, Y):
    """Rewrite it for the whole batch: the sum needs its axis."""
    return jnp.sum(X * Y, axis=1)


def dot_by_vmap(X, Y):
    """Leave the function as it is."""
    return jax.vmap(dot)(X, Y)


def squares_by_loop(X):
    """Call the function once per example."""
    return jnp.stack([sum_of_squares(x) for x in X])


def squares_by_hand(X):
    """Rewrite it for the whole batch: the sum needs its axis."""
    return jnp.sum(X**2, axis=1)


def squares_by_vmap(X):
    """Leave the function as it is."""
    return jax.vmap(sum_of_squares)(X)


def normalize(x):
    """Divide ONE vector, (features,), by its length."""
    return x / jnp.linalg.norm(x)


def normalize_by_loop(X):
    """Call the function once per example."""
    return jnp.stack([normalize(x) for x in X])


def normalize_by_hand(X):
    """Rewrite it for the whole batch: an axis, and keepdims for the division."""
    return X / jnp.linalg.norm(X, axis=1, keepdims=True)


def normalize_by_vmap(X):
    """Leave the function as it is."""
    return jax.vmap(normalize)(X)


WAYS: dict[str, tuple[FunctionType, FunctionType, FunctionType, FunctionType]] = {
    "dot": (dot, dot_by_loop, dot_by_hand, dot_by_vmap),
    "sum_of_squares": (sum_of_squares, squares_by_loop, squares_by_hand, squares_by_vmap),
    "normalize": (normalize, normalize_by_loop, normalize_by_hand, normalize_by_vmap),
}
"""By name: the function for one example, and its three ways for a batch."""


@dataclass(frozen=True)
class WaysResult:
    """Three ways compared, and the definition of vmap on a batch that fits on the screen.

    Attributes:
        summary: headline numbers by name.
        small: float32, shape (4, 3).
        small_stacked: stack([f(x) for x in small]), float32, shape (4,).
        small_mapped: vmap(f)(small), float32, shape (4,).
        input_shapes: shape of every batched argument.
        output_shape: shape of the batched result.
    """

    summary: dict[str, Any]
    small: np.ndarray
    small_stacked: np.ndarray
    small_mapped: np.ndarray
    input_shapes: tuple[tuple[int, ...], ...]
    output_shape: tuple[int, ...]


def batches(number: int, batch_size: int, length: int, seed: int) -> tuple[Array, ...]:
    """Draw standard normal batches.

    Args:
        number: how many arrays.
        batch_size: examples in each.
        length: features of an example.
        seed: of the generator.

    Returns:
        Arrays of shape (batch_size, length), float32.
    """
    keys = jax.random.split(jax.random.key(seed), number)
    return tuple(jax.random.normal(key, (batch_size, length)) for key in keys)


def compare_ways(
    by_loop: Callable, by_hand: Callable, by_vmap: Callable, arguments: tuple[Array, ...]
) -> dict[str, Any]:
    """Run the three ways and measure how far apart their results are.

    Args:
        by_loop: the loop over examples; the reference.
        by_hand: the formula for the batch.
        by_vmap: the mapped function.
        arguments: batched arrays.

    Returns:
        Shapes and largest differences, relative to the largest magnitude of the loop's result.
    """
    looped, hand, mapped = (way(*arguments) for way in (by_loop, by_hand, by_vmap))
    scale = jnp.abs(looped).max()
    return {
        "shape of a batch": arguments[0].shape,
        "shape of the result": mapped.shape,
        "by hand against the loop": float(jnp.abs(hand - looped).max() / scale),
        "vmap against the loop": float(jnp.abs(mapped - looped).max() / scale),
    }


def arguments_of(function: str, batch_size: int, length: int, seed: int) -> tuple[Array, ...]:
    """Return the batched arguments of one of `WAYS`: two arrays for "dot", else one."""
    return batches(2 if function == "dot" else 1, batch_size, length, seed)


def run_ways(function: str, batch_size: int, length: int, seed: int) -> WaysResult:
    """Compare the three ways of one function, and run the definition on the small batch."""
    _, *ways = WAYS[function]
    arguments = arguments_of(function, batch_size, length, seed)
    summary = compare_ways(*ways, arguments)
    small = small_batch()
    return WaysResult(
        summary,
        np.asarray(small),
        np.asarray(jnp.stack([sum_of_squares(x) for x in small])),
        np.asarray(jax.vmap(sum_of_squares)(small)),
        tuple(argument.shape for argument in arguments),
        tuple(summary["shape of the result"]),
    )
