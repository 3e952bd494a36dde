"""The streamed histogram: exact, constant memory, the same whatever the block."""

import jax
import numpy as np
import pytest
from scipy import stats

from playground.lessons.laws import binomial_law
from playground.lessons.statistics import goodness_of_fit
from playground.lessons.steps import fair_steps
from playground.lessons.stream import block_histogram, histogram_moments, streamed_histogram


def last(*arguments, **options) -> np.ndarray:
    return list(streamed_histogram(*arguments, **options))[-1].counts


# covers: R9
@pytest.mark.parametrize(
    "n_steps", [7, *(pytest.param(n, marks=pytest.mark.slow) for n in (100, 1000))]
)
def test_the_histogram_does_not_depend_on_the_block(n_steps: int):
    whole = last(1, 1000, n_steps, block=1000)
    assert whole.sum() == 1000
    for block in (1, 64, 999, 4096) if n_steps == 7 else (64, 999, 4096):
        assert (last(1, 1000, n_steps, block=block) == whole).all()


# covers: R9
def test_it_is_the_histogram_of_walks_taken_one_by_one():
    n_steps = 33
    counts = np.zeros(n_steps + 1, int)
    walk_alone = jax.jit(fair_steps, static_argnums=1)
    for walker in range(40):
        key = jax.random.fold_in(jax.random.key(9), walker)
        counts[(int(np.sum(walk_alone(key, n_steps))) + n_steps) // 2] += 1
    assert (last(9, 40, n_steps, block=16) == counts).all()


def test_progress_rises_and_every_item_is_a_whole_histogram():
    items = list(streamed_histogram(0, 1000, 10, block=300))
    assert [item.walkers_done for item in items] == [300, 600, 900, 1000]
    assert [int(item.counts.sum()) for item in items] == [300, 600, 900, 1000]
    assert items[-1].share == 1


def test_it_can_be_left_at_any_time():
    work = streamed_histogram(0, 10**9, 1000)
    assert next(work).walkers_done == 16_384
    work.close()


def test_memory_does_not_grow_with_the_number_of_walkers():
    lowered = block_histogram.lower(jax.random.key(0), 0, 10**6, 1000, 16_384).compile()
    memory = lowered.memory_analysis()
    assert memory.temp_size_in_bytes < 16 * 2**20
    assert memory.output_size_in_bytes == 1001 * 4


def test_it_fits_the_binomial_law_and_its_moments_are_exact():
    walkers, n_steps = 200_000, 100
    counts = last(3, walkers, n_steps)
    _, law = binomial_law(n_steps)
    assert goodness_of_fit(counts, law * walkers).p_value > 1e-3
    mean, variance = histogram_moments(counts)
    sample = np.repeat(np.arange(-n_steps, n_steps + 1, 2), counts)
    assert mean == pytest.approx(sample.mean())
    assert variance == pytest.approx(sample.var(ddof=1))
    assert abs(mean) < 4 * np.sqrt(n_steps / walkers)
    assert stats.norm.sf(abs(variance / n_steps - 1) / np.sqrt(2 / walkers)) > 1e-4
