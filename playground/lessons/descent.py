"""Gradient descent that can be watched and stopped, in four treatments.

All runs start at the same parameters and see the same batch; only the treatment of the
per-example gradients differs: plain mean, weighted, clipped, clipped with noise. Clipped means come
from ghost norms and a weighted loss, so a step costs little more than an ordinary one.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import jax
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from playground.lessons.clipping import ghost_clipped_mean_gradient
from playground.lessons.models import Loss, mean_loss
from playground.lessons.noise import add_noise
from playground.lessons.per_example import mean_gradient, weighted_gradient

TREATMENTS = ("plain", "weighted", "clipped", "noisy")


@partial(jax.jit, static_argnames=("loss", "treatment"))
def descend(
    params: dict[str, Array],
    keys: Key[Array, " n_steps"],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    clean: Float[Array, " batch"],
    weights: Float[Array, " batch"],
    learning_rate: Float[Array, ""] | float,
    clip_norm: Float[Array, ""] | float,
    sigma: Float[Array, ""] | float,
    loss: Loss,
    treatment: str,
) -> tuple[dict[str, Array], Float[Array, " n_steps"]]:
    """Take one step of gradient descent on the whole batch for each key.

    Args:
        params: where to start.
        keys: typed random keys of the noise, one a step.
        X: features.
        Y: labels to learn from.
        clean: labels to judge by.
        weights: weight of each example's loss; used by "weighted" only.
        learning_rate: step size.
        clip_norm: C; used by "clipped" and "noisy".
        sigma: noise multiplier; used by "noisy" only.
        loss: loss of one example.
        treatment: "plain", "weighted", "clipped", or "noisy": clipped, then noise sigma C / B.

    Returns:
        Parameters at the end, and the mean loss on `clean` after each step.
    """

    def step(params: dict[str, Array], step_key: Array) -> tuple[dict[str, Array], Array]:
        if treatment == "plain":
            gradient = mean_gradient(params, X, Y, loss)
        elif treatment == "weighted":
            gradient = weighted_gradient(params, X, Y, weights, loss)
        else:
            gradient = ghost_clipped_mean_gradient(params, X, Y, clip_norm, loss)
        if treatment == "noisy":
            gradient = add_noise(step_key, gradient, X.shape[0], clip_norm, sigma)
        params = jax.tree.map(lambda p, g: p - learning_rate * g, params, gradient)
        return params, mean_loss(params, X, clean, loss)

    return jax.lax.scan(step, params, keys)


@dataclass(frozen=True)
class Progress:
    """How far the runs have come.

    Attributes:
        step: steps done.
        n_steps: steps in all.
        losses: for each treatment the mean loss on the right labels, after each step so far.
        params: for each treatment the parameters now.
    """

    step: int
    n_steps: int
    losses: dict[str, np.ndarray]
    params: dict[str, dict[str, np.ndarray]]


def train(
    start: dict[str, Array],
    key: Key[Array, ""],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    clean: Float[Array, " batch"],
    weights: Float[Array, " batch"],
    learning_rate: float,
    clip_norm: float,
    sigma: float,
    loss: Loss,
    n_steps: int,
    slices: int = 20,
) -> Generator[Progress]:
    """Run all treatments side by side, in slices, so that somebody can watch and stop.

    Stopping is not asking for the next slice. How many slices there are does not change the
    result: every step has its own key, whatever slice it falls into.

    Args:
        start: parameters at the start.
        key: typed random key, split into one key a step.
        X: features.
        Y: labels to learn from.
        clean: labels to judge by.
        weights: weight of each example's loss; used by "weighted" only.
        learning_rate: step size.
        clip_norm: C.
        sigma: noise multiplier.
        loss: loss of one example.
        n_steps: steps in all; a multiple of `slices`.
        slices: how often to report.

    Yields:
        The state after each slice.
    """
    size = max(n_steps // slices, 1)
    keys = jax.random.split(key, n_steps)
    params = dict.fromkeys(TREATMENTS, start)
    losses: dict[str, np.ndarray] = {name: np.zeros(0, np.float32) for name in TREATMENTS}
    for done in range(size, n_steps + 1, size):
        for name in TREATMENTS:
            params[name], after = descend(
                params[name],
                keys[done - size : done],
                *(X, Y, clean, weights, learning_rate, clip_norm, sigma),
                loss=loss,
                treatment=name,
            )
            losses[name] = np.concatenate([losses[name], np.asarray(after)])
        shown = {name: jax.tree.map(np.asarray, params[name]) for name in TREATMENTS}
        yield Progress(done, n_steps, dict(losses), shown)
