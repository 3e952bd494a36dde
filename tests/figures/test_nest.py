"""Figures of the page Nest: they show the numbers they were given, and stay small."""

import dataclasses

import numpy as np
import pytest

from playground.figures import nest as figures
from playground.figures import nest_points
from playground.figures.drawing import LARGEST_JSON_BYTES
from playground.lessons import nest
from playground.lessons.large import stream
from playground.lessons.own_points import OwnPoints, compute

LANGUAGES = ("en", "zh")


def is_chinese(text):
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def numbers(column):
    return np.asarray(column, np.float64)


@pytest.fixture(scope="module")
def result():
    return nest.compute(nest.NestSettings())


# covers: N3, N10
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_heat_map_shows_the_matrix_and_the_points(result, language):
    drawing = figures.distances(result, language)
    trace = drawing.figure.data[0]
    np.testing.assert_allclose(numbers(trace.z), result.matrix)
    assert trace.y[3].startswith("x[3] = (")
    assert trace.x[6].startswith("y[6] = (")
    assert drawing.figure.layout.yaxis.autorange == "reversed"
    assert "(5, 7)" in drawing.alt
    assert is_chinese(drawing.alt) == (language == "zh")
    assert len(drawing.table["value"]) == 35
    assert not drawing.note
    swapped = figures.distances(result, language, swapped=True)
    np.testing.assert_allclose(numbers(swapped.figure.data[0].z), result.matrix.T, rtol=1e-5)
    assert swapped.figure.data[0].x[4].startswith("x[4] = (")
    assert "(7, 5)" in swapped.alt


@pytest.mark.parametrize("order", nest.ORDERS)
def test_a_large_matrix_is_reduced_and_says_so(order):
    large = nest.compute(nest.NestSettings(rows=1024, columns=256, dimension=2, order=order))
    for language in LANGUAGES:
        for swapped in (False, True):
            drawing = figures.distances(large, language, swapped=swapped)
            assert len(drawing.figure.to_json()) < LARGEST_JSON_BYTES
            assert "200" in drawing.note
            assert "1024" in drawing.note
    first, last = large.row_at[[0, -1]]
    assert (first, last) == (0, 1023)


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_are_logarithmic_and_marked_at_the_offset(language):
    found, _ = nest.accuracy(nest.NestSettings())
    drawing = figures.errors(found, 10_000, language)
    assert drawing.figure.layout.xaxis.type == drawing.figure.layout.yaxis.type == "log"
    assert len(drawing.figure.data) == 4
    assert drawing.figure.layout.shapes[0].x0 == 10_000
    np.testing.assert_allclose(drawing.table["error expansion"], found.errors["expansion"])
    assert "10,000" in drawing.alt


@pytest.mark.parametrize("language", LANGUAGES)
def test_gradients_that_are_nan_are_marked(language):
    found = nest.gradients(nest.NestSettings(coincident=2))
    drawing = figures.gradients(found, language)
    marked = numbers(drawing.figure.data[0].z)
    assert marked.sum(axis=1).tolist() == [2, 2, 2, 0]
    assert drawing.figure.data[0].text[0][0] == "nan"
    assert "plain: 2" in drawing.alt


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_points_are_named_by_their_line(language):
    own = compute(OwnPoints(b"x,y\n0,0\n,1\n3,4\n", (), "euclidean"))
    drawing = nest_points.own(own, language)
    assert numbers(drawing.figure.data[0].z).tolist() == [[0, 5], [5, 0]]
    assert "4" in drawing.figure.data[0].x[1].partition("=")[0]
    assert drawing.table["axis 0"].tolist() == [2, 2, 4, 4]


@pytest.mark.parametrize("language", LANGUAGES)
def test_counts_of_a_large_comparison(language):
    result = next(stream(nest.NestSettings(large=2048), rows=256))
    drawing = nest_points.counts(result, "euclidean", language)
    assert sum(drawing.figure.data[0].y) == 256 * 2048
    assert f"{256 * 2048:,}" in drawing.alt
    part = nest_points.drawn(result, "euclidean", language)
    np.testing.assert_allclose(numbers(part.figure.data[0].z), result.drawn)
    assert "2048" in part.note


@pytest.mark.parametrize("metric", nest.METRIC_NAMES)
def test_no_figure_fixes_text_or_background(metric):
    drawing = figures.distances(nest.compute(nest.NestSettings(metric=metric)), "en")
    assert drawing.figure.layout.paper_bgcolor is None
    assert drawing.figure.layout.font.color is None


def test_the_swapped_verdict_is_computed(result):
    broken = nest.matrix_summary(result.matrix, result.swapped + 1, 0.0)
    assert broken["swapped is the transpose"] is False
    assert dataclasses.asdict(result)["summary"]["swapped is the transpose"] is True
