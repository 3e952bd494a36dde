"""Reads axes and shapes that a link or a person wrote, as Python literals; nothing is evaluated."""

import ast
from typing import Any

from playground.foundation.language import Language, pick

LONGEST = 200
DEEPEST = 4
MOST_ITEMS = 16
LARGEST_SIZE = 10**6


class LiteralError(ValueError):
    """What was written is not axes, or not a shape.

    Args:
        english: what is wrong and what is allowed.
        chinese: the same in Chinese.
    """

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__(english)
        self._pair = (english, chinese)

    def message(self, language: Language) -> str:
        """Say what is wrong and what is allowed."""
        return pick(language, *self._pair)


def read_literal(written: str) -> Any:
    """Read a Python literal of numbers, None, tuples, lists and dicts.

    Args:
        written: such as "(1, 0)" or "({'w': None, 'b': 0}, 0)".

    Returns:
        The value.

    Raises:
        LiteralError: too long, too deep, or something else than that.
    """
    shown = written if len(written) <= 40 else written[:40] + "…"
    try:
        if len(written) > LONGEST:
            raise ValueError
        value = ast.literal_eval(written.strip())
        _check(value, 0)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise LiteralError(
            f"“{shown}” cannot be read. Write whole numbers, None, tuples, lists and dicts, "
            "such as (0, None) or ({'w': None, 'b': 0}, 0).",
            f"无法读取“{shown}”。请写整数、None、元组、列表或字典，"
            "例如 (0, None) 或 ({'w': None, 'b': 0}, 0)。",
        ) from None
    return value


def _check(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError
    if isinstance(value, tuple | list):
        members = list(value)
    elif isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError
        members = list(value.values())
    elif value is None or (type(value) is int and abs(value) <= LARGEST_SIZE):
        return
    else:
        raise ValueError
    if len(members) > MOST_ITEMS:
        raise ValueError
    for member in members:
        _check(member, depth + 1)


def read_shapes(written: str, ranks_allowed: int = 4) -> tuple[tuple[int, ...], ...]:
    """Read the shapes of several arrays.

    Args:
        written: such as "((3, 5), (5,))".
        ranks_allowed: how many axes an array may have.

    Returns:
        One shape for each array.

    Raises:
        LiteralError: not a tuple of shapes, a size below 0 or too large, too many axes.
    """
    value = read_literal(written)
    is_shapes = isinstance(value, tuple) and all(
        isinstance(shape, tuple)
        and len(shape) <= ranks_allowed
        and all(type(size) is int and size >= 0 for size in shape)
        for shape in value
    )
    if not is_shapes:
        raise LiteralError(
            f"“{written[:40]}” is not a tuple of shapes. Write one shape for each array, such as "
            f"((3, 5), (5,)), sizes from 0 to {LARGEST_SIZE:,}, at most {ranks_allowed} axes.",
            f"“{written[:40]}”不是由形状组成的元组。请为每个数组写一个形状，例如 ((3, 5), (5,))，"
            f"大小从 0 到 {LARGEST_SIZE:,}，最多 {ranks_allowed} 根轴。",
        )
    return value


def read_want(written: str) -> Any:
    """Read a wanted output: a shape such as "(3, 5)", or a dict or tuple of shapes.

    Raises:
        LiteralError: something else.
    """
    value = read_literal(written)
    if not _is_want(value):
        raise LiteralError(
            f"“{written[:40]}” is not a shape. Write (3, 5), or one shape for each output, such "
            "as ((4,), (3, 4)) or {'sum': (4,), 'doubled': (4, 3)}.",
            f"“{written[:40]}”不是形状。请写 (3, 5)，或为每个输出各写一个形状，"
            "例如 ((4,), (3, 4)) 或 {'sum': (4,), 'doubled': (4, 3)}。",
        )
    return value


def _is_want(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(_is_want(member) for member in value.values())
    if isinstance(value, tuple | list):
        sizes = all(type(size) is int and size >= 0 for size in value)
        return sizes or all(_is_want(member) for member in value)
    return False
