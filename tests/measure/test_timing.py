"""The sweep: five methods agree, the loop is slow, and what is stopped is said."""

import jax
import numpy as np
import pytest

from playground.measure.crossover import crossovers
from playground.measure.records import from_json, recorded_runs, to_csv, to_json
from playground.measure.stopwatch import finish
from playground.measure.timing import (
    METHODS,
    TimingSettings,
    compute,
    eager_bytes,
    headlines,
    sweep,
)
from playground.measure.workloads import HIDDEN, POINTS, ROWS, WORKLOADS

REFERENCES = {
    "add": lambda x, y: x + y,
    "dot": lambda x, y: np.array(
        [sum(a * b for a, b in zip(u, v, strict=True)) for u, v in zip(x, y, strict=True)]
    ),
    "mlp": lambda p, x: np.array([p["w"] @ np.tanh(p["W"] @ row + p["b"]) for row in x]),
    "normalise": lambda x: np.stack([row / np.linalg.norm(row) for row in x]),
    "distance_row": lambda x, p: np.array([[np.linalg.norm(row - q) for q in p] for row in x]),
    "matmul": lambda x, m: np.einsum("nij,jk->nik", x, m),
}


@pytest.mark.parametrize("name", WORKLOADS)
def test_both_forms_of_a_workload_match_a_float64_loop(name: str):
    workload = WORKLOADS[name]
    arguments = workload.draw(jax.random.key(3), 5, 7)
    wide = jax.tree.map(lambda a: np.asarray(a, np.float64), arguments)
    expected = REFERENCES[name](*wide)
    by_vmap = jax.vmap(workload.example, in_axes=workload.in_axes)(*arguments)
    np.testing.assert_allclose(by_vmap, expected, rtol=2e-5)
    np.testing.assert_allclose(workload.batch(*arguments), expected, rtol=2e-5)
    assert len({5, 7, HIDDEN, POINTS, ROWS}) == 5


# covers: T1
@pytest.mark.slow
@pytest.mark.parametrize("name", ["dot", "mlp"])
def test_all_five_methods_agree_and_the_loop_is_slowest_by_far(name: str):
    result = compute(TimingSettings(workload=name, largest=256))
    assert result.methods == METHODS
    timings = {t.name: t for t in result.rows[-1].timings}
    assert all(t.drift and t.drift.agrees for t in timings.values())
    loop, compiled = timings["loop"].median, timings["jit(vmap)"].median
    assert loop > 10 * compiled
    assert all(loop > 3 * t.median for t in timings.values() if t.name != "loop")
    assert compiled < 5 * min(t.median for t in timings.values())  # fastest or tied


def short_sweep(methods, longest_call=0.3, sizes=(1, 4, 16)):
    work = WORKLOADS["add"]
    return finish(
        sweep(
            work.example,
            work.batch,
            work.draw,
            work.in_axes,
            sizes=sizes,
            length=3,
            chunk_size=8,
            methods=methods,
            seconds=0.02,
            longest_call=longest_call,
        )
    )


def test_a_method_over_its_budget_is_stopped_but_not_left_out():
    rows = short_sweep(("loop", "jit(vmap)"), longest_call=1e-9)
    assert [len(row.timings) for row in rows] == [3, 3, 3]
    assert all(t.stopped for row in rows for t in row.timings)
    assert all(len(t.samples) == 1 for t in rows[0].timings)
    assert not any(t.samples for t in rows[1].timings)


# covers: T6
def test_every_batch_size_has_a_median_a_spread_and_raw_samples():
    rows = short_sweep(METHODS)
    assert [row.batch_size for row in rows] == [1, 4, 16]
    for timing in (t for row in rows for t in row.timings):
        low, high = timing.quartiles
        assert 0 < low <= timing.median <= high
        assert len(timing.samples) >= 3


@pytest.mark.slow
def test_headlines_do_not_depend_on_the_clock():
    settings = TimingSettings(workload="normalise", largest=64, loop=False)
    first, second = headlines(compute(settings)), headlines(compute(settings))
    assert first == second
    assert first["methods agree"] is True
    assert first["batch sizes"] == (1, 4, 16, 64)
    assert "drift in ulp, loop" not in first


# covers: T6
def test_crossovers_are_where_lines_on_log_log_paper_meet():
    sizes = (1, 4, 16, 64)
    loop, flat = [1.0 * n for n in sizes], [8.0] * 4
    (crossing,) = crossovers(sizes, {"loop": loop, "flat": flat})
    assert (crossing.before, crossing.after) == ("loop", "flat")
    assert crossing.batch_size == pytest.approx(8)
    assert crossing.seconds == pytest.approx(8)
    assert not crossovers(sizes, {"a": [1.0, 1.1, 1.0, 1.1], "b": [1.05] * 4})
    stopped = [1.0, 4.0, float("nan"), float("nan")]
    assert not crossovers(sizes, {"loop": stopped, "flat": flat})


@pytest.mark.slow
def test_records_keep_every_sample():
    result = compute(TimingSettings(largest=64, loop=False, vmap=False))
    again = from_json(to_json(result))
    assert again.sizes == result.sizes
    assert again.rows[1].timings[0].samples == pytest.approx(
        result.rows[1].timings[0].samples, rel=1e-4
    )
    lines = to_csv(result).splitlines()
    assert len(lines) == 1 + sum(len(t.samples) for row in result.rows for t in row.timings)


def test_the_recorded_run_says_where_it_was_measured():
    runs = recorded_runs()
    assert set(runs) == set(WORKLOADS)
    for run in runs.values():
        assert run.methods == METHODS
        assert run.machine.cores >= 1
        assert run.machine.jax_version
        assert run.machine.date
        assert all(t.drift is None or t.drift.agrees for row in run.rows for t in row.timings)


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_largest_settings_stay_far_below_the_memory_limit(workload: str):
    largest = TimingSettings(workload=workload, largest=4096, length=256)
    assert eager_bytes(largest) < 200 * 2**20


def test_settings_choose_the_methods():
    none = TimingSettings(loop=False, hand=False, vmap=False, jit_vmap=False, lax_map=False)
    assert none.methods == ("hand-written",)
    assert TimingSettings(largest=64).sizes == (1, 4, 16, 64)
    drawn = TimingSettings(view="relative", relative_to="loop")
    assert drawn.measured == TimingSettings()
