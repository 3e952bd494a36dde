"""Clipping against optax, jax_privacy and float64; the cases where the usual formula breaks."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.lessons.clip_cases import CASES, clip_cases
from playground.lessons.clipping import (
    clip_gradient,
    clip_of_mean,
    clip_of_micro_batches,
    clipped_mean_gradient,
    ghost_clipped_mean_gradient,
    mean_of_clipped,
    norms_after_clipping,
    three_orders,
)
from playground.lessons.models import init_network, squared_loss
from playground.lessons.per_example import (
    fused_norms,
    mean_gradient,
    per_example_gradients,
    weighted_gradient,
)

ROWS = {"g": jnp.array([[3.0, 4.0], [0.6, 0.8], [0.0, 0.0], [-6.0, -8.0]])}


def problem(batch=29, sizes=(3, 5)):
    keys = jax.random.split(jax.random.key(3), 3)
    X, Y = jax.random.normal(keys[1], (batch, sizes[0])), jax.random.normal(keys[2], (batch,))
    return init_network(keys[0], sizes), X, Y


# covers: G6
@pytest.mark.parametrize("clip_norm", [0.0, 0.3, 2.0, 1e9])
def test_norms_are_bounded_and_small_gradients_are_untouched(clip_norm):
    rows = per_example_gradients(*problem(), squared_loss)
    clipped, refused = jax.vmap(clip_gradient, in_axes=(0, None))(rows, clip_norm)
    norms = np.asarray(fused_norms(*problem(), squared_loss))
    after = np.sqrt(sum(np.sum(np.reshape(leaf, (29, -1)) ** 2, 1) for leaf in clipped.values()))
    assert not refused.any()
    assert (after <= clip_norm * (1 + 1e-6)).all()
    for name, leaf in clipped.items():
        untouched = norms < clip_norm * (1 - 1e-6)
        np.testing.assert_array_equal(leaf[untouched], rows[name][untouched])
    listed, _ = norms_after_clipping(*problem(), clip_norm, squared_loss)
    np.testing.assert_allclose(listed, np.minimum(norms, clip_norm), rtol=1e-5)


# covers: G6
def test_a_bound_without_effect_gives_the_plain_mean():
    mean = mean_gradient(*problem(), squared_loss)
    for bound in (1e9, jnp.inf):
        clipped = clipped_mean_gradient(*problem(), bound, squared_loss)
        for name, leaf in mean.items():
            np.testing.assert_allclose(clipped[name], leaf, rtol=1e-4, atol=1e-5)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3),
    st.floats(0.015625, 1000.0, width=32),
)
def test_clipping_one_gradient_equals_optax(numbers, clip_norm):
    gradient = {"w": jnp.array(numbers[:2]), "b": jnp.array(numbers[2])}
    ours, _ = clip_gradient(gradient, clip_norm)
    rows = jax.tree.map(lambda leaf: leaf[None], gradient)
    summed, _ = optax.per_example_global_norm_clip(jax.tree.leaves(rows), clip_norm)
    for one, other in zip(jax.tree.leaves(ours), summed, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("clip_norm", [0.5, 3.0])
def test_mean_of_clipped_equals_optax_and_is_a_weighted_loss(clip_norm):
    params, X, Y = problem()
    ours = clipped_mean_gradient(params, X, Y, clip_norm, squared_loss)
    rows = per_example_gradients(params, X, Y, squared_loss)
    summed, _ = optax.per_example_global_norm_clip(jax.tree.leaves(rows), clip_norm)
    ghost = ghost_clipped_mean_gradient(params, X, Y, clip_norm, squared_loss)
    norms = fused_norms(params, X, Y, squared_loss)
    weights = jnp.minimum(1.0, clip_norm / norms) / len(Y)
    weighted = weighted_gradient(params, X, Y, weights, squared_loss)
    for name, reference in zip(sorted(ours), summed, strict=True):
        np.testing.assert_allclose(ours[name], reference / 29, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(ours[name], ghost[name], rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(ours[name], weighted[name], rtol=1e-4, atol=1e-6)


@pytest.mark.filterwarnings("ignore:optax.global_norm")  # jax_privacy's own call
@pytest.mark.parametrize("clip_norm", [0.5, 3.0])
def test_mean_of_clipped_equals_jax_privacy(clip_norm):
    privacy = pytest.importorskip("jax_privacy", reason="jax_privacy is not installed")
    params, X, Y = problem()
    reference = privacy.clipped_grad(
        squared_loss,
        l2_clip_norm=clip_norm,
        batch_argnums=(1, 2),
        keep_batch_dim=False,
        normalize_by=29.0,
    )(params, X, Y)
    ours = clipped_mean_gradient(params, X, Y, clip_norm, squared_loss)
    for name, leaf in reference.items():
        np.testing.assert_allclose(ours[name], leaf, rtol=1e-4, atol=1e-6)


@pytest.mark.filterwarnings("ignore:optax.global_norm")  # jax_privacy's own call
def test_hard_cases_stay_within_the_bound_as_in_jax_privacy():
    privacy = pytest.importorskip("jax_privacy", reason="jax_privacy is not installed")
    for name in ("zero", "large", "inf"):
        gradient = {"w": jnp.array(CASES[name])}
        ours, _ = clip_gradient(gradient, 1.0)
        reference, _ = privacy.clipping.clip_pytree(gradient, 1.0, nan_safe=True)
        np.testing.assert_allclose(ours["w"], reference["w"], rtol=1e-6)
    # it drops the nan entries alone, we drop the whole gradient: both stay within the bound
    gradient = {"w": jnp.array(CASES["nan"])}
    reference, _ = privacy.clipping.clip_pytree(gradient, 1.0, nan_safe=True)
    for clipped in (clip_gradient(gradient, 1.0)[0], reference):
        assert np.linalg.norm(clipped["w"]) <= 1.0


# covers: G7
@pytest.mark.parametrize("clip_norm", [0.0, 1.0])
def test_hard_cases_come_out_as_the_table_says(clip_norm):
    cases = clip_cases(clip_norm)
    ours = dict(zip(cases.names, cases.ours.tolist(), strict=True))
    half = clip_norm / np.sqrt(2)
    expected = {
        "zero": [0, 0],
        "small": [0.3, 0.4] if clip_norm else [0, 0],
        "large": [0.6 * clip_norm, 0.8 * clip_norm],
        "norm squared overflows": [0.6 * clip_norm, 0.8 * clip_norm],
        "norm overflows": [half, half],
        "inf": [0, 0],
        "nan": [0, 0],
    }
    for name, values in expected.items():
        np.testing.assert_allclose(ours[name], values, rtol=1e-6, err_msg=name)
    assert dict(zip(cases.names, cases.refused.tolist(), strict=True)) == {
        name: name in ("inf", "nan") for name in CASES
    }


def test_the_usual_formula_fails_where_it_is_said_to():
    usual = dict(zip(CASES, clip_cases(0.0).naive, strict=True))
    assert np.isnan(usual["zero"]).all()
    assert np.isnan(usual["inf"]).any()
    usual = dict(zip(CASES, clip_cases(1.0).naive, strict=True))
    np.testing.assert_array_equal(usual["zero"], 0)
    np.testing.assert_array_equal(usual["norm squared overflows"], 0)
    assert np.isnan(usual["nan"]).all()


def test_a_norm_of_exactly_the_bound_is_left_alone():
    for bound in (5.0, 5.0 + 1e-6):
        clipped, _ = clip_gradient({"w": jnp.array([3.0, 4.0])}, bound)
        np.testing.assert_array_equal(clipped["w"], [3.0, 4.0])


def test_half_precision_does_not_overflow():
    clipped, refused = clip_gradient({"w": jnp.array([300.0, 300.0], jnp.float16)}, 1.0)
    assert clipped["w"].dtype == jnp.float16
    assert not refused
    np.testing.assert_allclose(np.asarray(clipped["w"], np.float32), 0.5**0.5, rtol=1e-3)


def test_the_gradient_through_clipping_is_finite_at_zero():
    slopes = jax.jacobian(lambda g: clip_gradient({"w": g}, 1.0)[0]["w"])(jnp.array([0.3, 0.4]))
    np.testing.assert_allclose(slopes, np.eye(2), atol=1e-6)


def test_three_orders_are_three_different_things():
    np.testing.assert_allclose(mean_of_clipped(ROWS, 1.0)["g"], [0.15, 0.2], atol=1e-6)
    np.testing.assert_allclose(clip_of_mean(ROWS, 1.0)["g"], [-0.6, -0.8], atol=1e-6)
    np.testing.assert_allclose(clip_of_micro_batches(ROWS, 1.0, 2)["g"], [0, 0], atol=1e-6)
    orders = three_orders(ROWS, 1.0, 2)
    np.testing.assert_allclose(orders["mean_of_clipped"]["g"], [0.15, 0.2], atol=1e-6)
    np.testing.assert_allclose(orders["clip_of_mean"]["g"], [-0.6, -0.8], atol=1e-6)


def test_micro_batches_of_one_and_of_all_are_the_other_two():
    one = clip_of_micro_batches(ROWS, 1.0, 1)["g"]
    np.testing.assert_allclose(one, mean_of_clipped(ROWS, 1.0)["g"])
    every = clip_of_micro_batches(ROWS, 1.0, 4)["g"]
    np.testing.assert_allclose(every, clip_of_mean(ROWS, 1.0)["g"])


@pytest.mark.parametrize("micro_batch", [3, 0, -2])
def test_micro_batches_that_do_not_divide_the_batch_are_refused(micro_batch):
    with pytest.raises(ValueError, match="do not divide a batch of 4"):
        clip_of_micro_batches(ROWS, 1.0, micro_batch)


def test_taking_one_example_away_moves_the_sum_by_at_most_the_bound():
    def clipped_sum(rows):
        return mean_of_clipped({"g": rows}, 1.0)["g"] * len(rows)

    moves = [
        np.linalg.norm(clipped_sum(ROWS["g"]) - clipped_sum(jnp.delete(ROWS["g"], i, axis=0)))
        for i in range(4)
    ]
    assert max(moves) == pytest.approx(1.0, rel=1e-5)
