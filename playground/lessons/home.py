"""The picture of the first page: one function for one example, a small batch, one line of vmap."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, whole


@dataclass(frozen=True)
class HomeSettings(Settings, prefix="home"):
    """Which example of the small batch is lit."""

    example: int = whole(1, low=0, high=3)


@dataclass(frozen=True)
class HomeResult:
    """The batch, what came out, and whether one example alone gives the same.

    Attributes:
        batch: float32, shape (4, 3).
        outputs: float32, shape (4,).
        example: which row is lit.
        alone: the function of that row, called without vmap; float.
    """

    batch: np.ndarray
    outputs: np.ndarray
    example: int
    alone: float


def sum_of_squares(x: Float[Array, "features"]) -> Float[Array, ""]:
    """Return the sum of squares of ONE example, shape (features,) -> ()."""
    return jnp.sum(x**2)


def small_batch() -> Float[Array, "4 3"]:
    """Return four examples of three features, all rows different."""
    return jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.0, 1.0, 0.0]])


def compute(settings: HomeSettings) -> HomeResult:
    """Run the function over the batch with vmap, and over one example without it."""
    batch = small_batch()
    outputs = jax.vmap(sum_of_squares)(batch)
    alone = sum_of_squares(batch[settings.example])
    return HomeResult(np.asarray(batch), np.asarray(outputs), settings.example, float(alone))


def headlines(result: HomeResult) -> dict[str, object]:
    """Return the numbers that the page and its script both show."""
    return {
        "batch shape": result.batch.shape,
        "output shape": result.outputs.shape,
        "outputs": tuple(result.outputs.tolist()),
        "one example alone": result.alone,
    }


def script(settings: HomeSettings) -> str:
    """Return the standalone script of the page."""
    body = f"""
    batch = small_batch()
    outputs = jax.vmap(sum_of_squares)(batch)
    show_headlines({{
        "batch shape": batch.shape,
        "output shape": outputs.shape,
        "outputs": tuple(outputs.tolist()),
        "one example alone": float(sum_of_squares(batch[{settings.example}])),
    }})
    """
    return standalone(
        sum_of_squares,
        small_batch,
        show_headlines,
        body=body,
        title="One function, a whole batch: jax.vmap.",
    )
