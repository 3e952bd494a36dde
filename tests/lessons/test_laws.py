"""Exact laws against scipy and against counting."""

import itertools

import numpy as np
import pytest
from scipy import stats

from playground.lessons.laws import (
    binomial_law,
    chance_at_start,
    first_return_law,
    lattice_law,
    normal_density,
)


@pytest.mark.parametrize("n_steps", [1, 2, 7, 100, 1000])
@pytest.mark.parametrize("up", [0.5, 0.6, 0.05])
def test_binomial_law(n_steps: int, up: float):
    sites, law = binomial_law(n_steps, up)
    expected = stats.binom.pmf((sites + n_steps) // 2, n_steps, up)
    np.testing.assert_allclose(law, expected, rtol=1e-10, atol=1e-300)
    assert law.sum() == pytest.approx(1, abs=1e-11)


@pytest.mark.parametrize("step", [(0.25, 0.5, 0.25), (0.1, 0.2, 0.7), (0.4, 0.0, 0.6)])
def test_lattice_law_is_the_sum_over_all_paths(step: tuple[float, float, float]):
    n_steps = 5
    expected = np.zeros(2 * n_steps + 1)
    for path in itertools.product((-1, 0, 1), repeat=n_steps):
        expected[sum(path) + n_steps] += np.prod([step[move + 1] for move in path])
    sites, law = lattice_law(step, n_steps)
    assert sites.tolist() == list(range(-n_steps, n_steps + 1))
    np.testing.assert_allclose(law, expected, atol=1e-15)


def test_lattice_law_of_a_fair_walk_is_binomial_to_the_last_tail():
    _, law = lattice_law((0.5, 0.0, 0.5), 200)
    assert (law[1::2] == 0).all()
    np.testing.assert_allclose(law[::2], binomial_law(200)[1], rtol=1e-11)


def test_normal_density():
    x = np.linspace(-9, 12, 50)
    np.testing.assert_allclose(normal_density(x, 1.5, 3.0), stats.norm.pdf(x, 1.5, 3.0))


@pytest.mark.parametrize("step", [(0.5, 0.0, 0.5), (0.3, 0.3, 0.4)])
def test_first_returns_are_those_of_all_paths(step: tuple[float, float, float]):
    n_steps = 8
    expected = np.zeros(n_steps)
    for path in itertools.product((-1, 0, 1), repeat=n_steps):
        home = np.flatnonzero(np.cumsum(path) == 0)
        if len(home):
            expected[home[0]] += np.prod([step[move + 1] for move in path])
    law = first_return_law(chance_at_start(step, n_steps))
    np.testing.assert_allclose(law, expected, atol=1e-14)


def test_first_return_of_a_fair_walk_has_a_closed_form():
    k = np.arange(1, 51)
    closed = np.exp(stats.binom.logpmf(k, 2 * k, 0.5)) / (2 * k - 1)
    law = first_return_law(chance_at_start((0.5, 0.0, 0.5), 100))
    np.testing.assert_allclose(law[1::2], closed, rtol=1e-10)
    assert (law[::2] == 0).all()


def test_in_the_plane_a_walker_returns_with_the_square_of_the_chance():
    n_steps = 6
    moves = ((1, 0), (-1, 0), (0, 1), (0, -1))
    paths = np.array(list(itertools.product(moves, repeat=n_steps))).cumsum(axis=1)
    home = (paths == 0).all(axis=2)
    expected = [home[:, t].mean() for t in range(n_steps)]
    chances = chance_at_start((0.5, 0.0, 0.5), n_steps) ** 2
    np.testing.assert_allclose(chances[1:], expected, atol=1e-15)
    first = np.where(home.any(axis=1), home.argmax(axis=1), -1)
    counted = [(first == t).mean() for t in range(n_steps)]
    np.testing.assert_allclose(first_return_law(chances), counted, atol=1e-15)
