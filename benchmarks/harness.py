"""Measures several functions in turn, so that a busy moment of the machine hits all of them."""

import multiprocessing
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection

import jax

Work = Callable[[], object]
Maker = Callable[[], tuple[Work, float]]


@dataclass(frozen=True)
class Row:
    """Ours beside one peer.

    Attributes:
        name: of the work.
        size: what was computed, in words.
        ours_ms: median time of ours.
        peer: name of the peer.
        peer_ms: median time of the peer.
        error_ours: how far ours is from the exact value.
        error_peer: how far the peer is.
    """

    name: str
    size: str
    ours_ms: float
    peer: str
    peer_ms: float
    error_ours: float
    error_peer: float

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.peer_ms / self.ours_ms


def measure(functions: Mapping[str, Callable[[], object]], rounds: int = 7) -> dict[str, float]:
    """Call the functions in turn and return the median time of each.

    Args:
        functions: by name; results are waited for; the first call of each is not counted.
        rounds: how often each is measured.

    Returns:
        Milliseconds by name.
    """
    for function in functions.values():
        jax.block_until_ready(function())
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            jax.block_until_ready(function())
            times[name].append(time.perf_counter() - start)
    return {name: 1000 * statistics.median(values) for name, values in times.items()}


def measure_apart(
    makers: Mapping[str, Maker], rounds: int = 7
) -> tuple[dict[str, float], dict[str, float]]:
    """Measure contenders in turn, each in a process of its own: no idle threads of the others.

    Args:
        makers: by name; each is a module-level function that runs in the new process, checks its
            own result, and returns the work to measure and the error it found.
        rounds: how often each is measured, after two calls that do not count.

    Returns:
        Median milliseconds and errors, by name.
    """
    fresh = multiprocessing.get_context("spawn")
    workers, errors = {}, {}
    for name, maker in makers.items():
        here, there = fresh.Pipe()
        process = fresh.Process(target=_serve, args=(there, maker), daemon=True)
        process.start()
        there.close()  # else the end of a failed process would not be noticed
        workers[name] = (here, process)
        errors[name] = here.recv()
    times: dict[str, list[float]] = {name: [] for name in makers}
    for _ in range(rounds):
        for name, (connection, _) in workers.items():
            connection.send(True)
            times[name].append(connection.recv())
    for connection, process in workers.values():
        connection.send(False)
        process.join(10)
    return {name: 1000 * statistics.median(taken) for name, taken in times.items()}, errors


def _serve(connection: Connection, maker: Maker) -> None:
    work, error = maker()
    for _ in range(2):
        jax.block_until_ready(work())
    connection.send(error)
    while connection.recv():
        start = time.perf_counter()
        jax.block_until_ready(work())
        connection.send(time.perf_counter() - start)
