"""Steps of one walker: values, moments, exactness."""

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.lessons import steps
from playground.lessons.expected import step_law
from playground.lessons.laws import moments

MORE = tuple(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 31, 32, 33, 256, 300))
LENGTHS = (7, 100, 257, *MORE)


@pytest.mark.parametrize("n_steps", LENGTHS)
def test_counting_bits_and_adding_steps_agree_exactly(n_steps: int):
    keys = jax.random.split(jax.random.key(n_steps), 50)
    fair = np.asarray(jax.vmap(steps.fair_steps, in_axes=(0, None))(keys, n_steps))
    ends = np.asarray(jax.vmap(steps.end_of_fair_walk, in_axes=(0, None))(keys, n_steps))
    assert fair.shape == (50, n_steps)
    assert set(np.unique(fair)) <= {-1, 1}
    assert (fair.sum(axis=1) == ends).all()


@pytest.mark.parametrize("n_steps", LENGTHS)
def test_bits_of_words_agree_with_a_plain_loop(n_steps: int):
    words = np.asarray(steps.random_words(jax.random.key(1), n_steps))
    bits = [int(words[t // 32]) >> (t % 32) & 1 for t in range(n_steps)]
    expected = [2 * bit - 1 for bit in bits]
    assert np.asarray(steps.fair_steps(jax.random.key(1), n_steps)).tolist() == expected
    assert sum(int(word).bit_count() for word in words) == sum(bits)


@pytest.mark.slow
def test_long_walks_stay_exact():
    n_steps = 2**25 + 1  # a float32 counter would stop at 2**24
    taken = steps.fair_steps(jax.random.key(3), n_steps)
    end = steps.end_of_fair_walk(jax.random.key(3), n_steps)
    assert int(np.asarray(taken).sum(dtype=np.int64)) == int(end)
    always_up = steps.biased_steps(jax.random.key(0), n_steps, 1.0)
    assert int(always_up.sum()) == n_steps


# covers: R10
@pytest.mark.parametrize("plane", [False, True])
@pytest.mark.parametrize(
    ("kind", "parameter"), [("fair", 0.5), ("lazy", 0.3), ("biased", 0.7), ("gaussian", 0.4)]
)
def test_mean_and_variance_of_a_sum_of_steps(kind: str, parameter: float, plane: bool):
    walkers, n_steps = 2000, 50
    function = getattr(steps, f"{kind}_steps{'_2d' if plane else ''}")
    keys = jax.random.split(jax.random.key(11), walkers)
    taken = np.asarray(jax.vmap(function, in_axes=(0, None, None))(keys, n_steps, parameter))
    ends = taken.sum(axis=1, dtype=np.float64).reshape(walkers, -1)
    step = step_law(kind, plane, parameter)
    deviation = np.sqrt(n_steps * step.variance / walkers)
    assert ends.shape[1] == (2 if plane else 1)
    for coordinate in ends.T:
        assert abs(coordinate.mean() - n_steps * step.mean) < 4 * deviation
        assert coordinate.var() == pytest.approx(n_steps * step.variance, rel=0.15)


@pytest.mark.parametrize("kind", ["fair", "lazy", "biased"])
def test_every_step_in_the_plane_goes_to_a_neighbour_or_stays(kind: str):
    function = getattr(steps, f"{kind}_steps_2d")
    taken = np.asarray(function(jax.random.key(4), 500, 0.4))
    lengths = np.abs(taken).sum(axis=1)
    assert set(lengths.tolist()) == ({0, 1} if kind == "lazy" else {1})


@pytest.mark.parametrize("generator", ["threefry2x32", pytest.param("rbg", marks=pytest.mark.slow)])
def test_the_four_directions_are_equally_likely(generator: str):
    from scipy import stats

    keys = jax.random.split(jax.random.key(2, impl=generator), 100)
    taken = np.asarray(jax.vmap(lambda key: steps.fair_steps_2d(key, 100))(keys)).reshape(-1, 2)
    counts = np.unique(taken, axis=0, return_counts=True)[1]
    assert len(counts) == 4
    assert stats.chisquare(counts).pvalue > 1e-4


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 1), st.floats(0, 1))
def test_moments_of_one_step_are_those_of_its_law(first: float, second: float):
    low, high = sorted((first, second))
    law = (low, high - low, 1 - high)
    values = np.array([-1, 0, 1])
    mean, variance = moments(law)
    assert mean == pytest.approx(values @ law, abs=1e-12)
    assert variance == pytest.approx(values**2 @ law - (values @ law) ** 2, abs=1e-12)
