"""Shows the source of the functions that a page runs, without the marks meant for tools."""

import inspect
import re
from collections.abc import Callable

import streamlit as st


def source_of(*functions: Callable) -> str:
    """Return the source of functions as a reader should see it: no linter marks, no docstrings."""
    return "\n\n".join(_readable(function) for function in functions)


def _readable(function: Callable) -> str:
    source = inspect.getsource(inspect.unwrap(function)).rstrip()
    source = re.sub(r"  # noqa:.*$", "", source, flags=re.MULTILINE)
    source = re.sub(r"\n    #.*(?=\n)", "", source)
    return re.sub(r'\n    """.*?"""(?=\n)', "", source, count=1, flags=re.DOTALL)


def show_source(*functions: Callable) -> None:
    """Show the source of functions as a block of code."""
    st.code(source_of(*functions), language="python", wrap_lines=True)
