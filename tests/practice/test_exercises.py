"""Every right solution passes and every wrong one is told its mistake, whatever its style."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from playground.foundation.language import LANGUAGES
from playground.foundation.prose import section
from playground.practice.exercises import EXERCISES, Verdict, check
from playground.sandbox import asking, policy
from tests.practice.judging_here import run_driver_here
from tests.practice.reading import Solution, solutions

CHAPTER = ("E1", "E2", "E3", "E4", "E5", "E6")
OWN = ("E7", "E8", "E9", "E10", "E11", "E12")

needs_sandbox = pytest.mark.skipif(policy.bubblewrap() is None, reason="no bubblewrap here")


def judged(found: list[Solution], at_once: int) -> list[tuple[Solution, Verdict]]:
    with ThreadPoolExecutor(at_once) as pool:
        verdicts = pool.map(lambda each: check(each.exercise, each.code), found)
        return list(zip(found, verdicts, strict=True))


def wrongly_judged(found: list[Solution], at_once: int = 2) -> list[str]:
    return [
        f"{each.exercise} {each.name!r}: {verdict.kind} for {each.kind}: {verdict.message('en')}"
        for each, verdict in judged(found, at_once)
        if verdict.kind != each.kind or verdict.passed != (each.kind == "passed")
    ]


def reference(exercise: str) -> Solution:
    return Solution(exercise, "passed", "the reference answer", EXERCISES[exercise].answer)


# covers: E1, E2, E3, E4, E5, E6
@needs_sandbox
@pytest.mark.parametrize("exercise", CHAPTER + OWN)
def test_the_reference_answer_passes_and_the_first_mistake_is_named(exercise: str):
    wrong = next(each for each in solutions(exercise) if each.kind != "passed")
    assert not wrongly_judged([reference(exercise), wrong])


# covers: E1
@needs_sandbox
@pytest.mark.slow
def test_all_solutions_are_judged_rightly_in_the_sandbox():
    """Among those of the first exercise are an endless loop, an early exit, a forged verdict."""
    assert not wrongly_judged(solutions("E1"))


# covers: E2, E3, E4, E5, E6
@pytest.mark.slow
@pytest.mark.parametrize("exercise", (CHAPTER + OWN)[1:])
def test_all_solutions_are_judged_rightly(exercise: str, monkeypatch):
    monkeypatch.setattr(asking, "run_driver", run_driver_here)
    assert not wrongly_judged([reference(exercise), *solutions(exercise)], at_once=1)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_there_are_enough_solutions(exercise: str):
    kinds = [each.kind for each in solutions(exercise)]
    assert kinds.count("passed") >= 5
    assert len(kinds) - kinds.count("passed") >= 8


def test_the_chapter_comes_first():
    assert tuple(EXERCISES) == CHAPTER + OWN


@pytest.mark.parametrize("exercise", EXERCISES)
def test_everything_is_said_in_both_languages(exercise: str):
    chosen = EXERCISES[exercise]
    pairs = [chosen.title, *chosen.hints]
    pairs += [words for mistake in chosen.mistakes for words in (mistake.says, mistake.advice)]
    pairs += [hint.says for hint in chosen.errors]
    for english, chinese in pairs:
        assert bool(english) == bool(chinese)
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in english)
    assert len(chosen.hints) == 3
    for language in LANGUAGES:
        statement = section("exercises", language, exercise)
        assert all(name in statement for name in chosen.functions)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_known_mistake_is_the_right_answer(exercise: str):
    from playground.practice.exercises.comparing import is_close

    for case in EXERCISES[exercise].cases(np.random.default_rng(3)):
        for mistake in EXERCISES[exercise].mistakes:
            if case.stage == "values" and mistake.function == case.function:
                wrong = mistake.compute(*case.arguments)
                # A branch that this one number does not take shows nothing.
                assert exercise == "E11" or not is_close(wrong, case.expected), mistake.kind


@needs_sandbox
def test_verdicts_speak_both_languages_and_picture_the_arrays():
    code = (
        EXERCISES["E1"]
        .answer.replace("(0, None)", "(None, 0)")
        .replace("euclidean_distance, in_axes=(None, 0)", "euclidean_distance, in_axes=(0, None)")
    )
    verdict = check("E1", code)
    assert (verdict.kind, verdict.stage, verdict.passed) == ("transposed", "shape", False)
    assert "transposed" in verdict.message("en")
    assert "转置" in verdict.message("zh")
    assert verdict.details["yours"].shape == verdict.details["target"].shape[::-1]


def test_no_code_and_no_exercise():
    assert check("E1", " \n").kind == "empty"
    with pytest.raises(KeyError):
        check("E99", "x = 1")


def test_a_server_that_runs_no_code_says_why(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_USER_CODE", "off")
    verdict = check("E1", EXERCISES["E1"].answer)
    assert verdict.kind == "refused"
    assert "PLAYGROUND_USER_CODE" in verdict.message("zh")
