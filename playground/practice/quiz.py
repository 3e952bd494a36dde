"""The quiz: order by seed, answers in the link, score and review."""

from dataclasses import dataclass

import numpy as np

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, text, whole
from playground.practice.quiz_questions import (
    HELPERS,
    Question,
    proved,
    questions,
    right_option,
)

COUNT = len(questions())
NOT_YET = "-"


@dataclass(frozen=True)
class QuizSettings(Settings, prefix="quiz"):
    """Which question is asked, in which order, and all answers so far.

    Attributes:
        seed: chooses the order of questions and options.
        number: the place in that order, from 1; one more than there are questions is the review.
        given: one character for each question of the file: "-", or the option's number from 1.
    """

    seed: int = whole(0, low=0, high=9_999)
    number: int = whole(1, low=1, high=COUNT + 1)
    given: str = text("", longest=COUNT)

    def answer(self, index: int) -> int | None:
        """Return the option chosen for a question, both as places in the file; None before."""
        mark = self.given[index : index + 1]
        count = len(questions()[index].options)
        return int(mark) - 1 if mark in "123456789"[:count] and mark else None

    def with_answer(self, index: int, option: int) -> str:
        """Return the answers with one more, as they stand in a link."""
        marks = [
            NOT_YET if (one := self.answer(place)) is None else str(one + 1)
            for place in range(COUNT)
        ]
        marks[index] = str(option + 1)
        return "".join(marks).rstrip(NOT_YET)


def order(seed: int) -> tuple[int, ...]:
    """Return the questions' places in the file in the order in which a seed asks them."""
    if seed == 0:
        return tuple(range(COUNT))
    return tuple(int(i) for i in np.random.default_rng(seed).permutation(COUNT))


def option_order(seed: int, index: int) -> tuple[int, ...]:
    """Return the options' places in the file in the order in which a seed shows them."""
    count = len(questions()[index].options)
    return tuple(int(i) for i in np.random.default_rng([seed, index]).permutation(count))


@dataclass(frozen=True)
class Marked:
    """One question as it stands in the quiz.

    Attributes:
        index: its place in the file.
        question: the question.
        options: places of its options in the order shown.
        right: place in the file of the option that holds.
        answer: place of the option chosen; None before.
    """

    index: int
    question: Question
    options: tuple[int, ...]
    right: int
    answer: int | None

    @property
    def is_right(self) -> bool:
        """Tell whether it was answered, and rightly."""
        return self.answer == self.right


@dataclass(frozen=True)
class QuizResult:
    """The quiz as it stands.

    Attributes:
        seed: of the order.
        number: of the question shown, from 1; `COUNT` + 1 in the review.
        current: the question shown; None in the review.
        answered: those answered so far, in the order asked; all of them in the review.
    """

    seed: int
    number: int
    current: Marked | None
    answered: tuple[Marked, ...]

    @property
    def score(self) -> int:
        """Count the right answers."""
        return sum(one.is_right for one in self.answered)


def _marked(settings: QuizSettings, index: int) -> Marked:
    return Marked(
        index,
        questions()[index],
        option_order(settings.seed, index),
        right_option(index),
        settings.answer(index),
    )


def compute(settings: QuizSettings) -> QuizResult:
    """Mark the quiz; right answers come from the proofs, which run here.

    Args:
        settings: order, place and answers.
    """
    asked = order(settings.seed)
    is_review = settings.number > COUNT
    answered = [i for i in asked if is_review or settings.answer(i) is not None]
    return QuizResult(
        settings.seed,
        settings.number,
        None if is_review else _marked(settings, asked[settings.number - 1]),
        tuple(_marked(settings, index) for index in answered),
    )


def proof_code(marked: Marked) -> str:
    """Write the proof of a question: its code, and one expression for each option shown."""
    asked = marked.question
    lines = [f"option_{n} = {asked.options[i].holds}" for n, i in enumerate(marked.options, 1)]
    parts = [asked.code, asked.proof, "\n".join(f"{line}" for line in lines)]
    return "\n\n".join(part for part in parts if part)


def headlines(result: QuizResult) -> dict[str, bool]:
    """Return which options of the question shown hold; of the first one in the review."""
    marked = result.current or result.answered[0]
    holds = proved(marked.index)
    return {f"option_{n}": holds[i] for n, i in enumerate(marked.options, 1)}


def script(settings: QuizSettings) -> str:
    """Compose the script that proves the answer of the question shown."""
    result = compute(settings)
    marked = result.current or result.answered[0]
    shown = ", ".join(f'"option_{n}": bool(option_{n})' for n in range(1, len(marked.options) + 1))
    return standalone(
        *HELPERS,
        show_headlines,
        body=f"{proof_code(marked)}\n\nshow_headlines({{{shown}}})",
        title=marked.question.text[0],
    )
