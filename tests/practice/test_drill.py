"""The drill over 2,000 questions: options differ, one is right, chance is repeatable."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.foundation.script import format_headline
from playground.practice import drill
from playground.practice.drill_calls import TOPICS
from playground.practice.drill_questions import FEWEST, MOST, question
from playground.practice.outcomes import NAMES, is_shape, say, shapes

SEEDS = range(5)
NUMBERS = range(1, 101)


def real(call):
    """Make the call on real zeros, without the engine: shapes, or None when it raises."""
    fill = lambda leaf: jnp.zeros(leaf.shape, leaf.dtype)  # noqa: E731
    args, kwargs = jax.tree.map(fill, (call.args, call.kwargs))
    chain = call.function
    try:
        for level in call.levels:
            chain = jax.vmap(chain, in_axes=level.in_axes, out_axes=level.out_axes)
        return shapes(chain(*args, **kwargs))
    except Exception:
        return None


# covers: Q
@pytest.mark.parametrize("level", drill.LEVELS)
def test_no_two_options_are_equal_and_exactly_one_is_right(level):
    asked = [question(seed, level, number) for seed in SEEDS for number in NUMBERS]
    assert len(asked) == 500
    forms, places = set(), np.zeros(MOST, int)
    for one in asked:
        assert FEWEST <= len(one.options) <= MOST
        assert len(set(one.options)) == len(one.options)
        assert len({say(option, "en") for option in one.options}) == len(one.options)
        forms.add(one.form if one.form == "axes" else is_shape(one.options[one.right]))
        places[one.right] += 1
    assert forms == {"axes", True, False}
    assert (places[:4] > 20).all()  # the place tells nothing
    # The real call on real arrays is the judge, on every eighth question.
    for one in asked[::8]:
        if one.form == "axes":
            gives = [real(call) == one.want for call in one.calls]
            assert gives == [place == one.right for place in range(len(one.options))]
        else:
            gives = real(one.call)
            right = one.options[one.right]
            assert gives == (right if is_shape(right) else None), one
            if gives is not None:
                assert one.options.count(gives) == 1


def test_the_same_link_asks_the_same_question_and_another_seed_another():
    settings = drill.DrillSettings(level=2, seed=5, number=9)
    assert drill.compute(settings) == drill.compute(settings)
    series = [question(0, 2, number).options for number in range(1, 9)]
    assert series != [question(1, 2, number).options for number in range(1, 9)]


def test_every_topic_is_asked_on_its_level():
    for level in drill.LEVELS:
        asked = {question(1, level, number).call.topic for number in range(1, 40)}
        assert asked == {topic for topic, (at, *_) in TOPICS.items() if at == level}


@pytest.mark.parametrize("level", drill.LEVELS)
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_answers_are_explained_in_both_languages(level, number):
    result = drill.compute(drill.DrillSettings(level=level, number=number))
    assert result.why[0]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in result.why[1])
    for place, (english, chinese) in enumerate(result.why_not):
        assert bool(english) == bool(chinese) == (place != result.right)


@pytest.mark.parametrize("level", drill.LEVELS)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_script_runs_the_calls_of_the_question(level, number, capsys):
    settings = drill.DrillSettings(level=level, number=number)
    exec(compile(drill.script(settings), "drill", "exec"), {"__name__": "drill"})
    result = drill.compute(settings)
    lines = [f"{k}: {format_headline(v)}" for k, v in drill.headlines(result).items()]
    assert capsys.readouterr().out.splitlines() == lines
    if result.form == "outcome" and result.options[result.right] not in NAMES:
        sizes = drill.headlines(result)["call_1"]
        assert sizes.replace("'", '"') == result.options[result.right]
