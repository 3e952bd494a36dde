"""What samples of walks say about the law they came from: fit, variance with its interval, slope.

Exact laws stand in laws.py; the detector of copied walkers in copies.py.
"""

import math
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float, Int, Shaped

LEAST_EXPECTED = 5.0
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Fit:
    """A chi-square test of goodness of fit.

    Attributes:
        statistic: sum of (observed - expected)^2 / expected; inf if something impossible was seen.
        degrees: degrees of freedom, cells - 1; 0 means too few examples for a test.
        p_value: chance of a statistic at least as large if the law is right; nan without a test.
        impossible: how many examples lie where the law has probability 0.
    """

    statistic: float
    degrees: int
    p_value: float
    impossible: int


def counts_at(
    values: Shaped[np.ndarray, " walkers"], sites: Int[np.ndarray, " sites"]
) -> tuple[Int[np.ndarray, " sites"], int]:
    """Count how many values stand at each of evenly spaced sites.

    Args:
        values: positions, whole numbers.
        sites: increasing and evenly spaced.

    Returns:
        int64 counts, one for each site, and how many values stand at none of them.
    """
    spacing = int(sites[1] - sites[0]) if len(sites) > 1 else 1
    offset = np.asarray(values, np.int64) - int(sites[0])
    index = offset // spacing
    on_site = (offset % spacing == 0) & (index >= 0) & (index < len(sites))
    counts = np.bincount(index[on_site], minlength=len(sites))
    return counts, int(len(values) - counts.sum())


def goodness_of_fit(
    observed: Int[np.ndarray, " cells"], expected: Float[np.ndarray, " cells"], impossible: int = 0
) -> Fit:
    """Compare counts with what a law lets expect (Pearson's chi-square test).

    Neighbouring cells are merged until at least 5 are expected in each (Cochran 1954), so that
    the statistic follows the chi-square law.

    Args:
        observed: counts in each cell.
        expected: expected counts in each cell, of the same total.
        impossible: examples in no cell at all.

    Returns:
        The test.
    """
    impossible += int(observed[expected == 0].sum())
    merged_observed, merged_expected = [0.0], [0.0]
    for seen, hoped in zip(observed, expected, strict=True):
        if merged_expected[-1] >= LEAST_EXPECTED:
            merged_observed.append(0.0)
            merged_expected.append(0.0)
        merged_observed[-1] += seen
        merged_expected[-1] += hoped
    if len(merged_expected) > 1 and merged_expected[-1] < LEAST_EXPECTED:
        rest_observed, rest_expected = merged_observed.pop(), merged_expected.pop()
        merged_observed[-1] += rest_observed
        merged_expected[-1] += rest_expected
    degrees = len(merged_expected) - 1
    if impossible:
        return Fit(math.inf, degrees, 0.0, impossible)
    if degrees == 0:
        return Fit(0.0, 0, math.nan, 0)
    seen, hoped = np.array(merged_observed), np.array(merged_expected)
    statistic = float(np.sum((seen - hoped) ** 2 / hoped))
    p_value = float(jax.scipy.special.gammaincc(degrees / 2, statistic / 2))
    return Fit(statistic, degrees, p_value, 0)


def lattice_fit(
    ends: Int[np.ndarray, " walkers"],
    sites: Int[np.ndarray, " sites"],
    law: Float[np.ndarray, " sites"],
) -> Fit:
    """Test final positions on the lattice against their exact law.

    Args:
        ends: final positions.
        sites: where the walk can be.
        law: the probability of each site.
    """
    observed, elsewhere = counts_at(ends, sites)
    return goodness_of_fit(observed, law * len(ends), elsewhere)


def normal_fit(ends: Float[np.ndarray, " walkers"], mean: float, deviation: float) -> Fit:
    """Test final positions against a normal law, in up to 50 cells of equal probability.

    Args:
        ends: final positions.
        mean: mean of the law.
        deviation: standard deviation of the law.
    """
    cells = int(min(50, max(1, len(ends) // LEAST_EXPECTED)))
    shares = np.asarray(jax.scipy.special.ndtr((ends - mean) / deviation))
    index = np.minimum((shares * cells).astype(int), cells - 1)
    observed = np.bincount(index, minlength=cells)
    return goodness_of_fit(observed, np.full(cells, len(ends) / cells))


def variance_interval(
    values: Shaped[np.ndarray, "walkers times"],
) -> tuple[Float[np.ndarray, " times"], Float[np.ndarray, " times"], Float[np.ndarray, " times"]]:
    """Variance over the walkers at each time, with a 95 % confidence interval.

    The variance of a sample variance is (m4 - s^4 (N - 3) / (N - 1)) / N with the fourth central
    moment m4; the interval is symmetric in the logarithm, as the plot is.

    Args:
        values: positions; whole numbers stay exact in the float64 sums.

    Returns:
        Variance (divisor N - 1), lower and upper limit, float64 of shape (times,). Where all
        walkers stand together the three are 0.
    """
    count = len(values)
    centred = values - values.mean(axis=0, dtype=np.float64)
    variance = np.sum(centred**2, axis=0) / (count - 1)
    fourth = np.mean(centred**4, axis=0)
    spread = np.maximum(fourth - variance**2 * (count - 3) / (count - 1), 0.0) / count
    relative = NORMAL_95 * np.sqrt(spread) / np.maximum(variance, np.finfo(float).tiny)
    factor = np.exp(np.minimum(np.where(variance > 0, relative, 0.0), 700.0))
    return variance, variance / factor, variance * factor


def growth_exponent(
    times: Int[np.ndarray, " times"], variance: Float[np.ndarray, " times"]
) -> float:
    """Slope of log variance against log time: 1 for a random walk, 2 for straight lines.

    Args:
        times: positive times.
        variance: variance over the walkers at each.

    Returns:
        The slope of the least-squares line; nan with fewer than two positive variances.
    """
    good = variance > 0
    if good.sum() < 2:
        return math.nan
    return float(np.polyfit(np.log(times[good]), np.log(variance[good]), 1)[0])
