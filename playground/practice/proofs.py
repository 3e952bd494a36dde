"""What the quiz's proofs use: shape or error of a call, equality, printed lines, memory."""

from collections.abc import Callable
from types import FunctionType

import jax
import numpy as np


def gives(call: Callable) -> tuple | str:
    """Return the shape that a call gives, or "error" when it raises."""
    try:
        return np.shape(call())
    except Exception:
        return "error"


def same(one: jax.Array, other: jax.Array) -> bool:
    """Tell whether two arrays agree in shape and, to rounding, in every number."""
    is_shaped = np.shape(one) == np.shape(other)
    return is_shaped and bool(np.allclose(one, other, rtol=1e-4, atol=1e-3))


def printed(call: FunctionType) -> list[str]:
    """Return the lines that `print` writes during a call, in the module where it was written."""
    lines: list[str] = []
    # Not by redirecting sys.stdout: that belongs to all threads of a server.
    call.__globals__["print"] = lambda *words: lines.append(" ".join(map(str, words)))
    try:
        call()
    finally:
        del call.__globals__["print"]
    return lines


def temporary_bytes(function: Callable, *args: jax.Array) -> int:
    """Return the temporary memory of the compiled function, in bytes."""
    analysis = jax.jit(function).lower(*args).compile().memory_analysis()
    assert analysis is not None, "this device does not tell"
    return analysis.temp_size_in_bytes
