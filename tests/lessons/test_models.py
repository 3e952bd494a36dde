"""Models for one example agree with NumPy in float64, and know nothing of a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons.models import (
    init_network,
    layer_inputs,
    logistic_loss,
    mean_loss,
    parameter_count,
    predict,
    squared_loss,
)


def in_numpy(params, x):
    """The same network with plain loops, float64."""
    h = np.asarray(x, np.float64)
    last = len(params) // 2
    for layer in range(1, last):
        weights = np.asarray(params[f"W{layer}"], np.float64)
        h = np.tanh([row @ h + b for row, b in zip(weights, params[f"b{layer}"], strict=True)])
    return float(np.asarray(params[f"w{last}"], np.float64) @ h + params[f"b{last}"])


@pytest.mark.parametrize("sizes", [(3,), (3, 5), (3, 5, 2), (3, 5, 2, 7)])
def test_prediction_equals_loops_in_float64(sizes):
    params = init_network(jax.random.key(1), sizes)
    x = jax.random.normal(jax.random.key(2), (3,))
    assert predict(params, x).shape == ()
    np.testing.assert_allclose(predict(params, x), in_numpy(params, x), rtol=1e-5)
    assert [a.shape for a in layer_inputs(params, x)] == [(size,) for size in sizes]


def test_parameters_are_counted_and_named():
    params = init_network(jax.random.key(0), (8, 32))
    assert {name: leaf.shape for name, leaf in params.items()} == {
        "W1": (32, 8),
        "b1": (32,),
        "w2": (32,),
        "b2": (),
    }
    assert parameter_count(params) == 8 * 32 + 32 + 32 + 1 == 321


def test_layers_are_drawn_from_different_keys():
    params = init_network(jax.random.key(0), (5, 5, 5))
    assert np.abs(params["W1"] - params["W2"]).min() > 0


@pytest.mark.parametrize("label", [0.0, 1.0])
@pytest.mark.parametrize("logit", [-800.0, -3.0, 0.0, 2.5, 800.0])
def test_logistic_loss_is_minus_log_probability_and_stays_finite(label, logit):
    params = {"w1": jnp.array([1.0]), "b1": jnp.array(0.0)}
    loss = logistic_loss(params, jnp.array([logit]), jnp.array(label))
    signed = -logit if label else logit
    np.testing.assert_allclose(loss, np.logaddexp(0.0, signed), rtol=1e-5)


def test_mean_loss_is_the_mean_of_the_losses_of_examples():
    params = init_network(jax.random.key(0), (3, 4))
    X, Y = jnp.arange(15.0).reshape(5, 3) / 10, jnp.arange(5.0)
    alone = [squared_loss(params, x, y) for x, y in zip(X, Y, strict=True)]
    np.testing.assert_allclose(mean_loss(params, X, Y, squared_loss), np.mean(alone), rtol=1e-6)
