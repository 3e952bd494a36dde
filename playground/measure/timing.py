"""The sweep of the Timing page: five methods on one function, batch size by batch size."""

import math
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import jax

from playground.foundation.limits import allow_bytes
from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, flag, one_of, whole
from playground.measure.machine_facts import MachineFacts, machine_facts
from playground.measure.methods import METHODS, batch_methods
from playground.measure.stopwatch import LONGEST_CALL_SECONDS, Timing, finish, race
from playground.measure.workloads import WORKLOADS

METHOD_FIELDS = dict(zip(("loop", "hand", "vmap", "jit_vmap", "lax_map"), METHODS, strict=True))
GROWTH = 4
AGREEMENT_SIZE = 16


@dataclass(frozen=True)
class TimingSettings(Settings, prefix="timing"):
    """Which part of the page is open, what is measured, how it is drawn (`view`, `relative_to`)."""

    part: str = one_of("sweep", ("sweep", "lies", "order", "recompile", "constants"))
    workload: str = one_of("dot", tuple(WORKLOADS))
    largest: int = one_of(1024, (64, 256, 1024, 4096))
    length: int = one_of(64, (8, 64, 256))
    chunk_size: int = one_of(64, (1, 8, 64, 256))
    loop: bool = flag(True)
    hand: bool = flag(True)
    vmap: bool = flag(True)
    jit_vmap: bool = flag(True)
    lax_map: bool = flag(True)
    seed: int = whole(0, low=0, high=9_999)
    view: str = one_of("time", ("time", "relative", "per_example"))
    relative_to: str = one_of("jit(vmap)", METHODS)

    @property
    def measured(self) -> Self:
        """The same without the fields that only change the drawing: the key of a measurement."""
        return replace(self, part="sweep", view="time", relative_to="jit(vmap)")

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods to time; the hand-written one alone when none is chosen."""
        chosen = tuple(name for field, name in METHOD_FIELDS.items() if getattr(self, field))
        return chosen or ("hand-written",)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Batch sizes of the sweep: 1, 4, 16 ... up to the largest."""
        return tuple(GROWTH**power for power in range(round(math.log(self.largest, GROWTH)) + 1))


@dataclass(frozen=True)
class SizeRow:
    """All methods at one batch size."""

    batch_size: int
    timings: tuple[Timing, ...]


@dataclass(frozen=True)
class TimingResult:
    """A finished sweep and the machine it ran on."""

    workload: str
    length: int
    chunk_size: int
    methods: tuple[str, ...]
    rows: tuple[SizeRow, ...]
    machine: MachineFacts

    @property
    def sizes(self) -> tuple[int, ...]:
        """Batch sizes, increasing."""
        return tuple(row.batch_size for row in self.rows)

    def of(self, method: str) -> tuple[Timing, ...]:
        """Return the timings of one method, one per batch size."""
        return tuple(t for row in self.rows for t in row.timings if t.name == method)


def sweep(
    example: Callable[..., Any],
    batch: Callable[..., Any],
    draw: Callable[..., tuple[Any, ...]],
    in_axes: tuple[int | None, ...],
    *,
    sizes: Sequence[int],
    length: int,
    chunk_size: int,
    methods: Sequence[str],
    seed: int = 0,
    seconds: float = 0.6,
    longest_call: float = LONGEST_CALL_SECONDS,
) -> Generator[float, None, tuple[SizeRow, ...]]:
    """Race the methods at each batch size.

    Args:
        example: function for one example.
        batch: the same, written by hand for a batch along axis 0.
        draw: (key, batch size, length) -> arguments of `batch`.
        in_axes: 0 for a mapped argument, None for a shared one.
        sizes: batch sizes, increasing.
        length: size of the per-example axis.
        chunk_size: examples per step of `lax.map`, at most the batch size.
        methods: names of the methods; the hand-written one is the reference and always runs.
        seed: of the data and of the order of the rounds.
        seconds: time budget of the rounds at one batch size.
        longest_call: a method that would need longer for one call is stopped.

    Yields:
        The share of the work that is done, from 0 to 1.

    Returns:
        One row per batch size.
    """
    rows: list[SizeRow] = []
    for position, batch_size in enumerate(sizes):
        arguments = draw(jax.random.key(seed), batch_size, length)
        chunk = min(chunk_size, batch_size)
        calls = batch_methods(example, batch, in_axes, chunk, methods)
        late = [
            name for name in calls if rows and expected(rows[-1], name, batch_size) > longest_call
        ]
        running = {name: call for name, call in calls.items() if name not in late}
        work = race(running, arguments, seconds=seconds, longest_call=longest_call, seed=seed)
        while True:
            try:
                yield (position + next(work)) / len(sizes)
            except StopIteration as end:
                stopped = tuple(Timing(name, stopped=True) for name in late)
                rows.append(SizeRow(batch_size, (*end.value, *stopped)))
                break
    return tuple(rows)


def expected(row: SizeRow, name: str, batch_size: int) -> float:
    """Expect the seconds of one call if time grows in proportion; infinite once stopped."""
    timing = next(t for t in row.timings if t.name == name)
    if timing.stopped:
        return math.inf
    return timing.median * batch_size / row.batch_size


def measure(settings: TimingSettings) -> Generator[float, None, TimingResult]:
    """Measure what the settings ask for, in slices; see `sweep`.

    Raises:
        MemoryRefused: the largest batch would not fit.
    """
    workload = WORKLOADS[settings.workload]
    allow_bytes(eager_bytes(settings), nearest=f"largest = {settings.largest // GROWTH}")
    rows = yield from sweep(
        workload.example,
        workload.batch,
        workload.draw,
        workload.in_axes,
        sizes=settings.sizes,
        length=settings.length,
        chunk_size=settings.chunk_size,
        methods=settings.methods,
        seed=settings.seed,
    )
    return TimingResult(
        settings.workload,
        settings.length,
        settings.chunk_size,
        settings.methods,
        rows,
        machine_facts(),
    )


def compute(settings: TimingSettings) -> TimingResult:
    """Measure without pause; pages use `measure` to show progress."""
    return finish(measure(settings))


def eager_bytes(settings: TimingSettings) -> int:
    """Bound the memory of an uncompiled call: arguments and every intermediate of the program."""
    workload = WORKLOADS[settings.workload]
    arguments = jax.eval_shape(
        lambda key: workload.draw(key, settings.largest, settings.length), jax.random.key(0)
    )
    program = jax.make_jaxpr(workload.batch)(*arguments)
    variables = [*program.jaxpr.invars, *(v for e in program.jaxpr.eqns for v in e.outvars)]
    shapes: list[Any] = [variable.aval for variable in variables]
    return sum(shape.size * shape.dtype.itemsize for shape in shapes)


def timing_headlines(rows: Sequence[SizeRow]) -> dict[str, Any]:
    """Return what must be the same wherever this runs: that the methods agree, and how closely."""
    row = next((r for r in rows if r.batch_size == AGREEMENT_SIZE), rows[0])
    drifts = {t.name: t.drift for t in row.timings if t.drift}
    headlines: dict[str, Any] = {"batch sizes": tuple(r.batch_size for r in rows)}
    headlines["methods agree"] = all(d.agrees for d in drifts.values())
    for name, drift in drifts.items():
        headlines[f"drift in ulp, {name}"] = drift.ulp
    return headlines


def headlines(result: TimingResult) -> dict[str, Any]:
    """Return the numbers of the page that do not depend on the clock; see `timing_headlines`."""
    return timing_headlines(result.rows)


def write_times(rows: Sequence[SizeRow]) -> None:
    """Write the measured times as a table to the error stream: they differ from run to run."""
    for row in rows:
        for timing in row.timings:
            note = " stopped" if timing.stopped else " unstable" if timing.unstable else ""
            micros = f"{timing.median * 1e6:12.1f} µs{note}"
            sys.stderr.write(f"batch {row.batch_size:5d}  {timing.name:13s} {micros}\n")


def script(settings: TimingSettings) -> str:
    """Write the standalone script; headlines on its output, times on its error stream."""
    workload = WORKLOADS[settings.workload]
    functions = (workload.example, workload.batch, workload.draw)
    example, batch, draw = (getattr(function, "__name__", "") for function in functions)
    body = f"""
rows = finish(
    sweep(
        {example},
        {batch},
        {draw},
        {workload.in_axes!r},
        sizes={settings.sizes!r},
        length={settings.length},
        chunk_size={settings.chunk_size},
        methods={settings.methods!r},
        seed={settings.seed},
    )
)
write_times(rows)
show_headlines(timing_headlines(rows))
"""
    title = f"Times ways to run {settings.workload} on a batch"
    helpers = (sweep, finish, write_times, timing_headlines, show_headlines)
    return standalone(*functions, *helpers, body=body, title=title)
