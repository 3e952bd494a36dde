"""Our stopwatch beside pyperf's, and the chunk-size adviser beside an exhaustive search.

`ratio` is peer over ours: for the stopwatch it should be 1 within 10 %, for the adviser it is the
fastest admissible chunk size over the recommended one, raced against each other at the end.
"""

import math
import statistics
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.harness import Row
from playground.measure import recommend_chunk
from playground.measure.chunk_workloads import CHUNK_WORKLOADS
from playground.measure.stopwatch import SHORTEST_SAMPLE_SECONDS, finish, race, seconds_of

AGREEMENT = 0.10
TURNS = 41  # short ones, so that what disturbs this machine disturbs both sides alike
EXHAUSTIVE_ROUNDS = 9
CHUNK_CASES = (
    ("two_products", 60, 1024),
    ("columns", 64, 1024),
    ("outer", 48, 1024),
    ("gradients", 61, 4096),
    ("norms", 96, 4096),
    ("attention", 72, 512),
)
BUDGET_SHARES = (0.0, 0.5, 1.0)
RACE_ROUNDS = 31


def predict(x: jax.Array, W: jax.Array) -> jax.Array:
    """One example through a layer."""
    return jnp.tanh(W @ x)


def by_loop(x: jax.Array, W: jax.Array) -> jax.Array:
    """The layer, row by row in Python."""
    return jnp.stack([predict(row, W) for row in x])


def stopwatch_rows() -> list[Row]:
    """Time the same functions with our stopwatch and with pyperf, in turns, in this process.

    In a process of its own pyperf would see other caches and other neighbours.
    """
    import pyperf

    runner = pyperf.Runner()  # only one in a process
    runner.parse_args(["--worker", "--quiet", "-n", "15", "-w", "1", "--loops", "1"])
    x = jax.random.normal(jax.random.key(0), (512, 256))
    W = jax.random.normal(jax.random.key(1), (256, 256))
    functions: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        "jit(vmap(layer)), 512 x 256": (jax.jit(jax.vmap(predict, in_axes=(0, None))), (x, W)),
        "vmap(layer) without jit, 512 x 256": (jax.vmap(predict, in_axes=(0, None)), (x, W)),
        "Python loop over 16 rows of 256": (by_loop, (x[:16], W)),
    }
    rows = []
    for number, (name, (call, arguments)) in enumerate(functions.items()):
        runner.args.loops = max(1, round(0.01 / seconds_of(call, arguments, 9)))
        ours, theirs = [], []
        for turn in range(2 * TURNS):
            if turn % 4 in (0, 3):  # each goes first half of the time
                (timing,) = finish(race({name: call}, arguments, seconds=0.15))
                ours.append(timing.median)
            else:
                bench = runner.bench_func(f"{number}.{turn}", _waited, call, arguments)
                theirs.append(float(bench.median()))
        ours_ms, theirs_ms = (1e3 * statistics.median(taken) for taken in (ours, theirs))
        nothing = float("nan")
        rows.append(Row("stopwatch", name, ours_ms, "pyperf", theirs_ms, nothing, nothing))
    return rows


def _waited(call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    jax.block_until_ready(call(*arguments))


def chunk_rows() -> list[Row]:
    """Ask the adviser, try every chunk size from 1 to N, race the two answers."""
    return [row for case in CHUNK_CASES for row in _rows_of_a_case(*case)]


def _rows_of_a_case(name: str, batch_size: int, length: int) -> list[Row]:
    workload = CHUNK_WORKLOADS[name]
    arguments = workload.draw(jax.random.key(0), batch_size, length)
    programs = _every_chunk_size(workload.function, arguments, workload.in_axes, batch_size)
    by_size = {k: program for k, (program, _) in programs.items()}
    seconds = _in_turns(by_size, arguments, EXHAUSTIVE_ROUNDS)
    low, *_, high = sorted(needed for _, needed in programs.values())
    rows = []
    for share in BUDGET_SHARES:
        budget = low + share * (high - low)
        advice = recommend_chunk(workload.function, arguments, workload.in_axes, budget)
        fits = [k for k, (_, needed) in programs.items() if needed <= budget]
        best = min(fits, key=lambda k: seconds[k])
        chosen = advice.chunk_size or 0
        ours, theirs = (programs[k][0] for k in (chosen if chosen in fits else best, best))
        times = _in_turns({"ours": ours, "best": theirs}, arguments, RACE_ROUNDS)
        words = f"{name}, N={batch_size}, budget {budget / 2**20:.3g} MiB: k={chosen}"
        over = 0.0 if chosen in fits else float("inf")
        peer = f"exhaustive: k={best}"
        ours_ms = 1e3 * times["ours"]
        theirs_ms = ours_ms if chosen == best else 1e3 * times["best"]
        rows.append(Row("chunk", words, ours_ms, peer, theirs_ms, over, 0.0))
    return rows


def _every_chunk_size(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    in_axes: tuple[int | None, ...],
    batch_size: int,
) -> dict[int, tuple[Callable[..., Any], int]]:
    """Compile `lax.map(batch_size=k)` for every k, written without the adviser's own code."""
    compiled = {}
    for k in range(1, batch_size + 1):

        def program(*args: Any, k: int = k) -> Any:
            mapped = [
                jnp.moveaxis(a, x, 0) for a, x in zip(args, in_axes, strict=True) if x is not None
            ]

            def one(slices: list[Any]) -> Any:
                rest = iter(slices)
                pairs = zip(args, in_axes, strict=True)
                return function(*[a if axis is None else next(rest) for a, axis in pairs])

            return jax.lax.map(one, mapped, batch_size=k)

        if k == batch_size:
            program = jax.vmap(function, in_axes=in_axes)
        made = jax.jit(program).lower(*arguments).compile()
        facts = made.memory_analysis()
        compiled[k] = (made, int(facts.temp_size_in_bytes + facts.output_size_in_bytes))
    return compiled


def _in_turns[Name](
    programs: dict[Name, Callable[..., Any]], arguments: tuple[Any, ...], rounds: int
) -> dict[Name, float]:
    """Return median seconds per call; one sample is the mean over calls of some milliseconds."""
    calls = {}
    for name, program in programs.items():
        seconds_of(program, arguments)
        once = seconds_of(program, arguments)
        calls[name] = max(1, math.ceil(SHORTEST_SAMPLE_SECONDS / once))
    samples: dict[Name, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            samples[name].append(seconds_of(program, arguments, calls[name]))
    return {name: statistics.median(taken) for name, taken in samples.items()}


def rows() -> list[Row]:
    """Return one row per comparison."""
    return stopwatch_rows() + chunk_rows()


def bars_reached(found: list[Row]) -> list[tuple[str, bool]]:
    """Say which promises hold."""
    watch = [row for row in found if row.name == "stopwatch"]
    chunk = [row for row in found if row.name == "chunk"]
    agree = all(abs(row.ratio - 1) <= AGREEMENT for row in watch)
    near = all(row.ratio >= 1 / (1 + AGREEMENT) for row in chunk)
    return [
        ("our median and pyperf's differ by at most 10 %", agree),
        ("recommend_chunk obeys every budget", all(row.error_ours == 0 for row in chunk)),
        ("recommend_chunk is within 10 % of the fastest admissible size", near),
    ]
