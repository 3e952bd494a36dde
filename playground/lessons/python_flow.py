"""Python's own `if` and `for` in a mapped function: what cannot work, its repairs, what unrolls."""

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from playground.lessons.tracing import primitives

MOST_VALUES = 12
ROUNDS = tuple(range(0, 13, 2))


def relu_by_if(x):
    """Clip ONE number at zero with a Python if."""
    if x > 0:
        return x
    return 0.0


def relu_by_where(x):
    """Choose between two values that are both computed."""
    return jnp.where(x > 0, x, 0.0)


def relu_by_cond(x):
    """Choose between two functions."""
    return lax.cond(x > 0, lambda x: x, jnp.zeros_like, x)


def piecewise_by_if(x):
    """Square a positive number, turn the sign of any other."""
    if x > 0:
        return x**2
    return -x


def piecewise_by_where(x):
    """Choose between two values that are both computed."""
    return jnp.where(x > 0, x**2, -x)


def piecewise_by_cond(x):
    """Choose between two functions."""
    return lax.cond(x > 0, lambda x: x**2, lambda x: -x, x)


BRANCHES: dict[str, tuple[FunctionType, FunctionType, FunctionType]] = {
    "relu": (relu_by_if, relu_by_where, relu_by_cond),
    "piecewise": (piecewise_by_if, piecewise_by_where, piecewise_by_cond),
}
"""By name: the function with a Python if, and its two repairs."""


def refusal_of(call: Callable, *arguments) -> tuple[str, str]:
    """Call a function and return the class and text of what it raises, ("", "") if nothing."""
    try:
        call(*arguments)
    except Exception as error:  # whatever JAX raises is what is taught
        return type(error).__name__, str(error)
    return "", ""


def sine_rounds(x, rounds):
    """Apply sin to ONE number again and again, in a Python for."""
    for _ in range(rounds):
        x = jnp.sin(x)
    return x


def sine_loop(x, rounds):
    """Apply sin to ONE number again and again, in a loop of the compiled program."""
    return lax.fori_loop(0, rounds, lambda _, x: jnp.sin(x), x)


def count_sines(rounds: int, xs) -> int:
    """Count the sin operations in the program of vmap with a static count."""
    program = jax.make_jaxpr(jax.vmap(lambda x: sine_rounds(x, rounds)))(xs)
    return sum(equation.primitive.name == "sin" for equation in program.jaxpr.eqns)


@dataclass(frozen=True)
class Attempt:
    """One Python construct under vmap, tried.

    Attributes:
        code: what was called.
        outcome: the result as text, or the class of the error.
        works: whether it went through.
    """

    code: str
    outcome: str
    works: bool


@dataclass(frozen=True)
class PythonFlowResult:
    """The `if` refused, its repairs run, the `for` unrolled.

    Attributes:
        error: class of what JAX raised for the Python if, "" when it raised nothing.
        text: JAX's own words.
        values: float32, shape (batch,).
        by_where: float32, shape (batch,).
        by_cond: float32, shape (batch,).
        one_by_one: the Python if in a Python loop, float32, shape (batch,).
        attempts: what else was tried.
        unrolled: the program of the static for.
        rounds: counts of the sweep, int.
        unrolled_operations: operations of the unrolled program for each count, int.
        looped_operations: operations of the program with `fori_loop` for each count, int.
        summary: headline numbers by name.
    """

    error: str
    text: str
    values: np.ndarray
    by_where: np.ndarray
    by_cond: np.ndarray
    one_by_one: np.ndarray
    attempts: tuple[Attempt, ...]
    unrolled: str
    rounds: np.ndarray
    unrolled_operations: np.ndarray
    looped_operations: np.ndarray
    summary: dict[str, Any]


def read_values(text: str) -> tuple[float, ...]:
    """Read numbers separated by commas; what is no finite number is passed over.

    Args:
        text: such as "-1, 2, 3".

    Returns:
        Up to 12 floats; (-1, 2, 3) when there is none.
    """
    found = []
    for part in text.replace("，", ",").strip("()[] ").split(","):
        try:
            value = float(part)
        except ValueError:
            continue
        if abs(value) < 1e30:
            found.append(value)
    return tuple(found[:MOST_VALUES]) or (-1.0, 2.0, 3.0)


def flow_headlines(by_if: Callable, by_where: Callable, by_cond: Callable, xs, rounds: int):
    """Try the Python if, run the two repairs, and count the unrolled operations."""
    return {
        "a Python if raises": refusal_of(jax.vmap(by_if), xs)[0],
        "where": tuple(jax.vmap(by_where)(xs).tolist()),
        "cond": tuple(jax.vmap(by_cond)(xs).tolist()),
        "sin operations": count_sines(rounds, xs),
    }


def attempts(xs) -> tuple[Attempt, ...]:
    """Try other Python constructs under vmap."""
    matrix = jnp.ones((2, 3))
    calls: tuple[tuple[str, Callable], ...] = (
        ("x if flag else -x    # flag=True, in_axes=(None, 0)", lambda: _by_flag(xs)),
        ("x.sum() if x.shape[0] > 1 else x    # a shape", lambda: jax.vmap(_by_shape)(matrix)),
        ("x > 0 and x < 2", lambda: jax.vmap(lambda x: x > 0 and x < 2)(xs)),
        ("(x > 0) & (x < 2)", lambda: jax.vmap(lambda x: (x > 0) & (x < 2))(xs)),
        ("float(x)", lambda: jax.vmap(lambda x: float(x))(xs)),
        ("for _ in range(n)    # n mapped", lambda: _by_count(xs)),
    )
    return tuple(_attempt(code, call) for code, call in calls)


def _by_flag(xs):
    return jax.vmap(lambda flag, x: x if flag else -x, in_axes=(None, 0))(True, xs)


def _by_shape(x):
    return x.sum() if x.shape[0] > 1 else x


def _by_count(xs):
    return jax.vmap(sine_rounds)(xs, jnp.arange(xs.shape[0]))


def _attempt(code: str, call: Callable) -> Attempt:
    try:
        return Attempt(code, str(np.asarray(call()).tolist()), True)
    except TypeError as error:  # the tracer errors of JAX are TypeErrors
        return Attempt(code, type(error).__name__, False)


def run_python_flow(branch: str, values: tuple[float, ...], rounds: int) -> PythonFlowResult:
    """Try one branching function and one static for."""
    by_if, by_where, by_cond = BRANCHES[branch]
    xs = jnp.array(values, jnp.float32)
    error, text = refusal_of(jax.vmap(by_if), xs)
    operations = [
        [
            len(primitives(jax.make_jaxpr(jax.vmap(lambda x, n=n, f=f: f(x, n)))(xs).jaxpr))
            for f in (sine_rounds, sine_loop)
        ]
        for n in ROUNDS
    ]
    counted = np.array(operations)
    return PythonFlowResult(
        error,
        text,
        np.asarray(xs),
        np.asarray(jax.vmap(by_where)(xs)),
        np.asarray(jax.vmap(by_cond)(xs)),
        np.array([float(by_if(x)) for x in xs], np.float32),
        attempts(xs),
        str(jax.make_jaxpr(jax.vmap(lambda x: sine_rounds(x, rounds)))(xs)),
        np.array(ROUNDS),
        counted[:, 0],
        counted[:, 1],
        flow_headlines(by_if, by_where, by_cond, xs, rounds),
    )
