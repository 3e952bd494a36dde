"""The one stopwatch of the playground: equality first, then interleaved rounds on fair terms.

The rules are those of the JAX documentation ("Benchmarking JAX code"): compile apart, wait for
the result inside the timer, keep the data on the device, say the dtype.
"""

import itertools
import math
import random
import statistics
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import jax

from playground.measure.agreement import TOLERANCE, Drift, drift_between

SHORTEST_SAMPLE_SECONDS = 4e-3
FEWEST_SAMPLES = 3
SAMPLES_TO_SETTLE = 9
MOST_SAMPLES = 100
SETTLED = 0.02
UNSTABLE = 0.10
LONGEST_CALL_SECONDS = 0.3


@dataclass(frozen=True)
class FirstCall:
    """Seconds of a first call; an uncompiled method has no stages and only runs."""

    trace_seconds: float
    lower_seconds: float
    compile_seconds: float
    run_seconds: float

    @property
    def total_seconds(self) -> float:
        """Everything a user waits for at the first call."""
        return self.trace_seconds + self.lower_seconds + self.compile_seconds + self.run_seconds


@dataclass(frozen=True)
class Timing:
    """What was measured of one method at one size.

    Attributes:
        name: the method, in words that no language translates.
        first: the first call, never mixed with the later ones.
        drift: distance of its result from the reference; None when it was not run.
        samples: seconds per call, every one of them, in the order they were taken.
        calls_per_sample: how many calls in a row one sample is the mean of.
        stopped: one call passed the time budget, so it was not measured further.
    """

    name: str
    first: FirstCall | None = None
    drift: Drift | None = None
    samples: tuple[float, ...] = ()
    calls_per_sample: int = 1
    stopped: bool = False

    @property
    def median(self) -> float:
        """Median seconds per call; nan without samples."""
        return statistics.median(self.samples) if self.samples else math.nan

    @property
    def quartiles(self) -> tuple[float, float]:
        """First and third quartile of the seconds per call; nan without samples."""
        if len(self.samples) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(self.samples, n=4, method="inclusive")
        return low, high

    @property
    def variation(self) -> float:
        """Coefficient of variation: standard deviation over mean."""
        if len(self.samples) < 2:
            return 0.0
        return statistics.stdev(self.samples) / statistics.fmean(self.samples)

    @property
    def unstable(self) -> bool:
        """The samples vary by more than a tenth: read the number with care."""
        return self.variation > UNSTABLE

    @property
    def seconds_spent(self) -> float:
        """Time that all samples together took."""
        return sum(self.samples) * self.calls_per_sample

    @property
    def settled(self) -> bool:
        """The median is known well enough (half-width of the notch, McGill et al. 1978)."""
        if len(self.samples) < SAMPLES_TO_SETTLE:
            return False
        low, high = self.quartiles
        return 1.57 * (high - low) / math.sqrt(len(self.samples)) <= SETTLED * self.median


def seconds_of(call: Callable[..., Any], arguments: tuple[Any, ...], calls: int = 1) -> float:
    """Time some calls in a row, waiting for each result inside the timer.

    Args:
        call: the function.
        arguments: its arguments, already on the device.
        calls: how many.

    Returns:
        Mean seconds per call.
    """
    start = time.perf_counter()
    for _ in range(calls):
        jax.block_until_ready(call(*arguments))
    return (time.perf_counter() - start) / calls


def first_call(call: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[FirstCall, Any]:
    """Call a function for the first time, stage by stage where it is compiled.

    Args:
        call: a function; one made by `jax.jit` is traced, lowered, compiled and run in turn.
        arguments: its arguments, already on the device.

    Returns:
        Seconds per stage, and the result.
    """
    marks = [time.perf_counter()]
    if isinstance(call, jax.stages.Wrapped):
        traced = call.trace(*arguments)
        marks.append(time.perf_counter())
        lowered = traced.lower()
        marks.append(time.perf_counter())
        lowered.compile()
    marks += [time.perf_counter()] * (4 - len(marks))
    result = jax.block_until_ready(call(*arguments))
    marks.append(time.perf_counter())
    stages = [after - before for before, after in itertools.pairwise(marks)]
    return FirstCall(*stages), result


def race(
    methods: Mapping[str, Callable[..., Any]],
    arguments: tuple[Any, ...],
    *,
    seconds: float = 0.6,
    longest_call: float = LONGEST_CALL_SECONDS,
    tolerance: float = TOLERANCE,
    seed: int = 0,
) -> Generator[float, None, tuple[Timing, ...]]:
    """Time methods that claim to compute the same thing, one sample each per round.

    The first method is the reference of the others; a method with another result is not timed.
    The order within a round is random, so that a disturbance does not always hit the same one.

    Args:
        methods: functions of `arguments` by name.
        arguments: arrays, or pytrees of them.
        seconds: time budget of the rounds, in equal shares; it ends when all medians have settled.
        longest_call: a method of which one call takes longer is stopped.
        tolerance: largest relative distance from the reference.
        seed: of the order within the rounds.

    Yields:
        The share of the work that is done, from 0 to 1.

    Returns:
        One timing per method, in the order given.
    """
    arguments = jax.block_until_ready(jax.device_put(arguments))
    timings: dict[str, Timing] = {}
    reference = None
    for position, (name, call) in enumerate(methods.items()):
        first, result = first_call(call, arguments)
        reference = result if position == 0 else reference
        drift = drift_between(result, reference, tolerance)
        timings[name] = Timing(name, first, drift)
        if drift.agrees:
            timings[name] = calibrated(timings[name], call, arguments, longest_call)
        yield 0.3 * (position + 1) / len(methods)
    order = random.Random(seed)
    share = seconds / max(len(methods), 1)
    while active := [t for t in timings.values() if _goes_on(t, share)]:
        order.shuffle(active)
        for timing in active:
            sample = seconds_of(methods[timing.name], arguments, timing.calls_per_sample)
            timings[timing.name] = replace(timing, samples=(*timing.samples, sample))
        spent = sum(min(t.seconds_spent, share) for t in timings.values())
        yield 0.3 + 0.7 * min(spent / seconds, 1.0)
    return tuple(timings.values())


def _goes_on(timing: Timing, share: float) -> bool:
    if timing.stopped or timing.settled or not 0 < len(timing.samples) < MOST_SAMPLES:
        return False
    return len(timing.samples) < FEWEST_SAMPLES or timing.seconds_spent < share


def calibrated(
    timing: Timing, call: Callable[..., Any], arguments: tuple[Any, ...], longest_call: float
) -> Timing:
    """Take the first sample and choose how many calls make one sample."""
    once = seconds_of(call, arguments)
    if once > longest_call:
        return replace(timing, samples=(once,), stopped=True)
    calls = max(1, math.ceil(SHORTEST_SAMPLE_SECONDS / once))
    return replace(timing, samples=(seconds_of(call, arguments, calls),), calls_per_sample=calls)


def finish[Result](work: Generator[Any, None, Result]) -> Result:
    """Run a generator to its end and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
