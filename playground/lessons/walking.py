"""From steps to walks: one walker's path, its first return, and the batch of all walkers."""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key, Shaped

from playground.lessons.keys import is_one_key

SHOWN = 200
EVEN_MARKS = 30


def walk(
    key: Key[Array, ""],
    parameter: Float[Array, ""] | float,
    steps: Callable[..., Array],
    n_steps: int,
    same_key_every_step: bool = False,
) -> Shaped[Array, "times ..."]:
    """Positions of ONE walker who starts at 0.

    Args:
        key: the walker's key.
        parameter: of the steps, see steps.py.
        steps: one of the functions of steps.py.
        n_steps: length of the walk.
        same_key_every_step: make the mistake of drawing every step from the same key.

    Returns:
        Shape (n_steps + 1,), in the plane (n_steps + 1, 2): int32 on the lattice, where a sum of
        small integers would wrap around (`cumsum` does not widen them), float32 for Gaussian steps.
    """
    if same_key_every_step:
        taken = jax.vmap(lambda _: steps(key, 1, parameter)[0])(jnp.arange(n_steps))
    else:
        taken = steps(key, n_steps, parameter)
    return jnp.concatenate([jnp.zeros_like(taken[:1]), jnp.cumsum(taken, axis=0)])


def first_return(path: Shaped[Array, "times ..."]) -> Int[Array, ""]:
    """Time at which ONE walker is back at its start for the first time.

    Args:
        path: positions from time 0 on.

    Returns:
        int32, the time; 0 if the walker has not come back.
    """
    home = path[1:] == 0
    home = home if path.ndim == 1 else jnp.all(home, axis=-1)
    return jnp.where(jnp.any(home), jnp.argmax(home) + 1, 0).astype(jnp.int32)


@partial(jax.jit, static_argnames=("steps", "n_steps", "walkers", "same_key_every_step"))
def walk_batch(
    keys: Key[Array, "..."],
    parameter: Float[Array, ""] | float,
    marks: Int[Array, " marks"],
    steps: Callable[..., Array],
    n_steps: int,
    walkers: int,
    same_key_every_step: bool = False,
) -> tuple[Shaped[Array, "walkers marks ..."], Shaped[Array, "shown times ..."], Int[Array, " w"]]:
    """Let all walkers walk: `vmap` over their keys, or over nothing when there is only one.

    Args:
        keys: a batch of keys, or one key that everybody shares.
        parameter: of the steps.
        marks: times at which every walker's position is kept.
        steps: one of the functions of steps.py.
        n_steps: length of the walks.
        walkers: how many.
        same_key_every_step: see `walk`.

    Returns:
        Positions at the marks, whole paths of the first 200 walkers, first return times.
    """

    def observe(key: Key[Array, ""]) -> tuple[Array, Array, Array]:
        path = walk(key, parameter, steps, n_steps, same_key_every_step)
        return path[marks], path, first_return(path)

    in_axes = None if is_one_key(keys) else 0
    at_marks, paths, returns = jax.vmap(observe, in_axes=in_axes, axis_size=walkers)(keys)
    return at_marks, paths[:SHOWN], returns


def time_marks(n_steps: int) -> Int[np.ndarray, " marks"]:
    """Choose times for plots over time: evenly spaced ones, and ones with even logarithms.

    Args:
        n_steps: the last time.

    Returns:
        Increasing times from 1 to n_steps, at most 46.
    """
    growing = np.geomspace(1, n_steps, 16).round()
    return np.unique(np.concatenate([even_times(n_steps), growing])).astype(np.int32)


def even_times(n_steps: int) -> Int[np.ndarray, " times"]:
    """Choose at most 30 evenly spaced times, the last one among them.

    Args:
        n_steps: the last time.
    """
    count = min(n_steps, EVEN_MARKS)
    return np.linspace(0, n_steps, count + 1)[1:].round().astype(np.int32)
