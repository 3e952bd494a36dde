"""Statistics against scipy, and whether they catch what they should."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from playground.lessons.laws import binomial_law
from playground.lessons.statistics import (
    counts_at,
    goodness_of_fit,
    growth_exponent,
    lattice_fit,
    normal_fit,
    variance_interval,
)

WALKERS, STEPS = 2000, 100


def ends_of(draw) -> np.ndarray:
    keys = jax.random.split(jax.random.key(0), WALKERS)
    return np.asarray(jax.vmap(lambda key: jnp.sum(draw(key)))(keys))


def test_chi_square_is_scipys():
    observed, expected = np.array([18, 25, 17, 40]), np.array([20.0, 20.0, 20.0, 40.0])
    fit, reference = goodness_of_fit(observed, expected), stats.chisquare(observed, expected)
    assert fit.statistic == pytest.approx(reference.statistic)
    assert fit.p_value == pytest.approx(reference.pvalue, rel=1e-4)
    assert fit.degrees == 3


@pytest.mark.parametrize(("degrees", "statistic"), [(1, 0.1), (5, 30.0), (40, 41.0), (150, 260.0)])
def test_p_values_are_right_for_all_sizes(degrees: int, statistic: float):
    expected = np.full(degrees + 1, 1000.0)
    observed = expected.copy()
    observed[:2] += np.array([1, -1]) * np.sqrt(statistic * 1000 / 2)
    fit = goodness_of_fit(observed, expected)
    assert fit.p_value == pytest.approx(stats.chi2.sf(statistic, degrees), rel=2e-3, abs=1e-30)


def test_small_cells_are_merged_until_five_are_expected():
    fit = goodness_of_fit(np.array([1, 1, 3, 9, 4, 2]), np.array([0.5, 1.5, 4.0, 8.0, 4.0, 2.0]))
    assert fit.degrees == 2
    # Merged by hand: 5 against 6, 9 against 8, 6 against 6.
    assert fit.statistic == pytest.approx(1 / 6 + 1 / 8)


def test_too_few_examples_are_not_tested():
    fit = goodness_of_fit(np.array([2, 2]), np.array([2.0, 2.0]))
    assert fit.degrees == 0
    assert np.isnan(fit.p_value)


def test_counts_and_what_stands_at_no_site():
    counts, elsewhere = counts_at(np.array([-2, 0, 0, 1, 2, 4, -3]), np.array([-2, 0, 2]))
    assert counts.tolist() == [1, 2, 1]
    assert elsewhere == 3


# covers: R6
def test_right_samplers_fit_and_wrong_ones_do_not():
    random = jax.random
    right = {
        "rademacher": lambda k: random.rademacher(k, (STEPS,), dtype=jnp.int32),
        "choice": lambda k: random.choice(k, jnp.array([-1, 1]), (STEPS,)),
        "bernoulli": lambda k: 2 * random.bernoulli(k, 0.5, (STEPS,)) - 1,
    }
    wrong = {
        "randint(-1, 2)": lambda k: random.randint(k, (STEPS,), -1, 2),
        "randint(-1, 1)": lambda k: random.randint(k, (STEPS,), -1, 1),
        "one key for all": lambda k: random.rademacher(random.key(5), (STEPS,), dtype=jnp.int32),
        "every step twice": lambda k: 2 * random.rademacher(k, (STEPS // 2,), dtype=jnp.int32),
        "slightly biased": lambda k: 2 * random.bernoulli(k, 0.52, (STEPS,)) - 1,
    }
    sites, law = binomial_law(STEPS)
    for name, draw in right.items():
        assert lattice_fit(ends_of(draw), sites, law).p_value > 1e-3, name
    for name, draw in wrong.items():
        assert lattice_fit(ends_of(draw), sites, law).p_value < 1e-6, name


def test_p_values_of_right_samplers_are_spread_evenly():
    sites, law = binomial_law(20)
    rng = np.random.default_rng(1)
    p_values = [
        lattice_fit(2 * rng.binomial(20, 0.5, 1000) - 20, sites, law).p_value for _ in range(300)
    ]
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3


def test_normal_fit_catches_a_wrong_spread():
    rng = np.random.default_rng(2)
    sample = rng.normal(3.0, 2.0, 1500)
    assert normal_fit(sample, 3.0, 2.0).p_value > 1e-3
    assert normal_fit(sample, 3.0, 2.4).p_value < 1e-6
    assert normal_fit(sample, 3.3, 2.0).p_value < 1e-3


def test_variance_is_numpys_even_far_from_zero():
    rng = np.random.default_rng(3)
    values = rng.integers(-9, 9, (500, 3)) + np.array([0, 10_000_000, 2_000_000_000])
    variance, low, high = variance_interval(values)
    np.testing.assert_allclose(variance, values.astype(np.float64).var(axis=0, ddof=1), rtol=1e-9)
    assert ((low < variance) & (variance < high)).all()


@pytest.mark.parametrize("n_steps", [3, 40])
def test_the_interval_covers_the_variance_as_often_as_it_says(n_steps: int):
    rng = np.random.default_rng(4)
    ends = 2 * rng.binomial(n_steps, 0.5, (400, 1000)) - n_steps
    _, low, high = variance_interval(ends.T)
    covered = ((low < n_steps) & (n_steps < high)).mean()
    assert 0.92 < covered < 0.98


def test_walkers_that_stand_together_have_no_variance_and_no_interval():
    variance, low, high = variance_interval(np.full((10, 2), 7))
    assert variance.tolist() == low.tolist() == high.tolist() == [0.0, 0.0]


def test_growth_exponent_of_powers():
    times = np.array([1, 2, 4, 8, 16])
    assert growth_exponent(times, 3.0 * times) == pytest.approx(1)
    assert growth_exponent(times, 3.0 * times**2) == pytest.approx(2)
    assert np.isnan(growth_exponent(times, np.zeros(5)))


@pytest.mark.parametrize(
    ("observed", "expected", "merged"),
    [
        ([7, 8, 3], [8.0, 8.0, 2.0], ([7, 11], [8.0, 10.0])),
        ([7, 4], [9.0, 2.0], ([11], [11.0])),
        ([9, 6, 7, 2], [8.0, 6.0, 7.0, 3.0], ([9, 6, 9], [8.0, 6.0, 10.0])),
    ],
)
def test_a_last_cell_with_too_few_joins_its_neighbour(observed, expected, merged):
    fit = goodness_of_fit(np.array(observed), np.array(expected))
    seen, hoped = (np.array(cells, float) for cells in merged)
    assert fit.degrees == len(seen) - 1
    assert fit.statistic == pytest.approx(((seen - hoped) ** 2 / hoped).sum())
