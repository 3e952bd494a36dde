"""Random walks: 32 steps to a random word beside a choice for every step.

All peers end with the histogram (or the final positions) of fair walks; before they are timed,
each is tested against the exact binomial law. Large peers run on a part of the walkers and are
scaled up, which the row says.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.harness import Row, measure
from playground.lessons.laws import binomial_law
from playground.lessons.statistics import lattice_fit
from playground.lessons.steps import end_of_fair_walk
from playground.lessons.stream import BLOCK, block_histogram, histogram_moments, streamed_histogram

WALKERS, STEPS = 1_000_000, 1000


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


def checked(ends: np.ndarray, n_steps: int) -> float:
    """Distance of variance / n from 1, after the final positions have passed the exact test."""
    fit = lattice_fit(np.asarray(ends), *binomial_law(n_steps))
    if fit.p_value < 1e-4:
        message = f"not a fair walk: p = {fit.p_value:.2g}, {fit.impossible} impossible ends"
        raise AssertionError(message)
    return abs(float(np.var(np.asarray(ends, np.float64))) / n_steps - 1)


def short_walks(rounds: int = 15) -> list[Row]:
    """10,000 walks of 100 steps: final positions."""
    walkers, n_steps = 10_000, 100
    keys, rng = jax.random.split(jax.random.key(1), walkers), np.random.default_rng(1)
    functions: dict[str, Callable[[], object]] = {
        "ours": lambda: ends_by_counting(keys, n_steps),
        "random.choice per key": lambda: ends_by_choice(keys, n_steps),
        "NumPy integers": lambda: ends_by_integers(rng, walkers, n_steps),
        "NumPy bit count": lambda: ends_by_numpy_bits(rng, walkers, n_steps),
    }
    errors = {name: checked(np.asarray(f()), n_steps) for name, f in functions.items()}
    times = measure(functions, rounds)
    return [
        Row("random walks", "10,000 x 100", times["ours"], peer, times[peer], errors["ours"], error)
        for peer, error in errors.items()
        if peer != "ours"
    ]


def streamed_walks(walkers: int = WALKERS, rounds: int = 7) -> list[Row]:
    """10^9 steps: the histogram of a million walks of a thousand steps."""
    share = 50  # peers that would take many seconds run on one part in fifty
    key, some = jax.random.key(2), walkers // share
    keys, rng = jax.random.split(key, some), np.random.default_rng(2)
    n_words = -(-STEPS // 32)
    starts = range(0, walkers, BLOCK)

    def ours() -> np.ndarray:
        *_, last = streamed_histogram(2, walkers, STEPS)
        return last.counts

    parts: dict[str, tuple[int, Callable[[], object]]] = {
        "ours": (1, ours),
        "generating the words alone": (
            1,
            lambda: [words_alone(key, start, n_words, BLOCK) for start in starts],
        ),
        "random.choice per key": (share, lambda: ends_by_choice(keys, STEPS)),
        "NumPy integers": (share, lambda: ends_by_integers(rng, some, STEPS)),
        "NumPy bit count": (
            10,
            lambda: [ends_by_numpy_bits(rng, walkers // 100, STEPS) for _ in range(10)],
        ),
    }
    counts = ours()
    errors = {"ours": abs(histogram_moments(counts)[1] / STEPS - 1)}
    checked(np.repeat(np.arange(-STEPS, STEPS + 1, 2), counts), STEPS)
    blocks = [block_histogram(key, start, walkers, STEPS, 4 * BLOCK) for start in starts[::4]]
    if (sum(np.asarray(block, np.int64) for block in blocks) != counts).any():
        raise AssertionError("the histogram depends on the block size")
    errors["generating the words alone"] = float("nan")
    for peer in ("random.choice per key", "NumPy integers", "NumPy bit count"):
        ends = parts[peer][1]()
        ends = np.concatenate(ends) if isinstance(ends, list) else np.asarray(ends)
        errors[peer] = checked(ends, STEPS)
    times = measure({name: function for name, (_, function) in parts.items()}, rounds)
    rows = []
    for peer, (scale, _) in parts.items():
        if peer != "ours":
            scaled = "" if scale == 1 else f" (peer on 1/{scale} of the walkers, scaled)"
            size = f"{walkers:,} x {STEPS:,}{scaled}"
            errors_of = errors["ours"], errors[peer]
            peer_ms = times[peer] * scale
            rows.append(Row("streamed histogram", size, times["ours"], peer, peer_ms, *errors_of))
    return rows


def rows() -> list[Row]:
    """Return all rows of this family."""
    return short_walks() + streamed_walks()


if __name__ == "__main__":
    for row in rows():
        print(
            f"{row.name:18} {row.size:58} ours {row.ours_ms:8.2f} ms  {row.peer:26} "
            f"{row.peer_ms:9.2f} ms  ratio {row.ratio:6.2f}"
        )
