"""Rendering calls as Python: `jax.vmap(f, in_axes=(1, 0))(columns, scalars)`."""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playground.axes.levels import Level

LITERALS = (bool, int, float, complex, str, type(None))


def parameter_names(function: Any, count: int) -> tuple[str, ...]:
    """Name the positional arguments of a call as the function does.

    Args:
        function: any callable.
        count: how many positional arguments the call has.

    Returns:
        Parameter names; `rest[0]` and so on for a star argument, `x0`, `x1`, ... where the function
        does not tell.
    """
    names: list[str] = []
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{i}]" for i in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    names += [f"x{i}" for i in range(len(names), count)]
    return tuple(names[:count])


def function_name(function: Any, taken: Sequence[str] = ()) -> str:
    """Name a function in code; a lambda is called `f`.

    Args:
        function: any callable.
        taken: names of arguments, which the function's name must not hide.

    Returns:
        An expression that names the function.
    """
    if isinstance(function, functools.partial):
        bound = [_literal_or(value, f"bound_{i}") for i, value in enumerate(function.args)]
        bound += [f"{k}={_literal_or(v, k)}" for k, v in function.keywords.items()]
        return f"functools.partial({', '.join([function_name(function.func, taken), *bound])})"
    name = getattr(function, "__name__", "f")
    if not name.isidentifier() or keyword.iskeyword(name):
        name = "f"
    return name if name not in taken else f"{name}_function"


def _literal_or(value: Any, name: str) -> str:
    return repr(value) if type(value) in LITERALS else name


def argument_expressions(function: Any, args: Sequence[Any]) -> tuple[str, ...]:
    """Write each positional argument: numbers, strings and None as they are, arrays by name.

    Args:
        function: the per-example function, whose parameter names are used.
        args: positional arguments of the call.

    Returns:
        One expression per argument.
    """
    names = parameter_names(function, len(args))
    return tuple(_literal_or(arg, name) for arg, name in zip(args, names, strict=True))


def keyword_expressions(kwargs: Mapping[str, Any]) -> dict[str, str]:
    """Write each keyword argument, numbers and strings as they are, arrays by name."""
    return {name: _literal_or(value, name) for name, value in kwargs.items()}


def vmapped(function_expression: str, levels: Sequence[Level]) -> str:
    """Write the chain of vmaps around a function.

    Args:
        function_expression: how the function is written.
        levels: the chain, innermost first; defaults of jax.vmap are left out.

    Returns:
        Such as `jax.vmap(jax.vmap(f, in_axes=(None, 0)), in_axes=(0, None))`.
    """
    expression = function_expression
    for level in levels:
        options = "".join(f", {name}={value!r}" for name, value in level.settings().items())
        expression = f"jax.vmap({expression}{options})"
    return expression


def call(
    function: Callable,
    args: Sequence[str],
    kwargs: Mapping[str, str],
    levels: Sequence[Level],
) -> str:
    """Write a whole call.

    Args:
        function: the per-example function.
        args: expressions of the positional arguments.
        kwargs: expressions of the keyword arguments.
        levels: the chain, innermost first.

    Returns:
        One line of Python.
    """
    name = function_name(function, [*args, *kwargs.values()])
    arguments = ", ".join([*args, *(f"{key}={value}" for key, value in kwargs.items())])
    return f"{vmapped(name, levels)}({arguments})"
