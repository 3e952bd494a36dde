"""Clipping per-example gradients: one gradient, three orders of clipping and averaging.

What happens to gradients that cannot be clipped naively is stated once, in `clip_gradient`.
Noise is in `noise`; training with clipped gradients is in `descent`.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Bool, Float

from playground.lessons.models import Loss
from playground.lessons.per_example import ghost_norms, gradient_norm, weighted_gradient


def scaled_norm(gradient: dict[str, Array]) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Return the norm of one gradient in a unit in which its squares stay within float32.

    Squares of numbers beyond 1.8e19 overflow and those below 1e-23 vanish. The unit is a power of
    two, so changing to it and back is exact.

    Args:
        gradient: any pytree of float arrays.

    Returns:
        The norm of scale times the gradient, and the scale (2**-70, 1 or 2**70).
    """
    leaves = [leaf.astype(jnp.float32) for leaf in jax.tree.leaves(gradient)]
    largest = jnp.max(jnp.stack([jnp.max(jnp.abs(leaf)) for leaf in leaves]))
    scale = jnp.where(largest > 2.0**40, 2.0**-70, jnp.where(largest < 2.0**-40, 2.0**70, 1.0))
    return jnp.sqrt(sum(jnp.sum((scale * leaf) ** 2) for leaf in leaves)), scale


def clip_gradient(
    gradient: dict[str, Array], clip_norm: Float[Array, ""] | float
) -> tuple[dict[str, Array], Bool[Array, ""]]:
    """Bound the norm of ONE gradient, whatever it holds.

    | the gradient ...              | becomes                                        |
    |-------------------------------|------------------------------------------------|
    | is zero                       | zero, for every C                              |
    | has a norm of at most C       | itself, bit by bit                             |
    | has a larger norm             | C/norm times itself; with C = 0 that is zero   |
    | has a norm beyond float32     | C/norm times itself, in a smaller unit         |
    | contains inf or nan           | zero: it is refused, and counted as refused    |

    A refused example still counts in the batch size, so the bound on what one example can do to
    the mean, C / batch size, always holds.

    Args:
        gradient: of one example, any pytree of float arrays.
        clip_norm: C >= 0, over all leaves together.

    Returns:
        The clipped gradient, and whether the gradient was refused.
    """
    norm, scale = scaled_norm(gradient)
    refused = ~jnp.isfinite(norm)
    within = norm <= clip_norm * scale
    shrink = clip_norm / jnp.where(norm > 0, norm, 1.0)

    def clipped(leaf: Array) -> Array:
        scaled = (leaf.astype(jnp.float32) * scale * shrink).astype(leaf.dtype)
        return jnp.where(refused, jnp.zeros_like(leaf), jnp.where(within, leaf, scaled))

    return jax.tree.map(clipped, gradient), refused


def clip_naively(gradient: dict[str, Array], clip_norm: float) -> dict[str, Array]:
    """Return gradient · min(1, C/norm): the usual formula, for comparison."""
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    return jax.tree.map(lambda leaf: leaf * jnp.minimum(1.0, clip_norm / norm), gradient)


def mean_over_batch(gradients: dict[str, Array]) -> dict[str, Array]:
    """Return the mean of per-example gradients, leaf by leaf."""
    return jax.tree.map(lambda leaf: jnp.mean(leaf, axis=0), gradients)


def mean_of_clipped(
    gradients: dict[str, Array], clip_norm: Float[Array, ""] | float
) -> dict[str, Array]:
    """Clip each example, then average: this one is DP-SGD, one example moves it by C/B at most.

    Args:
        gradients: per-example gradients, each leaf with a leading batch axis.
        clip_norm: C.

    Returns:
        One gradient.

    Source:
        Abadi et al., "Deep learning with differential privacy", 2016, arXiv:1607.00133.
    """
    return mean_over_batch(jax.vmap(clip_gradient, in_axes=(0, None))(gradients, clip_norm)[0])


def clip_of_mean(
    gradients: dict[str, Array], clip_norm: Float[Array, ""] | float
) -> dict[str, Array]:
    """Average, then clip: bounds the step, and lets one example turn all of it."""
    return clip_gradient(mean_over_batch(gradients), clip_norm)[0]


def clip_of_micro_batches(
    gradients: dict[str, Array], clip_norm: Float[Array, ""] | float, micro_batch: int
) -> dict[str, Array]:
    """Average within micro-batches, clip those means, average them.

    Args:
        gradients: per-example gradients, each leaf with a leading batch axis.
        clip_norm: C.
        micro_batch: examples in one micro-batch; must divide the batch size. 1 is
            `mean_of_clipped`, the whole batch is `clip_of_mean`.

    Returns:
        One gradient.

    Raises:
        ValueError: `micro_batch` does not divide the batch size.
    """
    batch = jax.tree.leaves(gradients)[0].shape[0]
    if micro_batch < 1 or batch % micro_batch:
        message = f"micro-batches of {micro_batch} do not divide a batch of {batch}"
        raise ValueError(message)
    groups = jax.tree.map(lambda leaf: leaf.reshape(-1, micro_batch, *leaf.shape[1:]), gradients)
    return mean_over_batch(jax.vmap(clip_of_mean, in_axes=(0, None))(groups, clip_norm))


@partial(jax.jit, static_argnames="micro_batch")
def three_orders(
    gradients: dict[str, Array], clip_norm: Float[Array, ""] | float, micro_batch: int
) -> dict[str, dict[str, Array]]:
    """Return the result of each order of clipping and averaging, by name."""
    return {
        "mean_of_clipped": mean_of_clipped(gradients, clip_norm),
        "micro_batches": clip_of_micro_batches(gradients, clip_norm, micro_batch),
        "clip_of_mean": clip_of_mean(gradients, clip_norm),
    }


@partial(jax.jit, static_argnames="loss")
def clipped_mean_gradient(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    clip_norm: Float[Array, ""] | float,
    loss: Loss,
) -> dict[str, Array]:
    """Return the mean of the clipped per-example gradients, from the gradients themselves."""
    gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)
    return mean_of_clipped(gradients, clip_norm)


@partial(jax.jit, static_argnames="loss")
def norms_after_clipping(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    clip_norm: Float[Array, ""] | float,
    loss: Loss,
) -> tuple[Float[Array, " batch"], Bool[Array, " batch"]]:
    """Return the norm of each clipped gradient, and which gradients were refused."""

    def of_one(x: Array, y: Array) -> tuple[Array, Array]:
        clipped, refused = clip_gradient(jax.grad(loss)(params, x, y), clip_norm)
        return gradient_norm(clipped), refused

    return jax.vmap(of_one)(X, Y)


@partial(jax.jit, static_argnames="loss")
def ghost_clipped_mean_gradient(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    clip_norm: Float[Array, ""] | float,
    loss: Loss,
) -> dict[str, Array]:
    """Return the same mean without any per-example gradient: ghost norms, then weights.

    Clipping is a weighted loss with the weights min(1, C/norm), held constant. Gradients must be
    finite: a weight of zero cannot refuse an infinite one.
    """
    norms = ghost_norms(params, X, Y, loss)
    weights = jnp.where(norms <= clip_norm, 1.0, clip_norm / jnp.maximum(norms, 1e-30))
    return weighted_gradient(params, X, Y, weights / X.shape[0], loss)
