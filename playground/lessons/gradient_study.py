"""Per-example gradients of one batch with planted label errors, looked at from every side.

Brings the lessons together in plain arguments; the settings of the page are in `gradients`.
"""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

from playground.lessons.clipping import (
    clipped_mean_gradient,
    ghost_clipped_mean_gradient,
    norms_after_clipping,
)
from playground.lessons.descent import descend
from playground.lessons.models import (
    Loss,
    init_network,
    logistic_loss,
    parameter_count,
    predict,
    squared_loss,
)
from playground.lessons.outliers import (
    Findings,
    draw_batch,
    find_outliers,
    keep_weights,
    plant_errors,
)
from playground.lessons.per_example import (
    chunked_norms,
    fused_norms,
    ghost_norms,
    mean_gradient,
    mean_of_per_example_gradients,
    per_example_gradients,
    weighted_gradient,
)
from playground.lessons.trees import cosine, relative_distance

FEATURES = 8


@dataclass(frozen=True)
class Problem:
    """A model and its batch.

    Attributes:
        params: as made by `init_network`.
        X: features, shape (batch, 8).
        Y: labels, some of them wrong, shape (batch,).
        clean: the right labels, shape (batch,).
        planted: which labels are wrong, shape (batch,).
    """

    params: dict[str, jax.Array]
    X: jax.Array
    Y: jax.Array
    clean: jax.Array
    planted: jax.Array


@dataclass(frozen=True)
class GradientsResult:
    """What the page shows for one batch; arrays have one entry an example.

    Attributes:
        features, labels, clean, predictions, planted: the batch.
        norms, clipped_norms: gradient norms before and after clipping, same unit as the loss
            divided by that of a parameter.
        findings: suspects, precision, recall.
        leaves: name and shape of each leaf of the per-example gradients.
        parameters: P.
        mean_error: mean of per-example gradients against the gradient of the mean loss, relative.
        chunk_error, ghost_error: largest relative difference of those norms from the fused ones.
        weighted_error: clipped mean against the gradient of the weighted loss, relative.
        clipped_share: share of examples that clipping changed.
        clipped_cosine: cosine between clipped mean and plain mean; nan when one is zero.
        all_cosine, kept_cosine: cosine of the mean gradient of all examples, and of all but the
            suspects, with the mean gradient for the right labels.
    """

    features: np.ndarray
    labels: np.ndarray
    clean: np.ndarray
    predictions: np.ndarray
    planted: np.ndarray
    norms: np.ndarray
    clipped_norms: np.ndarray
    findings: Findings
    leaves: tuple[tuple[str, tuple[int, ...]], ...]
    parameters: int
    mean_error: float
    chunk_error: float
    ghost_error: float
    weighted_error: float
    clipped_share: float
    clipped_cosine: float
    all_cosine: float
    kept_cosine: float


def layer_sizes(model: str, hidden_layers: int, hidden_width: int) -> tuple[int, ...]:
    """Return the sizes for `init_network`: only the MLP has hidden layers."""
    return (FEATURES, *[hidden_width] * (hidden_layers if model == "mlp" else 0))


def loss_of(model: str) -> Loss:
    """Return the loss of one example: logistic for classes, squared for numbers."""
    return logistic_loss if model == "logistic" else squared_loss


def make_problem(
    model: str, sizes: tuple[int, ...], batch_size: int, errors: int, shift: float, seed: int
) -> Problem:
    """Draw data, plant label errors, draw parameters.

    Args:
        model: "linear", "mlp" or "logistic".
        sizes: see `init_network`.
        batch_size: B.
        errors: how many labels become wrong.
        shift: by how much.
        seed: of everything random here.
    """
    classes = model == "logistic"
    truth_key, data_key, error_key, params_key = jax.random.split(jax.random.key(seed), 4)
    truth = jax.random.normal(truth_key, (FEATURES,)) / jnp.sqrt(FEATURES)
    X, clean = draw_batch(data_key, truth, jnp.float32(0.5), batch_size, classes)
    Y, planted = plant_errors(error_key, clean, errors, shift, classes)
    return Problem(init_network(params_key, sizes), X, Y, clean, planted)


def trained(problem: Problem, model: str, steps: int) -> Problem:
    """Take some clipped steps (C = 1) on the labels as they are, wrong ones included.

    Args:
        problem: model and batch.
        model: "linear", "mlp" or "logistic"; chooses the loss.
        steps: how many steps of gradient descent, learning rate 0.1.

    Returns:
        The same batch with the trained parameters.
    """
    loss = loss_of(model)
    keys = jax.random.split(jax.random.key(0), steps)
    even = jnp.full(len(problem.Y), 1 / len(problem.Y))
    batch = (problem.X, problem.Y, problem.Y, even)
    params, _ = descend(problem.params, keys, *batch, 0.1, 1.0, 0.0, loss, "clipped")
    return replace(problem, params=params)


def study_gradients(
    problem: Problem, model: str, times_median: float, clip_norm: float, chunk_size: int
) -> GradientsResult:
    """Look at the gradient of every example of a batch.

    Args:
        problem: model and batch.
        model: "linear", "mlp" or "logistic"; chooses the loss.
        times_median: threshold for suspects, in medians of the norms.
        clip_norm: C.
        chunk_size: examples at once in the chunked norms.
    """
    loss = loss_of(model)
    params, X, Y = problem.params, problem.X, problem.Y
    shapes = jax.eval_shape(lambda *batch: per_example_gradients(*batch, loss), params, X, Y)
    norms = np.asarray(fused_norms(params, X, Y, loss))
    planted = np.asarray(problem.planted)
    findings = find_outliers(norms, planted, times_median)
    mean = mean_gradient(params, X, Y, loss)
    right = mean_gradient(params, X, problem.clean, loss)
    kept = weighted_gradient(params, X, Y, keep_weights(len(norms), findings.suspects), loss)
    clipped_mean = clipped_mean_gradient(params, X, Y, clip_norm, loss)
    weighted = ghost_clipped_mean_gradient(params, X, Y, clip_norm, loss)
    clipped_norms, _ = norms_after_clipping(params, X, Y, clip_norm, loss)
    return GradientsResult(
        features=np.asarray(X),
        labels=np.asarray(Y),
        clean=np.asarray(problem.clean),
        predictions=np.asarray(jax.vmap(predict, in_axes=(None, 0))(params, X)),
        planted=planted,
        norms=norms,
        clipped_norms=np.asarray(clipped_norms),
        findings=findings,
        leaves=tuple((name, leaf.shape) for name, leaf in shapes.items()),
        parameters=parameter_count(params),
        mean_error=relative_distance(mean_of_per_example_gradients(params, X, Y, loss), mean),
        chunk_error=largest_difference(chunked_norms(params, X, Y, loss, chunk_size), norms),
        ghost_error=largest_difference(ghost_norms(params, X, Y, loss), norms),
        weighted_error=relative_distance(weighted, clipped_mean),
        clipped_share=float(np.mean(norms > clip_norm)),
        clipped_cosine=cosine(clipped_mean, mean),
        all_cosine=cosine(mean, right),
        kept_cosine=cosine(kept, right),
    )


def largest_difference(norms: jax.Array, right: np.ndarray) -> float:
    """Return the largest difference between norms, relative to the right ones."""
    return float(np.max(np.abs(np.asarray(norms) - right) / np.maximum(right, 1e-12)))


def suspects_table(result: GradientsResult) -> dict[str, np.ndarray]:
    """Return the suspects as columns, largest norm first.

    Args:
        result: of `study_gradients`.

    Returns:
        Columns "index", "label", "prediction", "norm", "planted" of one length.
    """
    rows = result.findings.suspects
    return {
        "index": rows,
        "label": result.labels[rows],
        "prediction": result.predictions[rows],
        "norm": result.norms[rows],
        "planted": result.planted[rows],
    }
