"""The expansion loses digits far from the origin; centring and differences do not."""

import jax.numpy as jnp
import numpy as np

from playground.lessons.cancellation import OFFSETS, cancellation, error_at, squares_in_float64
from playground.lessons.distances import rows_outside, squared
from playground.lessons.expansion import centred_expansion, expansion
from playground.lessons.nest import two_sets


# covers: N7
def test_errors_of_each_method_against_the_offset():
    found = cancellation(*two_sets(0, 16, 8, 5))
    at = dict(zip(OFFSETS, range(len(OFFSETS)), strict=True))
    assert found.errors["expansion"][at[1]] < 1e-4
    assert found.errors["expansion"][at[10_000]] > 0.1
    assert (np.diff(found.errors["expansion"]) > 0).all()
    for method in ("nested", "centred", "chosen"):
        assert (found.errors[method] < 1e-4).all()
    assert found.pairs == 128


# covers: N7
def test_far_away_the_expansion_gives_negative_squares():
    X = jnp.asarray(np.random.default_rng(0).uniform(0, 1, (64, 3)), jnp.float32) + 10
    expanded = np.asarray(expansion(X, X))
    assert (expanded < 0).any()
    assert (np.diag(expanded) != 0).any()
    direct = np.asarray(rows_outside(squared, X, X))
    assert (np.diag(direct) == 0).all()
    assert (direct >= 0).all()
    true = squares_in_float64(X, X)
    np.testing.assert_allclose(direct, true, rtol=1e-5)


# covers: N7
def test_two_points_one_apart_at_a_hundred_thousand():
    P = jnp.array([[1e5, 0.0], [1e5 + 1, 0.0]])
    assert rows_outside(squared, P, P).tolist() == [[0, 1], [1, 0]]
    assert expansion(P, P)[0, 1] < 0
    assert centred_expansion(P, P).tolist() == [[0, 1], [1, 0]]


def test_headlines_name_three_errors_and_the_negatives():
    found = error_at(*two_sets(0, 5, 7, 3), 10_000)
    assert found["error of expansion"] > 1e3 * found["error of centred expansion"]
    assert found["negative squares of expansion"] >= 0
