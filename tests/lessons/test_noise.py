"""Noise of DP-SGD: shapes, amounts, independence of leaves, against optax; mix-ups show."""

import jax
import jax.numpy as jnp
import numpy as np
import optax.contrib
import pytest
from scipy import stats

from playground.lessons.clipping import clipped_mean_gradient, mean_of_clipped
from playground.lessons.models import init_network, squared_loss
from playground.lessons.noise import (
    RIGHT_PLACEMENTS,
    WRONG_PLACEMENTS,
    add_noise,
    gaussian_from_one_key,
    gaussian_like,
    noise_study,
)

BATCH, CLIP, SIGMA = 64, 2.0, 0.7


# covers: G7
@pytest.mark.parametrize("placement", RIGHT_PLACEMENTS + WRONG_PLACEMENTS)
def test_the_gradient_keeps_the_shapes_of_the_parameters(placement):
    params = init_network(jax.random.key(0), (3, 5))
    X, Y = jnp.zeros((BATCH, 3)), jnp.full(BATCH, params["b2"])
    mean = clipped_mean_gradient(params, X, Y, CLIP, squared_loss)
    noisy = add_noise(jax.random.key(1), mean, BATCH, CLIP, SIGMA, placement)
    assert jax.tree.map(jnp.shape, noisy) == jax.tree.map(jnp.shape, params)
    assert all(np.isfinite(leaf).all() for leaf in noisy.values())
    assert not any(np.abs(leaf).max() > 0 for leaf in mean.values())


# covers: G7
@pytest.mark.parametrize("placement", RIGHT_PLACEMENTS)
def test_noise_on_the_mean_is_normal_with_deviation_sigma_c_over_b(placement):
    flat = {"w": jnp.zeros(4000), "b": jnp.zeros(3000)}
    noise = add_noise(jax.random.key(2), flat, BATCH, CLIP, SIGMA, placement)
    numbers = np.concatenate([noise["w"], noise["b"]]).astype(np.float64)
    stated = stats.norm(scale=SIGMA * CLIP / BATCH)
    assert stats.kstest(numbers, stated.cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    ("placement", "factor"), [("sum_noise_on_mean", BATCH), ("on_each_example", BATCH**0.5)]
)
def test_mix_ups_give_too_much_noise(placement, factor):
    study = noise_study(jax.random.key(3), jnp.zeros(16), BATCH, CLIP, SIGMA, placement, 400)
    assert float(study[0]) == pytest.approx(factor * SIGMA * CLIP / BATCH, rel=0.05)


# covers: G7
def test_one_key_for_all_leaves_copies_the_noise():
    width = jnp.zeros(16)
    deviation, together = noise_study(
        jax.random.key(3), width, BATCH, CLIP, SIGMA, "one_key_for_all_leaves", 400
    )
    _, apart = noise_study(jax.random.key(3), width, BATCH, CLIP, SIGMA, "on_mean", 400)
    assert float(together) == pytest.approx(1.0, abs=1e-5)
    assert abs(float(apart)) < 0.06
    assert float(deviation) == pytest.approx(SIGMA * CLIP / BATCH, rel=0.05)
    leaves = gaussian_from_one_key(jax.random.key(0), {"a": width, "b": width}, 1.0)
    np.testing.assert_array_equal(leaves["a"], leaves["b"])
    apart_leaves = gaussian_like(jax.random.key(0), {"a": width, "b": width}, 1.0)
    assert np.abs(apart_leaves["a"] - apart_leaves["b"]).max() > 0.1


def test_noise_without_a_multiplier_is_none_at_all():
    tree = {"w": jnp.arange(3.0)}
    for placement in RIGHT_PLACEMENTS + WRONG_PLACEMENTS:
        noisy = add_noise(jax.random.key(0), tree, 8, CLIP, 0.0, placement)
        np.testing.assert_allclose(noisy["w"], tree["w"], rtol=1e-6)


def test_both_deviations_equal_those_of_optax():
    rows = {"w": jax.random.normal(jax.random.key(4), (BATCH, 5000))}
    aggregate = optax.contrib.differentially_private_aggregate(CLIP, SIGMA, jax.random.key(9))
    reference, _ = aggregate.update(rows, aggregate.init({"w": rows["w"][0]}))
    mean = mean_of_clipped(rows, CLIP)
    ours = add_noise(jax.random.key(5), mean, BATCH, CLIP, SIGMA)
    noise, reference_noise = ours["w"] - mean["w"], reference["w"] - mean["w"]
    assert stats.ks_2samp(np.asarray(noise), np.asarray(reference_noise)).pvalue > 1e-3


def test_an_unknown_placement_is_refused():
    with pytest.raises(ValueError, match="'everywhere' is unknown; there are on_sum"):
        add_noise(jax.random.key(0), {"w": jnp.zeros(2)}, 8, CLIP, SIGMA, "everywhere")
