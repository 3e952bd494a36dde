"""Counts the programs that XLA compiles, and tries calls that are written as code."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import jax.monitoring
import jax.numpy as jnp
import numpy as np


@contextmanager
def compilations() -> Generator[list[str]]:
    """Collect one entry for every program that this thread compiles meanwhile.

    Yields:
        A list that grows; its length is the number of compiled programs.
    """
    thread, found = threading.get_ident(), []

    def note(event: str, duration_secs: float, **_: Any) -> None:
        del duration_secs
        if event.endswith("backend_compile_duration") and threading.get_ident() == thread:
            found.append(event)

    jax.monitoring.register_event_duration_secs_listener(note)
    try:
        yield found
    finally:
        jax.monitoring.unregister_event_duration_listener(note)


def result_words(value: Any) -> str:
    """Write a result in one line: arrays as lists of rounded numbers, trees as they are."""
    if isinstance(value, dict):
        parts = ", ".join(f"{name}: {result_words(part)}" for name, part in value.items())
        return f"{{{parts}}}"
    if isinstance(value, tuple):
        parts = [part if isinstance(part, int) else result_words(part) for part in value]
        return str(tuple(parts)).replace("'", "")
    if isinstance(value, jax.Array | np.ndarray | float):
        rounded = np.round(np.asarray(value, np.float64), 4) + 0.0
        return str(rounded.tolist())
    return str(value)


def outcome_of(code: str, names: dict[str, Any]) -> str:
    """Evaluate a call that a lesson wrote as code.

    Args:
        code: one expression.
        names: what it may use besides jax and jnp.

    Returns:
        The result in one line, or the class and first line of the error.
    """
    try:
        return result_words(eval(code, {"jax": jax, "jnp": jnp, **names}))
    except Exception as error:  # whatever JAX raises is what is taught
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


@dataclass(frozen=True)
class Try:
    """One call that was tried.

    Attributes:
        code: the expression.
        outcome: its result, or its error, in one line.
        works: whether it gave a result.
    """

    code: str
    outcome: str
    works: bool


def try_all(codes: tuple[str, ...], names: dict[str, Any]) -> tuple[Try, ...]:
    """Try calls one after the other."""
    tried = []
    for code in codes:
        outcome = outcome_of(code, names)
        failed = outcome.split(":")[0].endswith("Error")
        tried.append(Try(code, outcome, not failed))
    return tuple(tried)
