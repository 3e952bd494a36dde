"""Compares `explain` with the real jax.vmap on very many drawn calls.

python -m tests.axes.long_run --calls 100000 --seed 0 --processes 2

Call number i of a seed is the same in every run. Two thousand calls run in one process, then a
fresh one goes on: compiled programs of thousands of shapes would fill the memory. They are kept
in a folder for the time of the run, so that no program is compiled twice.
"""

import argparse
import multiprocessing
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

import jax

from tests.axes.drawing import Drawer, disagreement

PIECE = 2000


def compare(folder, seed, numbers):
    """Draw and judge the calls with these numbers; the disagreements as texts."""
    jax.config.update("jax_traceback_filtering", "off")
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    messages = ((i, disagreement(Drawer((seed, i)).call())) for i in numbers)
    return [f"[{i}] {message}" for i, message in messages if message]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.calls)
    pieces = [numbers[i : i + PIECE] for i in range(0, options.calls, PIECE)]
    start, done, wrong = time.time(), 0, []
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(
            options.processes,
            mp_context=multiprocessing.get_context("spawn"),
            max_tasks_per_child=1,
        ) as pool,
    ):
        jobs = [pool.submit(compare, folder, options.seed, piece) for piece in pieces]
        for job, piece in zip(jobs, pieces, strict=True):
            messages = job.result()
            print(*messages[: max(0, options.show - len(wrong))], sep="\n", end="", flush=True)
            wrong += messages
            done += len(piece)
            print(
                f"{done} calls, {len(wrong)} disagreements, {time.time() - start:.0f} s", flush=True
            )
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
