"""The Chunks page: what the compiler says before anything runs, and the code taken home."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.foundation import limits
from playground.foundation.limits import MIB
from playground.measure.batched_call import batched_call
from playground.measure.chunk_code import chunk_code
from playground.measure.chunk_workloads import CHUNK_WORKLOADS, two_products
from playground.measure.chunks import (
    ChunksSettings,
    chunk_memory,
    compute,
    headlines,
    memory_forms,
    program_steps,
)
from playground.measure.memory import memory_of
from playground.measure.recommend import recommend_chunk
from playground.measure.records import recorded_surveys


# covers: M1
def test_temporaries_of_vmap_lax_map_and_chunks_of_256():
    x, W = jnp.ones((4096, 512)), jnp.ones((512, 512))
    forms = memory_forms(batched_call(two_products, (x, W), (0, None)), 256)
    kib = {name: memory.temporary_bytes / 1024 for name, memory in forms.items()}
    assert kib["vmap"] == pytest.approx(8192, rel=0.01)
    assert kib["lax.map"] < 16
    assert kib["lax.map(batch_size=256)"] == pytest.approx(1024, rel=0.05)
    outputs = [memory.output_bytes for memory in forms.values()]
    assert outputs[:3] == [4096 * 512 * 4] * 3
    assert outputs[3] == 512 * 4


# covers: M2
@pytest.mark.parametrize("chunk_size", [3, 64, 999])
def test_a_size_that_does_not_divide_runs_the_rest_apart(chunk_size: int):
    x, W = jnp.ones((1000, 8)), jnp.ones((8, 8))
    call = batched_call(two_products, (x, W), (0, None))
    steps = program_steps(call, chunk_size, "none")
    assert {"slice", "scan", "concatenate"} <= set(steps)
    whole = program_steps(call, 50, "none")
    assert "scan" in whole
    assert "concatenate" not in whole


# covers: M4
def test_what_would_not_fit_is_refused_with_the_number_and_nothing_runs():
    ran = []

    def huge(x):
        jax.debug.callback(lambda: ran.append(1))
        return jnp.outer(x, x)

    x = jnp.ones((64, 512))
    needed = memory_of(jax.vmap(huge), x).predicted_bytes
    assert needed >= 64 * 512 * 512 * 4
    with pytest.raises(limits.MemoryRefused) as refusal:
        limits.allow_bytes(needed * 100, nearest="k = 2")
    assert refusal.value.needed_bytes == needed * 100
    advice = recommend_chunk(huge, (x,), 0, MIB)
    assert advice.chunk_size is None
    assert advice.missing_bytes > 60 * MIB
    jax.effects_barrier()
    assert not ran


# covers: G9
def test_per_example_gradients_are_batch_times_parameters():
    paper = ChunksSettings()
    assert paper.own_total_bytes == 12_800_000_000
    assert ChunksSettings(own_batch=256, own_parameters=321).own_numbers == 82_176
    workload = CHUNK_WORKLOADS["gradients"]
    arguments = workload.draw(jax.random.key(0), 256, 8)
    parameters = sum(leaf.size for leaf in jax.tree.leaves(arguments[0]))
    call = batched_call(workload.function, arguments, workload.in_axes)
    for memory in chunk_memory(call, (1, 32, 256), "none").values():
        assert memory.output_bytes >= 256 * parameters * 4


# covers: G10
@pytest.mark.slow
def test_norms_in_chunks_are_the_same_and_temporaries_follow_the_chunk_size():
    workload = CHUNK_WORKLOADS["norms"]
    arguments = workload.draw(jax.random.key(0), 256, 64)
    call = batched_call(workload.function, arguments, workload.in_axes)
    temporaries = [m.temporary_bytes for m in chunk_memory(call, (4, 16, 64), "none").values()]
    assert temporaries == sorted(temporaries)
    assert temporaries[2] > 3 * temporaries[0]
    wanted = jax.vmap(workload.function, in_axes=workload.in_axes)(*arguments)
    for size in (1, 7, 64):
        got = jax.jit(call.program(size))(call.mapped, call.shared)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHUNK_WORKLOADS)
@pytest.mark.parametrize("reduce", [None, "sum", "mean"])
def test_the_code_taken_home_computes_the_same(name: str, reduce: str | None):
    workload = CHUNK_WORKLOADS[name]
    arguments = workload.draw(jax.random.key(1), 11, 5)
    wanted = jax.vmap(workload.function, in_axes=workload.in_axes)(*arguments)
    if reduce:
        take = {"sum": np.sum, "mean": np.mean}[reduce]
        wanted = jax.tree.map(lambda leaf: take(np.asarray(leaf, np.float64), axis=0), wanted)
    function = getattr(workload.function, "__name__", "")
    for size in (4,):
        source = chunk_code(function, workload.arguments, workload.in_axes, size, reduce)
        space = {"jax": jax, "jnp": jnp, function: workload.function}
        exec(source, space)
        got = space["in_chunks"](*arguments)
        jax.tree.map(
            lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), got, wanted
        )


@pytest.mark.slow
def test_the_page_shows_what_its_own_memory_reading_says():
    settings = ChunksSettings(batch_size=100, length=32, chunk_size=64, reduce="sum")
    result = compute(settings)
    assert [row.chunk_size for row in result.rows] == [1, 4, 16, 64, 100]
    assert result.chosen == 64
    assert headlines(result)["chunk sizes"] == (1, 4, 16, 64, 100)
    assert ChunksSettings(batch_size=100, chunk_size=1024).chosen == 100


def test_recorded_surveys_belong_to_the_defaults():
    surveys = recorded_surveys()
    for name in CHUNK_WORKLOADS:
        survey = surveys[ChunksSettings(workload=name).measured]
        assert survey.rows[-1].chunk_size == 4096
        assert survey.machine.jax_version
