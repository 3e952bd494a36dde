"""Training that can be watched: finds the truth, does not depend on slices, can be stopped."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons.descent import TREATMENTS, descend, train
from playground.lessons.models import squared_loss
from playground.lessons.training_study import last_of, line_batch, run_training, start_params


# covers: G12
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("errors", [0, 13])
def test_two_hundred_clipped_steps_find_the_true_weights(seed, errors):
    batch = line_batch(seed, 256, errors, 20.0)
    end = last_of(run_training(batch, batch.Y, 0.1, 1.0, 1.0, 200))
    for treatment in ("clipped", "noisy", "weighted"):
        params = end.params[treatment]
        np.testing.assert_allclose(params["w1"], [1, -2, 0.5], atol=0.05)
        np.testing.assert_allclose(params["b1"], 0.5, atol=0.05)


def test_plain_steps_are_led_astray_by_wrong_labels_only():
    batch = line_batch(0, 256, 13, 20.0)
    bad = last_of(run_training(batch, batch.Y, 0.1, 1.0, 1.0, 200))
    good = last_of(run_training(batch, batch.clean, 0.1, 1.0, 1.0, 200))
    assert abs(bad.params["plain"]["b1"] - 0.5) > 0.5
    np.testing.assert_allclose(good.params["plain"]["w1"], [1, -2, 0.5], atol=0.05)
    assert bad.losses["plain"][-1] > 10 * bad.losses["clipped"][-1]


def test_plain_descent_equals_numpy_in_float64():
    batch = line_batch(0, 64, 0, 0.0)
    keys = jax.random.split(jax.random.key(0), 30)
    even = jnp.full(64, 1 / 64)
    data = (batch.X, batch.Y, batch.clean)
    params, losses = descend(
        start_params(), keys, *data, even, 0.1, 1.0, 0.0, squared_loss, "plain"
    )
    weighted, _ = descend(
        start_params(), keys, *data, even, 0.1, 1.0, 0.0, squared_loss, "weighted"
    )
    X, Y = np.asarray(batch.X, np.float64), np.asarray(batch.Y, np.float64)
    w, b = np.zeros(3), 0.0
    for _ in range(30):
        rest = X @ w + b - Y
        w, b = w - 0.1 * 2 * rest @ X / 64, b - 0.1 * 2 * rest.mean()
    np.testing.assert_allclose(params["w1"], w, rtol=1e-4)
    np.testing.assert_allclose(weighted["w1"], w, rtol=1e-4)
    np.testing.assert_allclose(params["b1"], b, rtol=1e-4)
    np.testing.assert_allclose(losses[-1], np.mean((X @ w + b - Y) ** 2), rtol=1e-3)


@pytest.mark.parametrize("slices", [1, 4, 40])
def test_slices_do_not_change_the_result(slices):
    batch = line_batch(0, 64, 3, 20.0)
    even = jnp.full(64, 1 / 64)
    run = train(
        start_params(),
        batch.key,
        *(batch.X, batch.Y, batch.clean, even, 0.1, 1.0, 5.0, squared_loss),
        n_steps=40,
        slices=slices,
    )
    items = list(run)
    assert len(items) == slices
    assert [item.step for item in items] == [40 // slices * (i + 1) for i in range(slices)]
    reference = descend(
        start_params(),
        jax.random.split(batch.key, 40),
        *(batch.X, batch.Y, batch.clean, even, 0.1, 1.0, 5.0, squared_loss, "noisy"),
    )
    np.testing.assert_allclose(items[-1].params["noisy"]["w1"], reference[0]["w1"], rtol=1e-5)
    for treatment in TREATMENTS:
        assert items[-1].losses[treatment].shape == (40,)


def test_a_run_can_be_stopped_between_two_slices():
    batch = line_batch(0, 64, 3, 20.0)
    run = run_training(batch, batch.Y, 0.1, 1.0, 1.0, 200)
    first = next(run)
    assert first.step == 10
    assert first.losses["plain"].shape == (10,)
    run.close()
    assert list(run) == []
