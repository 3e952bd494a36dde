"""Branches, edges, lanes, endless loops and dependent steps do under vmap what the page says."""

import contextlib
import io
import os
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.foundation.script import format_headline
from playground.lessons import control_flow
from playground.lessons.branch_edges import GUARDED, run_edges
from playground.lessons.branches import by_cond, by_where, run_branches
from playground.lessons.control_flow import ControlFlowSettings
from playground.lessons.dependent_steps import run_steps
from playground.lessons.endless import attempt, guarded, repaired, run_endless
from playground.lessons.killable import run_killable
from playground.lessons.lanes import (
    FACT_INPUTS,
    by_steps,
    collatz_steps,
    evidence_of,
    rounds_of,
    run_lanes,
)

MIB = 2**20


def finished(work):
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def collatz_in_python(n: int) -> int:
    count = 0
    while n != 1:
        n, count = (n // 2 if n % 2 == 0 else 3 * n + 1), count + 1
    return count


@pytest.fixture(scope="module")
def large():
    return run_branches(512, 256, 3)


# covers: C1
def test_a_mapped_predicate_turns_cond_into_select_and_both_branches_run(large):
    mapped = large.programs["mapped"]
    assert "cond[" not in mapped.jaxpr
    assert "select_n" in mapped.jaxpr
    expected = [("other", i) for i in range(8)] + [("positive", i) for i in range(8)]
    assert list(large.ran["mapped"]) == expected


# covers: C2
def test_a_shared_predicate_keeps_the_cond_and_one_branch_runs(large):
    shared = large.programs["shared"]
    assert "cond[" in shared.jaxpr
    assert not shared.has_select
    assert list(large.ran["shared"]) == [("positive", i) for i in range(8)]
    assert {branch for branch, _ in run_branches(8, 16, 0).ran["shared"]} == {"other"}


# covers: C4
def test_the_shared_matrix_is_copied_for_every_example(large):
    mapped, where = large.programs["mapped"], large.programs["where"]
    assert "f32[512,256,256]" in mapped.jaxpr
    assert mapped.largest == "broadcast_in_dim float32[512, 256, 256]"
    copies = [item for item in mapped.intermediates if item.is_copied_matrix]
    assert copies
    assert all(item.bytes == 512 * 256 * 256 * 4 == 128 * MIB for item in copies)
    assert 128 * MIB <= mapped.temporary_bytes <= 130 * MIB
    assert where.temporary_bytes <= 1.5 * MIB
    assert not any(item.is_copied_matrix for item in where.intermediates)


def test_the_three_programs_compute_the_same_where_they_should():
    rng = np.random.default_rng(1)
    p, W, X = rng.normal(size=7), rng.normal(size=(5, 5)), rng.normal(size=(7, 5))
    expected = np.where(p[:, None] > 0, X @ W.T, X)
    for function in (by_cond, by_where):
        got = jax.vmap(function, in_axes=(0, None, 0))(*map(jnp.float32, (p, W, X)))
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


# covers: C3
def test_cond_guards_the_gradient_and_where_does_not():
    result = run_edges("log", (-1.0, 0.0, 2.0))
    cond, where, double = result.gradients
    np.testing.assert_array_equal(cond, [0, 0, 0.5])
    np.testing.assert_array_equal(where, [-0.0, np.nan, 0.5])
    assert np.signbit(where[0])
    np.testing.assert_array_equal(double, [0, 0, 0.5])
    assert (result.values == result.values[0]).all()


# covers: C3
@pytest.mark.parametrize("guard", GUARDED)
def test_values_agree_and_only_where_loses_its_gradient(guard):
    result = run_edges(guard, (-2.0, -1.0, 0.0, 0.5, 3.0))
    np.testing.assert_array_equal(result.values[1:], result.values[:1].repeat(2, axis=0))
    assert np.isfinite(result.gradients[[0, 2]]).all()
    assert np.isnan(result.gradients[1]).any()
    exact = {"log": lambda x: 1 / x, "sqrt": lambda x: 0.5 / np.sqrt(x)}
    exact["reciprocal"] = lambda x: -1 / x**2
    np.testing.assert_allclose(result.gradients[0, 3:], exact[guard](np.array([0.5, 3])), rtol=1e-6)
    assert np.isnan(result.curves[1][result.curve_x == 0]).all()


# covers: C5
def test_the_loop_runs_until_the_slowest_example_ends():
    result = run_lanes(FACT_INPUTS, 0)
    assert result.inputs.tolist() == [1, 2, 3, 6, 7, 27]
    assert result.steps.tolist() == [0, 1, 7, 8, 16, 111]
    assert result.rounds.tolist() == [111] * 6
    assert result.summary["utilisation in percent"] == pytest.approx(100 * 143 / 666)


# covers: C5
def test_the_or_and_the_select_stand_in_the_lowered_program_only():
    found = evidence_of(6)
    assert "bool[6]" in found.jaxpr
    assert not found.jaxpr_has_or
    assert not found.jaxpr_body_selects
    assert len(found.or_lines) == 1
    assert "across dimensions = [0]" in found.or_lines[0]
    assert len(found.select_lines) == 2


# covers: C5
def test_callbacks_fire_for_examples_that_have_ended_and_io_is_refused():
    result = run_lanes((1, 2), 0)
    assert result.effects == (2, 1)
    unordered, ordered = result.refusals
    assert "batched predicate" in unordered
    assert "not supported in vmap" in ordered


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.sampled_from([0, 1, 2, 3]))
@settings(max_examples=8, deadline=None)
def test_lanes_equal_a_python_loop_and_wait_for_their_chunk(inputs, chunk):
    steps, rounds = rounds_of(jnp.array(inputs), chunk)
    expected = [collatz_in_python(n) for n in inputs]
    assert steps.tolist() == expected
    size = chunk or len(inputs)
    slowest = [
        max(expected[i // size * size : i // size * size + size]) for i in range(len(inputs))
    ]
    assert rounds.tolist() == slowest


def test_sorting_raises_the_utilisation_of_chunks():
    inputs = tuple(range(1, 13))
    assert [collatz_in_python(n) for n in by_steps(inputs)] == sorted(
        map(collatz_in_python, inputs)
    )
    mixed, ordered = run_lanes(inputs, 4), run_lanes(by_steps(inputs), 4)
    share = "utilisation in percent"
    assert ordered.summary[share] > mixed.summary[share] > run_lanes(inputs, 0).summary[share]
    assert run_lanes(inputs, 1).summary[share] == pytest.approx(100)
    slowest = [max(map(collatz_in_python, inputs[i : i + 4])) for i in (0, 4)]
    assert mixed.starts.tolist() == np.repeat([0, slowest[0], sum(slowest)], 4).tolist()


def test_a_batch_without_examples_has_no_steps():
    assert jax.vmap(collatz_steps)(jnp.zeros(0, int)).shape == (0,)


# covers: C6
def test_scan_goes_along_the_steps_and_vmap_over_the_examples():
    result = run_steps(2.5, 3.4, 40)
    assert result.paths.shape == (5, 40)
    np.testing.assert_allclose(result.paths, result.reference, atol=1e-5)
    assert result.summary["scans in the program"] == 1
    assert result.summary["length of the scan"] == 40
    assert result.summary["carry of the scan"] == "float32[5]"


# covers: C6
def test_mapping_over_the_steps_gives_the_first_step_again_and_again():
    result = run_steps(2.5, 3.4, 20)
    assert (result.mapped_steps == result.paths[:, :1]).all()
    assert result.summary["different values when the steps are mapped"] == 1
    np.testing.assert_allclose(
        run_steps(2.0, 2.5, 80).paths[:, -1], 1 - 1 / np.linspace(2, 2.5, 5), rtol=1e-5
    )


def test_the_endless_loop_is_traced_and_its_repair_runs():
    result = run_endless()
    assert result.has_while
    assert not result.has_cond
    np.testing.assert_allclose(result.one_by_one, [2.0**-10, 1])
    np.testing.assert_array_equal(result.repaired, result.one_by_one)
    xs = jnp.array([-3.0, -0.5, 0.0, 0.5, 8.0])
    alone = [float(guarded(x)) for x in xs]
    np.testing.assert_array_equal(jax.vmap(repaired)(xs), alone)


@pytest.mark.slow
@pytest.mark.parametrize(("way", "ends"), [("loop", True), ("vmap", False), ("map_batches", False)])
def test_what_never_ends_is_killed(way, ends):
    outcome = finished(attempt(way, seconds=20.0 if ends else 1.0))
    assert outcome.was_killed != ends
    assert outcome.output == ("[0.0009765625, 1.0]" if ends else "")


def test_a_process_that_is_given_up_is_dead(tmp_path):
    note = tmp_path / "pid"
    source = f"import os, pathlib, time\npathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
    work = run_killable(source + "time.sleep(60)", 30)
    while not (note.exists() and note.read_text()):
        next(work)
    work.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_time_is_over_even_when_nobody_looks(tmp_path):
    note = tmp_path / "pid"
    source = f"import os, pathlib, time\npathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
    work = run_killable(source + "print('started', flush=True)\ntime.sleep(60)", 0.3)
    next(work)
    for _ in range(400):
        time.sleep(0.05)
        if note.exists() and note.read_text() and not _is_alive(int(note.read_text())):
            break
    assert not _is_alive(int(note.read_text()))
    assert finished(work).was_killed


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_a_script_says_is_told():
    outcome = finished(run_killable("print('started')\nprint(6 * 7)", 20))
    assert (outcome.output, outcome.error, outcome.was_killed) == ("42", "", False)
    outcome = finished(run_killable("print('started')\nraise ValueError('no')", 20))
    assert outcome.error == "ValueError: no"


@pytest.mark.parametrize(
    "chosen",
    [
        {"part": "branches", "batch_size": 8, "size": 16},
        {"part": "edges", "guard": "sqrt", "values": "-1, 0, 4"},
        {"part": "lanes", "inputs": "range", "largest": 6, "chunk": 4, "sorted": True},
        {"part": "endless"},
        {"part": "steps", "low": 1.0, "high": 3.0, "steps": 10},
    ],
)
def test_the_script_of_every_part_prints_its_headlines(chosen):
    view = ControlFlowSettings(**chosen)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(control_flow.script(view), "s.py", "exec"), {"__name__": "__main__"})
    numbers = control_flow.headlines(control_flow.compute(view))
    expected = [f"{name}: {format_headline(value)}" for name, value in numbers.items()]
    assert printed.getvalue().splitlines() == expected
