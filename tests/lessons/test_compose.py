"""Transformations compose as the page says; training, Newton's step, calls and compilations."""

import contextlib
import io
import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.foundation.script import format_headline
from playground.lessons import compose, orders
from playground.lessons.call_forms import (
    JACOBIAN_CALLS,
    jacobian_by_hand,
    lesson_names,
    run_calls,
    run_jacobians,
    vectorized_jacobian,
)
from playground.lessons.chains import (
    FUNCTIONS,
    LONGEST_CHAIN,
    TRANSFORMS,
    apply_chain,
    chain_arguments,
    expression,
    read_chain,
    stages_of,
)
from playground.lessons.compiling import run_compiling
from playground.lessons.compose import ComposeSettings
from playground.lessons.counting import compilations, outcome_of
from playground.lessons.newton import newton_data, run_newton
from playground.lessons.orders import (
    compact,
    composed,
    numbers_in,
    orders_of,
    run_chain,
    run_twice,
    vmap_of_jit,
)
from playground.lessons.regression_mlp import (
    averaged_step,
    first_params,
    noisy_curve,
    ordinary_step,
    train,
)


def loss_gradients_by_hand(w, X, Y):
    w, X, Y = (np.asarray(a, np.float64) for a in (w, X, Y))
    return np.array([2 * (x @ w - y) * x for x, y in zip(X, Y, strict=True)])


# covers: F1
def test_orders_of_grad_vmap_jit_agree_where_they_are_legal():
    orders = orders_of("loss", ("grad", "vmap", "jit"))
    assert len(orders) == 6
    legal = [one for one in orders if not one.refusal]
    assert len(legal) == 3
    assert all(one.gives == "(5, 3)" and one.apart < 1e-5 for one in legal)
    for one in orders:
        inner = one.code.index("grad(") > one.code.index("vmap(")
        assert bool(one.refusal) != inner
        assert inner or "scalar-output" in one.refusal


# covers: F1
def test_every_pair_of_grad_and_jit_and_vmap_and_jit_agrees():
    for chain in (("grad", "jit"), ("vmap", "jit")):
        first, second = orders_of("wave", chain)
        assert not first.refusal
        assert not second.refusal
        assert second.apart < 1e-5
    stages = stages_of("wave", ("vmap", "grad"))
    assert stages[-1].refusal
    assert stages[-2].gives == "(5,)"


def test_a_chain_equals_the_gradient_by_hand():
    w, X, Y = chain_arguments(((3,), (3,), ()), (None, 0, 0), 1)
    expected = loss_gradients_by_hand(w, X, Y)
    np.testing.assert_allclose(composed(w, X, Y), expected, rtol=1e-4, atol=1e-5)


def test_stages_say_what_is_taken_and_given():
    stages = stages_of("bowl", ("value_and_grad", "vmap", "vmap"))
    assert [stage.gives for stage in stages] == [
        "()",
        "((), (3,))",
        "((5,), (5, 3))",
        "((3, 5), (3, 5, 3))",
    ]
    assert stages[-1].code == "vmap(vmap(value_and_grad(bowl)))"
    assert stages[-1].takes == ("x: (3, 5, 3)",)


def test_a_result_that_is_too_large_is_not_run(monkeypatch):
    f, shapes, in_axes = FUNCTIONS["bowl"]
    chain, arguments = ("vmap", "vmap", "hessian", "hessian"), chain_arguments(shapes, in_axes, 2)
    with pytest.raises(OverflowError, match="not run: the result would have 61509375 numbers"):
        run_twice(f, chain, in_axes, arguments)
    arguments = chain_arguments(shapes, in_axes, 1)
    inner_first = jax.eval_shape(apply_chain(f, ("hessian", "vmap"), in_axes), *arguments)
    monkeypatch.setattr(orders, "MOST_NUMBERS", numbers_in(inner_first))
    run, refused = orders_of("bowl", ("hessian", "vmap"))
    assert not run.refusal
    assert refused.refusal.startswith("OverflowError: not run")


def test_runs_of_python_and_programs_are_counted():
    by_code = {one.code: one for one in orders_of("wave", ("grad", "vmap", "jit"))}
    assert by_code["jit(vmap(grad(wave)))"].python_runs == (1, 0)
    assert by_code["jit(vmap(grad(wave)))"].programs == 1
    assert by_code["vmap(grad(jit(wave)))"].programs == 2
    (eager,) = orders_of("wave", ("grad",))
    assert eager.python_runs == (1, 1)
    assert eager.programs is None


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("pair", list(itertools.product(TRANSFORMS, repeat=2)))
def test_every_pair_gives_shapes_or_a_reason(function, pair):
    last = stages_of(function, pair)[-1]
    assert bool(last.gives) != bool(last.refusal)


@given(st.text(max_size=80))
@settings(max_examples=50, deadline=None)
def test_any_text_is_a_chain(text):
    chain = read_chain(text)
    assert len(chain) <= LONGEST_CHAIN
    assert set(chain) <= set(TRANSFORMS)


def test_a_chain_is_written_as_code():
    code = expression("loss", ("grad", "vmap", "jit"), (None, 0, 0))
    assert code == "jit(vmap(grad(loss), in_axes=(None, 0, 0)))"
    assert read_chain("grad, nonsense，vmap") == ("grad", "vmap")


# covers: F11, F12
def test_the_compact_form_and_vmap_of_jit_are_right():
    arguments = chain_arguments(((3,), (3,), ()), (None, 0, 0), 1)
    expected = loss_gradients_by_hand(*arguments)
    for form in (compact, vmap_of_jit):
        np.testing.assert_allclose(form(*arguments), expected, rtol=1e-4, atol=1e-5)
    summary = run_chain("loss", ("grad",)).summary
    assert summary["compact form against jit(vmap(grad))"] < 1e-5
    assert summary["vmap(jit(grad)) against jit(vmap(grad))"] < 1e-5


# covers: F2
def test_the_old_name_of_tree_map_is_gone():
    old, new = run_calls().trees
    assert old.outcome.startswith("AttributeError")
    assert "tree_map" in old.outcome
    assert new.outcome == "{b: 2.0, w: [0.0, 1.0]}"


# covers: F3
def test_the_loss_falls():
    *_, last = train(16, 0.05, 200, seed=0)
    assert last.losses.shape == (200,)
    assert last.losses[-1] < 0.1 * last.losses[0]
    assert last.summary["loss after"] < last.losses[-1] * 1.01
    shorter = [item.losses.size for item in train(4, 0.05, 50, seed=1, slices=3)]
    assert shorter == [17, 34, 50]
    cut, whole = (list(train(4, 0.05, 50, 1, slices=n))[-1].losses for n in (3, 1))
    np.testing.assert_allclose(cut, whole, rtol=1e-4)


# covers: F4
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_step_by_averaged_gradients_equals_the_ordinary_step(seed):
    params, (xs, ys) = first_params(16, seed), noisy_curve(48, seed)
    one, other = (step(params, xs, ys, 0.1) for step in (ordinary_step, averaged_step))
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_the_ordinary_step_follows_finite_differences():
    params, (xs, ys) = first_params(4, 0), noisy_curve(48, 0)
    wide = {name: np.asarray(p, np.float64) for name, p in params.items()}

    def loss(p):
        hidden = np.tanh(np.outer(np.asarray(xs, np.float64), p["w1"]) + p["b1"])
        return float(((hidden @ p["w2"] + p["b2"] - np.asarray(ys, np.float64)) ** 2).mean())

    moved = ordinary_step(params, xs, ys, 1.0)
    shift = 1e-6
    higher, lower = (wide | {"b2": wide["b2"] + sign * shift} for sign in (1, -1))
    slope = (loss(higher) - loss(lower)) / (2 * shift)
    assert float(params["b2"] - moved["b2"]) == pytest.approx(slope, rel=1e-3)


# covers: F5
def test_a_singular_hessian_is_named_and_survived():
    result = run_newton("deficient", 0)
    assert result.X.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert result.rank == 2
    assert np.linalg.matrix_rank(result.hessian.astype(np.float64), tol=1e-3) == 2
    assert result.condition == float("inf")
    by = {row.method: row for row in result.rows}
    shortest = np.linalg.pinv([[1, 2, 3], [4, 5, 6]]) @ [1, 2]
    for method in ("lstsq", "pinv"):
        np.testing.assert_allclose(by[method].weights, shortest, atol=1e-4)
        assert by[method].loss < 1e-6
    assert not np.allclose(result.inverse @ result.hessian, np.eye(3), atol=0.1)


# covers: F5
def test_a_well_posed_problem_is_solved_in_one_step():
    result = run_newton("well", 0)
    X, Y = (np.asarray(a, np.float64) for a in newton_data("well", 0))
    best = np.linalg.lstsq(X, Y)[0]
    assert result.rank == 3
    assert result.condition == pytest.approx(np.linalg.cond(X.T @ X), rel=1e-6)
    for row in result.rows:
        np.testing.assert_allclose(row.weights, best, atol=1e-4)
        assert row.loss == pytest.approx(result.best_loss, rel=1e-4)
        assert row.slope < 1e-4


def test_closer_columns_are_worse_conditioned():
    conditions = [run_newton("close", k).condition for k in (1, 3, 5)]
    assert conditions[0] < conditions[1] < conditions[2] < float("inf")


# covers: F6
def test_integers_are_refused_and_a_cast_repairs_it():
    found = {one.code: one for one in run_calls().integers}
    for code in ("jax.grad(jnp.cos)(3)", "jax.vmap(jax.grad(jnp.cos))(jnp.arange(3))"):
        assert found[code].outcome.startswith("TypeError: grad requires real- or complex-valued")
        assert not found[code].works
    cast = found["jax.vmap(jax.grad(jnp.cos))(jnp.arange(3).astype(jnp.float32))"]
    assert cast.outcome == str((np.round(-np.sin(np.arange(3)), 4) + 0.0).tolist())
    places = found["jax.vmap(jax.grad(entry_squared), in_axes=(None, 0))(v, i)"]
    assert places.outcome == str([[2.0, 0.0, 0.0], [0.0, 0.0, 6.0], [0.0, 0.0, 6.0]])
    assert "int32" in found["jax.grad(tree_loss)(params, jnp.ones(2))"].outcome


# covers: F7
def test_argnums_and_value_and_grad():
    names = lesson_names()
    w, b, x, y = (np.asarray(names[n], np.float64) for n in "wbxy")
    error = w @ x + b - y
    value, dw, db = error**2, (2 * error * x).tolist(), 2 * error
    outcomes = [one.outcome for one in run_calls().parameters]
    assert outcomes == [
        str(value),
        str(dw),
        str(db),
        f"({dw}, {db})",
        f"({value}, ({dw}, {db}))",
    ]


# covers: F8
@pytest.mark.parametrize("rounds", [1, 5])
def test_compiling_inside_a_loop_compiles_in_every_round(rounds):
    result = run_compiling(rounds)
    assert result.outside == 1
    assert result.inside == rounds
    assert result.same


# covers: F8
def test_static_values_shapes_and_types_compile_anew():
    result = run_compiling(1)
    assert [count for _, count in result.static] == [1, 1, 0, 1, 0]
    assert [count for _, count in result.shapes] == [1, 0, 1, 1, 1, 0, 1, 1]
    outcomes = [one.outcome.split(":")[0] for one in result.calls]
    cubes = "[0.0, 1.0, 8.0, 27.0]"
    assert outcomes[0] == outcomes[4] == "TracerIntegerConversionError"
    assert outcomes[2] == "ValueError"
    assert [result.calls[i].outcome for i in (1, 3, 5)] == [cubes] * 3


def test_compilations_of_other_threads_do_not_count():
    from threading import Thread

    x = jnp.arange(7.0)
    with compilations() as found:
        other = Thread(target=lambda: jax.jit(lambda x: jnp.cos(x) * 3)(x))
        other.start()
        other.join()
        assert found == []
        jax.jit(lambda x: jnp.sin(x) * 3)(x)
    assert len(found) == 1
    jax.jit(lambda x: jnp.sin(x) * 4)(x)
    assert len(found) == 1


# covers: F9
def test_nested_vmap_and_grad_give_two_by_two_by_two():
    shapes = {one.code: one.outcome for one in run_jacobians((3,)).calls}
    nested = next(code for code in JACOBIAN_CALLS if code.startswith("jax.vmap(jax.vmap"))
    assert shapes[nested] == "(2, 2, 2)"
    Z = lesson_names()["Z"]
    got = eval(nested.removesuffix(".shape"), {"jax": jax} | lesson_names())
    x0, x1 = np.asarray(Z, np.float64)[..., 0], np.asarray(Z, np.float64)[..., 1]
    expected = np.stack([x1 * np.cos(x0) + 2 * x0, np.sin(x0) + 1], axis=-1)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


# covers: F10
def test_batched_jacobians_and_the_first_by_hand():
    result = run_jacobians(())
    assert result.jacobians.shape == (5, 2, 2)
    x0, x1 = np.float64(result.points[0])
    expected = [[x1 * np.cos(x0), np.sin(x0)], [2 * x0, 1.0]]
    np.testing.assert_allclose(result.jacobians[0], expected, rtol=1e-5)
    np.testing.assert_allclose(result.jacobians, result.by_hand, rtol=1e-5, atol=1e-7)


# covers: A19
@pytest.mark.parametrize("leading", [(), (4,), (3, 4), (2, 3, 4)])
def test_vectorize_takes_any_leading_dimensions(leading):
    points, jacobians = vectorized_jacobian(leading)
    assert points.shape == (*leading, 2)
    assert jacobians.shape == (*leading, 2, 2)
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    expected = np.array([jacobian_by_hand(x) for x in flat]).reshape(jacobians.shape)
    np.testing.assert_allclose(jacobians, expected, rtol=1e-5, atol=1e-6)


def test_an_outcome_is_a_result_or_an_error():
    assert outcome_of("jnp.arange(2.0)", {}) == "[0.0, 1.0]"
    assert outcome_of("nothing", {}).startswith("NameError")


@pytest.mark.parametrize(
    "chosen",
    [
        {"function": "bowl", "chain": "value_and_grad, vmap"},
        {"function": "field", "chain": "grad"},
        {"part": "train", "steps": 60, "width": 4},
        {"part": "newton", "problem": "close", "closeness": 2},
        {"part": "calls"},
        {"part": "compile", "rounds": 2},
        {"part": "shapes", "leading": "(4,)"},
    ],
)
def test_the_script_of_every_part_prints_its_headlines(chosen):
    view = ComposeSettings(**chosen)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(compose.script(view), "s.py", "exec"), {"__name__": "__main__"})
    numbers = compose.headlines(compose.compute(view))
    expected = [f"{name}: {format_headline(value)}" for name, value in numbers.items()]
    assert printed.getvalue().splitlines() == expected
