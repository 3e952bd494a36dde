"""The adviser for chunk sizes: asks the compiler for the memory, the clock for the time."""

import math
import random
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import jax

from playground.measure.advice import ChunkAdvice, ChunkRow, choose
from playground.measure.batched_call import BatchedCall, batched_call
from playground.measure.memory import compiled_with_memory
from playground.measure.reduction import Reduction, reduction
from playground.measure.stopwatch import SHORTEST_SAMPLE_SECONDS, finish, seconds_of

SECONDS = 5.0
FINALISTS = 1.25
SCREENING_SAMPLES = 3
FEWEST_SAMPLES = 7
ENOUGH_SAMPLES = 25
REFINEMENTS = 5
MOST_DIVISORS = 24

Programs = dict[int, tuple[jax.stages.Compiled, ChunkRow]]


def recommend_chunk(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    in_axes: Any,
    memory_budget_bytes: float,
    reduce: Any = None,
    *,
    seconds: float = SECONDS,
) -> ChunkAdvice:
    """Find the fastest chunk size for `lax.map(fn, ..., batch_size=k)` within a memory budget.

    The compiler says what each size needs before anything runs; sizes over the budget are never
    run. The others are timed on the arguments given.

    Args:
        fn: a function for one example.
        args: its positional arguments with their batch axes; arrays and pytrees of any dtype.
        in_axes: as for `jax.vmap`: int, None, or a tuple with pytree prefixes; negative axes too.
        memory_budget_bytes: the most that temporaries and outputs together may take.
        reduce: None returns all outputs. "sum", "mean", "max", "min", "prod", a function of two
            outputs, or a function of stacked outputs bring them down inside the loop.
        seconds: time budget of the measurement, compilations not counted.

    Returns:
        Advice with `.chunk_size` (None when nothing fits), `.rows`, `.pareto`, `.reason(lang)`.

    Raises:
        ValueError: `reduce` cannot be applied chunk by chunk; what `jax.vmap` refuses is refused
            with JAX's own error.
    """
    call = batched_call(fn, args, in_axes)
    rows = finish(survey(call, reduce, memory_budget_bytes, seconds))
    return choose(rows, call.batch_size, memory_budget_bytes)


def survey(
    call: BatchedCall,
    reduce: Any,
    most_bytes: float,
    seconds: float = SECONDS,
    finalists: float = FINALISTS,
) -> Generator[float, None, tuple[ChunkRow, ...]]:
    """Try chunk sizes: compile all of them, run those within `most_bytes`.

    Sizes up to `finalists` times as slow as the fastest stay in the race; the others keep the
    few samples that put them out.

    Yields:
        The share of the work that is done, from 0 to 1.

    Returns:
        One row per size, by increasing size.
    """
    how = None if reduce is None else reduction(reduce, call.first_outputs)
    programs: Programs = {}
    sizes = candidates(call.batch_size)
    for done, size in enumerate(sizes):
        programs[size] = _compiled(call, size, how)
        yield 0.4 * (done + 1) / len(sizes)
    for size in _largest_that_fits(programs, most_bytes, lambda k: _compiled(call, k, how)):
        yield 0.4 + 0.001 * (size % 2)
    arguments = (call.mapped, call.shared)
    for share in _timed(programs, arguments, most_bytes, seconds, finalists):
        yield 0.45 + 0.55 * share
    return tuple(row for _, (_, row) in sorted(programs.items()))


def candidates(batch_size: int) -> tuple[int, ...]:
    """Choose which chunk sizes to try: powers of two, parts of N, divisors of N.

    A size that divides N needs no separate program for the rest. Where N has very many divisors,
    only those nearest to powers of two are tried.

    Args:
        batch_size: N; 0 counts as 1.

    Returns:
        Increasing sizes from 1 to N, a few times log2(N) of them.
    """
    most = max(batch_size, 1)
    powers = [2**power for power in range(most.bit_length()) if 2**power <= most]
    chosen = {most, *powers, *(math.ceil(most / parts) for parts in (2, 3, 4, 8))}
    small = [size for size in range(1, math.isqrt(most) + 1) if most % size == 0]
    divisors = sorted({*small, *(most // size for size in small)})
    if len(divisors) <= MOST_DIVISORS:
        return tuple(sorted(chosen.union(divisors)))
    for power in powers:
        near = min(divisors, key=lambda size: abs(math.log(size / power)))
        if abs(math.log2(near / power)) <= 0.5:
            chosen.add(near)
    return tuple(sorted(chosen))


def _compiled(
    call: BatchedCall, size: int, how: Reduction | None
) -> tuple[jax.stages.Compiled, ChunkRow]:
    compiled, memory = compiled_with_memory(call.program(size, how), call.mapped, call.shared)
    return compiled, ChunkRow(size, memory)


def _largest_that_fits(
    programs: Programs, most_bytes: float, compiled: Callable[[int], Any]
) -> Generator[int, None, None]:
    """Halve the gap above the largest size that fits, so that a budget is used up well.

    Sizes that leave a rest need a copy of the outputs; where that costs more than it gains, the
    search ends.
    """
    for _ in range(REFINEMENTS):
        fits = [size for size, (_, row) in programs.items() if row.predicted_bytes <= most_bytes]
        above = [size for size in programs if fits and size > max(fits)]
        if not above or min(above) - max(fits) < max(2, max(fits) // 16):
            return
        size = (min(above) + max(fits)) // 2
        programs[size] = compiled(size)
        yield size
        if programs[size][1].predicted_bytes > programs[min(above)][1].predicted_bytes:
            return


def _timed(
    programs: Programs,
    arguments: tuple[Any, ...],
    most_bytes: float,
    seconds: float,
    finalists: float,
) -> Generator[float, None, None]:
    """Run every size that fits, then race the fast ones in rounds of random order."""
    arguments = jax.block_until_ready(jax.device_put(arguments))
    start = time.perf_counter()
    fits = [size for size, (_, row) in programs.items() if row.predicted_bytes <= most_bytes]
    for turn in range(SCREENING_SAMPLES):
        for size in sorted(fits, reverse=True):
            is_late = time.perf_counter() - start > seconds * (turn + 1) / 6
            if turn and is_late:
                continue
            first = seconds_of(programs[size][0], arguments) if turn == 0 else 0.0
            _add(programs, size, first if is_late else seconds_of(programs[size][0], arguments))
            yield min((time.perf_counter() - start) / seconds, 0.5)
    order = random.Random(0)
    while racing := _racing(programs, finalists):
        order.shuffle(racing)
        for size in racing:
            calls = math.ceil(SHORTEST_SAMPLE_SECONDS / programs[size][1].measured_seconds)
            _add(programs, size, seconds_of(programs[size][0], arguments, min(calls, 200)))
        passed = (time.perf_counter() - start) / seconds
        if passed > 1 and min(len(programs[k][1].samples) for k in racing) >= 3:
            return
        yield min(max(passed, 0.5), 1.0)


def _add(programs: Programs, size: int, sample: float) -> None:
    compiled, row = programs[size]
    programs[size] = compiled, replace(row, samples=(*row.samples, sample))


def _racing(programs: Programs, finalists: float) -> list[int]:
    """Sizes that may still be the fastest, or have too few samples for a band."""
    rows = [row for _, row in programs.values() if row.was_run]
    if not rows:
        return []
    best = min(min(row.samples) for row in rows)
    rows = [row for row in rows if min(row.samples) <= finalists * best]
    fewest = min(len(row.samples) for row in rows)
    enough = FEWEST_SAMPLES if len(rows) == 1 else ENOUGH_SAMPLES
    return [row.chunk_size for row in rows] if fewest < enough else []
