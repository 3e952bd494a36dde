"""Statistics over the batch: vmap(grad) gives wrong rows with the right sum."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons.batch_statistics import (
    STABILISER,
    batch_losses,
    rows_of_losses,
    rows_of_vmap_grad,
    study_batch_statistics,
)
from playground.lessons.models import init_network
from playground.lessons.trees import cosine, flat_rows, flat_vector, relative_distance


def losses_by_hand(params, X, Y):
    """Batch normalisation written for the whole batch, in NumPy float64."""
    params = {name: np.asarray(leaf, np.float64) for name, leaf in params.items()}
    units = np.asarray(X, np.float64) @ params["W1"].T + params["b1"]
    centred = units - units.mean(0)
    hidden = np.tanh(centred / np.sqrt((centred**2).mean(0) + STABILISER))
    return (hidden @ params["w2"] + params["b2"] - np.asarray(Y)) ** 2


def batch():
    keys = jax.random.split(jax.random.key(1), 3)
    return (
        init_network(keys[0], (3, 5)),
        jax.random.normal(keys[1], (7, 3)),
        jax.random.normal(keys[2], (7,)),
    )


def test_losses_equal_numpy():
    np.testing.assert_allclose(batch_losses(*batch()), losses_by_hand(*batch()), rtol=1e-4)


def test_rows_of_losses_equal_finite_differences():
    params, X, Y = batch()
    rows = rows_of_losses(params, X, Y)
    for hidden, feature in ((0, 0), (4, 2)):
        step = np.zeros((5, 3))
        step[hidden, feature] = 1e-6
        up, down = (
            losses_by_hand(params | {"W1": np.asarray(params["W1"], np.float64) + s * step}, X, Y)
            for s in (1, -1)
        )
        np.testing.assert_allclose(
            rows["W1"][:, hidden, feature], (up - down) / 2e-6, rtol=2e-3, atol=2e-3
        )


@pytest.mark.parametrize("seed", range(3))
def test_wrong_rows_have_the_right_sum(seed):
    result = study_batch_statistics(jax.random.key(seed))
    assert result.row_error > 0.1
    assert result.sum_error < 1e-4
    assert result.own_loss_reach > 0.01


def test_the_sum_is_the_gradient_of_the_total_loss():
    params, X, Y = batch()
    total = jax.grad(lambda p: jnp.sum(batch_losses(p, X, Y)))(params)
    summed = jax.tree.map(lambda leaf: leaf.sum(0), rows_of_vmap_grad(params, X, Y))
    assert relative_distance(summed, total) < 1e-4


def test_an_example_normalised_by_itself_teaches_the_first_layer_nothing():
    result = study_batch_statistics(jax.random.key(0))
    assert result.alone_first_layer == 0
    assert result.alone_sum_error > 0.1


def test_trees_are_compared_over_all_leaves():
    first, second = {"a": np.array([3.0]), "b": np.zeros(2)}, {"a": np.zeros(1), "b": np.ones(2)}
    assert cosine(first, second) == 0
    assert cosine(first, first) == pytest.approx(1)
    assert np.isnan(cosine(first, {"a": np.zeros(1), "b": np.zeros(2)}))
    assert relative_distance(first, second) == pytest.approx((9 + 2) ** 0.5 / 2**0.5)
    assert relative_distance(first, {"a": np.zeros(1), "b": np.zeros(2)}) == 3
    assert flat_vector(second).tolist() == [0, 1, 1]
    assert flat_rows({"a": np.ones((4, 2, 3)), "b": np.ones(4)}).shape == (4, 7)
