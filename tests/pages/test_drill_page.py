"""The drill in process: answers, streak, weakest topic, links."""

import pytest

from playground.practice import drill
from tests.pages.test_all_pages import failures, opened


def right(level, number, seed=0):
    return drill.compute(drill.DrillSettings(level=level, number=number, seed=seed)).right + 1


def test_the_link_names_the_question_and_the_answer():
    app = opened("drill", lang="en", drill_level="3", drill_seed="7", drill_number="5")
    assert not failures(app)
    result = drill.compute(drill.DrillSettings(level=3, seed=7, number=5))
    assert len(app.radio[0].options) == len(result.options)
    assert not app.success
    app.radio[0].set_value(result.right + 1).run()
    assert app.success[0].value == "Right."
    assert app.query_params["drill_guess"] in (str(result.right + 1), [str(result.right + 1)])


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("level", drill.LEVELS)
def test_every_level_opens_with_an_answer(level, language):
    app = opened("drill", lang=language, drill_level=str(level), drill_number="2", drill_guess="1")
    assert not failures(app)
    assert app.success or app.warning


def test_a_streak_counts_first_answers_only():
    app = opened("drill", lang="en")
    for number in (1, 2):
        app.radio[0].set_value(right(1, number)).run()
        app.button(key="drill_next").click().run()
    app.radio[0].set_value(right(1, 3) % 3 + 1).run()
    app.radio[0].set_value(right(1, 3)).run()  # too late
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["Streak"] == "0"
    assert shown["Right"] == "2 / 3"
    assert shown["Weakest topic"] == "mapped or shared"


def test_without_answers_nothing_is_given_away():
    app = opened("drill", lang="en", answers="off", drill_guess=str(right(1, 1)))
    assert not app.success
    assert not app.metric
    assert app.info[0].value == "Answered."


def test_another_level_starts_a_new_question():
    app = opened("drill", lang="en", drill_guess="1", drill_number="4")
    app.selectbox[0].set_value(4).run()
    assert app.query_params["drill_level"] in ("4", ["4"])
    assert app.radio[0].value is None
