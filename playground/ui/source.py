"""Shows the source of the functions that a page runs, without what is meant for tools."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable

import streamlit as st


def source_of(*functions: Callable) -> str:
    """Return the source of functions as a reader should see it: no annotations, no docstrings."""
    return "\n\n".join(_readable(function) for function in functions)


def _readable(function: Callable) -> str:
    source = textwrap.dedent(inspect.getsource(inspect.unwrap(function))).rstrip()
    definition = ast.parse(source).body[0]
    assert isinstance(definition, ast.FunctionDef)
    start = definition.body[1 if ast.get_docstring(definition) is not None else 0]
    decorators = getattr(start, "decorator_list", [])
    first, last = definition.lineno, min(node.lineno for node in (start, *decorators))
    for argument in (*definition.args.args, *definition.args.kwonlyargs):
        argument.annotation = None
    head = f"def {definition.name}({ast.unparse(definition.args)}):"
    lines = source.splitlines()
    body = [re.sub(r"  # noqa:.*$", "", line) for line in lines[last - 1 :]]
    return "\n".join([*lines[: first - 1], head, *body])


def show_source(*functions: Callable) -> None:
    """Show the source of functions as a block of code."""
    st.code(source_of(*functions), language="python", wrap_lines=True)
