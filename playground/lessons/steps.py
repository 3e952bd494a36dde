"""The steps of ONE walker: fair, lazy, biased and Gaussian, on the line and in the plane.

Every function takes (key, n_steps, parameter) and knows nothing of a batch; `vmap` makes the
crowd. Steps on the lattice are int32, so positions are exact up to two thousand million steps.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key, UInt

STEPS_PER_WORD = 32
FEW_WORDS = 8


def random_words(key: Key[Array, ""], n_steps: int) -> UInt[Array, " words"]:
    """Draw one random bit for each step, 32 to a word.

    Args:
        key: the walker's key.
        n_steps: how many bits are needed.

    Returns:
        uint32 of shape (ceil(n_steps / 32),); the bits beyond the last step are 0.
    """
    n_words = -(-n_steps // STEPS_PER_WORD)
    if n_words <= FEW_WORDS:
        # After vmap a loop over the few words leaves the walkers in the axis that the processor
        # works through: 2 to 3 times faster on CPU than rows of 1 to 8 words.
        words = jax.lax.map(
            lambda i: jax.random.bits(jax.random.fold_in(key, i)), jnp.arange(n_words)
        )
    else:
        words = jax.random.bits(key, (n_words,))
    used = np.full(n_words, 0xFFFFFFFF, np.uint32)
    if n_steps % STEPS_PER_WORD:
        used[-1] = (1 << n_steps % STEPS_PER_WORD) - 1
    return words & jnp.asarray(used)


def end_of_fair_walk(key: Key[Array, ""], n_steps: int) -> Int[Array, ""]:
    """Where a fair walk ends, without its path: ones up, zeros down, counted 32 at a time.

    Args:
        key: the walker's key.
        n_steps: length of the walk.

    Returns:
        int32, the sum of `fair_steps(key, n_steps)`, bit for bit the same walk.
    """
    ups = jax.lax.population_count(random_words(key, n_steps)).astype(jnp.int32)
    return 2 * jnp.sum(ups, dtype=jnp.int32) - n_steps


def fair_steps(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float = 0.0
) -> Int[Array, " steps"]:
    """Steps of +1 or -1, each with probability one half: one random bit a step.

    Args:
        key: the walker's key.
        n_steps: how many.
        parameter: not used.

    Returns:
        int32 of shape (n_steps,).
    """
    words = random_words(key, n_steps)
    bits = (words[:, None] >> jnp.arange(STEPS_PER_WORD, dtype=jnp.uint32)) & 1
    return 2 * bits.reshape(-1)[:n_steps].astype(jnp.int32) - 1


def lazy_steps(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float
) -> Int[Array, " steps"]:
    """Steps of a walker that stays where it is with probability `parameter`, else +1 or -1.

    Args:
        key: the walker's key; it is split, since two things are drawn.
        n_steps: how many.
        parameter: probability of staying.

    Returns:
        int32 of shape (n_steps,); mean 0, variance 1 - parameter.
    """
    move_key, side_key = jax.random.split(key)
    stays = jax.random.bernoulli(move_key, parameter, (n_steps,))
    return jnp.where(stays, 0, fair_steps(side_key, n_steps))


def biased_steps(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float
) -> Int[Array, " steps"]:
    """Steps of +1 with probability `parameter`, else -1.

    Args:
        key: the walker's key.
        n_steps: how many.
        parameter: probability p of +1.

    Returns:
        int32 of shape (n_steps,); mean 2p - 1, variance 4p(1 - p).
    """
    ups = jax.random.bernoulli(key, parameter, (n_steps,))
    return jnp.where(ups, 1, -1).astype(jnp.int32)


def gaussian_steps(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float
) -> Float[Array, " steps"]:
    """Normal steps of mean `parameter` and standard deviation 1.

    Args:
        key: the walker's key.
        n_steps: how many.
        parameter: mean of one step.

    Returns:
        float32 of shape (n_steps,).
    """
    return parameter + jax.random.normal(key, (n_steps,))


def fair_steps_2d(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float = 0.0
) -> Int[Array, "steps 2"]:
    """Steps to one of the four neighbours, each with probability one quarter.

    The sum and the difference of the two coordinates are independent fair walks on the line.

    Args:
        key: the walker's key; it is split, since two bits a step are drawn.
        n_steps: how many.
        parameter: not used.

    Returns:
        int32 of shape (n_steps, 2); each coordinate has mean 0 and variance 1/2.
    """
    sum_key, difference_key = jax.random.split(key)
    total, difference = fair_steps(sum_key, n_steps), fair_steps(difference_key, n_steps)
    return jnp.stack([(total + difference) // 2, (total - difference) // 2], axis=1)


def lazy_steps_2d(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float
) -> Int[Array, "steps 2"]:
    """Stay with probability `parameter`, else move to one of the four neighbours; see 1-D."""
    move_key, side_key = jax.random.split(key)
    stays = jax.random.bernoulli(move_key, parameter, (n_steps, 1))
    return jnp.where(stays, 0, fair_steps_2d(side_key, n_steps))


def biased_steps_2d(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float
) -> Int[Array, "steps 2"]:
    """Choose a coordinate by a fair coin, then +1 on it with probability `parameter`, else -1.

    Args:
        key: the walker's key; it is split.
        n_steps: how many.
        parameter: probability p of +1.

    Returns:
        int32 of shape (n_steps, 2); each coordinate is a lazy biased walk of mean p - 1/2.
    """
    axis_key, side_key = jax.random.split(key)
    on_x = jax.random.bernoulli(axis_key, 0.5, (n_steps,))
    sides = biased_steps(side_key, n_steps, parameter)
    return jnp.stack([jnp.where(on_x, sides, 0), jnp.where(on_x, 0, sides)], axis=1)


def gaussian_steps_2d(
    key: Key[Array, ""], n_steps: int, parameter: Float[Array, ""] | float
) -> Float[Array, "steps 2"]:
    """Two independent normal coordinates of mean `parameter` and standard deviation 1."""
    return parameter + jax.random.normal(key, (n_steps, 2))
