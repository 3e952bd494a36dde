"""Per-example gradients against a loop, the Jacobian and float64; four ways to one norm."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.lessons.models import init_network, logistic_loss, squared_loss
from playground.lessons.norm_cost import (
    compare_methods,
    memory_by_chunk,
    planned_bytes,
    stored_bytes,
)
from playground.lessons.per_example import (
    BLOCK_BYTES,
    chunked_norms,
    fused_norms,
    ghost_norms,
    mean_gradient,
    mean_of_per_example_gradients,
    norms_of,
    per_example_gradients,
    weighted_gradient,
)


def problem(sizes=(8, 32), batch=256, loss=squared_loss, seed=0):
    keys = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(keys[1], (batch, sizes[0]))
    Y = jax.random.normal(keys[2], (batch,))
    if loss is logistic_loss:
        Y = (Y > 0).astype(jnp.float32)
    return init_network(keys[0], sizes), X, Y


# covers: G1
def test_each_leaf_gains_a_leading_batch_axis():
    gradients = per_example_gradients(*problem(), squared_loss)
    assert {name: leaf.shape for name, leaf in gradients.items()} == {
        "W1": (256, 32, 8),
        "b1": (256, 32),
        "w2": (256, 32),
        "b2": (256,),
    }


# covers: G2
@pytest.mark.parametrize("loss", [squared_loss, logistic_loss])
@pytest.mark.parametrize("sizes", [(3,), (3, 5), (3, 5, 7), (3, 5, 7, 2)])
def test_gradients_equal_a_loop_and_the_jacobian_of_the_losses(sizes, loss):
    params, X, Y = problem(sizes, batch=11, loss=loss)
    gradients = per_example_gradients(params, X, Y, loss)
    rows = [jax.grad(loss)(params, x, y) for x, y in zip(X, Y, strict=True)]
    looped = jax.tree.map(lambda *leaves: np.stack(leaves), *rows)
    jacobian = jax.jacrev(lambda p: jnp.stack([loss(p, x, y) for x, y in zip(X, Y, strict=True)]))
    for name, leaf in gradients.items():
        np.testing.assert_allclose(leaf, looped[name], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(leaf, jacobian(params)[name], rtol=1e-5, atol=1e-5)


def test_gradients_equal_finite_differences_in_float64():
    params, X, Y = problem((3, 4), batch=2)
    gradients = per_example_gradients(params, X, Y, squared_loss)
    wide = {name: np.asarray(leaf, np.float64) for name, leaf in params.items()}

    def loss(p, i):
        hidden = np.tanh(p["W1"] @ np.asarray(X[i], np.float64) + p["b1"])
        return (p["w2"] @ hidden + p["b2"] - float(Y[i])) ** 2

    for i in range(2):
        for row, column in np.ndindex(4, 3):
            step = np.zeros((4, 3))
            step[row, column] = 1e-6
            up, down = (wide | {"W1": wide["W1"] + s * step} for s in (1, -1))
            slope = (loss(up, i) - loss(down, i)) / 2e-6
            assert gradients["W1"][i, row, column] == pytest.approx(slope, rel=1e-3, abs=1e-4)


def test_mean_of_per_example_gradients_is_the_gradient_of_the_mean_loss():
    batch = problem()
    mean = mean_gradient(*batch, squared_loss)
    for name, leaf in mean_of_per_example_gradients(*batch, squared_loss).items():
        np.testing.assert_allclose(leaf, mean[name], rtol=1e-4, atol=1e-5)


# covers: G8
def test_gradient_of_a_weighted_loss_is_the_weighted_sum_of_gradients():
    params, X, Y = problem(batch=37)
    weights = jax.random.uniform(jax.random.key(5), (37,))
    rows = per_example_gradients(params, X, Y, squared_loss)
    for name, leaf in weighted_gradient(params, X, Y, weights, squared_loss).items():
        expected = np.tensordot(np.asarray(weights, np.float64), np.asarray(rows[name]), 1)
        np.testing.assert_allclose(leaf, expected, rtol=1e-4, atol=1e-4)


# covers: G10, G11
@pytest.mark.parametrize("loss", [squared_loss, logistic_loss])
@pytest.mark.parametrize("sizes", [(3,), (3, 5), (3, 5, 7), (3, 5, 7, 2)])
def test_all_ways_give_the_norms_of_the_stored_gradients(sizes, loss):
    params, X, Y = problem(sizes, batch=23, loss=loss)
    stored = per_example_gradients(params, X, Y, loss)
    flat = [np.asarray(leaf, np.float64).reshape(23, -1) for leaf in stored.values()]
    expected = np.linalg.norm(np.concatenate(flat, axis=1), axis=1)
    for norms in (
        norms_of(stored),
        fused_norms(params, X, Y, loss),
        ghost_norms(params, X, Y, loss),
        *(chunked_norms(params, X, Y, loss, k) for k in (1, 5, 23)),
    ):
        assert norms.shape == (23,)
        np.testing.assert_allclose(norms, expected, rtol=1e-4)


@settings(max_examples=12, deadline=None)
@given(st.integers(-3, 60))
def test_the_chunk_size_never_changes_the_norms(chunk_size):
    params, X, Y = problem((3, 5), batch=23)
    norms = chunked_norms(params, X, Y, squared_loss, chunk_size)
    np.testing.assert_allclose(norms, fused_norms(params, X, Y, squared_loss), rtol=1e-4)


def test_ghost_norms_of_a_large_batch_take_the_memory_of_a_block():
    params, X, Y = problem((16, 256), batch=5000)  # two blocks of 2048 and a rest
    norms = ghost_norms(params, X, Y, squared_loss)
    np.testing.assert_allclose(norms, fused_norms(params, X, Y, squared_loss), rtol=1e-4)
    temporary, _ = planned_bytes(ghost_norms.lower(params, X, Y, squared_loss).compile())
    assert temporary < 3 * BLOCK_BYTES < 4 * 5000 * 256 * 2


def test_a_perfect_prediction_has_norm_zero():
    params = {"w1": jnp.array([2.0, 0.0]), "b1": jnp.array(1.0)}
    X, Y = jnp.array([[1.0, 3.0]]), jnp.array([3.0])
    assert ghost_norms(params, X, Y, squared_loss)[0] == 0
    assert fused_norms(params, X, Y, squared_loss)[0] == 0


# covers: G9
def test_stored_gradients_take_batch_times_parameters():
    gradients = per_example_gradients(*problem(), squared_loss)
    assert sum(leaf.size for leaf in gradients.values()) == 256 * 321 == 82_176
    assert sum(leaf.nbytes for leaf in gradients.values()) == stored_bytes(256, 321)
    assert stored_bytes(32, 10**8) == 12.8e9


def test_compiled_memory_follows_the_chunk_and_every_method_is_right():
    batch = (*problem((8, 64), batch=512), squared_loss)
    memory = memory_by_chunk(*batch, (1, 16, 256))
    assert memory[0] < memory[1] < memory[2]
    costs = {cost.name: cost for cost in compare_methods(*batch, chunk_size=16, rounds=2)}
    parameters = 8 * 64 + 64 + 64 + 1
    assert costs["stored"].temporary_bytes >= stored_bytes(512, parameters)
    assert costs["ghost"].temporary_bytes < costs["stored"].temporary_bytes / 4
    for name in ("stored", "fused", "chunked", "ghost"):
        assert costs[name].worst_difference < 1e-4
        assert len(costs[name].milliseconds) == 2
    assert np.isnan(costs["mean"].worst_difference)


def test_gradients_that_would_not_fit_are_not_stored(monkeypatch):
    monkeypatch.setattr("playground.lessons.norm_cost.MEMORY_BYTES", 1000)
    costs = compare_methods(*problem((8, 4), batch=64), squared_loss, chunk_size=16, rounds=1)
    refused = next(cost for cost in costs if cost.name == "stored")
    assert refused.milliseconds == ()
    assert refused.temporary_bytes == stored_bytes(64, 8 * 4 + 4 + 4 + 1)
