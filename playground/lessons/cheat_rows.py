"""What a row of the cheat sheet is, how its call is run, and how its result fits on one line."""

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from playground.foundation.language import Language, pick

MOST_NUMBERS = 12
LONGEST_LINE = 180

COMMON = """\
from functools import partial
import jax, jax.numpy as jnp, numpy as np
from jax import lax, random

X = jnp.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [0, 1, 0]])  # a batch: 4 examples of length 3
M = jnp.arange(1.0, 13.0).reshape(3, 4)                        # a matrix
v = jnp.array([1.0, 2.0, 3.0])                                 # one vector, or 3 numbers
s = jnp.array([0.0, 10.0, 20.0, 30.0])                         # a number for each example of X
key = random.key(0)
shape = lambda *sizes: jax.ShapeDtypeStruct(sizes, jnp.float32)   # an array without numbers
jaxpr = lambda f, *arguments: str(jax.make_jaxpr(f)(*arguments))  # a program as text
"""
"""What every call may use; the page shows it once, and the script begins with it."""


@dataclass(frozen=True)
class Row:
    """One call of the cheat sheet.

    Attributes:
        name: unique within its topic.
        code: one expression; the text that is shown is the text that is run.
        english: what it is for.
        chinese: the same in Chinese.
    """

    name: str
    code: str
    english: str
    chinese: str

    def says(self, language: Language) -> str:
        """Say what the call is for."""
        return pick(language, self.english, self.chinese)


@dataclass(frozen=True)
class Topic:
    """The calls of one topic.

    Attributes:
        name: key of the topic in links.
        english: its title.
        chinese: the same in Chinese.
        setup: lines that its calls need beside `COMMON`; may be empty.
        rows: its calls, in the order of the curriculum.
    """

    name: str
    english: str
    chinese: str
    setup: str
    rows: tuple[Row, ...]

    def title(self, language: Language) -> str:
        """Return the title."""
        return pick(language, self.english, self.chinese)


def one_line(value: Any) -> str:
    """Write a value on one line: the shapes of its arrays, and their numbers when they are few.

    Args:
        value: an array, a number, text, or a pytree of them.

    Returns:
        Text such as "(4,) [14, 77, 194, 1]"; numbers have five digits.
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {one_line(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(one_line(item) for item in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, str):
        text = " ".join(value.split())
        return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + " …"
    if not hasattr(value, "dtype"):
        return _numbers(value)
    if isinstance(value, jax.ShapeDtypeStruct) or jax.dtypes.issubdtype(
        value.dtype, jax.dtypes.prng_key
    ):
        return f"{value.shape} {value.dtype}"
    if value.size > MOST_NUMBERS:
        return f"{value.shape} {value.dtype}"
    numbers = _numbers(np.asarray(value).tolist())
    return numbers if value.ndim == 0 else f"{value.shape} {numbers}"


def _numbers(value: Any) -> str:
    """Write nested lists of numbers in few characters."""
    if isinstance(value, list):
        return "[" + ", ".join(_numbers(item) for item in value) + "]"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e7 else f"{value:.5g}"
    return str(value)


def outcome(code: str, names: dict[str, Any]) -> str:
    """Run one call and write what it returns, or the class and first line of what it raises.

    Args:
        code: one Python expression, trusted.
        names: what it may use.

    Returns:
        One line of text.
    """
    try:
        return one_line(eval(code, names))
    except Exception as error:
        return one_line(f"{type(error).__name__}: {first_line(str(error))}")


def first_line(message: str) -> str:
    """Return the first line of an error; lines that end with a colon go on with the next."""
    lines = message.split("\n")
    kept = lines[:1]
    while kept[-1].rstrip().endswith((":", ";")) and len(kept) < len(lines):
        kept.append(lines[len(kept)])
    return " ".join(kept)


def outcomes(topic: Topic) -> tuple[str, ...]:
    """Run all calls of a topic in a namespace of their own."""
    names: dict[str, Any] = {}
    exec(COMMON + topic.setup, names)
    return tuple(outcome(row.code, names) for row in topic.rows)
