"""Figures of gradients say what the arrays say, in both languages, and stay small."""

import jax
import numpy as np
import pytest

from playground.figures import clipping, gradients, norm_cost, training
from playground.figures.palette import ACCENT, BAD, FOUND, GOOD, SHARED
from playground.lessons.batch_statistics import study_batch_statistics
from playground.lessons.first_gradients import five_points
from playground.lessons.gradients import GradientsSettings, compute
from playground.lessons.norm_cost import MethodCost
from playground.lessons.training import TrainingSettings
from playground.lessons.training import compute as compute_training

COSTS = (
    MethodCost("stored", 2048, 1024, (), 0.0),
    MethodCost("fused", 1024, 1024, (2.0, 3.0, 7.0), 0.0),
    MethodCost("mean", 512, 512, (1.0, 1.0, 1.0), float("nan")),
)


@pytest.fixture(scope="module")
def result():
    return compute(GradientsSettings())


@pytest.fixture(scope="module")
def trained():
    return compute_training(TrainingSettings(batch_size=64))


def drawings(result, trained, language):
    return [
        gradients.norm_strip(result, 10.0, language),
        gradients.clipping_histogram(result, 10.0, language),
        gradients.five_point_bars(five_points(), language),
        gradients.batch_rows(study_batch_statistics(jax.random.key(0)), language),
        norm_cost.method_bars(COSTS, language),
        norm_cost.chunk_memory((1, 16, 256), (100, 2000, 90_000), language),
        training.loss_curves(trained.bad, trained.good, language),
        training.weights_found(trained.bad, language),
        clipping.order_bars(trained.orders, 1 / 64, language),
        clipping.noise_bars(trained.noise, language),
    ]


def test_every_figure_speaks_both_languages_and_carries_its_data(result, trained):
    for english, chinese in zip(
        drawings(result, trained, "en"), drawings(result, trained, "zh"), strict=True
    ):
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in english.alt)
        assert any("\u4e00" <= letter <= "\u9fff" for letter in chinese.alt)
        lengths = {len(column) for column in english.table.values()}
        assert len(lengths) == 1
        assert len(english.figure.to_json()) < 1_000_000
        assert english.figure.layout.font.color is None
        assert english.figure.layout.paper_bgcolor is None


def named(figure, start):
    return next(trace for trace in figure.data if trace.name.startswith(start))


def test_planted_and_found_examples_are_marked_apart(result):
    figure = gradients.norm_strip(result, 10.0, "en").figure
    found = named(figure, "wrong label, found")
    assert found.marker.color == FOUND
    assert set(found.x) == set(np.flatnonzero(result.planted))
    np.testing.assert_allclose(found.y, result.norms[found.x])
    assert len(named(figure, "right label (").x) == 251
    assert named(figure, "C = 10").y == (10.0, 10.0)
    assert figure.layout.yaxis.type == "log"


def test_missed_and_wrongly_suspected_examples_have_their_own_marks():
    result = compute(GradientsSettings(shift=1.0, times_median=2.0))
    figure = gradients.norm_strip(result, 10.0, "en").figure
    missed = named(figure, "wrong label, missed")
    suspected = named(figure, "right label, suspected")
    assert missed.marker.color == BAD
    assert (result.norms[missed.x] <= result.findings.threshold).all()
    assert (result.norms[suspected.x] > result.findings.threshold).all()


def test_the_histogram_counts_every_example_once(result):
    drawing = gradients.clipping_histogram(result, 10.0, "en")
    assert drawing.table["before"].sum() == drawing.table["after"].sum() == 256
    beyond = drawing.table["norm_from"] > 10.0
    assert drawing.table["after"][beyond].sum() == 0
    assert drawing.table["before"][beyond].sum() > 0


def test_the_strip_of_the_largest_batch_stays_small():
    result = compute(GradientsSettings(batch_size=4096, model="linear"))
    assert len(gradients.norm_strip(result, 1.0, "en").figure.to_json()) < 1_000_000


def test_a_method_that_was_not_run_is_hatched():
    bars = norm_cost.method_bars(COSTS, "en").figure.data[0]
    assert list(bars.marker.pattern.shape) == ["/", "", ""]
    assert list(bars.marker.color) == [ACCENT, ACCENT, SHARED]
    assert list(bars.x)[1:] == [3.0, 1.0]


def test_orders_and_noise_are_judged_by_their_numbers(trained):
    orders = clipping.order_bars(trained.orders, 1 / 64, "en")
    assert orders.table["order"].tolist() == list(clipping.ORDERS)
    assert orders.figure.data[0].marker.color[0] == GOOD
    assert GOOD not in orders.figure.data[0].marker.color[1:]
    noise = clipping.noise_bars(trained.noise, "en")
    assert noise.figure.data[0].marker.color == (GOOD, GOOD, BAD, BAD, BAD)


def test_nothing_is_drawn_where_nothing_is_noisy():
    result = compute_training(TrainingSettings(batch_size=64, sigma=0.0, errors=0))
    drawing = clipping.noise_bars(result.noise, "en")
    assert drawing.figure.layout.xaxis.type is None
    assert (drawing.table["deviation"] == 0).all()


def test_curves_show_learning_from_wrong_and_from_right_labels(trained):
    figure = training.loss_curves(trained.bad, trained.good, "en").figure
    names = [trace.name for trace in figure.data]
    assert "plain mean" in names
    assert "plain mean, right labels" in names
    live = training.loss_curves(trained.bad, None, "en")
    assert len(live.figure.data) == 4
    assert len(live.table["plain"]) == 200
