"""Three ways agree, traps change meaning, tracing is seen, Python's control flow is told apart."""

import contextlib
import io
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.foundation.script import format_headline
from playground.lessons import vectorize
from playground.lessons.hand_traps import TRAPS, run_trap
from playground.lessons.one_batch import WAYS, arguments_of, run_ways
from playground.lessons.python_flow import BRANCHES, read_values, refusal_of, run_python_flow
from playground.lessons.tracing import PROGRAMS, printed_by, run_programs, square
from playground.lessons.vectorize import VectorizeSettings


def in_float64(function, arguments):
    given = [np.asarray(a, np.float64) for a in arguments]
    return {
        "dot": lambda X, Y: np.array([np.dot(x, y) for x, y in zip(X, Y, strict=True)]),
        "sum_of_squares": lambda X: np.array([sum(v * v for v in x) for x in X]),
        "normalize": lambda X: np.array([x / np.sqrt(sum(v * v for v in x)) for x in X]),
    }[function](*given)


# covers: V1
@pytest.mark.parametrize("function", WAYS)
def test_three_ways_equal_a_float64_loop(function):
    arguments = arguments_of(function, 100, 64, seed=3)
    expected = in_float64(function, arguments)
    for way in WAYS[function][1:]:
        np.testing.assert_allclose(way(*arguments), expected, rtol=1e-4, atol=1e-5)


# covers: V1
def test_the_loop_runs_one_program_per_example_and_vmap_one_for_all():
    arguments = arguments_of("dot", 1000, 64, seed=0)
    _, by_loop, by_hand, by_vmap = WAYS["dot"]
    counts = [
        len(jax.make_jaxpr(way)(*(a[:n] for a in arguments)).jaxpr.eqns)
        for way in (by_loop, by_hand, by_vmap)
        for n in (1, 100)
    ]
    assert counts[1] > 100
    assert counts[2:] == [2, 2, 1, 1]


# covers: V4
def test_vmap_means_stacking_the_results_of_single_calls():
    result = run_ways("sum_of_squares", 10, 3, seed=0)
    assert result.small_stacked.tolist() == [14, 77, 194, 1]
    np.testing.assert_array_equal(result.small_mapped, result.small_stacked)
    assert result.small.shape == (4, 3)
    assert result.small_mapped.shape == (4,)


# covers: V2
def test_dividing_a_batch_by_its_norm_shortens_every_row():
    result = run_trap("normalize", 2, 3)
    assert result.inputs[0].tolist() == [[3, 4, 0], [1, 0, 0]]
    assert result.refusal == ""
    np.testing.assert_allclose(np.linalg.norm(result.got, axis=1), [0.98058, 0.19612], atol=5e-6)
    np.testing.assert_allclose(np.linalg.norm(result.meant, axis=1), [1, 1], rtol=1e-6)
    assert result.wrong_examples == (0, 1)


# covers: V3
@pytest.mark.parametrize(
    ("trap", "meant", "got"),
    [
        ("total", (2,), ()),
        ("center", (2, 3), (2, 3)),
        ("dot", (2,), None),
        ("matvec", (2, 2), None),
        ("transpose", (2, 3, 2), (3, 2, 2)),
    ],
)
def test_what_was_meant_and_what_came_out(trap, meant, got):
    result = run_trap(trap, 2, 3)
    assert result.meant.shape == meant
    assert (None if result.got is None else result.got.shape) == got
    assert bool(result.refusal) == (got is None)
    assert result.wrong_examples


# covers: V3
def test_equal_sizes_turn_a_refusal_into_a_silent_mistake():
    assert "TypeError" in run_trap("dot", 2, 3).refusal
    silent = run_trap("dot", 3, 3)
    assert silent.refusal == ""
    X, Y = (np.asarray(a, np.float64) for a in silent.inputs)
    np.testing.assert_allclose(silent.meant, (X * Y).sum(axis=1))
    np.testing.assert_allclose(silent.got, X @ Y)


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("sizes", [(2, 3), (3, 3), (5, 2), (4, 5)])
def test_the_formula_written_right_equals_what_was_meant(trap, sizes):
    result = run_trap(trap, *sizes)
    np.testing.assert_allclose(result.by_hand, result.meant, rtol=1e-5, atol=1e-5)
    if result.differs is not None and result.got.shape == result.meant.shape:
        wrong = result.differs.reshape(sizes[0], -1).any(axis=1)
        assert tuple(np.flatnonzero(wrong)) == result.wrong_examples


# covers: V5
@pytest.mark.parametrize("batch_size", [1, 3, 5])
def test_print_runs_at_tracing_and_debug_print_for_every_example(batch_size):
    lines = printed_by(square, jnp.arange(1.0, batch_size + 1))
    traced = [line for line in lines if line.startswith("print:")]
    assert len(traced) == 1
    assert f"float32[{batch_size}]" in traced[0]
    spoken = sorted(line for line in lines if line.startswith("jax.debug.print:"))
    assert spoken == [f"jax.debug.print: {float(i)}" for i in range(1, batch_size + 1)]


def test_captures_of_several_sessions_do_not_mix():
    found = {}

    def one(size):
        found[size] = run_programs("dot", size).summary["lines of jax.debug.print"]

    with contextlib.redirect_stdout(io.StringIO()) as outside:
        threads = [threading.Thread(target=one, args=(size,)) for size in (1, 2, 3, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {1: 1, 2: 2, 3: 3, 5: 5}
    assert outside.getvalue() == ""


# covers: V6
def test_the_program_is_transformed_not_looped():
    summed = run_programs("sum_of_squares", 3)
    assert ("reduce_sum axes", "(0,)", "(1,)") in summed.changes
    product = run_programs("dot", 3)
    ((name, before, after),) = product.changes
    assert name == "dot_general dimension_numbers"
    assert before == "(((0,), (0,)), ((), ()))"
    assert after == "(((1,), (1,)), ((0,), (0,)))"
    for result in (summed, product):
        assert result.summary["vmap's program contains while or scan"] is False
        assert len(set(result.mapped_operations)) == 1
        assert (np.diff(result.looped_operations) > 0).all()


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_loop_that_is_traced_equals_vmap(program):
    from playground.lessons.tracing import loop_of, program_arguments

    function, in_axes = PROGRAMS[program]
    arguments = program_arguments(program, 5)
    looped = loop_of(function, in_axes)(*arguments)
    mapped = jax.vmap(function, in_axes=in_axes)(*arguments)
    np.testing.assert_allclose(mapped, looped, rtol=1e-5, atol=1e-6)


# covers: V7
def test_a_python_if_is_refused_and_its_repairs_work():
    relu = run_python_flow("relu", (-1.0, 2.0, 3.0), 3)
    assert relu.error == "TracerBoolConversionError"
    assert "boolean conversion" in relu.text
    assert relu.by_where.tolist() == relu.by_cond.tolist() == [0, 2, 3]
    piecewise = run_python_flow("piecewise", (-2.0, 3.0), 3)
    assert piecewise.by_where.tolist() == piecewise.by_cond.tolist() == [2, 9]


# covers: V7
def test_other_python_constructs_under_vmap():
    found = {a.code.split("    #")[0]: a for a in run_python_flow("relu", (-1.0, 1.0), 0).attempts}
    assert found["x if flag else -x"].works
    assert found["x.sum() if x.shape[0] > 1 else x"].outcome == "[3.0, 3.0]"
    assert found["x > 0 and x < 2"].outcome == "TracerBoolConversionError"
    assert found["(x > 0) & (x < 2)"].outcome == "[False, True]"
    assert found["float(x)"].outcome == "ConcretizationTypeError"
    assert found["for _ in range(n)"].outcome == "TracerIntegerConversionError"


@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=12))
@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("branch", BRANCHES)
def test_repairs_equal_the_if_one_by_one(branch, values):
    by_if, by_where, by_cond = BRANCHES[branch]
    xs = np.array(values, np.float32)
    expected = [float(by_if(x)) for x in xs]
    for repair in (by_where, by_cond):  # compiled code may flush subnormal numbers to zero
        np.testing.assert_allclose(jax.vmap(repair)(xs), expected, rtol=1e-6, atol=1.2e-38)


# covers: V8
@pytest.mark.parametrize("rounds", [0, 3, 12])
def test_a_static_for_is_unrolled(rounds):
    result = run_python_flow("relu", (0.5,), rounds)
    assert result.summary["sin operations"] == rounds
    assert result.unrolled.count("= sin ") == rounds
    assert result.unrolled_operations.tolist() == result.rounds.tolist()
    assert len(set(result.looped_operations)) == 1


@given(st.text(max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_text_gives_a_bounded_batch(text):
    values = read_values(text)
    assert 1 <= len(values) <= 12
    assert np.isfinite(np.array(values, np.float32)).all()


def test_what_is_raised_is_named():
    assert refusal_of(lambda: 1) == ("", "")
    assert refusal_of(lambda x: [][x], 0)[0] == "IndexError"


@pytest.mark.parametrize(
    "chosen",
    [
        {"part": "ways", "function": "normalize", "batch_size": 10},
        {"part": "traps", "trap": "transpose"},
        {"part": "traps", "trap": "matvec", "examples": 3},
        {"part": "tracing", "program": "tanh_layer", "traced": 2},
        {"part": "python", "branch": "piecewise", "values": "-2, 3", "rounds": 5},
    ],
)
def test_the_script_of_every_part_prints_its_headlines(chosen):
    view = VectorizeSettings(**chosen)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(vectorize.script(view), "script.py", "exec"), {"__name__": "__main__"})
    numbers = vectorize.headlines(vectorize.compute(view))
    expected = [f"{name}: {format_headline(value)}" for name, value in numbers.items()]
    assert printed.getvalue().splitlines() == expected


def test_settings_of_other_parts_do_not_matter_to_the_cache():
    view = VectorizeSettings(part="traps", rounds=7, seed=5, examples=4)
    assert view.of_part() == VectorizeSettings(part="traps", examples=4)
