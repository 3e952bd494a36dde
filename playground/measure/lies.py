"""Wrong ways to measure that people post, beside the honest one."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import jax

from playground.measure.machine_facts import MachineFacts, machine_facts
from playground.measure.stopwatch import Timing, seconds_of

BATCH_SIZE = 1024
LENGTH = 256
CALLS_WITH_COMPILE = 5
SAMPLES = 15

LIES = ("honest", "not waited for", "compile counted", "without jit")


@dataclass(frozen=True)
class LiesResult:
    """What each way of measuring reports for one call on 1024 examples of length 256.

    Attributes:
        timings: one per way, in the order of `LIES`; seconds per call.
        machine: where.
    """

    timings: tuple[Timing, ...]
    machine: MachineFacts

    def seconds(self, way: str) -> float:
        """Return what one way reports, median seconds per call."""
        return next(timing.median for timing in self.timings if timing.name == way)


def seconds_without_waiting(call: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Stop the clock when the call returns: JAX only promised the result by then."""
    start = time.perf_counter()
    promise = call(*arguments)
    seconds = time.perf_counter() - start
    jax.block_until_ready(promise)
    return seconds


def seconds_with_compile(
    make: Callable[[], Callable[..., Any]], arguments: tuple[Any, ...], calls: int
) -> float:
    """Average over a few calls, the first of which compiles."""
    return seconds_of(make(), arguments, calls)


def measure_lies(
    example: Callable[..., Any],
    draw: Callable[..., tuple[Any, ...]],
    in_axes: tuple[int | None, ...],
) -> Generator[float, None, LiesResult]:
    """Measure one call in an honest way and in three wrong ones.

    Args:
        example: function for one example.
        draw: (key, batch size, length) -> arguments of the batch.
        in_axes: 0 for a mapped argument, None for a shared one.

    Yields:
        The share of the work that is done.

    Returns:
        One timing per way; samples are taken in turns.
    """
    arguments = draw(jax.random.key(0), BATCH_SIZE, LENGTH)
    arguments = jax.block_until_ready(jax.device_put(arguments))

    def make() -> Callable[..., Any]:
        return jax.jit(jax.vmap(example, in_axes=in_axes))

    compiled, eager = make(), jax.vmap(example, in_axes=in_axes)
    ways: dict[str, Callable[[], float]] = {
        "honest": lambda: seconds_of(compiled, arguments),
        "not waited for": lambda: seconds_without_waiting(compiled, arguments),
        "compile counted": lambda: seconds_with_compile(make, arguments, CALLS_WITH_COMPILE),
        "without jit": lambda: seconds_of(eager, arguments),
    }
    for call in (compiled, eager):
        seconds_of(call, arguments)
    samples: dict[str, list[float]] = {way: [] for way in LIES}
    for turn in range(SAMPLES):
        for way in LIES:
            if way != "compile counted" or turn % 3 == 0:  # it compiles anew every time
                samples[way].append(ways[way]())
        yield (turn + 1) / SAMPLES
    calls = {"compile counted": CALLS_WITH_COMPILE}
    timings = tuple(
        Timing(way, samples=tuple(samples[way]), calls_per_sample=calls.get(way, 1)) for way in LIES
    )
    return LiesResult(timings, machine_facts())
