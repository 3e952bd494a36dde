"""The figures of the page Vectorize draw the counted operations and the measured times."""

import numpy as np
import pytest

from playground.figures.boards import board
from playground.figures.racing import race_bars
from playground.figures.vectorize import program_sizes, unrolled
from playground.lessons.python_flow import run_python_flow
from playground.lessons.tracing import run_programs
from playground.measure.stopwatch import Timing


@pytest.mark.parametrize("language", ["en", "zh"])
def test_lines_are_the_counts(language):
    programs = run_programs("dot", 2)
    drawn = program_sizes(programs, language)
    assert list(drawn.figure.data[0].y) == programs.looped_operations.tolist()
    assert str(programs.looped_operations[-1]) in drawn.alt
    flow = run_python_flow("relu", (1.0,), 2)
    assert list(unrolled(flow, language).figure.data[0].y) == flow.unrolled_operations.tolist()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_race_shows_medians_and_ratios(language):
    timings = (
        Timing("loop", samples=(0.2, 0.1, 0.3)),
        Timing("jit(vmap)", samples=(0.001, 0.001, 0.001)),
        Timing("wrong"),
    )
    drawn = race_bars(timings, language)
    assert list(drawn.figure.data[0].x) == [0.2, 0.001]
    assert "×200" in drawn.figure.data[0].text[0]
    assert drawn.table["method"].tolist() == ["loop", "jit(vmap)"]


def test_entries_that_differ_are_marked():
    drawn = board(np.array([[1.0, 2.0]]), axis=0, differs=np.array([[False, True]]))
    assert drawn.count('class="differs"') == 1
    assert '<td class="differs">2</td>' in drawn
