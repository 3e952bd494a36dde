"""The same transformations in every order: run, compared, their compilations counted."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from playground.lessons.chains import (
    FUNCTIONS,
    Stage,
    apply_chain,
    chain_arguments,
    expression,
    loss,
    refusal_words,
    shape_words,
    stages_of,
)
from playground.lessons.counting import compilations

MOST_NUMBERS = 1_000_000
MOST_ORDERS = 12


@dataclass(frozen=True)
class Order:
    """One order of the same transformations.

    Attributes:
        code: the composed expression.
        gives: shapes of the result, "" when refused.
        refusal: JAX's words, "" when it is legal.
        apart: largest difference to the first legal order with these shapes; nan when refused.
        python_runs: how often Python ran the function in the first and in the second call.
        programs: how many programs are compiled for it; None without jit, where every operation
            is a program of its own.
    """

    code: str
    gives: str
    refusal: str
    apart: float
    python_runs: tuple[int, int]
    programs: int | None


@dataclass(frozen=True)
class ChainResult:
    """A chain stage by stage, and all orders of its transformations.

    Attributes:
        stages: from the function itself outwards; the last one may be refused.
        orders: the different orders, the chosen one first.
        summary: headline numbers by name.
    """

    stages: tuple[Stage, ...]
    orders: tuple[Order, ...]
    summary: dict[str, Any]


def numbers_in(tree: Any) -> int:
    """Count the numbers of a result, arrays or shapes."""
    return sum(leaf.size for leaf in jax.tree.leaves(tree))


def run_twice(f: Callable, chain: tuple[str, ...], in_axes: tuple, arguments: tuple):
    """Call a chain twice and count how often Python runs the function.

    Args:
        f: for one example.
        chain: transformations in the order of application.
        in_axes: of every vmap.
        arguments: arrays for the whole chain.

    Returns:
        The result, and the runs of the first and of the second call.

    Raises:
        TypeError: JAX refuses this order.
        OverflowError: the result would have more than `MOST_NUMBERS` numbers.
    """
    runs: list[int] = []

    def counted(*args):
        runs.append(1)
        return f(*args)

    transformed = apply_chain(counted, chain, in_axes)
    count = numbers_in(jax.eval_shape(apply_chain(f, chain, in_axes), *arguments))
    if count > MOST_NUMBERS:
        raise OverflowError(f"not run: the result would have {count} numbers")
    out = jax.block_until_ready(transformed(*arguments))
    first = len(runs)
    jax.block_until_ready(transformed(*arguments))
    return out, (first, len(runs) - first)


def programs_of_chain(f: Callable, chain: tuple[str, ...], in_axes: tuple, arguments: tuple) -> int:
    """Count the programs that are compiled for a chain; operations outside jit do not count.

    What runs outside jit has been compiled before, by an earlier call of the same chain.
    """
    transformed = apply_chain(lambda *args: f(*args), chain, in_axes)
    with compilations() as found:
        jax.block_until_ready(transformed(*arguments))
    return len(found)


def compact(params, X, Y):
    """Close over the parameters and map an inner grad: the form that fits on a slide."""

    @jax.jit
    def gradients(X, Y):
        return jax.vmap(lambda x, y: jax.grad(loss)(params, x, y))(X, Y)

    return gradients(X, Y)


def composed(params, X, Y):
    """Pass the parameters as an argument and share them."""
    return jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, 0)))(params, X, Y)


def vmap_of_jit(params, X, Y):
    """Compile the inner function: right, too."""
    return jax.vmap(jax.jit(jax.grad(loss)), in_axes=(None, 0, 0))(params, X, Y)


def largest_difference(one: Any, other: Any) -> float:
    """Return the largest absolute difference of two results of one structure."""
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return max(float(jnp.abs(a - b).max()) for a, b in pairs)


def orders_of(function: str, chain: tuple[str, ...]) -> tuple[Order, ...]:
    """Run the different orders, `MOST_ORDERS` at most, and compare those of the same shapes."""
    f, shapes, in_axes = FUNCTIONS[function]
    arguments = chain_arguments(shapes, in_axes, chain.count("vmap"))
    first_of: dict[str, Any] = {}
    orders = []
    every = dict.fromkeys((chain, *itertools.permutations(chain)))
    for order in itertools.islice(every, MOST_ORDERS):
        code = expression(function, order, in_axes)
        try:
            out, runs = run_twice(f, order, in_axes, arguments)
        except (TypeError, ValueError, OverflowError) as error:
            orders.append(Order(code, "", refusal_words(error), float("nan"), (0, 0), None))
            continue
        programs = programs_of_chain(f, order, in_axes, arguments) if "jit" in order else None
        gives = shape_words(out)
        apart = largest_difference(out, first_of.setdefault(gives, out))
        orders.append(Order(code, gives, "", apart, runs, programs))
    return tuple(orders)


def form_headlines() -> dict[str, float]:
    """Compare the compact form and vmap(jit(grad)) with jit(vmap(grad)): largest differences."""
    arguments = chain_arguments(((3,), (3,), ()), (None, 0, 0), 1)
    one, other, third = (form(*arguments) for form in (composed, compact, vmap_of_jit))
    return {
        "compact form against jit(vmap(grad))": largest_difference(other, one),
        "vmap(jit(grad)) against jit(vmap(grad))": largest_difference(third, one),
    }


def chain_headlines(f: Callable, chain: tuple[str, ...], shapes: tuple, in_axes: tuple):
    """Run one chain: the shapes of its result, or JAX's refusal, and the runs of Python."""
    arguments = chain_arguments(shapes, in_axes, chain.count("vmap"))
    try:
        out, runs = run_twice(f, chain, in_axes, arguments)
    except (TypeError, ValueError, OverflowError) as error:
        return {"refused": refusal_words(error), **form_headlines()}
    return {
        "shapes of the result": shape_words(out),
        "Python runs the function, first call": runs[0],
        "Python runs the function, second call": runs[1],
        "first number": float(jax.tree.leaves(out)[0].ravel()[0]),
        **form_headlines(),
    }


def run_chain(function: str, chain: tuple[str, ...]) -> ChainResult:
    """Take a chain apart and try all its orders."""
    f, shapes, in_axes = FUNCTIONS[function]
    summary = chain_headlines(f, chain, shapes, in_axes)
    return ChainResult(stages_of(function, chain), orders_of(function, chain), summary)
