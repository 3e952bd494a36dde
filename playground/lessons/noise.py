"""Noise for clipped gradients, one key per leaf: the right amounts, and the classic mix-ups.

Everything here adds noise to a gradient that is known already; nothing is clipped here.
"""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

RIGHT_PLACEMENTS = ("on_sum", "on_mean")
WRONG_PLACEMENTS = ("sum_noise_on_mean", "on_each_example", "one_key_for_all_leaves")


def gaussian_like(
    key: Key[Array, ""], tree: dict[str, Array], deviation: Float[Array, ""] | float
) -> dict[str, Array]:
    """Draw normal noise in the shape of a gradient.

    Args:
        key: typed random key; it is split, one key for each leaf.
        tree: gives the structure and the shapes.
        deviation: standard deviation of each number.

    Returns:
        Independent noise for every number of the tree.
    """
    leaves, structure = jax.tree.flatten(tree)
    keys = jax.random.split(key, len(leaves))
    drawn = [
        deviation * jax.random.normal(leaf_key, leaf.shape)
        for leaf_key, leaf in zip(keys, leaves, strict=True)
    ]
    return jax.tree.unflatten(structure, drawn)


def gaussian_from_one_key(
    key: Key[Array, ""], tree: dict[str, Array], deviation: Float[Array, ""] | float
) -> dict[str, Array]:
    """Draw noise with the same key for every leaf: WRONG, leaves of one shape get equal noise."""
    return jax.tree.map(lambda leaf: deviation * jax.random.normal(key, leaf.shape), tree)


def add_noise(
    key: Key[Array, ""],
    clipped_mean: dict[str, Array],
    batch_size: int,
    clip_norm: Float[Array, ""] | float,
    sigma: Float[Array, ""] | float,
    placement: str = "on_mean",
) -> dict[str, Array]:
    """Add the noise of DP-SGD to a mean of clipped gradients.

    One example moves the sum by at most C, so the sum gets noise of deviation sigma C; the mean
    gets the same noise divided by B, which is sigma C / B.

    Args:
        key: typed random key.
        clipped_mean: mean of B clipped gradients.
        batch_size: B.
        clip_norm: C.
        sigma: the noise multiplier, without unit.
        placement: "on_sum" and "on_mean" are the same thing in two ways; the others are mistakes
            that people make: "sum_noise_on_mean" (sigma C on the mean, B times too much),
            "on_each_example" (sigma C on every example, sqrt(B) times too much),
            "one_key_for_all_leaves" (right amount, but copies of itself).

    Returns:
        A gradient in the shape of `clipped_mean`.

    Raises:
        ValueError: the placement is unknown.
    """
    if placement == "on_sum":
        noise = gaussian_like(key, clipped_mean, sigma * clip_norm)
        total = jax.tree.map(lambda m, n: m * batch_size + n, clipped_mean, noise)
        return jax.tree.map(lambda leaf: leaf / batch_size, total)
    if placement == "on_each_example":
        keys = jax.random.split(key, batch_size)
        each = jax.vmap(gaussian_like, in_axes=(0, None, None))(
            keys, clipped_mean, sigma * clip_norm
        )
        return jax.tree.map(lambda m, n: m + jnp.mean(n, axis=0), clipped_mean, each)
    if placement == "on_mean":
        noise = gaussian_like(key, clipped_mean, sigma * clip_norm / batch_size)
    elif placement == "sum_noise_on_mean":
        noise = gaussian_like(key, clipped_mean, sigma * clip_norm)
    elif placement == "one_key_for_all_leaves":
        noise = gaussian_from_one_key(key, clipped_mean, sigma * clip_norm / batch_size)
    else:
        known = ", ".join(RIGHT_PLACEMENTS + WRONG_PLACEMENTS)
        message = f"placement {placement!r} is unknown; there are {known}"
        raise ValueError(message)
    return jax.tree.map(jnp.add, clipped_mean, noise)


def noise_study(
    key: Key[Array, ""],
    width: Float[Array, " width"],
    batch_size: int,
    clip_norm: Float[Array, ""] | float,
    sigma: Float[Array, ""] | float,
    placement: str,
    draws: int,
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Measure the noise of one placement on a gradient of two leaves of the same shape.

    Not compiled as a whole: the placements share the compiled draws of `jax.random.normal`.

    Args:
        key: typed random key, split into one key a draw.
        width: zeros; gives the shape of both leaves.
        batch_size: B.
        clip_norm: C.
        sigma: the noise multiplier.
        placement: see `add_noise`.
        draws: how often to draw.

    Returns:
        Standard deviation of one number of the mean, and the correlation between the two leaves.
    """
    still = {"b1": width, "w2": width}
    noisy = jax.vmap(
        lambda one: add_noise(one, still, batch_size, clip_norm, sigma, placement=placement)
    )(jax.random.split(key, draws))
    first, second = noisy["b1"].ravel(), noisy["w2"].ravel()
    spread = jnp.sqrt(jnp.mean(first**2) * jnp.mean(second**2))
    deviation = jnp.sqrt((jnp.mean(first**2) + jnp.mean(second**2)) / 2)
    return deviation, jnp.where(spread > 0, jnp.mean(first * second) / spread, 0.0)
