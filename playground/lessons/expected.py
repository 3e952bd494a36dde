"""What theory says of the kinds of walks that the page offers."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from playground.lessons.laws import (
    binomial_law,
    chance_at_start,
    first_return_law,
    lattice_law,
    moments,
)


@dataclass(frozen=True)
class StepLaw:
    """The law of one step along x.

    Attributes:
        mean: of one step.
        variance: of one step.
        coincidence: chance that two independent steps are equal.
        lattice: probabilities of -1, 0, +1; None for Gaussian steps.
    """

    mean: float
    variance: float
    coincidence: float
    lattice: tuple[float, float, float] | None


def step_law(kind: str, plane: bool, parameter: float) -> StepLaw:
    """Return the law of one step along x.

    Args:
        kind: one of `KINDS`.
        plane: whether the walker walks in the plane.
        parameter: of the steps.
    """
    if kind == "gaussian":
        return StepLaw(parameter, 1.0, 0.0, None)
    stay = parameter if kind == "lazy" else 0.0
    up = (1 - stay) * (parameter if kind == "biased" else 0.5)
    lattice = (1 - stay - up, stay, up)
    coincidence = sum(p * p for p in lattice)
    if plane:  # half of the moves are along y
        coincidence = stay**2 + (coincidence - stay**2) / 2
        lattice = (lattice[0] / 2, stay + (1 - stay) / 2, lattice[2] / 2)
    return StepLaw(*moments(lattice), coincidence, lattice)


def end_law(
    step: StepLaw, n_steps: int
) -> tuple[Int[np.ndarray, " sites"], Float[np.ndarray, " sites"]]:
    """Sites and exact law of the final position along x; two empty arrays for Gaussian steps."""
    if step.lattice is None:
        return np.zeros(0, int), np.zeros(0)
    down, stay, up = step.lattice
    return binomial_law(n_steps, up) if stay == 0 else lattice_law((down, stay, up), n_steps)


def return_law(kind: str, plane: bool, step: StepLaw, n_steps: int) -> Float[np.ndarray, " times"]:
    """Law of the first return: on the line, and for fair steps in the plane; else empty."""
    if step.lattice is None or (plane and kind != "fair"):
        return np.zeros(0)
    if plane:
        return first_return_law(chance_at_start((0.5, 0.0, 0.5), n_steps) ** 2)
    return first_return_law(chance_at_start(step.lattice, n_steps))
