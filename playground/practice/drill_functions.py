"""The drill's per-example functions; a letter stands for one size of one example."""

from dataclasses import dataclass
from types import FunctionType

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Piece:
    """One function with the sizes of one example.

    Attributes:
        function: for ONE example.
        inputs: letters of each argument's axes, such as ("mn", "n").
        output: letters of the output's axes.
    """

    function: FunctionType
    inputs: tuple[str, ...]
    output: str


def add(vector, number):
    """Add one number to one vector."""
    return vector + number


def dot(a, b):
    """Multiply two vectors to one number."""
    return a @ b


def matvec(matrix, vector):
    """Multiply one matrix by one vector."""
    return matrix @ vector


def outer(a, b):
    """Multiply every entry of one vector by every entry of another."""
    return a[:, None] * b


def total(vector):
    """Sum one vector."""
    return vector.sum()


def row_sums(matrix):
    """Sum every row of one matrix."""
    return matrix.sum(axis=1)


def flipped(matrix):
    """Transpose one matrix."""
    return matrix.T


def predict(params, x):
    """Apply a linear model with parameters in a dict."""
    return params["w"] @ x + params["b"]


def layer(params, x):
    """Apply a dense layer with parameters in a dict."""
    return jnp.tanh(params["w"] @ x)


def affine(x, slope, shift):
    """Scale and shift one vector."""
    return slope * x + shift


def spread(row):
    """Return a dict of two outputs."""
    return {"peak": row.max(), "centred": row - row.mean()}


def scaled(row, factor):
    """Return the scaled row together with the factor."""
    return row * factor, factor


def squared_error(w, x):
    """Return the squared error of one example, whose target is 1."""
    return (w @ x - 1.0) ** 2


def error_gradient(w, x):
    """Return the gradient with respect to w for one example."""
    return jax.grad(squared_error)(w, x)


def error_and_gradient(w, x):
    """Return the squared error of one example together with its gradient."""
    return jax.value_and_grad(squared_error)(w, x)


SIMPLE = (
    Piece(add, ("n", ""), "n"),
    Piece(dot, ("n", "n"), ""),
    Piece(matvec, ("mn", "n"), "m"),
    Piece(outer, ("m", "n"), "mn"),
    Piece(total, ("n",), ""),
    Piece(row_sums, ("mn",), "m"),
    Piece(flipped, ("mn",), "nm"),
)
GRADIENTS = (
    Piece(error_gradient, ("n", "n"), "n"),
    Piece(error_and_gradient, ("n", "n"), ""),
)
