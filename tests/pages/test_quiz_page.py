"""The quiz in process: answers, reasons, proof, score, review, answers=off."""

import pytest

from playground.practice import quiz
from playground.practice.quiz_questions import questions, right_option
from tests.pages.test_all_pages import failures, opened


def all_right():
    settings = quiz.QuizSettings()
    for index in range(quiz.COUNT):
        settings = quiz.QuizSettings(given=settings.with_answer(index, right_option(index)))
    return settings.given


def shown(app):
    return " ".join(block.value for block in (*app.markdown, *app.success, *app.warning))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", [1, 6, quiz.COUNT])
def test_a_right_answer_is_confirmed_with_all_reasons_and_the_proof(number, language):
    app = opened("quiz", lang=language, quiz_number=str(number), quiz_given=all_right())
    assert not failures(app)
    asked = questions()[number - 1]
    place = ("en", "zh").index(language)
    for option in asked.options:
        assert option.why[place] in shown(app)
    assert app.success
    assert any("option_1" in block.value for block in app.code)


# covers: Q
def test_answering_writes_the_link_and_counts():
    app = opened("quiz", lang="en")
    assert not failures(app)
    assert not app.success
    assert not app.warning
    marked = quiz.compute(quiz.QuizSettings()).current
    app.radio[0].set_value(marked.options.index(marked.right) + 1).run()
    assert app.success
    assert app.query_params["quiz_given"] in (str(marked.right + 1), [str(marked.right + 1)])
    app.button(key="quiz_to_arrow_forward").click().run()
    assert app.radio[0].value is None
    app.button(key="quiz_to_arrow_back").click().run()
    assert app.success


def test_a_wrong_answer_gets_its_own_reason_and_the_right_one():
    wrong = (right_option(2) + 1) % 4
    given = quiz.QuizSettings().with_answer(2, wrong)
    app = opened("quiz", lang="en", quiz_number="3", quiz_given=given)
    assert questions()[2].options[wrong].why[0] in app.warning[0].value
    assert questions()[2].options[right_option(2)].why[0] in shown(app)


def test_the_review_shows_the_score_and_leads_back():
    app = opened("quiz", lang="en", quiz_number=str(quiz.COUNT + 1), quiz_given=all_right())
    assert not failures(app)
    metrics = {metric.label: metric.value for metric in app.metric}
    assert metrics["Score"] == f"{quiz.COUNT} / {quiz.COUNT}"
    app.button(key="quiz_go_4").click().run()
    assert app.query_params["quiz_number"] in ("4", ["4"])


@pytest.mark.parametrize("number", [3, quiz.COUNT + 1])
def test_with_answers_off_nothing_tells_right_from_wrong(number):
    app = opened("quiz", lang="en", answers="off", quiz_number=str(number), quiz_given=all_right())
    assert not failures(app)
    assert not app.success
    assert not app.warning
    assert "Score" not in {metric.label for metric in app.metric}
    for option in questions()[2].options:
        assert option.why[0] not in shown(app)


def test_the_order_can_be_hidden():
    assert opened("quiz", lang="en").number_input
    assert not opened("quiz", lang="en", hide="seed").number_input
