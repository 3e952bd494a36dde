"""Exact laws of walks on the lattice, in NumPy float64: the yardstick beside the samples."""

import math

import numpy as np
from jaxtyping import Float, Int


def binomial_law(
    n_steps: int, up: float = 0.5
) -> tuple[Int[np.ndarray, " sites"], Float[np.ndarray, " sites"]]:
    """Law of a walk of steps +1 (probability `up`) and -1: P(X = 2k - n) = C(n, k) p^k q^(n-k).

    Args:
        n_steps: length n of the walk.
        up: probability p of +1, strictly between 0 and 1.

    Returns:
        The n + 1 sites -n, -n + 2, ..., n and their probabilities.
    """
    k = np.arange(n_steps + 1)
    log_factorial = np.cumsum(np.log(np.maximum(k, 1)))
    log_choose = log_factorial[-1] - log_factorial - log_factorial[::-1]
    return 2 * k - n_steps, np.exp(log_choose + k * math.log(up) + (n_steps - k) * math.log1p(-up))


def lattice_law(
    step: tuple[float, float, float], n_steps: int
) -> tuple[Int[np.ndarray, " sites"], Float[np.ndarray, " sites"]]:
    """Law of a sum of steps -1, 0, +1: the n-fold convolution of the law of one step.

    Squaring repeatedly adds only positive numbers, so small probabilities are right as well.

    Args:
        step: probabilities of -1, 0 and +1.
        n_steps: length of the walk.

    Returns:
        The 2n + 1 sites -n ... n and their probabilities.
    """
    law, power = np.ones(1), np.asarray(step, float)
    for bit in reversed(f"{n_steps:b}"):
        if bit == "1":
            law = np.convolve(law, power)
        power = np.convolve(power, power)
    return np.arange(-n_steps, n_steps + 1), law


def moments(step: tuple[float, float, float]) -> tuple[float, float]:
    """Mean and variance of one step with the probabilities (-1, 0, +1)."""
    down, _, up = step
    return up - down, up + down - (up - down) ** 2


def normal_density(
    x: Float[np.ndarray, " sites"], mean: float, deviation: float
) -> Float[np.ndarray, " sites"]:
    """Density of the normal law, the limit of every walk whose steps have a variance."""
    return np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * math.sqrt(2 * math.pi))


def chance_at_start(step: tuple[float, float, float], n_steps: int) -> Float[np.ndarray, " times"]:
    """Probability that a walk on the line stands at its start at t = 0 ... n.

    Args:
        step: probabilities of -1, 0 and +1.
        n_steps: longest time n.

    Returns:
        float64 of shape (n + 1,), beginning with 1. In the plane a fair walk has the square of
        the fair walk's values, since its two diagonals are independent.
    """
    down, stay, up = step
    chances = np.ones(n_steps + 1)
    law = np.zeros(2 * n_steps + 3)
    law[n_steps + 1] = 1.0
    for t in range(1, n_steps + 1):
        law[1:-1] = down * law[2:] + stay * law[1:-1] + up * law[:-2]
        chances[t] = law[n_steps + 1]
    return chances


def first_return_law(chances: Float[np.ndarray, " times"]) -> Float[np.ndarray, " times"]:
    """Probability that a walk is back at its start for the first time at t = 1 ... n.

    From the renewal equation u(t) = sum over s = 1 ... t of f(s) u(t - s)
    (Feller, An Introduction to Probability Theory and Its Applications I, chapter XIII).

    Args:
        chances: u(0) ... u(n), see `chance_at_start`.

    Returns:
        float64 of shape (n,): f(1) ... f(n). The sum stays below 1: some are not back yet.
    """
    first = np.zeros(len(chances))
    for t in range(1, len(chances)):
        first[t] = chances[t] - first[1:t] @ chances[t - 1 : 0 : -1]
    return first[1:]
