"""Timing and Chunks: measuring is shared, can be cancelled, and never blocks another page."""

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from playground.foundation.prose import section
from playground.measure.advice import choose
from playground.measure.chunks import ChunksSettings
from playground.measure.queue import MEASUREMENTS
from playground.measure.records import recorded_runs, recorded_surveys
from playground.measure.timing import TimingSettings
from tests.pages.catalogue import ROOT

pytestmark = pytest.mark.slow


def opened(page: str, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    app.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def measured(app: AppTest) -> AppTest:
    """Look again until the measurement is over, as a browser does by itself."""
    end = time.monotonic() + 60
    while time.monotonic() < end and any(b.label in ("Cancel", "取消") for b in app.button):
        time.sleep(0.2)
        app.run()
    return app


@pytest.fixture
def busy():
    """Keep the queue busy with a measurement that ends when the test does."""
    opened = threading.Event()

    def work():
        while not opened.is_set():
            MEASUREMENTS.ticket("busy", "teacher")
            yield 0.5
            time.sleep(0.01)

    ticket = MEASUREMENTS.submit("busy", work, "teacher")
    yield ticket
    opened.set()
    while ticket.is_active:
        time.sleep(0.01)


def test_other_pages_and_sessions_answer_while_something_is_measured(busy):
    start = time.monotonic()
    for page in ("home", "timing", "chunks"):
        app = opened(page)
        assert not app.exception
        assert not app.error
    assert busy.state == "running"
    assert time.monotonic() - start < 60


def test_a_measurement_is_shared_by_sessions_and_labelled_with_its_age():
    settings = TimingSettings(workload="add", largest=64, loop=False, vmap=False)
    app = opened("timing", **settings.to_query())
    button = next(b for b in app.button if b.label == "Measure here")
    measured(button.click().run())
    assert not app.exception
    assert not app.error
    assert any("measured just now" in c.value for c in app.caption)
    other = opened("timing", **settings.to_query(), lang="zh")
    assert any("刚刚测得" in c.value for c in other.caption)
    assert any(b.label == "重新测量" for b in other.button)


def test_a_measurement_that_waits_says_its_position_and_can_be_cancelled(busy):
    app = opened("timing", timing_workload="matmul", timing_largest="64")
    next(b for b in app.button if b.label == "Measure here").click().run()
    assert len(MEASUREMENTS.waiting) == 1
    cancel = next(b for b in app.button if b.label == "Cancel")
    cancel.click().run()
    assert not any(b.label == "Cancel" for b in app.button)
    assert busy.state == "running"
    assert not app.error


@pytest.mark.parametrize("part", ["lies", "order", "recompile", "constants"])
def test_every_part_shows_something_before_any_click(part):
    for language in ("en", "zh"):
        app = measured(opened("timing", timing_part=part, lang=language))
        assert not app.exception
        assert not app.error
        assert len(app.get("plotly_chart")) >= (0 if part == "order" else 1)
        if part == "order":
            assert any("jit(vmap(f))" in m.value for m in app.markdown)


def test_a_budget_that_nothing_fits_says_what_is_missing():
    app = opened("chunks", chunks_budget_mib="0.25")
    assert any("are missing" in w.value for w in app.warning)
    roomy = opened("chunks", chunks_budget_mib="64.0")
    assert any("fastest of" in s.value for s in roomy.success)


def asked(app: AppTest) -> ButtonGroup:
    """Return the question of a page that wants a prediction."""
    return next(one for one in app.segmented_control if str(one.key).startswith("predict_"))


def test_the_recommended_chunk_size_is_predicted_before_it_is_told():
    settings = ChunksSettings()
    app = opened("chunks", predict="true", lang="en")
    question = asked(app)
    advice = choose(
        recorded_surveys()[settings.measured].rows, settings.batch_size, settings.budget_bytes
    )
    assert str(advice.chunk_size) in question.options
    assert not app.success
    assert len(app.get("plotly_chart")) == 1  # memory, without times and without the choice
    assert "recommended" not in app.get("plotly_chart")[0].proto.spec
    wrong = next(k for k in question.options if k not in (str(advice.chunk_size), "none fits"))
    question.set_value(wrong).run()
    assert any(f"k = {advice.chunk_size} of N" in s.value for s in app.success)
    assert any(f"k = {wrong} needs" in w.value for w in app.warning)
    assert len(app.get("plotly_chart")) == 3


def test_a_budget_that_nothing_fits_can_be_predicted_too():
    app = opened("chunks", predict="true", chunks_budget_mib="0.25", lang="en")
    assert not any("are missing" in w.value for w in app.warning)
    asked(app).set_value("none").run()
    assert any("Right." in s.value for s in app.success)
    assert any("are missing" in w.value for w in app.warning)


def test_without_answers_the_curves_stay_and_the_recommendation_goes():
    app = opened("chunks", answers="off", lang="en")
    assert not app.success
    assert len(app.get("plotly_chart")) == 3
    assert not any("recommended" in chart.proto.spec for chart in app.get("plotly_chart"))


def test_the_fastest_method_is_predicted_before_the_curves():
    app = opened("timing", predict="true", lang="en")
    assert not app.get("plotly_chart")
    assert not app.metric
    row = recorded_runs()["dot"].rows[-1]
    fastest = min((one for one in row.timings if one.samples), key=lambda one: one.median)
    asked(app).set_value(fastest.name).run()
    assert any(s.value == "Right." for s in app.success)
    assert len(app.get("plotly_chart")) == 2


def test_without_answers_nobody_says_which_method_is_faster():
    app = opened("timing", answers="off", lang="en")
    assert len(app.get("plotly_chart")) == 2
    assert not app.metric
    assert not any("is faster" in m.value for m in app.markdown)


@pytest.mark.parametrize("part", ["lies", "order", "recompile", "constants"])
def test_every_part_asks_and_explains_only_afterwards(part):
    why = section("timing", "en", f"{part}_why")
    app = measured(opened("timing", timing_part=part, predict="true", lang="en"))
    assert not app.error
    assert not app.get("plotly_chart")
    assert why not in [m.value for m in app.markdown]
    question = asked(app)
    app.session_state[question.key] = question.options[0]
    app.run()
    assert not app.error
    quiet = opened("timing", timing_part=part, answers="off", lang="en")
    assert why not in [m.value for m in quiet.markdown]
    assert why in [m.value for m in opened("timing", timing_part=part, lang="en").markdown]
