"""Records the reference runs that ship with the app: `python -m tools.record_measurements`.

With `timing` or `chunks` it records one of them. Run it on a quiet machine; the
files are labelled with what it is, never with its name.
"""

import json
import math
import sys
from dataclasses import asdict

from playground.foundation.limits import MEMORY_BYTES
from playground.measure import chunks, timing
from playground.measure.chunk_workloads import CHUNK_WORKLOADS
from playground.measure.machine_facts import machine_facts
from playground.measure.recommend import survey
from playground.measure.records import CHUNKS_REFERENCE, REFERENCE, to_json
from playground.measure.stopwatch import finish
from playground.measure.workloads import WORKLOADS

SECONDS = 25.0


def main() -> None:
    """Measure every workload at the default settings of its page, and write the files."""
    wanted = sys.argv[1:] or ["timing", "chunks"]
    if "timing" in wanted:
        sweeps = [timing.compute(timing.TimingSettings(workload=name)) for name in WORKLOADS]
        write(REFERENCE, [to_json(run) for run in sweeps])
    if "chunks" in wanted:
        write(CHUNKS_REFERENCE, [chunk_sizes(name) for name in CHUNK_WORKLOADS])


def chunk_sizes(name: str) -> str:
    """Time every chunk size of a workload for longer than the page does, none left behind."""
    settings = chunks.ChunksSettings(workload=name)
    call = chunks.workload_call(settings)
    rows = finish(survey(call, None, MEMORY_BYTES, SECONDS, finalists=math.inf))
    survey_now = chunks.ChunksSurvey(rows, machine_facts())
    return to_json(survey_now, settings=asdict(settings.measured))


def write(path, runs: list[str]) -> None:
    """Write one run a line, so that a difference can be read."""
    path.parent.mkdir(exist_ok=True)
    lines = (json.dumps(json.loads(run), separators=(",", ":")) for run in runs)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    sys.stdout.write(f"{path.name}: {len(runs)} runs\n")


if __name__ == "__main__":
    main()
