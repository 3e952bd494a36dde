"""Nesting by hand: examples small enough to check with a pencil."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from playground.lessons.coincident import gradient_towards
from playground.lessons.distances import rows_outside, squared


@dataclass(frozen=True)
class ByHand:
    """Small cases of one and two levels, all computed.

    Attributes:
        paired: matrix i with vector i, shape (3, 2).
        combined: every matrix with every vector, shape (3, 4, 2).
        combined_by_loop: the same by two Python loops in NumPy.
        squares: squared distances of three points to four, shape (3, 4).
        gradient: of the sum of `squares` with respect to the three points, shape (3, 2).
        gradient_formula: 2 (N a - sum of b), shape (3, 2).
        norms: length of every vector in a (2, 3) arrangement of vectors, shape (2, 3).
    """

    paired: np.ndarray
    combined: np.ndarray
    combined_by_loop: np.ndarray
    squares: np.ndarray
    gradient: np.ndarray
    gradient_formula: np.ndarray
    norms: np.ndarray


def matvec(matrix: Float[Array, "out in"], vector: Float[Array, " in"]) -> Float[Array, " out"]:
    """Product of ONE matrix and one vector."""
    return matrix @ vector


def length(vector: Float[Array, " in"]) -> Float[Array, ""]:
    """Length of ONE vector."""
    return jnp.sqrt(jnp.sum(vector * vector))


def pairs_of(A: Float[Array, "n out in"], v: Float[Array, "n in"]) -> Float[Array, "n out"]:
    """One level: matrix i meets vector i."""
    return jax.vmap(matvec)(A, v)


def combinations_of(
    A: Float[Array, "n out in"], v: Float[Array, "k in"]
) -> Float[Array, "n k out"]:
    """Two levels: the inner one walks the vectors, the outer one the matrices."""
    every_vector = jax.vmap(matvec, in_axes=(None, 0))
    return jax.vmap(every_vector, in_axes=(0, None))(A, v)


def lengths_of(vectors: Float[Array, "n k in"]) -> Float[Array, "n k"]:
    """Two levels over one argument: both leading axes are batch axes."""
    return jax.vmap(jax.vmap(length))(vectors)


def by_hand() -> ByHand:
    """Compute all small cases."""
    A = jnp.arange(18.0).reshape(3, 2, 3)
    three, four = jnp.arange(9.0).reshape(3, 3), jnp.arange(12.0).reshape(4, 3)
    a = jnp.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    b = jnp.array([[2.0, 2.0], [-2.0, 2.0], [2.0, -2.0], [-2.0, -2.0]])
    loops = [[np.asarray(M) @ np.asarray(v) for v in four] for M in A]
    return ByHand(
        np.asarray(pairs_of(A, three)),
        np.asarray(combinations_of(A, four)),
        np.array(loops),
        np.asarray(rows_outside(squared, a, b)),
        np.asarray(gradient_towards(squared, a, b)),
        2 * (len(b) * np.asarray(a) - np.asarray(b).sum(axis=0)),
        np.asarray(lengths_of(jnp.arange(24.0).reshape(2, 3, 4))),
    )
