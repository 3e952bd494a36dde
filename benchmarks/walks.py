"""Random walks: 32 steps to a random word beside a choice for every step.

All peers end with the histogram (or the final positions) of fair walks; before they are timed,
each is tested against the exact binomial law. Large peers run on a part of the walkers and are
scaled up, which the row says.
"""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.harness import Row, Work, measure_apart
from playground.lessons.laws import binomial_law
from playground.lessons.statistics import lattice_fit
from playground.lessons.steps import STEPS_PER_WORD, end_of_fair_walk
from playground.lessons.stream import BLOCK, histogram_moments, streamed_histogram

SHORT = (10_000, 100)
LONG = (1_000_000, 1000)


@partial(jax.jit, static_argnames="n_steps")
def ends_by_counting(keys: jax.Array, n_steps: int) -> jax.Array:
    """Ours: final positions from counted bits, one key for each walker."""
    return jax.vmap(end_of_fair_walk, in_axes=(0, None))(keys, n_steps)


@partial(jax.jit, static_argnames="n_steps")
def ends_by_choice(keys: jax.Array, n_steps: int) -> jax.Array:
    """The textbook: `random.choice` for every step of every key."""
    sides = jnp.array([-1, 1])
    return jax.vmap(lambda key: jnp.sum(jax.random.choice(key, sides, (n_steps,))))(keys)


@partial(jax.jit, static_argnames=("n_words", "block"))
def words_alone(key: jax.Array, start: int, n_words: int, block: int) -> jax.Array:
    """The bare cost: the same random words from the same keys, only added up."""
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, start + jnp.arange(block))
    return jax.vmap(lambda k: jnp.sum(jax.random.bits(k, (n_words,))))(keys)


def ends_by_integers(rng: np.random.Generator, walkers: int, n_steps: int) -> np.ndarray:
    """NumPy: an integer for every step."""
    return 2 * rng.integers(0, 2, (walkers, n_steps)).sum(axis=1) - n_steps


def ends_by_numpy_bits(rng: np.random.Generator, walkers: int, n_steps: int) -> np.ndarray:
    """NumPy: 64 steps to a random word, one stream for all walkers."""
    n_words = -(-n_steps // 64)
    words = np.frombuffer(rng.bytes(walkers * n_words * 8), np.uint64).reshape(walkers, n_words)
    used = np.full(n_words, np.iinfo(np.uint64).max)
    if n_steps % 64:
        used[-1] = np.uint64((1 << n_steps % 64) - 1)
    return 2 * np.bitwise_count(words & used).sum(axis=1, dtype=np.int64) - n_steps


def checked(ends: jax.Array | np.ndarray, n_steps: int) -> float:
    """Distance of variance / n from 1, after the final positions have passed the exact test."""
    fit = lattice_fit(np.asarray(ends), *binomial_law(n_steps))
    if fit.p_value < 1e-4:
        message = f"not a fair walk: p = {fit.p_value:.2g}, {fit.impossible} impossible ends"
        raise AssertionError(message)
    return abs(float(np.var(np.asarray(ends, np.float64))) / n_steps - 1)


def keys_of(walkers: int) -> jax.Array:
    """Keys for the contenders that take one for each walker."""
    return jax.random.split(jax.random.key(1), walkers)


def short_ours() -> tuple[Work, float]:
    """10,000 walks of 100 steps, ours."""
    work = partial(ends_by_counting, keys_of(SHORT[0]), SHORT[1])
    return work, checked(work(), SHORT[1])


def short_choice() -> tuple[Work, float]:
    """The same by `random.choice`."""
    work = partial(ends_by_choice, keys_of(SHORT[0]), SHORT[1])
    return work, checked(work(), SHORT[1])


def short_integers() -> tuple[Work, float]:
    """The same by NumPy integers."""
    work = partial(ends_by_integers, np.random.default_rng(1), *SHORT)
    return work, checked(work(), SHORT[1])


def short_numpy_bits() -> tuple[Work, float]:
    """The same by NumPy's bit count."""
    work = partial(ends_by_numpy_bits, np.random.default_rng(1), *SHORT)
    return work, checked(work(), SHORT[1])


def long_ours() -> tuple[Work, float]:
    """10^9 steps, ours: all of them, checked to be the same in blocks of another size."""

    def work() -> np.ndarray:
        *_, last = streamed_histogram(2, *LONG)
        return last.counts

    counts = work()
    *_, other = streamed_histogram(2, *LONG, block=50_000)
    if (other.counts != counts).any():
        raise AssertionError("the histogram depends on the block size")
    checked(np.repeat(np.arange(-LONG[1], LONG[1] + 1, 2), counts), LONG[1])
    return work, abs(histogram_moments(counts)[1] / LONG[1] - 1)


def long_words() -> tuple[Work, float]:
    """The random words of those 10^9 steps and nothing else."""
    n_words, key = -(-LONG[1] // STEPS_PER_WORD), jax.random.key(2)
    starts = range(0, LONG[0], BLOCK)
    return lambda: [words_alone(key, start, n_words, BLOCK) for start in starts], math.nan


def long_choice() -> tuple[Work, float]:
    """`random.choice` on one part in fifty of the walkers."""
    work = partial(ends_by_choice, keys_of(LONG[0] // 50), LONG[1])
    return work, checked(work(), LONG[1])


def long_integers() -> tuple[Work, float]:
    """NumPy integers on one part in fifty of the walkers."""
    work = partial(ends_by_integers, np.random.default_rng(2), LONG[0] // 50, LONG[1])
    return work, checked(work(), LONG[1])


def long_numpy_bits() -> tuple[Work, float]:
    """NumPy's bit count on all walkers, in blocks that stay in the cache."""
    rng, block = np.random.default_rng(2), LONG[0] // 100

    def work() -> list[np.ndarray]:
        return [ends_by_numpy_bits(rng, block, LONG[1]) for _ in range(100)]

    return work, checked(np.concatenate(work()), LONG[1])


def rows(rounds: int = 15) -> list[Row]:
    """Return ours beside every peer, for short walks and for 10^9 steps."""
    short = {
        "ours": short_ours,
        "random.choice per key": short_choice,
        "NumPy integers": short_integers,
        "NumPy bit count": short_numpy_bits,
    }
    many = {
        "ours": long_ours,
        "generating the words alone": long_words,
        "random.choice per key": long_choice,
        "NumPy integers": long_integers,
        "NumPy bit count": long_numpy_bits,
    }
    parts = {"random.choice per key": 50, "NumPy integers": 50}
    found = []
    for name, sizes, makers, scales in (
        ("random walks", SHORT, short, {}),
        ("streamed histogram", LONG, many, parts),
    ):
        times, errors = measure_apart(makers, rounds)
        for peer in list(makers)[1:]:
            scale = scales.get(peer, 1)
            size = f"{sizes[0]:,} walkers x {sizes[1]:,} steps"
            size += f", peer: 1/{scale} of the walkers, scaled" if scale > 1 else ""
            both = errors["ours"], errors[peer]
            found.append(Row(name, size, times["ours"], peer, times[peer] * scale, *both))
    return found


BARS = {
    ("random walks", "random.choice per key"): 6,
    ("streamed histogram", "random.choice per key"): 25,
    ("streamed histogram", "NumPy integers"): 15,
    ("streamed histogram", "generating the words alone"): 1 / 1.3,
}


def bars_reached(found: list[Row]) -> list[tuple[str, bool]]:
    """Say for each bar whether the measured ratio reaches it."""
    ratios = {(row.name, row.peer): row.ratio for row in found}
    return [
        (f"{name}: at least {bar:.3g} x {peer} (measured {ratios[name, peer]:.3g})", bool(ok))
        for (name, peer), bar in BARS.items()
        for ok in [ratios[name, peer] >= bar]
    ]


if __name__ == "__main__":
    table = rows()
    for row in table:
        print(
            f"{row.name:18} {row.size:66} ours {row.ours_ms:8.2f} ms  {row.peer:26} "
            f"{row.peer_ms:9.2f} ms  ratio {row.ratio:6.2f}"
        )
    for words, reached in bars_reached(table):
        print("reached" if reached else "NOT REACHED", words)
