"""Planted label errors are where they should be, and thresholds are judged honestly."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons.outliers import draw_batch, find_outliers, keep_weights, plant_errors


def test_data_follows_its_truth():
    w, b = jnp.array([1.0, -2.0, 0.5]), jnp.float32(0.5)
    X, Y = draw_batch(jax.random.key(0), w, b, 2000)
    design = np.column_stack([X, np.ones(2000)])
    fitted, *_ = np.linalg.lstsq(design, np.asarray(Y, np.float64))
    np.testing.assert_allclose(fitted, [1, -2, 0.5, 0.5], atol=0.02)
    assert np.std(np.asarray(Y) - design @ fitted) == pytest.approx(0.1, rel=0.1)


def test_classes_are_zero_and_one_and_flipped_by_an_error():
    w, b = jnp.array([1.0, -2.0]), jnp.float32(0.0)
    _, Y = draw_batch(jax.random.key(0), w, b, 200, classes=True)
    assert set(np.unique(Y)) == {0.0, 1.0}
    wrong, planted = plant_errors(jax.random.key(1), Y, 9, 20.0, classes=True)
    assert int(planted.sum()) == 9
    np.testing.assert_array_equal(wrong[planted], 1 - Y[planted])
    np.testing.assert_array_equal(wrong[~planted], Y[~planted])


@pytest.mark.parametrize("count", [0, 3, 7, 12])
def test_as_many_labels_become_wrong_as_were_asked_for(count):
    Y = jnp.arange(7.0)
    wrong, planted = plant_errors(jax.random.key(0), Y, count, 20.0)
    assert int(planted.sum()) == min(count, 7)
    np.testing.assert_allclose(wrong - Y, 20.0 * planted, atol=1e-5)


def test_precision_and_recall_are_counted():
    norms = np.array([1.0, 9.0, 1.1, 8.0, 0.9, 1.0])
    planted = np.array([False, True, True, False, False, False])
    found = find_outliers(norms, planted, times_median=5.0)
    assert found.suspects.tolist() == [1, 3]
    assert (found.found, found.planted) == (1, 2)
    assert (found.precision, found.recall) == (0.5, 0.5)
    assert found.threshold == pytest.approx(5 * np.median(norms))
    assert not found.largest_are_planted


def test_precision_and_recall_of_nothing_are_nan():
    found = find_outliers(np.ones(4), np.zeros(4, bool), times_median=5.0)
    assert np.isnan(found.precision)
    assert np.isnan(found.recall)
    assert len(found.suspects) == 0


def test_norms_that_are_no_numbers_are_suspects():
    norms = np.array([1.0, np.nan, 1.2, np.inf, 0.8])
    found = find_outliers(norms, np.zeros(5, bool), times_median=5.0)
    assert set(found.suspects.tolist()) == {1, 3}


def test_weights_leave_the_suspects_out_and_sum_to_one():
    weights = np.asarray(keep_weights(5, np.array([1, 4])))
    np.testing.assert_allclose(weights, [1 / 3, 0, 1 / 3, 1 / 3, 0])
    assert np.asarray(keep_weights(2, np.array([0, 1]))).tolist() == [0, 0]
