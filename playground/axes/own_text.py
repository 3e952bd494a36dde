"""Writes arguments and axes as text that reads back as the same; see own_arguments.py."""

import ast
from typing import Any

from playground.axes.own_arguments import (
    LONGEST_AXES,
    Arguments,
    ArgumentsError,
    ArrayOf,
    KeyOf,
    Values,
)


def write_arguments(arguments: Arguments) -> str:
    """Write the arguments of a call, one a line."""
    pairs = zip(arguments.names, arguments.args, strict=True)
    lines = [f"{name}: {write(value)}" if name else write(value) for name, value in pairs]
    lines += [f"{name} = {write(value)}" for name, value in arguments.kwargs.items()]
    return "\n".join(lines)


def write(value: Any) -> str:
    """Write one argument.

    Args:
        value: a pytree as `read_arguments` makes them.
    """
    match value:
        case ArrayOf(shape, "float32"):
            return repr(shape)
        case ArrayOf(shape, dtype):
            return f"{dtype}[{', '.join(map(str, shape)) or '()'}]"
        case KeyOf(seed, None):
            return f"key({seed})"
        case KeyOf(seed, shape):
            return f"keys({seed}, {shape[0] if shape and len(shape) == 1 else shape})"
        case Values(nested, dtype):
            return f"{dtype}({nested!r})" if dtype else repr(nested)
        case dict():
            return "{" + ", ".join(f"{key!r}: {write(item)}" for key, item in value.items()) + "}"
        case list():
            return f"[{', '.join(map(write, value))}]"
        case tuple():
            return f"({', '.join(map(write, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def write_expression(value: Any) -> str:
    """Write one argument as the Python that makes it, with the numbers that the page uses.

    Args:
        value: a pytree as `read_arguments` makes them.
    """
    match value:
        case ArrayOf(shape, dtype):
            count = 1
            for size in shape:
                count *= size
            return f"jnp.arange(1, {count + 1}).astype(jnp.{dtype}).reshape({shape})"
        case KeyOf(seed, None):
            return f"jax.random.key({seed})"
        case KeyOf(seed, shape):
            return f"jax.random.split(jax.random.key({seed}), {shape})"
        case Values(nested, dtype):
            return f"jnp.asarray({nested!r}{f', jnp.{dtype}' if dtype else ''})"
        case dict():
            inside = (f"{key!r}: {write_expression(item)}" for key, item in value.items())
            return "{" + ", ".join(inside) + "}"
        case list():
            return f"[{', '.join(map(write_expression, value))}]"
        case tuple():
            inside = ", ".join(map(write_expression, value))
            return f"({inside}{',' if len(value) == 1 else ''})"
    return repr(value)


def read_axes(text: str) -> Any:
    """Read in_axes, out_axes or a wanted shape: a Python literal; empty text means 0.

    Args:
        text: such as "(0, None)" or "({'w': None}, 0)".

    Raises:
        ArgumentsError: something else is written there.
    """
    try:
        if len(text) > LONGEST_AXES:
            raise ValueError
        return ast.literal_eval(text.strip() or "0")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise ArgumentsError(
            f"“{shown}” cannot be read. Write a Python literal such as (0, None) or "
            "({'w': None, 'b': 0}, 0).",
            f"无法读取“{shown}”。请写 Python 字面量，例如 (0, None) 或 "
            "({'w': None, 'b': 0}, 0)。",
        ) from None


def write_axes(axes: Any) -> str | None:
    """Write axes as a literal, None when they are no literal."""
    text = repr(axes)
    try:
        return text if read_axes(text) == axes else None
    except ArgumentsError:
        return None


def read_wanted(text: str) -> Any:
    """Read a wanted output: a shape, or a dictionary or tuple of shapes.

    Raises:
        ArgumentsError: something else is written there.
    """
    value = read_axes(text)
    if not _is_wanted(value, 0):
        raise ArgumentsError(
            f"“{text[:40]}” is not a shape. Write (3, 5), or one shape for each output, such as "
            "((4,), (3, 4)) or {'sum': (4,)}.",
            f"“{text[:40]}”不是形状。请写 (3, 5)，或为每个输出各写一个形状，"
            "例如 ((4,), (3, 4)) 或 {'sum': (4,)}。",
        )
    return value


def _is_wanted(value: Any, depth: int) -> bool:
    if isinstance(value, dict) and value and depth < 4:
        return all(_is_wanted(member, depth + 1) for member in value.values())
    if isinstance(value, tuple | list) and depth < 4:
        sizes = all(type(size) is int and size >= 0 for size in value)
        return sizes or all(_is_wanted(member, depth + 1) for member in value)
    return False
