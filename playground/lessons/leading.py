"""Any number of leading dimensions: `jnp.vectorize` with a signature nests vmap by itself."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


@dataclass(frozen=True)
class Leading:
    """One call of a vectorized function on an array with leading dimensions.

    Attributes:
        shape: of the argument, such as (3, 4, 2).
        output: of the result, such as (3, 4, 2, 2).
        agrees: whether a loop over all leading positions gives the same numbers.
    """

    shape: tuple[int, ...]
    output: tuple[int, ...]
    agrees: bool


def curve(x: Float[Array, "2"]) -> Float[Array, "2"]:
    """Return (sin x0 · x1, x0² + x1) of ONE point, shape (2,) -> (2,)."""
    return jnp.stack([jnp.sin(x[0]) * x[1], x[0] ** 2 + x[1]])


jacobians = jnp.vectorize(jax.jacfwd(curve), signature="(n)->(m,n)")
"""Jacobian of `curve` for any leading dimensions, shape (..., 2) -> (..., 2, 2)."""


def leading(dimensions: tuple[int, ...]) -> Leading:
    """Call `jacobians` on points with the given leading dimensions and check it by a loop.

    Args:
        dimensions: such as (3, 4); () is one point.
    """
    shape = (*dimensions, 2)
    points = jnp.arange(np.prod(shape, dtype=int), dtype=jnp.float32).reshape(shape) / 7
    result = np.asarray(jacobians(points))
    one = jax.jit(jax.jacfwd(curve))
    alone = [np.asarray(one(points[place])) for place in np.ndindex(*dimensions)]
    expected = np.stack(alone).reshape(*dimensions, 2, 2)
    return Leading(shape, result.shape, bool(np.allclose(result, expected, rtol=1e-5)))
