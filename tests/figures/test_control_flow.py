"""The film and the pictures of Control flow draw the numbers that were computed."""

import numpy as np
import pytest

from playground.figures import control_flow as figures
from playground.figures.lanes import lane_film, until
from playground.lessons.branch_edges import run_edges
from playground.lessons.branches import run_branches
from playground.lessons.dependent_steps import run_steps
from playground.lessons.lanes import FACT_INPUTS, run_lanes


@pytest.fixture(scope="module")
def film():
    return run_lanes(FACT_INPUTS, 0)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_film_ends_with_all_work_done(film, language):
    drawn = lane_film(film, language)
    useful, wasted = drawn.figure.data
    assert list(useful.x) == film.steps.tolist()
    assert (np.array(useful.x) + np.array(wasted.x)).tolist() == film.rounds.tolist()
    assert [frame.name for frame in drawn.figure.frames] == [str(n) for n in range(112)]
    assert wasted.marker.pattern.shape
    assert "21.5" in drawn.alt


def test_every_frame_counts_the_rounds_so_far(film):
    for now in range(112):
        useful, wasted = until(film, now)
        assert ((useful + wasted) == now).all()


def test_a_long_film_is_thinned_and_says_so():
    drawn = lane_film(run_lanes(tuple(range(1, 41)), 2), "en")
    assert len(drawn.figure.frames) <= 120
    assert "of" in drawn.note
    assert len(drawn.figure.to_json()) < 1_000_000


@pytest.mark.parametrize("language", ["en", "zh"])
def test_branches_used_and_thrown_away_are_told_apart(language):
    result = run_branches(8, 16, 3)
    mapped = figures.branches_that_ran(result, "mapped", language)
    assert [len(bar.x) for bar in mapped.figure.data] == [8, 8, 0]
    assert mapped.table["used"].sum() == 8
    shared = figures.branches_that_ran(result, "shared", language)
    assert [len(bar.x) for bar in shared.figure.data] == [8, 0, 8]


def test_bytes_are_those_of_the_shapes():
    program = run_branches(8, 16, 3).programs["mapped"]
    drawn = figures.intermediates(program, "en")
    assert drawn.table["bytes"].max() == 8 * 16 * 16 * 4
    assert drawn.table["copied_matrix"].any()


def test_nan_is_marked_where_it_is():
    result = run_edges("log", (0.0,))
    marks = figures.edge_gradients(result, "en").figure.data[-1]
    assert list(marks.x) == [0]


def test_every_path_is_drawn():
    result = run_steps(2.0, 3.0, 10)
    assert len(figures.trajectories(result, "en").figure.data) == 5
    wrong = figures.trajectories(result, "en", wrong=True).figure.data[0]
    assert len(set(wrong.y)) == 1
