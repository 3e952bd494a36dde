"""Per-example gradients and four ways to their norms: stored, fused, in chunks, ghost.

Each way is written for one example and batched by `vmap` (or `lax.map`). What to do with the
norms - find outliers, clip - is elsewhere.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float

from playground.lessons.models import Loss, layer_inputs, mean_loss

# One layer's numbers for a block of examples: they stay in the cache until the next layer reads
# them, and the buffers are used again for the next block.
BLOCK_BYTES = 2**21


@partial(jax.jit, static_argnames="loss")
def per_example_gradients(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
) -> dict[str, Array]:
    """Return the gradient of each example's own loss.

    Args:
        params: shared by all examples.
        X: features, one example a row.
        Y: labels.
        loss: loss of one example, (params, x, y) -> scalar.

    Returns:
        Like `params`, each leaf with a leading batch axis: B x P numbers in all.
    """
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


@partial(jax.jit, static_argnames="loss")
def mean_gradient(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
) -> dict[str, Array]:
    """Return the gradient of the mean loss: the ordinary backward pass, P numbers."""
    return jax.grad(mean_loss)(params, X, Y, loss)


@partial(jax.jit, static_argnames="loss")
def mean_of_per_example_gradients(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
) -> dict[str, Array]:
    """Return the mean over the batch of the per-example gradients, P numbers."""
    gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)
    return jax.tree.map(lambda leaf: jnp.mean(leaf, axis=0), gradients)


@partial(jax.jit, static_argnames="loss")
def weighted_gradient(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    weights: Float[Array, " batch"],
    loss: Loss,
) -> dict[str, Array]:
    """Return the gradient of sum_i weights[i] · loss_i: one backward pass for any weighting.

    It equals the weighted sum of the per-example gradients, which are never formed.
    """

    def weighted_loss(params: dict[str, Array]) -> Array:
        return weights @ jax.vmap(loss, in_axes=(None, 0, 0))(params, X, Y)

    return jax.grad(weighted_loss)(params)


def gradient_norm(gradient: dict[str, Array]) -> Float[Array, ""]:
    """Return the Euclidean norm of one gradient, over all leaves together."""
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))


@jax.jit
def norms_of(gradients: dict[str, Array]) -> Float[Array, " batch"]:
    """Return the norm of each gradient of a batch that is stored already."""
    return jax.vmap(gradient_norm)(gradients)


def example_norm(
    params: dict[str, Array], x: Float[Array, " features"], y: Float[Array, ""], loss: Loss
) -> Float[Array, ""]:
    """Return the gradient norm of one example, from its gradient."""
    return gradient_norm(jax.grad(loss)(params, x, y))


@partial(jax.jit, static_argnames="loss")
def fused_norms(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
) -> Float[Array, " batch"]:
    """Return all norms from one program: the compiler need not store the gradients."""
    return jax.vmap(partial(example_norm, loss=loss), in_axes=(None, 0, 0))(params, X, Y)


@partial(jax.jit, static_argnames=("loss", "chunk_size"))
def chunked_norms(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
    chunk_size: int,
) -> Float[Array, " batch"]:
    """Return all norms, `chunk_size` examples at a time; a rest is computed by itself.

    Args:
        params: shared by all examples.
        X: features, one example a row.
        Y: labels.
        loss: loss of one example.
        chunk_size: how many examples at once; moved into 1 ... batch, because `lax.map` takes 0
            for "all at once" and refuses negative numbers obscurely.
    """
    size = min(max(chunk_size, 1), X.shape[0])
    return jax.lax.map(lambda xy: example_norm(params, *xy, loss), (X, Y), batch_size=size)


def ghost_norm(
    params: dict[str, Array], x: Float[Array, " features"], y: Float[Array, ""], loss: Loss
) -> Float[Array, ""]:
    """Return the gradient norm of one example without its gradient.

    A dense layer W a + b has the gradient delta aᵀ for W and delta for b, so its squared norm is
    (|a|² + 1) |delta|². The gradient of the biases alone IS delta, layer by layer.

    Args:
        params: as made by `init_network`.
        x: the features of one example.
        y: its label.
        loss: loss of one example.

    Source:
        Goodfellow, "Efficient per-example gradient computations", 2015, arXiv:1510.01799.
    """
    biases = {name: leaf for name, leaf in params.items() if name.startswith("b")}
    deltas = jax.grad(lambda biases: loss(params | biases, x, y))(biases)
    squares = [
        (jnp.sum(a**2) + 1) * jnp.sum(deltas[f"b{layer}"] ** 2)
        for layer, a in enumerate(layer_inputs(params, x), start=1)
    ]
    return jnp.sqrt(sum(squares))


@partial(jax.jit, static_argnames="loss")
def ghost_norms(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
) -> Float[Array, " batch"]:
    """Return all norms from activations and deltas, a block of examples at a time.

    A block is as long as its widest layer takes `BLOCK_BYTES`: k x width numbers instead of B x P.
    """
    width = max(X.shape[1], *(leaf.shape[0] for leaf in params.values() if leaf.ndim))
    block = min(max(BLOCK_BYTES // (4 * width), 1), X.shape[0])
    return jax.lax.map(lambda xy: ghost_norm(params, *xy, loss), (X, Y), batch_size=block)
