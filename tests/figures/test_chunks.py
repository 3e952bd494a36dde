"""Figures of the Chunks page: the budget, the choice, and what lies over it."""

import pytest

from playground.figures import chunks as figures
from playground.foundation.limits import MIB
from playground.measure.advice import ChunkRow, choose
from playground.measure.memory import Memory


def row(size: int, mib: float, seconds: float | None) -> ChunkRow:
    memory = Memory(int(mib * MIB), MIB // 2, 0)
    return ChunkRow(size, memory, () if seconds is None else (seconds,))


ROWS = (
    row(1, 0.01, 9e-3),
    row(4, 0.1, 4e-3),
    row(16, 1, 2e-3),
    row(64, 4, 1e-3),
    row(100, 9, 3e-3),
)


# covers: M3
@pytest.mark.parametrize("language", ["en", "zh"])
def test_budget_choice_and_front_are_drawn(language):
    advice = choose(ROWS, 100, 2 * MIB)
    memory = figures.memory_curve(advice, language)
    time, front = figures.time_curve(advice, language), figures.pareto(advice, language)
    assert time is not None
    assert front is not None
    lines = {trace.name: trace for trace in memory.figure.data}
    budget = next(trace for name, trace in lines.items() if "2 MiB" in name)
    assert set(budget.y) == {2 * MIB}
    chosen = next(trace for name, trace in lines.items() if "k = 16" in name)
    assert list(chosen.x) == [16]
    curve = memory.figure.data[1]
    assert list(curve.marker.symbol) == ["circle"] * 3 + ["circle-open"] * 2
    assert list(front.figure.data[0].x) == [r.predicted_bytes for r in ROWS[:4]]
    for drawing in (memory, time, front):
        assert drawing.alt
        assert drawing.figure.layout.xaxis.title.text
        assert drawing.figure.layout.yaxis.title.text
        assert len(drawing.table["chunk_size"]) == 5


def test_without_times_only_the_memory_is_drawn():
    advice = choose(tuple(row(k, k, None) for k in (1, 2, 4)), 4, MIB)
    assert figures.time_curve(advice, "en") is None
    assert figures.pareto(advice, "en") is None
    assert "3 sizes" in figures.memory_curve(advice, "en").alt
