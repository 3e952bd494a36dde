"""Lies of the clock, orders of transformations, recompilations, constants: each fact computed."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.foundation.script import format_headline
from playground.measure.closures import closure_costs
from playground.measure.lies import seconds_without_waiting
from playground.measure.orders import measure_orders
from playground.measure.recompile import recompilations
from playground.measure.stopwatch import finish, seconds_of
from playground.measure.timing import TimingSettings
from playground.measure.timing_parts import measure_part, part_headlines, script


# covers: T5
def test_a_clock_that_does_not_wait_stops_long_before_the_result():
    matrix = jnp.ones((900, 900))
    product = jax.jit(lambda m: m @ m @ m @ m @ m)
    seconds_of(product, (matrix,))
    honest = min(seconds_of(product, (matrix,)) for _ in range(5))
    early = min(seconds_without_waiting(product, (matrix,)) for _ in range(5))
    assert early < honest / 2


@pytest.fixture(scope="module")
def orders():
    return finish(measure_orders(seconds=0.05))


# covers: T3
def test_jit_of_vmap_and_vmap_of_jit_hold_the_same_inner_program(orders):
    pair = orders.pair("jit and vmap")
    assert pair.inner[0] == pair.inner[1]
    assert "64,48" in pair.inner[0]
    assert pair.agrees
    compiled, python = pair.timings
    assert python.median > compiled.median


# covers: T4
def test_vmap_of_add_is_the_hand_written_program_and_of_a_layer_is_not(orders):
    add = orders.pair("hand and vmap: add")
    assert add.same_text
    layer = orders.pair("hand and vmap: X @ W.T")
    assert not layer.same_text
    assert layer.agrees
    assert all("dot_general" in text for text in layer.programs)


# covers: T7
def test_grad_of_jit_and_jit_of_grad_agree(orders):
    pair = orders.pair("grad and jit")
    assert pair.agrees
    w, x = np.array([0.5, -1.0, 2.0]), np.array([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])
    loss = lambda w: jnp.sum((jnp.array(x) @ w) ** 2)  # noqa: E731
    expected = 2 * x.T @ (x @ w)
    for gradient in (jax.jit(jax.grad(loss)), jax.grad(jax.jit(loss))):
        np.testing.assert_allclose(gradient(jnp.array(w)), expected, rtol=1e-5)


# covers: T8
def test_every_new_shape_dtype_and_static_value_is_traced_once():
    costs = recompilations()
    traces: dict[str, list[int]] = {}
    for cost in costs:
        traces.setdefault(cost.call, []).append(cost.traces)
    assert traces["g(ones((8, 16)))"] == [1, 0, 0]
    assert traces["g(ones((9, 16)))"] == [1]
    assert traces["g(ones((8, 16), bfloat16))"] == [1]
    scalars = [traces[c] for c in ("h(1.0)", "h(2.0)", "h(float32(3))", "h(1)")]
    assert scalars == [[1], [0], [1], [1]]
    assert traces["s(ones(5), power=2)"] == [1, 0]
    assert traces["s(ones(5), power=3)"] == [1]
    assert traces["jit(lambda x: f(x))(ones(5))"] == [1, 1]
    first, again = costs[0], costs[1]
    assert first.seconds > again.seconds


# covers: T9
def test_a_closed_over_array_is_written_into_the_program_and_an_argument_is_not():
    costs = {(cost.form, cost.numbers): cost for cost in closure_costs((10, 1_000, 100_000))}
    inside = [costs["closed over", size].characters for size in (10, 1_000, 100_000)]
    outside = [costs["argument", size].characters for size in (10, 1_000, 100_000)]
    assert inside[2] - inside[1] == pytest.approx(8 * 99_000, rel=0.01)  # 8 hex digits a number
    assert outside[2] - outside[0] < 200
    assert all(cost.largest_error < 1e-6 for cost in costs.values())


@pytest.mark.slow
@pytest.mark.parametrize("part", ["lies", "order", "recompile", "constants"])
def test_the_script_of_a_part_prints_its_headlines(part: str, tmp_path):
    settings = TimingSettings(part=part, workload="mlp")
    path = tmp_path / "part.py"
    path.write_text(script(settings))
    run = subprocess.run(
        [sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    shown = part_headlines(part, finish(measure_part(part, "mlp")))
    assert run.stdout.splitlines() == [f"{k}: {format_headline(v)}" for k, v in shown.items()]
