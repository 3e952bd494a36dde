"""Plots of walks: the numbers in them, their size, both languages."""

import jax
import numpy as np
import pytest

from playground.figures import keys as key_figures
from playground.figures import walk_paths, walks
from playground.figures.drawing import LARGEST_JSON_BYTES
from playground.lessons.key_facts import reused_draws, split_draws
from playground.lessons.laws import binomial_law
from playground.lessons.stream import streamed_histogram
from playground.lessons.walking import even_times
from playground.lessons.walks import WalkSettings, compute

DRAWERS = (
    walks.histogram,
    walks.variance,
    walks.returns,
    walk_paths.paths,
    walk_paths.motion,
)
CASES = (
    WalkSettings(),
    WalkSettings(walkers=10, steps=1),
    WalkSettings(keys="shared"),
    WalkSettings(keys="every_step", plane=True),
    pytest.param(WalkSettings(walkers=10_000, steps=1000, kind="gaussian"), marks=pytest.mark.slow),
)


@pytest.mark.parametrize("settings", CASES, ids=lambda s: "-".join(s.to_query()) or "default")
def test_every_plot_is_small_speaks_and_has_its_data(settings: WalkSettings):
    result = compute(settings)
    for drawer in DRAWERS:
        for language in ("en", "zh"):
            drawing = drawer(result, language)
            assert len(drawing.figure.to_json()) < LARGEST_JSON_BYTES, drawer
            assert len({len(column) for column in drawing.table.values()}) == 1, drawer
            is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in drawing.alt)
            assert is_chinese == (language == "zh"), drawer
            assert drawing.figure.layout.font.color is None
            assert drawing.figure.layout.paper_bgcolor is None


# covers: R6
def test_the_histogram_has_bins_of_width_two_and_both_laws():
    result = compute(WalkSettings(walkers=1000, steps=25))
    figure = walks.histogram(result, "en").figure
    bars, normal, exact = figure.data
    assert set(np.diff(bars.x)) == {2}
    assert bars.y.sum() == 1000
    assert (bars.y > 0).all() or (bars.y[1:-1] > 0).any()
    sites, law = binomial_law(25)
    np.testing.assert_allclose(exact.y, 1000 * law[np.isin(sites, exact.x)])
    top = np.argmax(normal.y)
    assert abs(normal.x[top]) < 0.5
    assert normal.y[top] == pytest.approx(1000 * 2 / np.sqrt(2 * np.pi * 25), rel=0.01)


# covers: R7
def test_variance_is_drawn_on_log_log_with_band_and_guide():
    figure = walks.variance(compute(WalkSettings()), "en").figure
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    band, guide, _ = figure.data
    assert band.fill == "toself"
    np.testing.assert_allclose(guide.y, guide.x)


def test_variance_zero_is_said_in_words():
    drawing = walks.variance(compute(WalkSettings(keys="shared")), "en")
    assert "all walkers stand together" in drawing.note
    assert len(drawing.figure.data) == 2


# covers: R8
def test_paths_have_their_envelopes_and_all_their_data():
    drawing = walk_paths.paths(compute(WalkSettings()), "en")
    envelopes = {trace.name: trace for trace in drawing.figure.data[2:] if trace.showlegend}
    time = envelopes["±σ√n"].x
    np.testing.assert_allclose(envelopes["±σ√n"].y, np.sqrt(time))
    np.testing.assert_allclose(envelopes["±2σ√n"].y, 2 * np.sqrt(time))
    assert len(drawing.table["position"]) == 200 * 101


def test_returns_begin_at_one_and_fall():
    drawing = walks.returns(compute(WalkSettings()), "en")
    away = drawing.table["share_away"]
    assert away[0] == 1
    assert (np.diff(away) <= 1e-12).all()


def test_motion_ends_where_the_plot_at_rest_is():
    result = compute(WalkSettings(walkers=1000, steps=100))
    figure = walk_paths.motion(result, "en").figure
    assert [frame.name for frame in figure.frames] == [str(time) for time in even_times(100)]
    for frame in figure.frames:
        assert sum(frame.data[2].x) == 1000
    last = figure.frames[-1].data[1]
    assert list(last.y) == result.ends[: walk_paths.MOVING_PATHS].tolist()
    assert figure.layout.sliders[0].active == len(figure.frames) - 1
    buttons = figure.layout.updatemenus[0].buttons
    assert list(buttons[0].args[0]) == [frame.name for frame in figure.frames]


def test_a_streamed_histogram_can_be_drawn_at_any_time():
    for progress in streamed_histogram(0, 3000, 100, block=1000):
        drawing = walks.streamed(progress, "zh")
        assert drawing.table["walkers"].sum() == progress.walkers_done


# covers: R3
def test_reused_draws_lie_on_a_rising_curve():
    key = jax.random.key(42)
    reused = tuple(np.asarray(draw) for draw in reused_draws(key, 5000))
    apart = tuple(np.asarray(draw) for draw in split_draws(key, 5000))
    drawing = key_figures.reuse(reused, apart, "en")
    curve, cloud = drawing.figure.data
    assert (np.diff(np.asarray(curve.y)[np.argsort(curve.x)]) >= 0).all()
    assert (np.diff(np.asarray(cloud.y)[np.argsort(cloud.x)]) < 0).any()
    assert len(drawing.table["normal_reused"]) == 5000
