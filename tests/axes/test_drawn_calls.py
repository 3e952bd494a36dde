"""Not one disagreement with the real jax.vmap over drawn calls; repairs that really run."""

import jax
import pytest

from playground.axes import explain
from tests.axes.drawing import Drawer, as_pair, disagreement, spoiled
from tests.axes.exhaustive import runs, some_axes_work

pytestmark = pytest.mark.filterwarnings("ignore")
CALLS_PER_TEST = 100


def check(first):
    wrong = []
    for number in range(first, first + CALLS_PER_TEST):
        message = disagreement(Drawer((2024, number)).call())
        if message:
            wrong.append(f"[{number}] {message}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("first", range(0, 200, CALLS_PER_TEST))
def test_same_verdict_as_the_real_call(first):
    check(first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(200, 2000, CALLS_PER_TEST))
def test_same_verdict_as_the_real_call_2000(first):
    check(first)


def check_repairs(report):
    for repair in report.error.repairs:
        out = jax.tree.map(as_pair, runs(repair))
        told = jax.tree.map(lambda s: (tuple(s.shape), str(s.dtype)), repair.output)
        assert out == told
        compile(repair.code, "repair", "eval")
        assert repair.description("en").endswith(".")
        assert repair.description("zh").endswith("。")
    assert len({r.code for r in report.error.repairs}) == len(report.error.repairs)
    assert len(report.error.repairs) <= 6


def test_spoiled_axes_are_repaired():
    refused = repaired = number = 0
    while refused < 60:
        number += 1
        drawer = Drawer((99, number))
        call = drawer.sensible_call()
        if not explain(call.function, call.args, call.kwargs, call.levels).ok:
            continue
        call = spoiled(call, drawer)
        report = explain(call.function, call.args, call.kwargs, call.levels)
        if report.ok:
            continue
        check_repairs(report)
        refused += 1
        repaired += bool(report.error.repairs)
    assert repaired >= 0.95 * refused


@pytest.mark.slow
def test_what_exhaustive_search_repairs_is_repaired():
    possible = repaired = 0
    for number in range(500):
        call = Drawer((77, number)).call()
        report = explain(call.function, call.args, call.kwargs, call.levels)
        if report.ok or len(call.levels) > 1:
            continue
        check_repairs(report)
        offered = bool(report.error.repairs)
        if offered or some_axes_work(call):
            possible += 1
            repaired += offered
    assert possible > 20
    assert repaired >= 0.95 * possible


def test_every_refusal_has_words():
    for number in range(250):
        call = Drawer((55, number)).call()
        report = explain(call.function, call.args, call.kwargs, call.levels)
        if report.ok:
            continue
        for language in ("en", "zh"):
            assert 10 < len(report.error.summary(language)) < 1200
        assert report.error.argument == "" or report.error.argument.startswith(("args", "kwargs"))
