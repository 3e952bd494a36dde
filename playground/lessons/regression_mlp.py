"""A small network fitted to a noisy curve: an ordinary step, and one by averaged gradients."""

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

EXAMPLES = 48


def predict(params, x):
    """Apply the network to ONE number."""
    hidden = jnp.tanh(params["w1"] * x + params["b1"])
    return params["w2"] @ hidden + params["b2"]


def squared_error(params, x, y):
    """Compute the loss of ONE example."""
    return (predict(params, x) - y) ** 2


def mean_loss(params, xs, ys):
    """Average the loss over the batch."""
    return jax.vmap(squared_error, in_axes=(None, 0, 0))(params, xs, ys).mean()


def ordinary_step(params, xs, ys, rate):
    """Follow the gradient of the mean loss."""
    gradient = jax.grad(mean_loss)(params, xs, ys)
    return jax.tree.map(lambda p, g: p - rate * g, params, gradient)


def averaged_step(params, xs, ys, rate):
    """Follow the mean of the per-example gradients."""
    gradients = jax.vmap(jax.grad(squared_error), in_axes=(None, 0, 0))(params, xs, ys)
    gradient = jax.tree.map(lambda g: g.mean(axis=0), gradients)
    return jax.tree.map(lambda p, g: p - rate * g, params, gradient)


def first_params(width: int, seed: int):
    """Draw the parameters of a network with one hidden layer, float32.

    Args:
        width: hidden units.
        seed: of the generator.
    """
    keys = jax.random.split(jax.random.key(seed), 3)
    return {
        "w1": 2.0 * jax.random.normal(keys[0], (width,)),
        "b1": jax.random.normal(keys[1], (width,)),
        "w2": jax.random.normal(keys[2], (width,)) / math.sqrt(width),
        "b2": jnp.zeros(()),
    }


def noisy_curve(examples: int, seed: int):
    """Draw a noisy sine on [-3, 3]: xs and ys, float32, shape (examples,) each."""
    xs = jnp.linspace(-3.0, 3.0, examples)
    noise = jax.random.normal(jax.random.key(seed + 1000), (examples,))
    return xs, jnp.sin(1.5 * xs) + 0.15 * noise


@partial(jax.jit, static_argnames="n_steps")
def descend(params, xs, ys, rate, n_steps):
    """Take ordinary steps; return the parameters and the loss before each step, (n_steps,)."""

    def advance(params, _):
        return ordinary_step(params, xs, ys, rate), mean_loss(params, xs, ys)

    return lax.scan(advance, params, length=n_steps)


def steps_apart(params, xs, ys, rate) -> float:
    """Return how far one ordinary step and one averaged step are from each other at most."""
    one, other = (step(params, xs, ys, rate) for step in (ordinary_step, averaged_step))
    return float(max(jax.tree.leaves(jax.tree.map(lambda a, b: jnp.abs(a - b).max(), one, other))))


@dataclass(frozen=True)
class Training:
    """A training that may go on.

    Attributes:
        losses: the loss before each step so far, float32, shape (steps,).
        total: how many steps are wanted.
        xs: inputs, float32, shape (examples,).
        ys: targets, float32, shape (examples,).
        fit: predictions for the inputs now, float32, shape (examples,).
        apart: distance of one averaged step from one ordinary step at the start.
        parameters: how many numbers the network has.
        summary: headline numbers by name.
    """

    losses: np.ndarray
    total: int
    xs: np.ndarray
    ys: np.ndarray
    fit: np.ndarray
    apart: float
    parameters: int
    summary: dict[str, Any]


def training_headlines(width: int, rate: float, n_steps: int, examples: int, seed: int):
    """Train and return the losses at both ends, and the distance of the two kinds of step."""
    xs, ys = noisy_curve(examples, seed)
    params = first_params(width, seed)
    trained, losses = descend(params, xs, ys, rate, n_steps)
    return {
        "loss before": float(losses[0]),
        "loss after": float(mean_loss(trained, xs, ys)),
        "averaged step against ordinary step": steps_apart(params, xs, ys, rate),
    }


def train(width: int, rate: float, n_steps: int, seed: int, slices: int = 1) -> Generator[Training]:
    """Train in slices; every item is a whole training so far.

    Args:
        width: hidden units.
        rate: learning rate.
        n_steps: how many steps in all.
        seed: of the data and the first parameters.
        slices: into how many parts of about equal length the training is cut.
    """
    length = math.ceil(n_steps / slices)
    xs, ys = noisy_curve(EXAMPLES, seed)
    params = first_params(width, seed)
    apart = steps_apart(params, xs, ys, rate)
    count = sum(leaf.size for leaf in jax.tree.leaves(params))
    losses: list[np.ndarray] = []
    for first in range(0, n_steps, length):
        params, part = descend(params, xs, ys, rate, min(length, n_steps - first))
        losses.append(np.asarray(part))
        fit = np.asarray(jax.vmap(predict, in_axes=(None, 0))(params, xs))
        everything = np.concatenate(losses)
        yield Training(
            everything,
            n_steps,
            np.asarray(xs),
            np.asarray(ys),
            fit,
            apart,
            count,
            {
                "loss before": float(everything[0]),
                "loss after": float(mean_loss(params, xs, ys)),
                "averaged step against ordinary step": apart,
            },
        )
