"""Transformations of one function in any order: what each stage takes and gives, and why not.

A chain is written in the order of application: ("grad", "vmap", "jit") is jit(vmap(grad(f))).
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp

from playground.lessons.counting import compilations

LONGEST_CHAIN = 4
MOST_ORDERS = 12
BATCHES = (5, 3, 2, 4)
TRANSFORMS = ("grad", "vmap", "jit", "value_and_grad", "hessian", "jacfwd")


def wave(x):
    """Take ONE number to one number."""
    return jnp.sin(x) * x


def bowl(x):
    """Take ONE vector, (3,), to one number."""
    return jnp.sum(x**2) + x[0] * x[1] * x[2]


def field(x):
    """Take ONE vector, (2,), to a vector, (2,)."""
    return jnp.array([jnp.sin(x[0]) * x[1], x[0] ** 2 + x[1]])


def loss(w, x, y):
    """Take shared weights, (3,), and ONE example, (3,) and (), to its squared error."""
    return (w @ x - y) ** 2


FUNCTIONS: dict[str, tuple[FunctionType, tuple, tuple]] = {
    "wave": (wave, ((),), (0,)),
    "bowl": (bowl, ((3,),), (0,)),
    "field": (field, ((2,),), (0,)),
    "loss": (loss, ((3,), (3,), ()), (None, 0, 0)),
}
"""By name: a function for one example, the shapes of its arguments, in_axes of every vmap."""


def apply_chain(function: Callable, chain: tuple[str, ...], in_axes: tuple) -> Callable:
    """Wrap a function in the transformations of a chain, the first innermost."""
    for name in chain:
        if name == "vmap":
            function = jax.vmap(function, in_axes=in_axes)
        else:
            function = getattr(jax, name)(function)
    return function


def expression(function: str, chain: tuple[str, ...], in_axes: tuple) -> str:
    """Write a chain as code, such as "jit(vmap(grad(loss), in_axes=(None, 0, 0)))"."""
    code = function
    for name in chain:
        axes = f", in_axes={in_axes}" if name == "vmap" and set(in_axes) != {0} else ""
        code = f"{name}({code}{axes})"
    return code


def chain_arguments(shapes: tuple, in_axes: tuple, levels: int) -> tuple:
    """Make arguments for a function under some levels of vmap.

    Args:
        shapes: shapes of the arguments of one example.
        in_axes: which arguments each level maps, along axis 0.
        levels: how many vmaps; their batch sizes are 5, 3, 2, 4 from the inside out.

    Returns:
        float32 arrays, all numbers different.
    """
    batches = (5, 3, 2, 4)[:levels][::-1]
    arguments = []
    for place, (shape, axis) in enumerate(zip(shapes, in_axes, strict=True)):
        full = (batches if axis == 0 else ()) + tuple(shape)
        count = jnp.arange(1.0, 1.0 + jnp.prod(jnp.array(full, int)).item()).reshape(full)
        arguments.append(jnp.sin(count + place) + 0.1 * place)
    return tuple(arguments)


def shape_words(tree: Any) -> str:
    """Write the shapes of a result: one shape, or those of a tuple in parentheses."""
    if isinstance(tree, tuple):
        return f"({', '.join(shape_words(part) for part in tree)})"
    return str(tuple(tree.shape))


def refusal_words(error: Exception) -> str:
    """Write an error in one line: its class and the first line of its text."""
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


@dataclass(frozen=True)
class Stage:
    """A chain up to one transformation.

    Attributes:
        code: the composed expression.
        added: the transformation that was added, "" for the function itself.
        takes: shapes of the arguments.
        gives: shapes of the result, "" when refused.
        refusal: JAX's words, "" when it is legal.
    """

    code: str
    added: str
    takes: tuple[str, ...]
    gives: str
    refusal: str


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


def stages_of(function: str, chain: tuple[str, ...]) -> tuple[Stage, ...]:
    """Ask JAX for the shapes at every stage, up to the first refusal."""
    f, shapes, in_axes = FUNCTIONS[function]
    stages = []
    for count in range(len(chain) + 1):
        part = chain[:count]
        arguments = chain_arguments(shapes, in_axes, part.count("vmap"))
        takes = tuple(shape_words(argument) for argument in arguments)
        code, added = expression(function, part, in_axes), part[-1] if part else ""
        try:
            out = jax.eval_shape(apply_chain(f, part, in_axes), *arguments)
        except (TypeError, ValueError) as error:
            stages.append(Stage(code, added, takes, "", refusal_words(error)))
            break
        stages.append(Stage(code, added, takes, shape_words(out), ""))
    return tuple(stages)


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
    """
    runs: list[int] = []

    def counted(*args):
        runs.append(1)
        return f(*args)

    transformed = apply_chain(counted, chain, in_axes)
    jax.eval_shape(apply_chain(f, chain, in_axes), *arguments)  # refused before anything runs
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
        except (TypeError, ValueError) as error:
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
    except (TypeError, ValueError) as error:
        return {"refused": refusal_words(error), **form_headlines()}
    return {
        "shapes of the result": shape_words(out),
        "Python runs the function, first call": runs[0],
        "Python runs the function, second call": runs[1],
        "first number": float(jax.tree.leaves(out)[0].ravel()[0]),
        **form_headlines(),
    }


def read_chain(text: str) -> tuple[str, ...]:
    """Read names of transformations separated by commas; what is no name is passed over."""
    names = (part.strip() for part in text.replace("，", ",").split(","))
    return tuple(name for name in names if name in TRANSFORMS)[:LONGEST_CHAIN]


def run_chain(function: str, chain: tuple[str, ...]) -> ChainResult:
    """Take a chain apart and try all its orders."""
    f, shapes, in_axes = FUNCTIONS[function]
    summary = chain_headlines(f, chain, shapes, in_axes)
    return ChainResult(stages_of(function, chain), orders_of(function, chain), summary)
