"""Batch normalisation inside `vmap(grad)`: wrong rows with the right sum.

A statistic over the batch makes every loss depend on every example. What `vmap(grad)` returns
then is no longer the gradient of each example's own loss, and nothing warns.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from playground.lessons.models import init_network
from playground.lessons.outliers import draw_batch
from playground.lessons.trees import flat_rows

STABILISER = 1e-3


def normalised_loss(
    params: dict[str, Array], x: Float[Array, " features"], y: Float[Array, ""]
) -> Float[Array, ""]:
    """Return the squared loss of one example in a network with batch normalisation.

    Needs `vmap(..., axis_name="batch")` around it: mean and variance of each hidden unit are taken
    over the batch with `pmean`.

    Args:
        params: {"W1", "b1", "w2", "b2"} as made by `init_network`.
        x: features of one example.
        y: its label.
    """
    units = params["W1"] @ x + params["b1"]
    centred = units - jax.lax.pmean(units, "batch")
    variance = jax.lax.pmean(centred**2, "batch")
    hidden = jnp.tanh(centred / jnp.sqrt(variance + STABILISER))
    return (params["w2"] @ hidden + params["b2"] - y) ** 2


def batch_losses(
    params: dict[str, Array], X: Float[Array, "batch features"], Y: Float[Array, " batch"]
) -> Float[Array, " batch"]:
    """Return the loss of every example, statistics taken over this batch."""
    return jax.vmap(normalised_loss, in_axes=(None, 0, 0), axis_name="batch")(params, X, Y)


@jax.jit
def rows_of_vmap_grad(
    params: dict[str, Array], X: Float[Array, "batch features"], Y: Float[Array, " batch"]
) -> dict[str, Array]:
    """Return what `vmap(grad)` gives: row i is the effect of example i's COPY of the parameters.

    The statistics carry that effect into all losses, so row i mixes all losses.
    """
    gradient = jax.grad(normalised_loss)
    return jax.vmap(gradient, in_axes=(None, 0, 0), axis_name="batch")(params, X, Y)


@jax.jit
def rows_of_losses(
    params: dict[str, Array], X: Float[Array, "batch features"], Y: Float[Array, " batch"]
) -> dict[str, Array]:
    """Return the gradient of each example's loss: the Jacobian of the vector of losses."""
    return jax.jacrev(batch_losses)(params, X, Y)


@jax.jit
def rows_of_batches_of_one(
    params: dict[str, Array], X: Float[Array, "batch features"], Y: Float[Array, " batch"]
) -> dict[str, Array]:
    """Return gradients with each example normalised by itself: a batch of one is all zeros."""

    def alone(params: dict[str, Array], x: Array, y: Array) -> Array:
        return batch_losses(params, x[None], y[None])[0]

    return jax.vmap(jax.grad(alone), in_axes=(None, 0, 0))(params, X, Y)


@dataclass(frozen=True)
class BatchStatisticsResult:
    """Three kinds of rows for one small batch with batch normalisation.

    Attributes:
        norms: gradient norm of each example by kind: "vmap_grad", "own_loss", "alone".
        row_error: largest relative distance between a row of vmap(grad) and the right row.
        sum_error: relative distance between the two sums of rows.
        alone_sum_error: relative distance of the sum of "alone" from the right sum.
        alone_first_layer: largest magnitude in the first layer's gradient of "alone".
        own_loss_reach: how far the right rows of the other examples move, relatively, when the
            first example is taken away: even right rows are not independent.
    """

    norms: dict[str, np.ndarray]
    row_error: float
    sum_error: float
    alone_sum_error: float
    alone_first_layer: float
    own_loss_reach: float


def study_batch_statistics(key: Key[Array, ""], batch_size: int = 7) -> BatchStatisticsResult:
    """Compare the rows of `vmap(grad)` with the gradients of the examples' own losses.

    Args:
        key: typed random key of data and parameters.
        batch_size: number of examples, at least 2.
    """
    params_key, weights_key, data_key = jax.random.split(key, 3)
    params = init_network(params_key, (3, 5))
    weights = jax.random.normal(weights_key, (3,))
    X, Y = draw_batch(data_key, weights, jnp.float32(0.5), batch_size)
    rows = {
        "vmap_grad": flat_rows(rows_of_vmap_grad(params, X, Y)),
        "own_loss": flat_rows(rows_of_losses(params, X, Y)),
        "alone": flat_rows(rows_of_batches_of_one(params, X, Y)),
    }
    right = rows["own_loss"]
    fewer = flat_rows(rows_of_losses(params, X[1:], Y[1:]))
    return BatchStatisticsResult(
        norms={name: np.linalg.norm(value, axis=1) for name, value in rows.items()},
        row_error=largest_distance(rows["vmap_grad"], right),
        sum_error=largest_distance(rows["vmap_grad"].sum(0)[None], right.sum(0)[None]),
        alone_sum_error=largest_distance(rows["alone"].sum(0)[None], right.sum(0)[None]),
        alone_first_layer=float(jnp.max(jnp.abs(rows_of_batches_of_one(params, X, Y)["W1"]))),
        own_loss_reach=largest_distance(fewer, right[1:]),
    )


def largest_distance(rows: np.ndarray, right: np.ndarray) -> float:
    """Return the largest distance between two rows of one position, relative to the right one."""
    distance = np.linalg.norm(rows - right, axis=1) / np.linalg.norm(right, axis=1)
    return float(distance.max())
