"""Writes measurements with every raw sample, as JSON and CSV, and reads the runs that ship along.

The shipped runs are labelled with the facts of their machine, so that nobody takes them for theirs.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from playground.measure import lies, orders
from playground.measure.advice import ChunkRow
from playground.measure.agreement import Drift
from playground.measure.chunks import ChunksSettings, ChunksSurvey
from playground.measure.closures import ClosureCost
from playground.measure.lies import LiesResult
from playground.measure.machine_facts import MachineFacts
from playground.measure.memory import Memory
from playground.measure.orders import OrdersResult
from playground.measure.stopwatch import FirstCall, Timing
from playground.measure.timing import SizeRow, TimingResult
from playground.measure.timing_parts import Costs

CHUNKS_REFERENCE = Path(__file__).resolve().parent / "reference" / "chunks.json"
REFERENCE = Path(__file__).resolve().parent / "reference" / "timing.json"


type Measured = TimingResult | LiesResult | OrdersResult | Costs[Any] | ChunksSurvey


def to_json(result: Measured, **more: Any) -> str:
    """Write a measurement with its machine, all raw samples in seconds, and `more`, as JSON."""
    return json.dumps(_rounded({"unit_of_samples": "seconds", **more, **asdict(result)}))


def from_json(text: str) -> TimingResult:
    """Read a sweep that `to_json` wrote."""
    return _result(json.loads(text))


@lru_cache(maxsize=1)
def recorded_runs() -> dict[str, TimingResult]:
    """Return the recorded reference runs by workload; empty when none ship with the app."""
    if not REFERENCE.exists():
        return {}
    runs = [_result(run) for run in json.loads(REFERENCE.read_text(encoding="utf-8"))]
    return {run.workload: run for run in runs}


@lru_cache(maxsize=1)
def recorded_surveys() -> dict[ChunksSettings, ChunksSurvey]:
    """Return the recorded chunk sizes by their settings; empty when none ship with the app."""
    if not CHUNKS_REFERENCE.exists():
        return {}
    found = {}
    for run in json.loads(CHUNKS_REFERENCE.read_text(encoding="utf-8")):
        rows = tuple(
            ChunkRow(row["chunk_size"], Memory(**row["memory"]), tuple(row["samples"]))
            for row in run["rows"]
        )
        settings = ChunksSettings(**run["settings"]).measured
        found[settings] = ChunksSurvey(rows, MachineFacts(**run["machine"]))
    return found


def to_csv(result: Measured) -> str:
    """Write every raw sample of a measurement as a line of CSV, in seconds."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_lines(result))
    return text.getvalue()


def _lines(result: Measured) -> Iterator[tuple[Any, ...]]:
    """Give the head of the table, then (size, method, sample, seconds, more) for every sample."""
    match result:
        case TimingResult(rows=rows):
            yield from _of_timings([(row.batch_size, row.timings) for row in rows])
        case LiesResult(timings=timings):
            yield from _of_timings([(lies.BATCH_SIZE, timings)])
        case OrdersResult(pairs=pairs):
            yield from _of_timings([(orders.BATCH_SIZE, pair.timings) for pair in pairs])
        case ChunksSurvey(rows=rows):
            yield "chunk_size", "method", "sample", "seconds_per_call"
            whole = max(row.chunk_size for row in rows)
            for row in rows:
                method = "vmap" if row.chunk_size == whole else "vmap in chunks"
                yield from _numbered(row.chunk_size, method, row.samples)
        case Costs(costs=costs) if isinstance(costs[0], ClosureCost):
            yield "numbers", "method", "sample", "seconds_to_lower_and_compile"
            for cost in costs:
                yield from _numbered(cost.numbers, cost.form, cost.samples)
        case Costs(costs=costs):
            yield "traces", "method", "sample", "seconds_per_call"
            for index, cost in enumerate(costs):
                yield cost.traces, cost.call, index, f"{cost.seconds:.6g}"


def _of_timings(groups: Iterable[tuple[int, tuple[Timing, ...]]]) -> Iterator[tuple[Any, ...]]:
    yield "batch_size", "method", "sample", "seconds_per_call", "calls_per_sample", "stopped"
    for size, timings in groups:
        for timing in timings:
            for line in _numbered(size, timing.name, timing.samples):
                yield *line, timing.calls_per_sample, timing.stopped


def _numbered(size: int, method: str, samples: Iterable[float]) -> Iterator[tuple[Any, ...]]:
    for index, seconds in enumerate(samples):
        yield size, method, index, f"{seconds:.6g}"


def _result(run: dict[str, Any]) -> TimingResult:
    rows = tuple(
        SizeRow(row["batch_size"], tuple(_timing(timing) for timing in row["timings"]))
        for row in run["rows"]
    )
    facts = MachineFacts(**run["machine"])
    settings = (run["workload"], run["length"], run["chunk_size"], tuple(run["methods"]))
    return TimingResult(*settings, rows, facts)


def _timing(values: dict[str, Any]) -> Timing:
    first, drift = values["first"], values["drift"]
    return Timing(
        values["name"],
        FirstCall(**first) if first else None,
        Drift(**drift) if drift else None,
        tuple(values["samples"]),
        values["calls_per_sample"],
        values["stopped"],
    )


def _rounded(value: Any) -> Any:
    """Keep five significant digits: a clock that is read from Python does not carry more."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {name: _rounded(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(member) for member in value]
    return value
