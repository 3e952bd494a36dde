"""Reads the quiz's data file and finds the right options by running their proofs."""

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from playground.foundation.language import Language, pick
from playground.practice.proofs import gives, printed, same, temporary_bytes

FILE = Path(__file__).with_name("quiz.toml")
HELPERS = (gives, same, printed, temporary_bytes)


@dataclass(frozen=True)
class Option:
    """One answer.

    Attributes:
        text: Markdown in both languages.
        holds: the Python expression that tells whether it is right.
        why: the reason, in both languages.
    """

    text: tuple[str, str]
    holds: str
    why: tuple[str, str]

    def says(self, language: Language) -> str:
        """Say the answer."""
        return pick(language, *self.text)

    def because(self, language: Language) -> str:
        """Say why it is right or wrong."""
        return pick(language, *self.why)


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        name: its name.
        row: rows of the curriculum that it asks about.
        text: Markdown in both languages.
        code: shown with the question, and run.
        proof: run after it; may be empty.
        options: the answers, in the order of the file.
    """

    name: str
    row: str
    text: tuple[str, str]
    code: str
    proof: str
    options: tuple[Option, ...]

    def asks(self, language: Language) -> str:
        """Say the question."""
        return pick(language, *self.text)


def _option(given: dict[str, str]) -> Option:
    text = given.get("text", "")
    return Option(
        (given.get("en", text), given.get("zh", text)),
        given["holds"],
        (given["why_en"], given["why_zh"]),
    )


@functools.cache
def questions() -> tuple[Question, ...]:
    """Read all questions in the order of the file."""
    with FILE.open("rb") as file:
        given = tomllib.load(file)["question"]
    return tuple(
        Question(
            one["name"],
            one["row"],
            (one["en"], one["zh"]),
            one["code"].strip(),
            one.get("proof", "").strip(),
            tuple(_option(option) for option in one["option"]),
        )
        for one in given
    )


@functools.cache
def proved(index: int) -> tuple[bool, ...]:
    """Run a question's proof on this machine.

    Args:
        index: the question's place in the file.

    Returns:
        For each option in the order of the file, whether it holds.
    """
    asked = questions()[index]
    space: dict[str, Any] = {"jax": jax, "jnp": jnp, "lax": lax}
    space |= {helper.__name__: helper for helper in HELPERS}
    exec(asked.code, space)
    exec(asked.proof, space)
    return tuple(bool(eval(option.holds, space)) for option in asked.options)


def right_option(index: int) -> int:
    """Return the place in the file of the one option that holds."""
    return proved(index).index(True)
