"""Calls of grad on several parameters, on integers, on trees; batched Jacobians by three calls.

Every call is written once as code, shown as it stands and evaluated.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.lessons.chains import field
from playground.lessons.counting import Try, outcome_of, try_all

LEADING = ("()", "(4,)", "(3, 4)", "(2, 3, 4)")


def linear_loss(w, b, x, y):
    """Compute the squared error of ONE example of a linear model."""
    return (w @ x + b - y) ** 2


def entry_squared(v, i):
    """Square ONE entry, named by a whole number."""
    return v[i] ** 2


def tree_loss(params, x):
    """Use the weights of a tree that also carries a counter."""
    return (params["w"] * x).sum() + 0.0 * params["step"]


def lesson_names() -> dict[str, Any]:
    """Return the functions and arrays that the calls below use."""
    return {
        "linear_loss": linear_loss,
        "entry_squared": entry_squared,
        "tree_loss": tree_loss,
        "field": field,
        "w": jnp.array([1.0, -2.0, 0.5]),
        "b": jnp.array(0.5),
        "x": jnp.array([2.0, 1.0, 4.0]),
        "y": jnp.array(1.0),
        "v": jnp.array([1.0, 2.0, 3.0]),
        "i": jnp.array([0, 2, 2]),
        "params": {"w": jnp.ones(2), "step": jnp.int32(0)},
        "old": {"w": jnp.array([1.0, 2.0]), "b": jnp.array(3.0)},
        "g": {"w": jnp.array([10.0, 10.0]), "b": jnp.array(10.0)},
        "X": jnp.arange(1.0, 11.0).reshape(5, 2) / 10,
        "Z": jnp.arange(8.0).reshape(2, 2, 2) / 10,
    }


PARAMETER_CALLS = (
    "linear_loss(w, b, x, y)",
    "jax.grad(linear_loss)(w, b, x, y)",
    "jax.grad(linear_loss, argnums=1)(w, b, x, y)",
    "jax.grad(linear_loss, argnums=(0, 1))(w, b, x, y)",
    "jax.value_and_grad(linear_loss, argnums=(0, 1))(w, b, x, y)",
)

INTEGER_CALLS = (
    "jax.grad(jnp.cos)(3)",
    "jax.grad(jnp.cos)(3.0)",
    "jax.vmap(jax.grad(jnp.cos))(jnp.arange(3))",
    "jax.vmap(jax.grad(jnp.cos))(jnp.arange(3).astype(jnp.float32))",
    "jax.vmap(jax.grad(entry_squared), in_axes=(None, 0))(v, i)",
    "jax.grad(tree_loss)(params, jnp.ones(2))",
)

TREE_CALLS = (
    "jax.tree_map(lambda p, d: p - 0.1 * d, old, g)",
    "jax.tree.map(lambda p, d: p - 0.1 * d, old, g)",
)

JACOBIAN_CALLS = (
    "jax.vmap(jax.jacfwd(field))(X).shape",
    "jax.jacfwd(jax.vmap(field))(X).shape",
    "jax.vmap(jax.vmap(jax.grad(lambda x: field(x).sum())))(Z).shape",
)


@dataclass(frozen=True)
class CallsResult:
    """Calls that were tried.

    Attributes:
        parameters: several parameters, argnums, value_and_grad.
        integers: integer inputs and the cast.
        trees: tree_map, the old name and the new.
        summary: headline numbers by name.
    """

    parameters: tuple[Try, ...]
    integers: tuple[Try, ...]
    trees: tuple[Try, ...]
    summary: dict[str, Any]


def call_headlines(codes: tuple[str, ...]) -> dict[str, str]:
    """Evaluate calls; return what each gave."""
    names = lesson_names()
    return {code: outcome_of(code, names) for code in codes}


def run_calls() -> CallsResult:
    """Try the calls on parameters, integers and trees."""
    names = lesson_names()
    groups = (PARAMETER_CALLS, INTEGER_CALLS, TREE_CALLS)
    summary = call_headlines((*PARAMETER_CALLS, *INTEGER_CALLS, *TREE_CALLS))
    return CallsResult(*(try_all(codes, names) for codes in groups), summary)


def jacobian_by_hand(x):
    """Write down the Jacobian of `field` at ONE point, (2,), to (2, 2)."""
    return np.array([[x[1] * np.cos(x[0]), np.sin(x[0])], [2 * x[0], 1.0]])


def vectorized_jacobian(leading: tuple[int, ...]):
    """Take the Jacobian of `field` for any leading dimensions by a gufunc signature.

    Args:
        leading: the leading dimensions.

    Returns:
        Points, (*leading, 2), and Jacobians, (*leading, 2, 2), float32.
    """
    count = 2 * int(np.prod(leading))
    points = (jnp.arange(1.0, count + 1) / count).reshape(*leading, 2)
    return points, jnp.vectorize(jax.jacfwd(field), signature="(n)->(m,n)")(points)


@dataclass(frozen=True)
class JacobianResult:
    """Batched Jacobians.

    Attributes:
        calls: shapes of three calls.
        points: float32, shape (5, 2).
        jacobians: of vmap(jacfwd), float32, shape (5, 2, 2).
        by_hand: float64, shape (5, 2, 2).
        leading: leading dimensions of the vectorized call.
        vectorized_shape: shape that jnp.vectorize gives for them.
        vectorized_apart: its largest distance from the Jacobians by hand.
        summary: headline numbers by name.
    """

    calls: tuple[Try, ...]
    points: np.ndarray
    jacobians: np.ndarray
    by_hand: np.ndarray
    leading: tuple[int, ...]
    vectorized_shape: tuple[int, ...]
    vectorized_apart: float
    summary: dict[str, Any]


def jacobian_headlines(codes: tuple[str, ...], leading: tuple[int, ...]) -> dict[str, Any]:
    """Return the shapes of batched Jacobians, and the distance of one from that by hand."""
    points, jacobians = vectorized_jacobian(leading)
    first, matrix = points.reshape(-1, 2)[0], jacobians.reshape(-1, 2, 2)[0]
    apart = np.abs(np.asarray(matrix) - jacobian_by_hand(np.asarray(first, np.float64))).max()
    return call_headlines(codes) | {
        "points": points.shape,
        "jnp.vectorize": jacobians.shape,
        "first Jacobian agrees with the one by hand": bool(apart < 1e-6),
    }


def run_jacobians(leading: tuple[int, ...]) -> JacobianResult:
    """Take Jacobians of a batch, and of any leading dimensions."""
    names = lesson_names()
    points = np.asarray(names["X"])
    jacobians = np.asarray(jax.vmap(jax.jacfwd(field))(names["X"]))
    given, vectorized = vectorized_jacobian(leading)
    exact = [jacobian_by_hand(x) for x in np.asarray(given, np.float64).reshape(-1, 2)]
    flat = np.asarray(vectorized).reshape(-1, 2, 2)
    return JacobianResult(
        try_all(JACOBIAN_CALLS, names),
        points,
        jacobians,
        np.array([jacobian_by_hand(x) for x in points.astype(np.float64)]),
        leading,
        vectorized.shape,
        float(np.abs(flat - np.array(exact)).max()),
        jacobian_headlines(JACOBIAN_CALLS, leading),
    )
