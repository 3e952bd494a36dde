"""The user's code as the sandbox ran it: which function it defines, which line an error is in."""

import inspect
from collections.abc import Mapping
from typing import Any

GIVEN_NAMES = ("jax", "jnp", "lax", "np", "inputs")
USER_FILE = "<your code>"
"""The file name that the sandbox gives to the user's code."""


def find_function(names: Mapping[str, Any]) -> Any:
    """Find the user's function: the one called `f`, else the last one that the code defines.

    Args:
        names: the names that the code left.

    Returns:
        The function, or None when there is none.
    """
    if callable(names.get("f")):
        return names["f"]
    own = [
        thing
        for name, thing in names.items()
        if name not in GIVEN_NAMES
        and not name.startswith("_")
        and callable(thing)
        and not inspect.isclass(thing)
        and _file(thing) == USER_FILE
    ]
    return own[-1] if own else None


def _file(thing: Any) -> str:
    try:
        return inspect.unwrap(thing).__code__.co_filename
    except (AttributeError, ValueError):
        return ""


def line_in_code(error: BaseException | None) -> int | None:
    """Return the line of the user's code where an exception left it, or None."""
    line, frame = None, error.__traceback__ if error is not None else None
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == USER_FILE:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line
