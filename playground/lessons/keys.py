"""How the walkers of a batch get their random keys: two right ways, an old one and two mistakes.

The facts about keys (reuse, typed against raw) stand in key_facts.py, the detector of copied
walkers in copies.py.
"""

import jax
import jax.numpy as jnp

WAYS = ("split", "fold_in", "raw", "shared", "every_step")
GENERATORS = ("threefry2x32", "rbg")


def make_keys(way: str, seed: int, walkers: int, generator: str = "threefry2x32") -> jax.Array:
    """Make the keys of a batch of walkers.

    Args:
        way: "split" (one key per walker), "fold_in" (the walker's number folded into one key),
            "raw" (split, but of an untyped `PRNGKey`, which only the default generator reads),
            "shared" (one key for everybody: a mistake), "every_step" (one key per walker, which
            the walker then uses again at every step: a mistake that `walk_batch` makes).
        seed: any integer that fits 32 bits.
        walkers: how many keys.
        generator: "threefry2x32" or "rbg"; "raw" always takes the default one.

    Returns:
        Typed keys of shape (walkers,); raw ones are uint32 of shape (walkers, 2); "shared" gives
        one typed key of shape ().

    Raises:
        ValueError: `way` is none of `WAYS`.
    """
    if way == "raw":
        return jax.random.split(jax.random.PRNGKey(seed), walkers)
    key = jax.random.key(seed, impl=generator)
    if way == "shared":
        return key
    if way == "fold_in":
        return jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, jnp.arange(walkers))
    if way in ("split", "every_step"):
        return jax.random.split(key, walkers)
    message = f"keys cannot be made by {way!r}: allowed are {', '.join(WAYS)}"
    raise ValueError(message)


def is_one_key(keys: jax.Array) -> bool:
    """Tell whether this is a single key rather than a batch: a raw key has rank 1, a typed 0."""
    return keys.ndim == (0 if jnp.issubdtype(keys.dtype, jax.dtypes.prng_key) else 1)
