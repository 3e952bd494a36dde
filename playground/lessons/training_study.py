"""Clipping in three orders, noise in five places, training in four treatments, on one batch.

Brings the lessons together in plain arguments; the settings of the page are in `training`.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from playground.lessons.clipping import three_orders
from playground.lessons.descent import Progress, train
from playground.lessons.models import squared_loss
from playground.lessons.noise import RIGHT_PLACEMENTS, WRONG_PLACEMENTS, noise_study
from playground.lessons.outliers import draw_batch, find_outliers, keep_weights, plant_errors
from playground.lessons.per_example import norms_of, per_example_gradients
from playground.lessons.trees import cosine, flat_vector

TRUE_WEIGHTS = (1.0, -2.0, 0.5)
TRUE_BIAS = 0.5
TIMES_MEDIAN = 5.0
NOISE_WIDTH = 32
NOISE_DRAWS = 400


@dataclass(frozen=True)
class Batch:
    """Data of the line y = w·x + b with w = (1, -2, 0.5), b = 0.5, and wrong labels in it.

    Attributes:
        X: features, shape (batch, 3).
        Y: labels, some of them wrong, shape (batch,).
        clean: the right labels.
        planted: which labels are wrong.
        key: for the noise of training.
    """

    X: jax.Array
    Y: jax.Array
    clean: jax.Array
    planted: jax.Array
    key: jax.Array


@dataclass(frozen=True)
class OrderResult:
    """One order of clipping and averaging at the first step.

    Attributes:
        name: "mean_of_clipped" (DP-SGD), "micro_batches" or "clip_of_mean".
        gradient: as a vector (b, w1, w2, w3).
        norm: its norm.
        cosine: with the mean gradient for the right labels; nan when one is zero.
        influence: how far the result moves when one example's gradient becomes zero, the most
            over all examples.
    """

    name: str
    gradient: np.ndarray
    norm: float
    cosine: float
    influence: float


@dataclass(frozen=True)
class NoiseResult:
    """Noise of one placement on the mean gradient, measured.

    Attributes:
        name: see `add_noise`.
        is_right: whether this is DP-SGD.
        deviation: standard deviation of one number of the mean, measured.
        stated: sigma C / B.
        correlation: between the noise of two leaves of one shape, measured.
    """

    name: str
    is_right: bool
    deviation: float
    stated: float
    correlation: float


@dataclass(frozen=True)
class TrainingResult:
    """What the page shows.

    Attributes:
        norms: gradient norms at the first step, shape (batch,).
        planted: which labels are wrong, shape (batch,).
        orders: the three orders at the first step.
        noise: the placements of noise.
        bad, good: the end of training with the wrong labels in, and with the right labels only.
        errors: by treatment, the largest error of a true weight after training on `bad`.
    """

    norms: np.ndarray
    planted: np.ndarray
    orders: tuple[OrderResult, ...]
    noise: tuple[NoiseResult, ...]
    bad: Progress
    good: Progress
    errors: dict[str, float]


def line_batch(seed: int, batch_size: int, errors: int, shift: float) -> Batch:
    """Draw the data and plant label errors.

    Args:
        seed: of everything random on the page.
        batch_size: B.
        errors: how many labels become wrong.
        shift: by how much.
    """
    data_key, error_key, train_key = jax.random.split(jax.random.key(seed), 3)
    truth = jnp.array(TRUE_WEIGHTS), jnp.float32(TRUE_BIAS)
    X, clean = draw_batch(data_key, *truth, batch_size)
    Y, planted = plant_errors(error_key, clean, errors, shift)
    return Batch(X, Y, clean, planted, train_key)


def start_params() -> dict[str, jax.Array]:
    """Return the parameters at the start: all zero."""
    return {"w1": jnp.zeros(len(TRUE_WEIGHTS)), "b1": jnp.zeros(())}


def run_training(
    batch: Batch,
    labels: jax.Array,
    learning_rate: float,
    clip_norm: float,
    sigma: float,
    n_steps: int,
    slices: int = 20,
) -> Generator[Progress]:
    """Train on the given labels in all treatments, a slice at a time; see `train`.

    Args:
        batch: features, right labels and key.
        labels: what to learn from.
        learning_rate: step size.
        clip_norm: C.
        sigma: noise multiplier.
        n_steps: steps in all; a multiple of `slices`.
        slices: how often to report.
    """
    start = start_params()
    norms = norms_of(per_example_gradients(start, batch.X, labels, squared_loss))
    suspects = find_outliers(np.asarray(norms), np.asarray(batch.planted), TIMES_MEDIAN).suspects
    weights = keep_weights(len(norms), suspects)
    data = (batch.key, batch.X, labels, batch.clean, weights)
    return train(start, *data, learning_rate, clip_norm, sigma, squared_loss, n_steps, slices)


def last_of(progress: Iterator[Progress]) -> Progress:
    """Return the last item of a run."""
    *_, last = progress
    return last


@partial(jax.jit, static_argnames="micro_batch")
def orders_without_one(
    gradients: dict[str, jax.Array], clip_norm: float, micro_batch: int
) -> dict[str, dict[str, jax.Array]]:
    """Return `three_orders` with each example's gradient set to zero in turn, batch axis first."""

    def without(i: jax.Array) -> dict[str, dict[str, jax.Array]]:
        others = jax.tree.map(lambda leaf: leaf.at[i].set(0.0), gradients)
        return three_orders(others, clip_norm, micro_batch)

    return jax.lax.map(without, jnp.arange(len(gradients["b1"])), batch_size=64)


def study_orders(
    gradients: dict[str, jax.Array], right: dict[str, jax.Array], clip_norm: float, micro: int
) -> tuple[OrderResult, ...]:
    """Compare the orders of clipping and averaging on one set of per-example gradients.

    Args:
        gradients: each leaf with a leading batch axis.
        right: the mean gradient for the right labels.
        clip_norm: C.
        micro: examples in a micro-batch; divides the batch size.
    """
    results = three_orders(gradients, clip_norm, micro)
    fewer = orders_without_one(gradients, clip_norm, micro)
    orders = []
    for name, result in results.items():
        moved = jax.tree.map(lambda others, one: others - one, fewer[name], result)
        orders.append(
            OrderResult(
                name=name,
                gradient=flat_vector(result),
                norm=float(np.linalg.norm(flat_vector(result))),
                cosine=cosine(result, right),
                influence=float(np.max(norms_of(moved))),
            )
        )
    return tuple(orders)


def study_noise(
    key: jax.Array, batch_size: int, clip_norm: float, sigma: float
) -> tuple[NoiseResult, ...]:
    """Measure the noise of every placement on a mean gradient; see `noise_study`."""
    results = []
    for name in RIGHT_PLACEMENTS + WRONG_PLACEMENTS:
        width = jnp.zeros(NOISE_WIDTH)
        measured = noise_study(key, width, batch_size, clip_norm, sigma, name, NOISE_DRAWS)
        results.append(
            NoiseResult(
                name=name,
                is_right=name in RIGHT_PLACEMENTS,
                deviation=float(measured[0]),
                stated=sigma * clip_norm / batch_size,
                correlation=float(measured[1]),
            )
        )
    return tuple(results)
