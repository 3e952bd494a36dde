"""Records the reference runs that ship with the app: `python -m tools.record_measurements`.

Run it on a quiet machine; the files are labelled with what it is, never with its name.
"""

import json
import sys

from playground.measure import chunks, timing
from playground.measure.chunk_workloads import CHUNK_WORKLOADS
from playground.measure.records import CHUNKS_REFERENCE, REFERENCE, survey_to_json, to_json
from playground.measure.stopwatch import finish
from playground.measure.workloads import WORKLOADS


def main() -> None:
    """Measure every workload at the default settings of its page, and write the files."""
    sweeps = [to_json(timing.compute(timing.TimingSettings(workload=name))) for name in WORKLOADS]
    write(REFERENCE, sweeps)
    surveys = []
    for name in CHUNK_WORKLOADS:
        settings = chunks.ChunksSettings(workload=name)
        surveys.append(survey_to_json(settings, finish(chunks.measure(settings))))
    write(CHUNKS_REFERENCE, surveys)


def write(path, runs: list[str]) -> None:
    """Write one run a line, so that a difference can be read."""
    path.parent.mkdir(exist_ok=True)
    lines = (json.dumps(json.loads(run), separators=(",", ":")) for run in runs)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    sys.stdout.write(f"{path.name}: {len(runs)} runs\n")


if __name__ == "__main__":
    main()
