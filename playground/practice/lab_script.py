"""The standalone script of the Lab page: the user's code, the arguments, the call."""

import ast
import inspect
from typing import Any

from playground.axes.own_arguments import ArgumentsError, read_arguments
from playground.axes.own_text import write_expression
from playground.foundation.script import format_headline, show_headlines

IMPORTS = """import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""
CALL = """

try:
    output = {call}(*args, **kwargs)
    leaves = jax.tree.leaves(output)
    headlines = {{"output shapes": str([leaf.shape for leaf in leaves])}}
    kinds = jnp.bool_, jnp.integer, jnp.floating
    is_real = all(any(jnp.issubdtype(leaf.dtype, kind) for kind in kinds) for leaf in leaves)
    if is_small and is_real:
        sums = [np.asarray(leaf, np.float64).sum() for leaf in leaves]
        headlines["sum of all numbers"] = float(sum(sums))
    show_headlines(headlines)
except Exception as error:
    show_headlines({{"refused with": type(error).__name__}})
"""


def lab_script(code: str, arguments: str, chain: list[dict[str, Any]]) -> str:
    """Write the script of a call.

    Args:
        code: the user's own, which defines `f`.
        arguments: the text of the arguments.
        chain: the levels, innermost first.

    Returns:
        Python source; where the arguments cannot be read, the user's code alone.
    """
    try:
        given = read_arguments(arguments)
    except ArgumentsError:
        return code
    helpers = inspect.getsource(format_headline) + "\n\n" + inspect.getsource(show_headlines)
    helpers = helpers.replace("  # noqa: T201", "").replace("Mapping[str, Any]", "dict")
    helpers = helpers.replace("value: Any", "value")
    parts = [f'"""A function of my own under jax.vmap."""\n\n{IMPORTS}\n', helpers.rstrip()]
    parts += ["\n\n" + code.strip() + "\n\n"]
    lines = [f"    {write_expression(value)},  # {name}" for value, name in _named(given)]
    parts.append("\n".join(["args = (", *lines, ")"]))
    words = [f"    {name!r}: {write_expression(value)}," for name, value in given.kwargs.items()]
    parts.append("\n".join(["kwargs = {", *words, "}"]) if words else "kwargs = {}")
    parts.append("passed = jax.tree.leaves((args, kwargs))")
    parts.append("is_small = sum(getattr(leaf, 'size', 1) for leaf in passed) <= 4096")
    call = _function(code)
    for level in chain:
        call = f"jax.vmap({call}, {_options(level)})"
    return "\n".join(parts) + CALL.format(call=call)


def _function(code: str) -> str:
    """Name the function that is called: `f`, else the last one that the code defines."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return "f"
    defined = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    assigned = [node.targets for node in body if isinstance(node, ast.Assign)]
    is_f = any(isinstance(t, ast.Name) and t.id == "f" for targets in assigned for t in targets)
    return "f" if is_f or "f" in defined or not defined else defined[-1]


def _named(given: Any) -> list[tuple[Any, str]]:
    return [(value, name or "?") for value, name in zip(given.args, given.names, strict=True)]


def _options(level: dict[str, Any]) -> str:
    options = [f"in_axes={level['in_axes'] or 0}", f"out_axes={level['out_axes'] or 0}"]
    if level["axis_size"] >= 0:
        options.append(f"axis_size={level['axis_size']}")
    if level["axis_name"]:
        options.append(f"axis_name={level['axis_name']!r}")
    if level["sum_match"]:
        options.append("sum_match=True")
    return ", ".join(options)
