"""Downloads hold every raw sample, with its size, its method, its unit and the machine."""

import csv
import io
import json

import pytest

from playground.measure.lies import LIES
from playground.measure.records import recorded_runs, recorded_surveys, to_csv, to_json
from playground.measure.stopwatch import finish
from playground.measure.timing_parts import measure_part


def lines_of(result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(result))))


def samples_in(told) -> int:
    """Count the numbers of all lists called "samples", wherever they stand."""
    if isinstance(told, dict):
        own = len(told["samples"]) if "samples" in told else 0
        return own + sum(samples_in(member) for member in told.values())
    return sum(map(samples_in, told)) if isinstance(told, list) else 0


@pytest.fixture(scope="module")
def measured():
    """Every kind of measurement: the recorded ones, and the parts of the page Timing."""
    parts = ("lies", "order", "recompile", "constants")
    made = {part: finish(measure_part(part, "dot")) for part in parts}
    return made | {
        "sweep": recorded_runs()["dot"],
        "chunks": next(iter(recorded_surveys().values())),
    }


@pytest.mark.slow
def test_every_measurement_is_written_with_all_its_samples_and_its_machine(measured):
    for name, result in measured.items():
        lines, told = lines_of(result), json.loads(to_json(result))
        size, method, sample, seconds, *_ = lines[0]
        assert (method, sample) == ("method", "sample")
        assert size in ("batch_size", "chunk_size", "numbers", "traces")
        assert seconds.startswith("seconds")
        assert all(float(line[seconds]) > 0 and int(line[size]) >= 0 for line in lines)
        counted = len(result.costs) if name == "recompile" else samples_in(told)
        assert len(lines) == counted > 0, name
        assert told["unit_of_samples"] == "seconds"
        assert told["machine"]["device"]
        assert told["machine"]["jax_version"]
        assert told["machine"]["date"]


@pytest.mark.slow
def test_names_of_the_methods_tell_them_apart(measured):
    assert {line["method"] for line in lines_of(measured["lies"])} == set(LIES)
    assert len({line["method"] for line in lines_of(measured["order"])}) == 8
    sizes = {int(line["chunk_size"]): line["method"] for line in lines_of(measured["chunks"])}
    assert sizes[1] == "vmap in chunks"
    assert sizes[max(sizes)] == "vmap"
    counted = [line for line in lines_of(measured["lies"]) if line["method"] == "compile counted"]
    assert {line["calls_per_sample"] for line in counted} == {"5"}
