"""The quiz: every answer is proved by code that runs here; the link holds everything."""

import re

import jax
import numpy as np
import pytest

from playground.foundation.script import format_headline
from playground.practice import quiz
from playground.practice.quiz_questions import proved, questions, right_option

NAMES = [one.name for one in questions()]
# The eight themes of the chapter, by the question that asks about each.
THEMES = (
    "meaning",
    "shared_weights",
    "rows_and_columns",
    "nested_shape",
    "per_example_gradient",
    "cond",
    "unequal_sizes",
    "memory",
)


# covers: Q
def test_there_are_at_least_twelve_questions_and_the_eight_themes():
    assert len(NAMES) >= 12
    assert len(set(NAMES)) == len(NAMES)
    assert set(THEMES) <= set(NAMES)


# covers: Q
@pytest.mark.parametrize("index", range(len(NAMES)), ids=NAMES)
def test_the_proof_of_a_question_leaves_exactly_one_answer(index):
    assert sum(proved(index)) == 1


# Right answers as a person would write them down, checked against the proofs.
EXPECTED = {
    "meaning": "stacked",
    "shared_weights": "in_axes=(None, 0)",
    "rows_and_columns": "(4, 3)",
    "nested_shape": "(3, 4, 2)",
    "per_example_gradient": "`jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))",
    "cond": "Both branches",
    "unequal_sizes": "An error",
    "memory": "lax.map(f, xs, batch_size=64)",
    "random_keys": "jax.random.split(key, 4)",
    "keyword": "`b[i]`",
    "out_axes": "out_axes=-1",
    "python_if": "An error",
    "print_once": "Once",
    "nan_gradient": "by_double_where",
    "vmap_of_jit": "It is right",
}


# covers: Q
@pytest.mark.parametrize("index", range(len(NAMES)), ids=NAMES)
def test_the_answer_that_holds_is_the_one_of_the_field(index):
    asked = questions()[index]
    assert EXPECTED[asked.name] in asked.options[right_option(index)].text[0]


@pytest.mark.parametrize("index", range(len(NAMES)), ids=NAMES)
def test_every_option_has_a_reason_in_both_languages_and_differs_from_the_others(index):
    asked = questions()[index]
    assert re.search("[\u4e00-\u9fff]", asked.text[1])
    for language in (0, 1):
        said = [option.text[language] for option in asked.options]
        reasons = [option.why[language] for option in asked.options]
        assert len(set(said)) == len(said) >= 3
        assert len(set(reasons)) == len(reasons)
    for option in asked.options:
        assert re.search("[\u4e00-\u9fff]", option.why[1])
        assert not re.search("[\u4e00-\u9fff]", option.text[0] + option.why[0])


def test_a_proof_that_no_longer_held_would_be_seen(monkeypatch):
    """The proofs look at what JAX does: with another vmap they tell another answer."""
    index = NAMES.index("rows_and_columns")
    proved.cache_clear()
    original = jax.vmap
    monkeypatch.setattr(jax, "vmap", lambda f, in_axes=0: original(f, in_axes, out_axes=1))
    try:
        assert questions()[index].options[right_option(index)].text[0] == "`(3, 4)`"
    finally:
        proved.cache_clear()


def test_an_order_holds_every_question_once_and_follows_the_seed():
    orders = [quiz.order(seed) for seed in range(6)]
    assert all(sorted(one) == list(range(quiz.COUNT)) for one in orders)
    assert len(set(orders)) == len(orders)
    assert quiz.order(3) == orders[3]


def test_the_right_answer_does_not_stand_in_a_fixed_place():
    places = [
        quiz.option_order(seed, index).index(right_option(index))
        for seed in range(12)
        for index in range(quiz.COUNT)
    ]
    assert (np.bincount(places)[:3] > len(places) / 8).all()


def test_answers_travel_in_the_link_in_any_order():
    settings = quiz.QuizSettings(seed=4)
    for index in (5, 0, 11):
        settings = quiz.QuizSettings(seed=4, given=settings.with_answer(index, 1))
    assert [i for i in range(quiz.COUNT) if settings.answer(i) is not None] == [0, 5, 11]
    restored, complaints = quiz.QuizSettings.from_query(settings.to_query())
    assert restored == settings
    assert not complaints


@pytest.mark.parametrize("junk", ["9999999999", "abc", "-0x", "½²", "１"])
def test_junk_among_the_answers_counts_as_not_answered(junk):
    settings = quiz.QuizSettings(given=junk)
    assert all(settings.answer(index) is None for index in range(quiz.COUNT))
    assert quiz.compute(settings).score == 0


def test_the_score_counts_right_answers():
    settings = quiz.QuizSettings()
    for index in range(quiz.COUNT):
        right = right_option(index)
        option = right if index % 2 else (right + 1) % 3
        settings = quiz.QuizSettings(given=settings.with_answer(index, option))
    result = quiz.compute(quiz.QuizSettings(given=settings.given, number=quiz.COUNT + 1))
    assert result.score == quiz.COUNT // 2
    assert len(result.answered) == quiz.COUNT
    assert result.current is None


@pytest.mark.parametrize("number", range(1, quiz.COUNT + 1))
def test_the_script_proves_what_the_page_says(number, capsys):
    settings = quiz.QuizSettings(seed=2, number=number)
    exec(compile(quiz.script(settings), "quiz", "exec"), {"__name__": "quiz"})
    result = quiz.compute(settings)
    lines = [f"{k}: {format_headline(v)}" for k, v in quiz.headlines(result).items()]
    assert capsys.readouterr().out.splitlines() == lines
