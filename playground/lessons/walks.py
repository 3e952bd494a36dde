"""The page Walks: the whole computation, its headline numbers and its script."""

import math
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Shaped

from playground.foundation.script import show_headlines, standalone
from playground.lessons import steps as step_functions
from playground.lessons.copies import Copies, find_copies
from playground.lessons.expected import StepLaw, end_law, return_law, step_law
from playground.lessons.keys import make_keys
from playground.lessons.statistics import (
    Fit,
    growth_exponent,
    lattice_fit,
    normal_fit,
    variance_interval,
)
from playground.lessons.walk_settings import WalkSettings
from playground.lessons.walking import time_marks, walk_batch

MOST_PROGRAMS = 64
_programs: set[tuple[object, ...]] = set()


@dataclass(frozen=True)
class WalkResult:
    """Walks and what was measured on them; positions are those along x where there is a plane.

    Attributes:
        times: the marks, int, (marks,).
        positions: of every walker at the marks, (walkers, marks).
        paths: of the first walkers, (shown, steps + 1) or (shown, steps + 1, 2).
        returns: first return times, (walkers,); 0 where there was none.
        step: law of one step.
        sites: where a walker can be at the end; empty for Gaussian steps.
        law: probability of each site.
        return_law: probability of a first return at 1 ... steps; empty where none is computed.
        variance: over the walkers at the marks, with the limits of its 95 % interval.
        fit: of the final positions to their law.
        copies: what the detector found.
    """

    times: Int[np.ndarray, " marks"]
    positions: Shaped[np.ndarray, "walkers marks"]
    paths: Shaped[np.ndarray, "shown times ..."]
    returns: Int[np.ndarray, " walkers"]
    step: StepLaw
    sites: Int[np.ndarray, " sites"]
    law: Float[np.ndarray, " sites"]
    return_law: Float[np.ndarray, " times"]
    variance: tuple[np.ndarray, np.ndarray, np.ndarray]
    fit: Fit
    copies: Copies

    @property
    def ends(self) -> Shaped[np.ndarray, " walkers"]:
        """Final positions along x."""
        return self.positions[:, -1]

    @property
    def n_steps(self) -> int:
        """Length of the walks."""
        return int(self.times[-1])


def analyse(
    batch: tuple[Array, Array, Array],
    times: Int[np.ndarray, " marks"],
    step: StepLaw,
    law_of_return: Float[np.ndarray, " times"],
) -> WalkResult:
    """Measure everything the page shows on a batch of walks.

    Args:
        batch: what `walk_batch` returns.
        times: the marks it was given.
        step: law of one step along x.
        law_of_return: see `return_law`.
    """
    at_marks, paths, returns = (np.asarray(array) for array in batch)
    positions = at_marks if at_marks.ndim == 2 else at_marks[..., 0]
    n_steps = int(times[-1])
    sites, law = end_law(step, n_steps)
    if step.lattice:
        fit = lattice_fit(positions[:, -1], sites, law)
    else:
        fit = normal_fit(positions[:, -1], n_steps * step.mean, math.sqrt(n_steps * step.variance))
    taken = np.diff(paths, axis=1)
    copies = find_copies(taken, step.mean, step.variance, step.coincidence)
    return WalkResult(
        times=times,
        positions=positions,
        paths=paths,
        returns=returns,
        step=step,
        sites=sites,
        law=law,
        return_law=law_of_return,
        variance=variance_interval(positions),
        fit=fit,
        copies=copies,
    )


def headlines(result: WalkResult) -> dict[str, float | int | str]:
    """Return the headline numbers of the page by name.

    Args:
        result: see `analyse`.
    """
    ends, n_steps, back = result.ends, result.n_steps, result.returns > 0
    numbers: dict[str, float | int | str] = {
        "mean": float(ends.mean(dtype=np.float64)),
        "mean_exact": n_steps * result.step.mean,
        "variance": float(result.variance[0][-1]),
        "variance_exact": n_steps * result.step.variance,
        "growth_exponent": growth_exponent(result.times, result.variance[0]),
        "lowest_end": float(ends.min()),
        "highest_end": float(ends.max()),
        "impossible_ends": result.fit.impossible,
        "chi_square": result.fit.statistic,
        "p_value": result.fit.p_value,
        "distinct_walks": result.copies.distinct,
        "compared_walks": result.copies.walkers,
        "mean_correlation": result.copies.mean_correlation,
        "verdict": result.copies.verdict,
    }
    if result.step.lattice:
        numbers["share_returned"] = float(back.mean())
    if len(result.return_law):
        numbers["share_returned_exact"] = float(result.return_law.sum())
    return numbers


def step_function_name(settings: WalkSettings) -> str:
    """Return the name of the function in steps.py that the settings choose."""
    return f"{settings.kind}_steps{'_2d' if settings.plane else ''}"


def compute(settings: WalkSettings) -> WalkResult:
    """Walk and measure.

    Args:
        settings: of the page.
    """
    steps = getattr(step_functions, step_function_name(settings))
    keys = make_keys(settings.keys, settings.seed, settings.walkers, settings.generator)
    frozen = settings.keys == "every_step"
    _programs.add((steps, settings.steps, settings.walkers, keys.dtype, keys.ndim, frozen))
    if len(_programs) > MOST_PROGRAMS:  # each compiled program keeps about a megabyte
        walk_batch.clear_cache()  # ty: ignore[missing-attribute]
        _programs.clear()
    times = time_marks(settings.steps)
    batch = walk_batch(
        keys,
        settings.parameter,
        jnp.asarray(times),
        steps,
        settings.steps,
        settings.walkers,
        frozen,
    )
    step = step_law(settings.kind, settings.plane, settings.parameter)
    home = return_law(settings.kind, settings.plane, step, settings.steps)
    return analyse(batch, times, step, home)


def script(settings: WalkSettings) -> str:
    """Return the standalone script of these settings.

    Args:
        settings: of the page.
    """
    name = step_function_name(settings)
    s = settings
    same_key = ", same_key_every_step=True" if s.keys == "every_step" else ""
    body = f"""
    walkers, n_steps, parameter = {s.walkers}, {s.steps}, {s.parameter!r}
    keys = make_keys({s.keys!r}, {s.seed}, walkers, {s.generator!r})
    times = time_marks(n_steps)
    batch = walk_batch(keys, parameter, times, {name}, n_steps, walkers{same_key})
    step = step_law({s.kind!r}, {s.plane}, parameter)
    home = return_law({s.kind!r}, {s.plane}, step, n_steps)
    show_headlines(headlines(analyse(batch, times, step, home)))
    """
    steps = getattr(step_functions, name)
    used = (make_keys, time_marks, walk_batch, steps, step_law, return_law, analyse, headlines)
    return standalone(*used, show_headlines, body=body, title="Random walks, batched by vmap.")
