"""Small models written for ONE example: prediction, loss and what enters each layer.

A linear model is a network without hidden layers. Nothing here knows of a batch: that is left
to `jax.vmap`.
"""

from collections.abc import Callable
from itertools import pairwise

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

Loss = Callable[[dict[str, Array], Array, Array], Array]


def init_network(key: Key[Array, ""], sizes: tuple[int, ...]) -> dict[str, Array]:
    """Draw the parameters of a network with one number as output.

    Args:
        key: typed random key; it is split, once for each layer.
        sizes: number of inputs, then the width of each hidden layer, such as (8, 32).

    Returns:
        {"W1": (32, 8), "b1": (32,), "w2": (32,), "b2": ()} for sizes (8, 32): weights with
        variance 1/inputs, biases zero, float32.
    """
    keys = jax.random.split(key, len(sizes))
    params = {}
    for layer, (inputs, outputs) in enumerate(pairwise(sizes), start=1):
        weights = jax.random.normal(keys[layer - 1], (outputs, inputs))
        params[f"W{layer}"] = weights / jnp.sqrt(inputs)
        params[f"b{layer}"] = jnp.zeros(outputs)
    last, inputs = len(sizes), sizes[-1]
    params[f"w{last}"] = jax.random.normal(keys[last - 1], (inputs,)) / jnp.sqrt(inputs)
    params[f"b{last}"] = jnp.zeros(())
    return params


def parameter_count(params: dict[str, Array]) -> int:
    """Return P, how many numbers the parameters hold."""
    return sum(leaf.size for leaf in jax.tree.leaves(params))


def predict(params: dict[str, Array], x: Float[Array, " features"]) -> Float[Array, ""]:
    """Predict one number for one example.

    Args:
        params: as made by `init_network`.
        x: the features of one example.

    Returns:
        w·h + b, where h is x after the hidden layers tanh(W h + b).
    """
    inputs = layer_inputs(params, x)
    last = len(inputs)
    return params[f"w{last}"] @ inputs[-1] + params[f"b{last}"]


def layer_inputs(params: dict[str, Array], x: Float[Array, " features"]) -> list[Array]:
    """Return what enters each layer for one example: x, then each hidden activation.

    Args:
        params: as made by `init_network`.
        x: the features of one example.

    Returns:
        One vector a layer, the input of the last layer at the end.
    """
    inputs = [x]
    for layer in range(1, len(params) // 2):
        inputs.append(jnp.tanh(params[f"W{layer}"] @ inputs[-1] + params[f"b{layer}"]))
    return inputs


def squared_loss(
    params: dict[str, Array], x: Float[Array, " features"], y: Float[Array, ""]
) -> Float[Array, ""]:
    """Return the loss of one example in regression: (prediction - y)²."""
    return (predict(params, x) - y) ** 2


def logistic_loss(
    params: dict[str, Array], x: Float[Array, " features"], y: Float[Array, ""]
) -> Float[Array, ""]:
    """Return the loss of one example with class y = 0 or 1: -log of the class's probability.

    The probability of class 1 is sigmoid(prediction); softplus keeps the logarithm finite.
    """
    logit = predict(params, x)
    return jax.nn.softplus(logit) - y * logit


def mean_loss(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
) -> Float[Array, ""]:
    """Return the mean over the batch of the loss of one example."""
    return jnp.mean(jax.vmap(loss, in_axes=(None, 0, 0))(params, X, Y))
