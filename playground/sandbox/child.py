"""Runs the user's code, in the user's own process, and writes one report to the pipe.

Nothing here is a wall: by now the walls stand, and the code can do to this interpreter what it
likes. The report is the process's own word about itself.
"""

import ast
import builtins
import errno
import importlib
import io
import itertools
import json
import linecache
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import CodeType
from typing import Any

from playground.sandbox import confine

FILE = "<your code>"
LAST = "__last__"
DEFAULT_DRIVER = "playground.sandbox.handing_back:hand_back"
_LONGEST_TEXT = 8_000
_FRAMES = 20
_MOST_WAITED_FOR = 1_000


def namespace(inputs: Any) -> dict[str, Any]:
    """Make the names the user's code finds: `jax`, `jnp`, `lax`, `np`, `inputs`.

    Args:
        inputs: JSON data; the keys of an object that can be names are names too, unless taken.
    """
    import jax
    import jax.numpy as jnp
    import numpy as np

    names: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    names |= {"jax": jax, "jnp": jnp, "lax": jax.lax, "np": np, "inputs": inputs}
    if isinstance(inputs, dict):
        extra = {key: value for key, value in inputs.items() if key.isidentifier()}
        names = extra | names
    return names


def compiled(code: str) -> CodeType:
    """Compile the code; when its last line is an expression, keep the value under `LAST`.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: the code is not Python.
    """
    tree = ast.parse(code, FILE)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        target = ast.Assign([ast.Name(LAST, ast.Store())], last.value)
        tree.body[-1] = ast.fix_missing_locations(ast.copy_location(target, last))
    return compile(tree, FILE, "exec", dont_inherit=True)


def line_of(error: BaseException) -> int | None:
    """Return the line of the user's code where an exception left it, or None."""
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return error.lineno
    line, frame = None, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == FILE:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception is NumPy's, Python's or XLA's word for too little memory."""
    text = str(error)
    if isinstance(error, MemoryError):
        return not text.startswith("Parser stack overflowed")
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    # XLA's own status, which JAX raises as JaxRuntimeError or ValueError, sometimes wrapped.
    return text.startswith("RESOURCE_EXHAUSTED") or (
        type(error).__name__ == "JaxRuntimeError" and "Out of memory allocating" in text
    )


def describe(error: BaseException) -> dict[str, Any]:
    """Make the report about an exception; survives exceptions made to be awkward."""
    try:
        kind = str(type(error).__name__)
        message = str(error.msg if isinstance(error, SyntaxError) else error)[:_LONGEST_TEXT]
        status = "memory" if is_out_of_memory(error) else "error"
    except BaseException as second:  # __str__ is the user's code too
        kind, message, status = type(error).__name__, f"(no text: {type(second).__name__})", "error"
    return {"status": status, "error": [kind, message, line_of(error)]}


def print_traceback(error: BaseException) -> None:
    """Print the user's part of a traceback to standard error."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename != FILE:
        frame = frame.tb_next
    last = frame
    for depth in itertools.count():  # a recursion may have left millions of frames
        if last is None:
            break
        if depth >= _FRAMES and frame is not None:
            frame = frame.tb_next
        last = last.tb_next
    text = "".join(traceback.format_exception(type(error), error, frame))
    os.write(2, text[-_LONGEST_TEXT:].encode("utf-8", "replace"))


def execute(request: dict[str, Any], report: int, work: str) -> None:
    """Run the code of a request and report; never returns.

    Args:
        request: `code`, `inputs`, and where a trusted driver takes over afterwards `driver`
            ("module:function", called with the names the code made and `question`).
        report: descriptor for the report, which begins with the request's `token`: what user
            code writes blindly to every descriptor is not taken for a report.
        work: the working directory.
    """
    own_pid = os.getpid()
    leave, write, dump = os._exit, os.write, json.dumps
    token = request.pop("token").encode("ascii")
    _settle_in(request["code"], work)
    streams = sys.stdout, sys.stderr
    result = _result(request)
    if os.getpid() != own_pid:  # a fork that user code let run on to here
        leave(0)
    for stream in streams:
        with suppress(BaseException):  # closed or broken by user code
            stream.flush()
    try:
        message = dump(result).encode("ascii")
    except BaseException as error:
        message = dump(describe(error)).encode("ascii")
    message = token + message
    while message:
        message = message[write(report, message) :]
    leave(0)


def _result(request: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    driver: Callable[[dict[str, Any], Any], Any]
    try:
        module, _, name = request.get("driver", DEFAULT_DRIVER).partition(":")
        driver = getattr(importlib.import_module(module), name)
        names = namespace(request["inputs"])
        try:
            exec(compiled(request["code"]), names)  # what this process is for
        except SystemExit as leaving:
            if leaving.code not in (None, 0):
                raise
        _wait_for_computations(list(names.values()))
        return {"status": "ok", "value": driver(names, request.get("question"))}
    except BaseException as error:  # whatever user code raises is reported
        try:
            confine.make_room_for_report()
            result = describe(error)
            names.clear()
            print_traceback(error)
            return result
        except BaseException as second:
            return describe(second)


def _wait_for_computations(values: list[Any]) -> None:
    """Wait for arrays that were never looked at: their errors are errors of the code.

    Only what the code left in its names is waited for; asking JAX for all its arrays would start
    a backend, and its threads, for code that uses none.
    """
    import jax

    for value in values:
        group = value[:_MOST_WAITED_FOR] if isinstance(value, list | tuple) else [value]
        for each in group:
            if isinstance(each, jax.Array) and not each.is_deleted():
                each.block_until_ready()


def _settle_in(code: str, work: str) -> None:
    """Make the interpreter fit for the code: streams, environment, sources for tracebacks."""
    os.environ.clear()
    tempfile.tempdir = work
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(
            io.BufferedWriter(raw, 1 << 14),
            encoding="utf-8",
            errors="backslashreplace",
            line_buffering=True,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = [FILE]
    vars(builtins).update(exit=sys.exit, quit=sys.exit)
    lines = code.splitlines(keepends=True)
    linecache.cache[FILE] = (len(code), None, lines, FILE)
