"""The gradient of a distance at coincident points, formula by formula."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons import distances
from playground.lessons.coincident import (
    FORMULAS,
    coincident_gradients,
    formula_named,
    gradient_towards,
    meeting,
    nan_counts,
)
from playground.lessons.nest import two_sets


# covers: N8
def test_only_the_double_where_is_finite_at_coincident_points():
    X, Y = two_sets(0, 6, 5, 3)
    found = coincident_gradients(meeting(X, Y, 2), Y)
    finite = {name: bool(np.isfinite(value).all()) for name, value in found.items()}
    assert finite == {
        "plain": False,
        "clipped": False,
        "single where": False,
        "double where": True,
    }
    assert nan_counts(found)["nan gradients of plain"] == 2
    np.testing.assert_allclose(found["plain"][2:], found["double where"][2:], rtol=1e-5)


# covers: N8
def test_the_distance_of_a_point_to_itself_has_gradient_zero():
    x = jnp.array([1.0, -2.0, 0.5])
    gradient = jax.grad(formula_named("double where"))
    np.testing.assert_array_equal(gradient(x, x), np.zeros(3))
    assert np.isnan(jax.grad(formula_named("plain"))(x, x)).all()


# covers: N8
def test_a_set_against_itself_by_the_double_where():
    X = jnp.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])

    def total(points):
        return distances.rows_outside(distances.euclidean, points, points).sum()

    expected = [[-1.2, -1.6], [2.4, 3.2], [-1.2, -1.6]]
    np.testing.assert_allclose(jax.grad(total)(X), expected, rtol=1e-5)


@pytest.mark.parametrize("name", FORMULAS)
def test_apart_from_each_other_all_formulas_agree_with_differences(name):
    X, Y = two_sets(1, 4, 3, 2)
    found = gradient_towards(formula_named(name), X, Y)
    step = 1e-6
    x, y = np.asarray(X, np.float64), np.asarray(Y, np.float64)

    def total(points):
        return np.linalg.norm(points[:, None] - y[None], axis=-1).sum()

    for at in np.ndindex(x.shape):
        moved = np.zeros_like(x)
        moved[at] = step
        slope = (total(x + moved) - total(x - moved)) / (2 * step)
        assert abs(float(found[at]) - slope) < 1e-4


@pytest.mark.parametrize("metric", ["squared", "manhattan", "cosine", "dot"])
def test_the_other_metrics_are_finite_too(metric):
    X, Y = two_sets(2, 4, 3, 2)
    found = gradient_towards(distances.metric_named(metric), meeting(X, Y, 3), Y)
    assert np.isfinite(found).all()
