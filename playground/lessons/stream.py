"""Very many fair walks in constant memory: an exact histogram that grows block by block."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, Key

from playground.lessons.steps import end_of_fair_walk

BLOCK = 16_384
AHEAD = 4


@dataclass(frozen=True)
class Progress:
    """A histogram on its way.

    Attributes:
        walkers_done: how many walks it contains.
        walkers: how many it will contain.
        counts: int64 of shape (n_steps + 1,): walks that end at -n, -n + 2, ..., n.
    """

    walkers_done: int
    walkers: int
    counts: Int[np.ndarray, " sites"]

    @property
    def share(self) -> float:
        """Share done, 0 to 1."""
        return self.walkers_done / self.walkers


@partial(jax.jit, static_argnames=("n_steps", "block"))
def block_histogram(
    key: Key[Array, ""], start: int, walkers: int, n_steps: int, block: int
) -> Int[Array, " sites"]:
    """Histogram of the walkers start ... start + block - 1, as far as there are so many.

    Args:
        key: key of the whole crowd; walker i has the key `fold_in(key, i)`.
        start: number of the first walker.
        walkers: number of all walkers; numbers beyond it do not count.
        n_steps: length of every walk.
        block: how many walk at the same time.

    Returns:
        int32 of shape (n_steps + 1,).
    """
    numbers = start + jnp.arange(block)
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers)
    ends = jax.vmap(end_of_fair_walk, in_axes=(0, None))(keys, n_steps)
    counts = jnp.zeros(n_steps + 1, jnp.int32)
    return counts.at[(ends + n_steps) // 2].add((numbers < walkers).astype(jnp.int32))


def streamed_histogram(
    seed: int, walkers: int, n_steps: int, block: int = BLOCK
) -> Iterator[Progress]:
    """Let very many fair walkers walk, a block at a time; stop asking in order to cancel.

    The memory needed is that of a few blocks. The numbers do not depend on the block size, since
    each walker has its own key.

    Args:
        seed: of the crowd.
        walkers: how many, below 2**31.
        n_steps: length of every walk.
        block: how many walk at the same time: a knob for speed and memory alone.

    Yields:
        The histogram so far, after each block; int64, exact.
    """
    key = jax.random.key(seed)
    counts = np.zeros(n_steps + 1, np.int64)
    starts = range(0, walkers, block)
    # The next blocks compute while one is counted and drawn.
    begun = deque(block_histogram(key, start, walkers, n_steps, block) for start in starts[:AHEAD])
    for number, start in enumerate(starts):
        if number + AHEAD < len(starts):
            later = starts[number + AHEAD]
            begun.append(block_histogram(key, later, walkers, n_steps, block))
        counts = counts + np.asarray(begun.popleft())
        yield Progress(min(start + block, walkers), walkers, counts)


def histogram_moments(counts: Int[np.ndarray, " sites"]) -> tuple[float, float]:
    """Mean and variance of positions from their histogram, by exact integer sums.

    Args:
        counts: walks that end at -n, -n + 2, ..., n.

    Returns:
        Mean and variance (divisor N - 1).
    """
    n_steps = len(counts) - 1
    sites = [2 * k - n_steps for k in range(n_steps + 1)]
    weights = counts.tolist()
    total = sum(weights)
    first = sum(w * x for w, x in zip(weights, sites, strict=True))
    second = sum(w * x * x for w, x in zip(weights, sites, strict=True))
    return first / total, (second * total - first * first) / (total * (total - 1))
