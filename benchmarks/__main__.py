"""`make bench`: runs every benchmark, prints one table, writes benchmarks/results.json.

`python -m benchmarks distances walks` runs some of them. A bar that is not reached is said so; the
exit code stays 0, because times are no test.
"""

import importlib
import json
import os
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import jax

from benchmarks.harness import Row

MODULES = ("axes", "distances", "gradients", "walks", "measure", "interaction")
RESULTS = Path(__file__).resolve().parent / "results.json"


def table(rows: list[Row]) -> str:
    """Write rows as text, one line each."""
    heads = ("work", "size", "ours ms", "peer", "peer ms", "ratio", "error ours", "error peer")
    cells = [
        (
            row.name,
            row.size,
            f"{row.ours_ms:.3g}",
            row.peer,
            f"{row.peer_ms:.3g}",
            f"{row.ratio:.2f}",
            f"{row.error_ours:.1e}",
            f"{row.error_peer:.1e}",
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in [heads, *cells]) for i in range(len(heads))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [heads, *cells]
    ]
    return "\n".join(lines)


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all."""
    unknown = set(names) - set(MODULES)
    if unknown:
        sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(MODULES)}")
    everything: list[Row] = []
    verdicts: list[tuple[str, bool]] = []
    for name in names or MODULES:
        print(f"{name} ...", flush=True)
        module = importlib.import_module(f"benchmarks.{name}")
        found = module.rows()
        everything += found
        if hasattr(module, "bars_reached"):
            verdicts += module.bars_reached(found)
        print(table(found), flush=True)
    print()
    for bar, is_reached in verdicts:
        print(f"{'reached    ' if is_reached else 'NOT REACHED'}  {bar}")
    machine = {
        "jax": jax.__version__,
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "processor": platform.machine(),
        "date": datetime.now(UTC).date().isoformat(),
    }
    rows = [{**asdict(row), "ratio": row.ratio} for row in everything]
    bars = [{"bar": bar, "reached": is_reached} for bar, is_reached in verdicts]
    results = {"machine": machine, "rows": rows, "bars": bars}
    if not names:
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
