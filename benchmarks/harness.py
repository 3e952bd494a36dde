"""Measures several functions in turn, so that a busy moment of the machine hits all of them."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import jax


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
