"""Data with planted label errors, and finding them by the size of their gradients.

The data is drawn one example at a time; norms come from elsewhere.
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Bool, Float, Int, Key

NOISE = 0.1


def draw_example(
    key: Key[Array, ""], weights: Float[Array, " features"], bias: Float[Array, ""], classes: bool
) -> tuple[Float[Array, " features"], Float[Array, ""]]:
    """Draw one example of a linear truth.

    Args:
        key: typed random key of this example.
        weights: the true w.
        bias: the true b.
        classes: whether the label is a class (0 or 1) instead of a number.

    Returns:
        Features, standard normal; label w·x + b with noise of deviation 0.1, or its sign as 1, 0.
    """
    features_key, noise_key = jax.random.split(key)
    x = jax.random.normal(features_key, weights.shape)
    y = weights @ x + bias + NOISE * jax.random.normal(noise_key)
    return x, jnp.where(y > 0, 1.0, 0.0) if classes else y


@partial(jax.jit, static_argnames=("batch_size", "classes"))
def draw_batch(
    key: Key[Array, ""],
    weights: Float[Array, " features"],
    bias: Float[Array, ""],
    batch_size: int,
    classes: bool = False,
) -> tuple[Float[Array, "batch features"], Float[Array, " batch"]]:
    """Draw a batch of independent examples, one key for each; see `draw_example`."""
    keys = jax.random.split(key, batch_size)
    return jax.vmap(draw_example, in_axes=(0, None, None, None))(keys, weights, bias, classes)


def plant_errors(
    key: Key[Array, ""],
    Y: Float[Array, " batch"],
    count: int,
    shift: float,
    classes: bool = False,
) -> tuple[Float[Array, " batch"], Bool[Array, " batch"]]:
    """Make some labels wrong.

    Args:
        key: typed random key that chooses the examples.
        Y: the right labels.
        count: how many become wrong; at most the batch size.
        shift: what is added to a number; a class becomes the other class instead.
        classes: whether labels are classes.

    Returns:
        The labels, and which of them were made wrong.
    """
    chosen = jax.random.permutation(key, Y.shape[0])[: min(count, Y.shape[0])]
    planted = jnp.zeros(Y.shape[0], bool).at[chosen].set(True)
    wrong = 1.0 - Y if classes else Y + shift
    return jnp.where(planted, wrong, Y), planted


@dataclass(frozen=True)
class Findings:
    """What a threshold on the gradient norms finds.

    Attributes:
        threshold: norms above it are suspects, same unit as the norms.
        suspects: positions of the suspects, largest norm first.
        found: how many suspects were planted.
        planted: how many were planted.
        precision: found / suspects; nan when nothing is suspected.
        recall: found / planted; nan when nothing was planted.
        largest_are_planted: whether the `planted` largest norms are exactly the planted ones.
    """

    threshold: float
    suspects: np.ndarray
    found: int
    planted: int
    precision: float
    recall: float
    largest_are_planted: bool


def find_outliers(
    norms: Float[np.ndarray, " batch"], planted: Bool[np.ndarray, " batch"], times_median: float
) -> Findings:
    """Suspect every example whose gradient norm is far above the median.

    The median is used because a few label errors cannot move it, as they would the mean.

    Args:
        norms: gradient norms; inf and nan are always suspects.
        planted: which labels were made wrong.
        times_median: the threshold as a multiple of the median norm.

    Returns:
        Suspects, precision and recall.
    """
    ranked = np.where(np.isfinite(norms), norms, np.inf)
    order = np.argsort(-ranked, kind="stable")
    threshold = float(times_median * np.median(ranked))
    suspects: Int[np.ndarray, " suspects"] = order[ranked[order] > threshold]
    count, found = int(planted.sum()), int(planted[suspects].sum())
    return Findings(
        threshold=threshold,
        suspects=suspects,
        found=found,
        planted=count,
        precision=found / len(suspects) if len(suspects) else float("nan"),
        recall=found / count if count else float("nan"),
        largest_are_planted=bool(planted[order[:count]].all()),
    )


def keep_weights(batch_size: int, suspects: Int[np.ndarray, " suspects"]) -> Float[Array, " batch"]:
    """Return the weights of a mean without the suspects: 0 for them, 1/rest for the rest."""
    keep = np.ones(batch_size, np.float32)
    keep[suspects] = 0
    return jnp.asarray(keep / max(keep.sum(), 1))
