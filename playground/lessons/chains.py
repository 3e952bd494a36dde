"""Transformations of one function, stage by stage: what each takes and gives, and why not.

A chain is written in the order of application: ("grad", "vmap", "jit") is jit(vmap(grad(f))).
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp

LONGEST_CHAIN = 4
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
        takes: names and shapes of the arguments.
        gives: shapes of the result, "" when refused.
        refusal: JAX's words, "" when it is legal.
    """

    code: str
    added: str
    takes: tuple[str, ...]
    gives: str
    refusal: str


def stages_of(function: str, chain: tuple[str, ...]) -> tuple[Stage, ...]:
    """Ask JAX for the shapes at every stage, up to the first refusal."""
    f, shapes, in_axes = FUNCTIONS[function]
    stages = []
    for count in range(len(chain) + 1):
        part = chain[:count]
        arguments = chain_arguments(shapes, in_axes, part.count("vmap"))
        names = inspect.signature(f).parameters
        takes = tuple(
            f"{name}: {shape_words(argument)}"
            for name, argument in zip(names, arguments, strict=True)
        )
        code, added = expression(function, part, in_axes), part[-1] if part else ""
        try:
            out = jax.eval_shape(apply_chain(f, part, in_axes), *arguments)
        except (TypeError, ValueError) as error:
            stages.append(Stage(code, added, takes, "", refusal_words(error)))
            break
        stages.append(Stage(code, added, takes, shape_words(out), ""))
    return tuple(stages)


def read_chain(text: str) -> tuple[str, ...]:
    """Read names of transformations separated by commas; what is no name is passed over."""
    names = (part.strip() for part in text.replace("，", ",").split(","))
    return tuple(name for name in names if name in TRANSFORMS)[:LONGEST_CHAIN]
