"""The error museum: every error is really raised, every repair really runs."""

import jax
import numpy as np
import pytest

from playground.axes.kinds import KINDS
from playground.foundation.script import format_headline
from playground.practice import broken_axes, broken_code, errors
from playground.practice.exhibit import run
from playground.practice.outcomes import NAMES, is_shape, say


def shown(name):
    return errors.compute(errors.ErrorsSettings(exhibit=name))


def test_the_museum_is_large_and_varied():
    outcomes = {shown(name).outcome for name in errors.NAMES}
    assert len(errors.NAMES) >= 15
    assert len(outcomes) >= 15
    assert sum(not shown(name).exception for name in errors.NAMES) >= 3  # the silent ones


def test_every_refusal_that_can_be_predicted_is_one_of_the_engines():
    seen = {"all_equal", "all_different", "has_nan", "all_finite"}
    assert set(NAMES) - seen <= set(KINDS)
    for english, chinese in NAMES.values():
        assert any("\u4e00" <= letter <= "\u9fff" for letter in chinese)
        assert english.isascii()


@pytest.mark.parametrize("name", errors.NAMES)
def test_the_error_shown_is_the_one_that_the_installed_jax_raises(name):
    exhibit, result = errors.EXHIBITS[name], shown(name)
    # The chain is built by hand here, not by the code that is shown.
    args, kwargs = exhibit.split()
    chain = exhibit.function

    def call():
        wrapped = chain
        for level in exhibit.levels:
            wrapped = jax.vmap(wrapped, **level.settings())
        return wrapped(*args, **kwargs)

    if result.exception:
        with pytest.raises((ValueError, TypeError, NameError, IndexError)) as caught:
            call()
        assert type(caught.value).__name__ == result.exception
        first = str(caught.value).splitlines()[0]
        assert result.text.splitlines()[0][:60] == first[:60]
    elif is_shape(result.outcome):
        assert str(call().shape) == result.outcome
    else:
        assert result.outcome == exhibit.observe(call())


@pytest.mark.parametrize("name", errors.NAMES)
def test_exactly_one_prediction_is_right_and_no_two_are_said_alike(name):
    exhibit, result = errors.EXHIBITS[name], shown(name)
    assert result.outcome not in exhibit.others
    assert len(result.options) >= 4
    for language in ("en", "zh"):
        said = [say(option, language) for option in result.options]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("name", errors.NAMES)
def test_every_repair_runs_and_one_does_what_was_wanted(name):
    exhibit, result = errors.EXHIBITS[name], shown(name)
    assert any(one.is_wanted for one in result.attempts)
    for one in result.attempts:
        output = run(one.code, exhibit.cured() if one.is_cure else exhibit)
        assert jax.tree.leaves(output)
        assert all(word.strip() for word in one.words)


# Independent answers, computed without JAX.
WANTED = {
    "shared_number": lambda: np.array([16.0, 28.0, 40.0, 64.0]),
    "one_pair": lambda: np.array([5.0, 10.0, 13.0]),
    "transposed": lambda: np.arange(15.0).reshape(3, 5) * 10.0 ** np.arange(5),
    "keyword_is_mapped": lambda: np.array([31.5, 81.5, 151.5]),
    "missing_key": lambda: np.arange(12.0).reshape(4, 3) @ [1, 2, 3] + 0.5,
    "unnamed_axis": lambda: np.array([-1.5, -0.5, 0.5, 1.5]),
    "python_range": lambda: np.array([100, 200, 300]) * 1.05 ** np.array([1, 2, 10]),
    "mask": lambda: np.array([4.0, 5.0, 8.0]),
    "math_module": lambda: np.array([5.0, 13.0, 17.0]),
    "batch_inside": lambda: np.array([3.0, 12.0, 21.0, 30.0]),
    "whole_numbers": lambda: np.array([3.0, 12.0, 27.0]),
    "where_and_nan": lambda: np.array([0.0, 0.0, 0.5, 0.25]),
}


@pytest.mark.parametrize("name", WANTED)
def test_the_cure_gives_what_numpy_gives(name):
    cured = errors.EXHIBITS[name].cured()
    np.testing.assert_allclose(run(cured.report().code, cured), WANTED[name](), rtol=1e-5)


def test_per_example_gradients_of_the_cure_agree_with_the_formula():
    w, x = (np.asarray(one, float) for one in broken_code.squared_error_arguments())
    cured = errors.EXHIBITS["grad_of_batch"].cured()
    expected = 2 * (x @ w - 1)[:, None] * x
    np.testing.assert_allclose(run(cured.report().code, cured), expected, rtol=1e-5)


def test_a_split_key_gives_different_noise_and_a_shared_one_does_not():
    result = shown("one_key")
    numbers = {one.is_wanted: run(one.code, errors.EXHIBITS["one_key"]) for one in result.attempts}
    assert len(np.unique(numbers[True])) == 4
    assert len(np.unique(numbers[False])) == 1


def test_a_repair_that_answers_another_question_is_told_apart():
    wanted = [one.is_wanted for one in shown("one_pair").attempts]
    assert True in wanted
    assert False in wanted


@pytest.mark.parametrize("name", errors.NAMES)
def test_the_script_prints_what_the_page_shows(name, capsys):
    settings = errors.ErrorsSettings(exhibit=name)
    exec(compile(errors.script(settings), name, "exec"), {"__name__": name})
    lines = [f"{k}: {format_headline(v)}" for k, v in errors.headlines(shown(name)).items()]
    assert capsys.readouterr().out.splitlines() == lines


def test_arguments_are_shown_as_they_are_made():
    exhibit = errors.EXHIBITS["columns_as_rows"]
    space = {"jnp": jax.numpy, "jax": jax}
    exec(exhibit.setup(), space)
    for name, value in zip(("column", "factor"), broken_axes.scale_arguments(), strict=True):
        np.testing.assert_array_equal(space[name], value)


def test_a_repair_that_does_not_exist_is_passed_over():
    settings = errors.ErrorsSettings(exhibit="mapped_word", repair=9)
    assert errors.chosen(errors.compute(settings), settings) is None
