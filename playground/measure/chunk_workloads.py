"""Functions for one example whose memory or time depends on how many run at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

TOKENS = 256
UNITS = 32


def two_products(
    x: Float[Array, " length"], W: Float[Array, "length length"]
) -> Float[Array, " length"]:
    """Multiply by a shared matrix, bend, and multiply again: tanh(W x) W."""
    return jnp.tanh(W @ x) @ W


def vectors_and_matrix(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array, Array]:
    """Draw a batch of vectors and the matrix they share."""
    first, second = jax.random.split(key)
    W = jax.random.normal(second, (length, length)) / jnp.sqrt(length)
    return jax.random.normal(first, (batch_size, length)), W


def columns_and_matrix(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array, Array]:
    """Draw vectors stored as columns, and the matrix they share."""
    x, W = vectors_and_matrix(key, batch_size, length)
    return x.T, W


def outer(x: Float[Array, " length"]) -> Float[Array, "length length"]:
    """Multiply a vector with itself to a matrix: the second moments of one example."""
    return jnp.outer(x, x)


def vectors_alone(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array]:
    """Draw a batch of vectors."""
    return (jax.random.normal(key, (batch_size, length)),)


def example_loss(
    parameters: dict[str, Array], x: Float[Array, " length"], y: Float[Array, ""]
) -> Float[Array, ""]:
    """Squared error of a network with one hidden layer of 32 units on one example."""
    hidden = jnp.tanh(parameters["W"] @ x + parameters["b"])
    return (parameters["w"] @ hidden - y) ** 2


def example_gradient(
    parameters: dict[str, Array], x: Float[Array, " length"], y: Float[Array, ""]
) -> dict[str, Array]:
    """Gradient of one example's loss: as many numbers as there are parameters."""
    return jax.grad(example_loss)(parameters, x, y)


def gradient_norm(
    parameters: dict[str, Array], x: Float[Array, " length"], y: Float[Array, ""]
) -> Float[Array, ""]:
    """Norm of one example's gradient: one number."""
    gradient = example_gradient(parameters, x, y)
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))


def network_and_examples(
    key: Key[Array, ""], batch_size: int, length: int
) -> tuple[dict[str, Array], Array, Array]:
    """Draw the network's parameters, inputs and targets."""
    keys = jax.random.split(key, 5)
    parameters = {
        "W": jax.random.normal(keys[0], (UNITS, length)) / jnp.sqrt(length),
        "b": jax.random.normal(keys[1], (UNITS,)),
        "w": jax.random.normal(keys[2], (UNITS,)),
    }
    x = jax.random.normal(keys[3], (batch_size, length))
    return parameters, x, jax.random.normal(keys[4], (batch_size,))


def attend(
    query: Float[Array, " length"],
    keys: Float[Array, "tokens length"],
    values: Float[Array, "tokens length"],
) -> Float[Array, " length"]:
    """Let one query look at 256 tokens: softmax(K q / sqrt(length)) V."""
    return jax.nn.softmax(keys @ query / jnp.sqrt(query.shape[0])) @ values


def queries_and_tokens(
    key: Key[Array, ""], batch_size: int, length: int
) -> tuple[Array, Array, Array]:
    """Draw a batch of queries, and the keys and values of the tokens."""
    keys = jax.random.split(key, 3)
    tokens = (TOKENS, length)
    queries = jax.random.normal(keys[0], (batch_size, length))
    return queries, jax.random.normal(keys[1], tokens), jax.random.normal(keys[2], tokens)


@dataclass(frozen=True)
class ChunkWorkload:
    """A function for one example, how its arguments are drawn, what they are called, `in_axes`."""

    function: Callable[..., Any]
    draw: Callable[..., tuple[Any, ...]]
    arguments: tuple[str, ...]
    in_axes: tuple[int | None, ...]


CHUNK_WORKLOADS = {
    "two_products": ChunkWorkload(two_products, vectors_and_matrix, ("x", "W"), (0, None)),
    "columns": ChunkWorkload(two_products, columns_and_matrix, ("x", "W"), (-1, None)),
    "outer": ChunkWorkload(outer, vectors_alone, ("x",), (0,)),
    "gradients": ChunkWorkload(
        example_gradient, network_and_examples, ("parameters", "x", "y"), (None, 0, 0)
    ),
    "norms": ChunkWorkload(
        gradient_norm, network_and_examples, ("parameters", "x", "y"), (None, 0, 0)
    ),
    "attention": ChunkWorkload(
        attend, queries_and_tokens, ("query", "keys", "values"), (0, None, None)
    ),
}
