"""First steps with per-example gradients: five points by hand, what `grad` refuses, and why.

Small enough to follow with pencil and paper; the real batch is in `gradients`.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float

from playground.lessons.models import squared_loss
from playground.lessons.per_example import mean_gradient, per_example_gradients


@dataclass(frozen=True)
class FivePoints:
    """A line fitted to five points: each point's own gradient, and their mean.

    Attributes:
        x: the points, shape (5,).
        y: their labels.
        dw: gradient of each point's loss for the slope.
        db: gradient of each point's loss for the offset.
        mean: gradient of the mean loss for (slope, offset), by the ordinary backward pass.
    """

    x: np.ndarray
    y: np.ndarray
    dw: np.ndarray
    db: np.ndarray
    mean: tuple[float, float]


def five_points(
    slope: float = 2.0, offset: float = 1.0, true_slope: float = 2.5, true_offset: float = 0.5
) -> FivePoints:
    """Take the gradients of (slope·x + offset - y)² at five points of a line.

    Args:
        slope: w of the model.
        offset: b of the model.
        true_slope: slope of the line the points lie on.
        true_offset: its offset.
    """
    x = jnp.linspace(0.0, 1.0, 5)
    y = true_slope * x + true_offset
    params = {"w1": jnp.array([slope]), "b1": jnp.array(offset)}
    rows = per_example_gradients(params, x[:, None], y, squared_loss)
    mean = mean_gradient(params, x[:, None], y, squared_loss)
    return FivePoints(
        x=np.asarray(x),
        y=np.asarray(y),
        dw=np.asarray(rows["w1"][:, 0]),
        db=np.asarray(rows["b1"]),
        mean=(float(mean["w1"][0]), float(mean["b1"])),
    )


def refused_gradient() -> str:
    """Ask for `grad(vmap(loss))` and return the error that JAX raises, or "" if it does not."""
    params = {"w1": jnp.array([2.0]), "b1": jnp.array(1.0)}
    x = jnp.linspace(0.0, 1.0, 5)[:, None]
    losses = jax.vmap(squared_loss, in_axes=(None, 0, 0))
    try:
        jax.grad(losses)(params, x, x[:, 0])
    except TypeError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def tanh_of_product(p: Float[Array, ""], x: Float[Array, ""]) -> Float[Array, ""]:
    """Return tanh(p x), for one x."""
    return jnp.tanh(p * x)


def tanh_slopes(
    p: float, x: Float[Array, " points"]
) -> tuple[Float[Array, " points"], Float[Array, ""]]:
    """Differentiate a vector of outputs by p, in the two ways that mean something.

    Args:
        p: where to differentiate.
        x: one output tanh(p x) for each.

    Returns:
        Element by element, `vmap(grad)`: x (1 - tanh²(p x)); and the gradient of the sum.
    """
    each = jax.vmap(jax.grad(tanh_of_product), in_axes=(None, 0))(p, x)
    of_sum = jax.grad(lambda p: jnp.sum(jax.vmap(tanh_of_product, in_axes=(None, 0))(p, x)))(p)
    return each, of_sum
