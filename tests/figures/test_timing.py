"""Figures of the Timing page: what is drawn is what was measured."""

import math
from dataclasses import replace

import numpy as np
import pytest

from playground.figures.first_calls import first_calls
from playground.figures.timing import curves
from playground.figures.timing_parts import closure_lines, lies_bars, recompile_bars
from playground.figures.units import bytes_ticks, seconds_ticks, time_text, translucent
from playground.measure.closures import ClosureCost
from playground.measure.lies import LIES, LiesResult
from playground.measure.recompile import CallCost
from playground.measure.records import recorded_runs
from playground.measure.stopwatch import Timing
from playground.measure.timing import TimingResult


@pytest.fixture
def result() -> TimingResult:
    return recorded_runs()["dot"]


def stopped(result: TimingResult) -> TimingResult:
    """The same run with the loop stopped at its last size."""
    last = result.rows[-1]
    timings = tuple(
        Timing("loop", stopped=True) if timing.name == "loop" else timing for timing in last.timings
    )
    return replace(result, rows=(*result.rows[:-1], replace(last, timings=timings)))


# covers: T6
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("view", ["time", "relative", "per_example"])
def test_curves_have_every_method_titles_and_the_numbers(result, view, language):
    drawing = curves(result, view, "jit(vmap)", language)
    figure = drawing.figure
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert figure.layout.xaxis.title.text
    assert figure.layout.yaxis.title.text
    named = {trace.name: trace for trace in figure.data if trace.name}
    line = next(trace for name, trace in named.items() if name == "jit(vmap)")
    medians = np.array([t.median for t in result.of("jit(vmap)")])
    expected = {
        "time": medians,
        "relative": np.ones(len(medians)),
        "per_example": medians / np.array(result.sizes),
    }[view]
    np.testing.assert_allclose(line.y, expected)
    assert len(figure.to_json()) < 1_000_000
    assert drawing.alt
    assert {len(column) for column in drawing.table.values()} == {len(result.sizes) * 5}


def test_bands_lie_between_the_quartiles_and_say_nothing_on_their_own(result):
    band = curves(result, "time", "jit(vmap)", "en").figure.data[0]
    quartiles = [t.quartiles for t in result.of(result.methods[0])]
    assert band.fill == "toself"
    assert band.showlegend is False
    np.testing.assert_allclose(sorted(band.y), sorted(v for pair in quartiles for v in pair))


def test_a_stopped_method_is_drawn_as_stopped(result):
    figure = curves(stopped(result), "time", "jit(vmap)", "en").figure
    words = [text for trace in figure.data for text in (trace.text or ()) if text == "stopped"]
    assert words == ["stopped"]
    assert any(
        "已停止" in (t.text or ())
        for t in curves(stopped(result), "time", "vmap", "zh").figure.data
    )


# covers: T2
def test_first_calls_are_stacked_by_stage_and_later_calls_are_marks(result):
    drawing = first_calls(result, "en")
    assert drawing.figure.layout.barmode == "stack"
    bars = [trace for trace in drawing.figure.data if trace.type == "bar"]
    assert [bar.name for bar in bars] == ["trace", "lower", "compile (XLA)", "first run"]
    row = result.rows[-1]
    compiled = next(t for t in row.timings if t.name == "jit(vmap)")
    position = list(drawing.table["method"]).index("jit(vmap)")
    assert compiled.first is not None
    shown = sum(bar.x[position] for bar in bars) / 1e3
    assert shown == pytest.approx(compiled.first.total_seconds)
    assert drawing.table["later_call_seconds"][position] == compiled.median


@pytest.mark.parametrize("language", ["en", "zh"])
def test_parts_have_titles_and_alternatives(language, result):
    lies = LiesResult(
        tuple(
            Timing(way, samples=(s,)) for way, s in zip(LIES, (1e-3, 1e-5, 0.1, 5e-3), strict=True)
        ),
        result.machine,
    )
    calls = (CallCost("g(x)", 1, 0.1), CallCost("g(x)", 0, 1e-4))
    costs = tuple(
        ClosureCost(form, n, n * 8 if form == "closed over" else 500, 0.01, 0.02, 1e-8)
        for n in (10, 1000)
        for form in ("closed over", "argument")
    )
    drawings = (
        lies_bars(lies, language),
        recompile_bars(calls, language),
        closure_lines(costs, "characters", language),
        closure_lines(costs, "seconds", language),
    )
    for drawing in drawings:
        assert drawing.alt
        assert drawing.figure.layout.xaxis.title.text
        is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in drawing.alt)
        assert is_chinese == (language == "zh")
    assert list(drawings[0].figure.data[0].marker.pattern.shape) == ["", "/", "/", "/"]


def test_units():
    assert [time_text(s) for s in (1.5, 2e-3, 123.4e-6, 9.99e-8)] == [
        "1.5 s",
        "2 ms",
        "123 µs",
        "99.9 ns",
    ]
    assert time_text(math.nan) == "–"
    assert seconds_ticks([1e-5, 1e-1])["ticktext"] == ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]
    assert "1 MiB" in bytes_ticks([2**20, 2**21])["ticktext"]
    assert translucent("#2f74ff", 0.2) == "rgba(47,116,255,0.2)"
