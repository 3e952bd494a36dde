"""Facts about keys, computed."""

import jax
import numpy as np
import pytest
from scipy import stats

from playground.lessons.key_facts import (
    batched_like_alone,
    correlations,
    ranks,
    reused_draws,
    split_draws,
    typed_against_raw,
    what_jax_notices,
)


# covers: R3
def test_one_key_used_for_two_draws_gives_correlated_numbers():
    uniform, normal = (np.asarray(x) for x in reused_draws(jax.random.key(42), 100_000))
    linear, rank = correlations(uniform, normal)
    assert linear == pytest.approx(0.9775, abs=5e-5)
    assert rank == pytest.approx(1.0, abs=1e-6)
    assert linear == pytest.approx(stats.pearsonr(uniform, normal).statistic, abs=1e-6)
    apart = correlations(*(np.asarray(x) for x in split_draws(jax.random.key(42), 100_000)))
    assert max(np.abs(apart)) < 0.015


def test_ranks_are_scipys_ties_included():
    values = np.array([3.0, 1.0, 3.0, 2.0, 1.0, 1.0])
    assert (ranks(values) + 1).tolist() == stats.rankdata(values).tolist()


# covers: R4
def test_typed_keys_against_raw_ones():
    facts = {fact.code: fact for fact in typed_against_raw(0)}
    assert facts["jax.random.key(seed).dtype, .shape"].outcome == "key<fry>, ()"
    assert facts["jax.random.PRNGKey(seed).dtype, .shape"].outcome == "uint32, (2,)"
    assert facts["vmap(uniform)(split(key)) == vmap(uniform)(split(raw))"].outcome == "True"
    silent = facts["vmap(uniform, in_axes=1)(split(raw))"]
    assert silent.outcome == "shape (2,), any number right: False"
    refused = facts["vmap(uniform, in_axes=1)(split(key))"]
    assert refused.outcome == "ValueError"
    assert "rank should be at least 2, but is only 1" in refused.message
    assert facts["vmap(uniform)(raw)"].outcome == "TypeError"
    assert facts["vmap(uniform)(key)"].outcome == "ValueError"
    assert facts["raw + 1"].outcome == "uint32"
    assert facts["key + 1"].outcome == "TypeError"
    assert facts['uniform(PRNGKey(seed, impl="rbg"))'].outcome == "TypeError"


def test_the_check_of_key_reuse_is_silent_for_a_batch_that_shares_one_key():
    shared, copied, twice, every_step = what_jax_notices(0)
    assert shared.outcome == copied.outcome == "silent"
    assert twice.outcome == every_step.outcome == "KeyReuseError"
    assert what_jax_notices(0) == (shared, copied, twice, every_step)


def test_rbg_draws_differently_in_a_batch():
    assert batched_like_alone("threefry2x32", 0, 8) == 8
    assert batched_like_alone("rbg", 0, 8) < 8
