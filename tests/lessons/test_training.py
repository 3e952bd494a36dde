"""The page Clip and train: influence of one example, places of noise, true weights."""

import numpy as np
import pytest

from playground.lessons.training import TrainingSettings, compute, headlines


@pytest.fixture(scope="module")
def result():
    return compute(TrainingSettings())


# covers: G12
def test_clipped_training_recovers_the_truth_and_plain_training_does_not(result):
    assert result.errors["clipped"] < 0.05
    assert result.errors["noisy"] < 0.05
    assert result.errors["weighted"] < 0.05
    assert result.errors["plain"] > 0.5


def test_only_one_order_bounds_what_one_example_can_do(result):
    influence = {order.name: order.influence for order in result.orders}
    assert influence["mean_of_clipped"] <= 1.0 / 256 * 1.001
    assert influence["micro_batches"] > 2 / 256
    assert influence["clip_of_mean"] > 2 / 256
    direction = {order.name: order.cosine for order in result.orders}
    assert direction["mean_of_clipped"] > direction["clip_of_mean"]


def test_right_places_of_noise_agree_and_wrong_ones_stand_out(result):
    noise = {item.name: item for item in result.noise}
    for name in ("on_sum", "on_mean"):
        assert noise[name].is_right
        assert noise[name].deviation == pytest.approx(1 / 256, rel=0.05)
    assert noise["sum_noise_on_mean"].deviation == pytest.approx(1.0, rel=0.05)
    assert noise["on_each_example"].deviation == pytest.approx(1 / 16, rel=0.05)
    assert noise["one_key_for_all_leaves"].correlation == pytest.approx(1.0, abs=1e-5)


def test_without_a_bound_every_treatment_ends_up_at_zero_steps():
    result = compute(TrainingSettings(clip_norm=0.0, batch_size=64))
    np.testing.assert_array_equal(result.bad.params["clipped"]["w1"], 0)
    assert all(np.isfinite(list(result.errors.values())))
    assert all(order.norm == 0 for order in result.orders)


def test_headlines_are_plain_numbers(result):
    assert all(isinstance(value, float) for value in headlines(result).values())
