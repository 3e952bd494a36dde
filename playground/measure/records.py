"""Keeps finished sweeps as JSON: the download with every raw sample, and the run that ships along.

The shipped run is labelled with the facts of its machine, so that nobody takes it for their own.
"""

import csv
import io
import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from playground.measure.advice import ChunkRow
from playground.measure.agreement import Drift
from playground.measure.chunks import ChunksSettings, ChunksSurvey
from playground.measure.machine_facts import MachineFacts
from playground.measure.memory import Memory
from playground.measure.stopwatch import FirstCall, Timing
from playground.measure.timing import SizeRow, TimingResult

CHUNKS_REFERENCE = Path(__file__).resolve().parent / "reference" / "chunks.json"
REFERENCE = Path(__file__).resolve().parent / "reference" / "timing.json"


def to_json(result: TimingResult) -> str:
    """Write a sweep with all raw samples, in seconds, as JSON."""
    return json.dumps(_rounded(asdict(result)))


def from_json(text: str) -> TimingResult:
    """Read what `to_json` wrote."""
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


def survey_to_json(settings: ChunksSettings, survey: ChunksSurvey) -> str:
    """Write the chunk sizes that were tried, with all raw samples, as JSON."""
    whole = {"settings": asdict(settings.measured), **asdict(survey)}
    return json.dumps(_rounded(whole))


def to_csv(result: TimingResult) -> str:
    """Write every raw sample as a line of CSV, in seconds per call."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(
        ("batch_size", "method", "sample", "seconds_per_call", "calls_per_sample", "stopped")
    )
    for row in result.rows:
        for timing in row.timings:
            for index, seconds in enumerate(timing.samples):
                more = (f"{seconds:.6g}", timing.calls_per_sample, timing.stopped)
                writer.writerow((row.batch_size, timing.name, index, *more))
    return lines.getvalue()


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
