"""The adviser obeys the budget, takes whatever vmap takes, and says what is missing."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.measure import recommend_chunk
from playground.measure.advice import ChunkRow, choose, pareto_front
from playground.measure.batched_call import batched_call
from playground.measure.memory import Memory, memory_of
from playground.measure.recommend import MOST_DIVISORS, candidates
from playground.measure.reduction import reduction

QUICK = {"seconds": 0.05}
PLENTY = 2**30


def vectors(*shape: int) -> jax.Array:
    return jax.random.normal(jax.random.key(len(shape)), shape)


def check(advice, batch_size: int, budget: float):
    assert [row.chunk_size for row in advice.rows] == sorted(
        {row.chunk_size for row in advice.rows}
    )
    assert all(1 <= row.chunk_size <= max(batch_size, 1) for row in advice.rows)
    assert advice.rows[0].chunk_size == 1
    assert advice.rows[-1].chunk_size == max(batch_size, 1)
    for row in advice.rows:
        assert row.predicted_bytes == row.temporary_bytes + row.output_bytes
        assert row.was_run == (row.predicted_bytes <= budget)
    assert advice.reason("en")
    assert advice.reason("zh") != advice.reason("en")
    if advice.chunk_size is None:
        assert advice.missing_bytes > 0
    else:
        assert advice.best is not None
        assert advice.best.predicted_bytes <= budget
        assert advice.missing_bytes == 0
        assert advice.best in advice.rows


# covers: M3
@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.7, 1.2])
def test_the_budget_is_obeyed_and_what_is_missing_is_said(share: float):
    x, W = vectors(60, 64), vectors(64, 64)
    call = lambda x, W: jnp.tanh(W @ x) @ W  # noqa: E731
    whole = memory_of(jax.vmap(call, in_axes=(0, None)), x, W).predicted_bytes
    budget = share * whole
    advice = recommend_chunk(call, (x, W), (0, None), budget, **QUICK)
    check(advice, 60, budget)
    if share < 0.4:
        assert advice.chunk_size is None
        assert advice.missing_bytes == min(r.predicted_bytes for r in advice.rows) - budget
        assert advice.outputs_do_not_shrink
        assert "outputs" in advice.reason("en")


@pytest.mark.parametrize("batch_size", [0, 1, 2, 7, 12])
@pytest.mark.parametrize("reduce", [None, "sum"])
def test_small_and_odd_batches(batch_size: int, reduce):
    advice = recommend_chunk(lambda x: x * x, (vectors(batch_size, 3),), 0, PLENTY, reduce, **QUICK)
    check(advice, batch_size, PLENTY)
    assert advice.chunk_size is not None
    assert 1 <= advice.chunk_size <= max(batch_size, 1)


def params_and_batch():
    params = {"w": vectors(3, 5), "b": vectors(7)}  # b: one number for each example
    return lambda p, x, y: (p["w"] @ x + p["b"], {"y": y * 2}), (
        params,
        vectors(5, 7),
        vectors(2, 7, 4),
    )


@pytest.mark.slow
@pytest.mark.parametrize("container", [tuple, list])
def test_pytrees_and_negative_axes(container):
    function, args = params_and_batch()
    in_axes = container(({"w": None, "b": 0}, -1, -2))
    expected = jax.vmap(function, in_axes=tuple(in_axes))(*args)
    advice = recommend_chunk(function, args, in_axes, PLENTY, **QUICK)
    check(advice, 7, PLENTY)
    call = batched_call(function, args, in_axes)
    assert call.batch_size == 7
    for size in (1, 3, 50):
        got = jax.jit(call.program(size))(call.mapped, call.shared)
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5), got, expected)


def test_shared_python_values_pass_through_as_under_vmap():
    def power(x, n, name, flag, nothing):
        for _ in range(n):
            x = x * 2 if flag and name == "double" and nothing is None else x
        return x

    advice = recommend_chunk(
        power, (vectors(6), 3, "double", True, None), (0, None, None, None, None), PLENTY, **QUICK
    )
    check(advice, 6, PLENTY)


@pytest.mark.slow
def test_keys_numpy_arrays_and_integers():
    keys = jax.random.split(jax.random.key(0), 9)
    table = np.arange(20, dtype=np.int64)
    function = lambda key, i, table: (jax.random.normal(key, (3,)), table[i])  # noqa: E731
    advice = recommend_chunk(function, (keys, np.arange(9), table), (0, 0, None), PLENTY, **QUICK)
    check(advice, 9, PLENTY)


@pytest.mark.parametrize(
    ("args", "in_axes", "error", "words"),
    [
        ((jnp.ones((3, 2)), jnp.ones((4, 2))), 0, ValueError, "inconsistent sizes"),
        ((jnp.ones(3), jnp.ones(3)), None, ValueError, "at least one non-None"),
        ((jnp.ones(3), jnp.ones(3)), {"a": 0}, TypeError, "in_axes"),
        ((jnp.ones(3), jnp.ones(3)), (0, 1), ValueError, "rank"),
        ((jnp.ones(3), jnp.ones(3)), (0,), ValueError, "in_axes"),
    ],
)
def test_what_vmap_refuses_is_refused_with_its_own_error(args, in_axes, error, words):
    with pytest.raises(error, match=words):
        recommend_chunk(lambda a, b: a, args, in_axes, PLENTY)


REDUCTIONS = {
    "sum": lambda a: a.sum(0),
    "mean": lambda a: a.mean(0),
    "max": lambda a: a.max(0),
    "min": lambda a: a.min(0),
    "prod": lambda a: a.prod(0),
}
MEANINGS = [
    ("sum", ["sum", jnp.sum, sum, jnp.add, lambda a, b: a + b, lambda s: s.sum(0)]),
    ("mean", ["mean", jnp.mean, lambda s: s.mean(0)]),
    ("max", ["max", jnp.max, jnp.maximum, lambda a, b: jnp.maximum(a, b), lambda s: s.max(axis=0)]),
    ("min", ["min", jnp.minimum]),
    ("prod", ["prod", jnp.prod, jnp.multiply]),
]


@pytest.mark.parametrize(
    ("name", "reduce"), [(name, reduce) for name, forms in MEANINGS for reduce in forms]
)
@pytest.mark.slow
def test_every_way_to_say_a_reduction_gives_the_float64_result_for_every_chunk_size(name, reduce):
    x = vectors(7, 3)
    call = batched_call(lambda x: {"a": jnp.sin(x), "b": x[0] * 2}, (x,), 0)
    if callable(reduce) and getattr(reduce, "__name__", "") == "<lambda>":
        call = batched_call(jnp.sin, (x,), 0)
    how = reduction(reduce, call.first_outputs)
    wide = np.asarray(x, np.float64)
    expected = REDUCTIONS[name](np.sin(wide))
    for size in (2, 4):
        got = jax.jit(call.program(size, how))(call.mapped, call.shared)
        got = got["a"] if isinstance(got, dict) else got
        np.testing.assert_allclose(got, expected, rtol=2e-5, atol=1e-6)


def test_a_reduction_that_cannot_be_split_is_refused():
    call = batched_call(lambda x: x, (vectors(7),), 0)
    with pytest.raises(ValueError, match="chunk by chunk"):
        reduction(lambda stacked: jnp.sort(stacked)[1] + stacked.shape[0], call.first_outputs)
    with pytest.raises(ValueError, match="allowed are"):
        reduction("median")


# covers: G10, M1
@pytest.mark.slow
def test_summing_inside_shrinks_what_chunks_alone_cannot():
    x = vectors(256, 100)
    outer = lambda x: jnp.outer(x, x)  # noqa: E731
    call = batched_call(outer, (x,), 0)
    stacked = memory_of(call.program(16), call.mapped, call.shared)
    summed = memory_of(call.program(16, reduction("sum")), call.mapped, call.shared)
    assert stacked.output_bytes == 256 * 100 * 100 * 4
    assert summed.output_bytes == 100 * 100 * 4
    assert summed.predicted_bytes < stacked.predicted_bytes / 8
    advice = recommend_chunk(outer, (x,), 0, 2**20, "sum", **QUICK)
    check(advice, 256, 2**20)
    assert advice.chunk_size is not None
    assert recommend_chunk(outer, (x,), 0, 2**20, **QUICK).chunk_size is None


def row(size: int, kib: int, seconds: float | None) -> ChunkRow:
    return ChunkRow(size, Memory(kib * 1024, 0, 0), () if seconds is None else (seconds,))


def test_the_choice_among_rows():
    rows = (row(1, 1, 9.0), row(2, 2, 5.0), row(4, 4, 3.0), row(8, 8, 2.99), row(16, 16, 4.0))
    assert choose(rows, 16, 1e9).chunk_size == 4  # as fast as 8, and needs less
    assert choose(rows, 16, 3 * 1024).chunk_size == 2
    assert choose(rows, 16, 100).chunk_size is None
    assert [r.chunk_size for r in pareto_front(rows)] == [1, 2, 4, 8]
    assert choose((row(1, 1, None), row(2, 2, 1.0)), 2, 1e9).chunk_size == 2
    assert choose(rows, 16, math.inf).missing_bytes == 0
    assert choose(rows, 16, math.inf).reason("zh")
    assert choose(rows, 16, -1).missing_bytes == 1025


@given(st.integers(0, 5000))
@settings(max_examples=60, deadline=None)
def test_candidates_are_few_and_reach_from_one_to_the_whole_batch(batch_size: int):
    sizes = candidates(batch_size)
    assert sizes[0] == 1
    assert sizes[-1] == max(batch_size, 1)
    assert len(sizes) <= 2 * math.log2(max(batch_size, 2)) + MOST_DIVISORS
