"""Exercises with a check that judges fairly: `check(exercise_id, code)` and `EXERCISES`."""

from dataclasses import dataclass

from playground.foundation.settings import Settings, one_of
from playground.practice.exercises.branches import E11
from playground.practice.exercises.checking import check_exercise
from playground.practice.exercises.chunks import E10
from playground.practice.exercises.clipping import E4
from playground.practice.exercises.columns import E8
from playground.practice.exercises.distances import E1
from playground.practice.exercises.jacobian import E6
from playground.practice.exercises.model import Exercise, Verdict
from playground.practice.exercises.noise import E7
from playground.practice.exercises.prediction import E2, E3
from playground.practice.exercises.safe_norm import E12
from playground.practice.exercises.triples import E9
from playground.practice.exercises.walk import E5

_ALL = (E1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12)
EXERCISES: dict[str, Exercise] = {each.id: each for each in _ALL}


@dataclass(frozen=True)
class ExercisesSettings(Settings, prefix="exercises"):
    """What the link of the page says.

    Attributes:
        task: which exercise.
    """

    task: str = one_of("E1", tuple(EXERCISES))


def check(exercise_id: str, code: str, *, session: str = "") -> Verdict:
    """Judge a solution of an exercise; the code runs in the sandbox only.

    Args:
        exercise_id: "E1" to "E12".
        code: Python source that defines the exercise's functions.
        session: who asks; sessions take turns in the sandbox.

    Returns:
        The verdict: `.passed`, `.kind`, `.message(lang)`, `.details`.

    Raises:
        KeyError: there is no such exercise.
    """
    return check_exercise(EXERCISES[exercise_id], code, session=session)


__all__ = ["EXERCISES", "Exercise", "ExercisesSettings", "Verdict", "check"]
