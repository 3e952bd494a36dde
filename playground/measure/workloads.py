"""What is timed: six functions written for one example, each beside its hand-written batch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

POINTS = 16
HIDDEN = 32
ROWS = 8


def add(x: Float[Array, " length"], y: Float[Array, " length"]) -> Float[Array, " length"]:
    """Add two vectors."""
    return x + y


def add_batch(x: Float[Array, "n length"], y: Float[Array, "n length"]) -> Float[Array, "n length"]:
    """Add two batches of vectors; the same code, `+` knows nothing of batches."""
    return x + y


def dot(x: Float[Array, " length"], y: Float[Array, " length"]) -> Float[Array, ""]:
    """Multiply two vectors to one number."""
    return jnp.dot(x, y)


def dot_batch(x: Float[Array, "n length"], y: Float[Array, "n length"]) -> Float[Array, " n"]:
    """Multiply vectors pair by pair; `jnp.dot` of the batches would mean a matrix product."""
    return jnp.sum(x * y, axis=1)


def pair_of_vectors(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array, Array]:
    """Draw two batches of vectors with members from 0.5 to 1.5, so that sums do not cancel."""
    first, second = jax.random.split(key)
    shape = (batch_size, length)
    return (
        jax.random.uniform(first, shape, minval=0.5, maxval=1.5),
        jax.random.uniform(second, shape, minval=0.5, maxval=1.5),
    )


def mlp(parameters: dict[str, Array], x: Float[Array, " length"]) -> Float[Array, ""]:
    """Run a network with one hidden layer of 32 units on one example."""
    hidden = jnp.tanh(parameters["W"] @ x + parameters["b"])
    return parameters["w"] @ hidden


def mlp_batch(parameters: dict[str, Array], x: Float[Array, "n length"]) -> Float[Array, " n"]:
    """Run the network on all examples: the matrix is transposed, the order is turned around."""
    hidden = jnp.tanh(x @ parameters["W"].T + parameters["b"])
    return hidden @ parameters["w"]


def network_and_inputs(
    key: Key[Array, ""], batch_size: int, length: int
) -> tuple[dict[str, Array], Array]:
    """Draw the network's parameters and a batch of inputs; biases keep the result away from 0."""
    keys = jax.random.split(key, 4)
    parameters = {
        "W": jax.random.normal(keys[0], (HIDDEN, length)) / (4 * jnp.sqrt(length)),
        "b": jax.random.uniform(keys[1], (HIDDEN,), minval=0.5, maxval=1.5),
        "w": jax.random.uniform(keys[2], (HIDDEN,)),
    }
    return parameters, jax.random.normal(keys[3], (batch_size, length))


def normalise(x: Float[Array, " length"]) -> Float[Array, " length"]:
    """Divide a vector by its Euclidean norm."""
    return x / jnp.sqrt(jnp.sum(x * x))


def normalise_batch(x: Float[Array, "n length"]) -> Float[Array, "n length"]:
    """Divide each row by its norm; without `axis` and `keepdims` the meaning changes silently."""
    return x / jnp.sqrt(jnp.sum(x * x, axis=1, keepdims=True))


def vectors(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array]:
    """Draw one batch of vectors."""
    return (jax.random.uniform(key, (batch_size, length), minval=0.5, maxval=1.5),)


def distance_row(
    x: Float[Array, " length"], points: Float[Array, "points length"]
) -> Float[Array, " points"]:
    """Measure the Euclidean distances of one vector to 16 points."""
    return jnp.sqrt(jnp.sum((points - x) ** 2, axis=1))


def distance_row_batch(
    x: Float[Array, "n length"], points: Float[Array, "points length"]
) -> Float[Array, "n points"]:
    """Measure the distances of all vectors to all points with two inserted axes."""
    return jnp.sqrt(jnp.sum((points[None, :, :] - x[:, None, :]) ** 2, axis=2))


def vectors_and_points(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array, Array]:
    """Draw a batch of vectors and the 16 points."""
    first, second = jax.random.split(key)
    points = jax.random.normal(second, (POINTS, length))
    return jax.random.normal(first, (batch_size, length)), points


def matmul(
    x: Float[Array, "rows length"], matrix: Float[Array, "length length"]
) -> Float[Array, "rows length"]:
    """Multiply a matrix of 8 rows by a square matrix."""
    return x @ matrix


def matmul_batch(
    x: Float[Array, "n rows length"], matrix: Float[Array, "length length"]
) -> Float[Array, "n rows length"]:
    """Multiply all matrices by the square one, as one tall matrix."""
    return (x.reshape(-1, x.shape[2]) @ matrix).reshape(x.shape)


def matrices(key: Key[Array, ""], batch_size: int, length: int) -> tuple[Array, Array]:
    """Draw a batch of matrices and the square matrix that they share."""
    first, second = jax.random.split(key)
    shared = jax.random.uniform(second, (length, length), minval=0.5, maxval=1.5)
    return jax.random.uniform(first, (batch_size, ROWS, length), minval=0.5, maxval=1.5), shared


@dataclass(frozen=True)
class Workload:
    """A function for one example, the same for a batch, and how its arguments are drawn.

    Attributes:
        example: the function for one example.
        batch: the same, written by hand for a batch along axis 0.
        draw: (key, batch size, length) -> arguments of `batch`.
        in_axes: 0 for a mapped argument, None for a shared one.
    """

    example: Callable[..., Any]
    batch: Callable[..., Any]
    draw: Callable[..., tuple[Any, ...]]
    in_axes: tuple[int | None, ...]


WORKLOADS = {
    "add": Workload(add, add_batch, pair_of_vectors, (0, 0)),
    "dot": Workload(dot, dot_batch, pair_of_vectors, (0, 0)),
    "mlp": Workload(mlp, mlp_batch, network_and_inputs, (None, 0)),
    "normalise": Workload(normalise, normalise_batch, vectors, (0,)),
    "distance_row": Workload(distance_row, distance_row_batch, vectors_and_points, (0, None)),
    "matmul": Workload(matmul, matmul_batch, matrices, (0, None)),
}
