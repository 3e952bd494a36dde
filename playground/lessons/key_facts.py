"""Facts about keys that are computed here and now: reuse, typed against raw, what JAX notices."""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key


def reused_draws(key: Key[Array, ""], draws: int) -> tuple[Float[Array, " n"], Float[Array, " n"]]:
    """Draw uniform and normal numbers from ONE key: the mistake."""
    return jax.random.uniform(key, (draws,)), jax.random.normal(key, (draws,))


def split_draws(key: Key[Array, ""], draws: int) -> tuple[Float[Array, " n"], Float[Array, " n"]]:
    """Draw uniform and normal numbers from two keys split off one."""
    first, second = jax.random.split(key)
    return jax.random.uniform(first, (draws,)), jax.random.normal(second, (draws,))


def correlations(
    first: Float[np.ndarray, " n"], second: Float[np.ndarray, " n"]
) -> tuple[float, float]:
    """Linear (Pearson) and rank (Spearman) correlation, in float64.

    Args:
        first: one sample.
        second: another of the same length.

    Returns:
        Both coefficients, -1 to 1.
    """
    linear = np.corrcoef(first, second)[0, 1]
    return float(linear), float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def ranks(values: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """Ranks 0 ... n - 1; equal values share the mean of their ranks."""
    _, which, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count + 1) / 2)[which]


@dataclass(frozen=True)
class Outcome:
    """One expression, and what the installed JAX makes of it.

    Attributes:
        code: the expression.
        outcome: its value as text, or the class of the error.
        message: first line of the error; empty when there is none.
    """

    code: str
    outcome: str
    message: str = ""


def outcome(code: str, thunk: Callable[[], object]) -> Outcome:
    """Run something and keep its value or its error."""
    try:
        return Outcome(code, str(thunk()))
    except (TypeError, ValueError, jax.errors.JAXTypeError, jax.errors.KeyReuseError) as error:
        first_line = (str(error).splitlines() or [""])[0].split(" for impl=")[0]
        return Outcome(code, type(error).__name__, first_line)


def typed_against_raw(seed: int) -> tuple[Outcome, ...]:
    """What a typed key and a raw `PRNGKey` are, and what each lets pass."""
    typed, raw = jax.random.key(seed), jax.random.PRNGKey(seed)
    two_typed, two_raw = jax.random.split(typed), jax.random.split(raw)
    uniform = jax.random.uniform
    along_0 = jax.vmap(uniform)(two_raw)

    def wrong_axis() -> str:
        along_1 = jax.vmap(uniform, in_axes=1)(two_raw)
        return f"shape {along_1.shape}, any number right: {bool((along_1 == along_0).any())}"

    rbg = jax.random.PRNGKey(seed, impl="rbg")
    return (
        outcome("jax.random.key(seed).dtype, .shape", lambda: f"{typed.dtype}, {typed.shape}"),
        outcome("jax.random.PRNGKey(seed).dtype, .shape", lambda: f"{raw.dtype}, {raw.shape}"),
        outcome(
            "vmap(uniform)(split(key)) == vmap(uniform)(split(raw))",
            lambda: bool((jax.vmap(uniform)(two_typed) == along_0).all()),
        ),
        outcome("vmap(uniform, in_axes=1)(split(raw))", wrong_axis),
        outcome(
            "vmap(uniform, in_axes=1)(split(key))",
            lambda: jax.vmap(uniform, in_axes=1)(two_typed).shape,
        ),
        outcome("vmap(uniform)(raw)", lambda: jax.vmap(uniform)(raw).shape),
        outcome("vmap(uniform)(key)", lambda: jax.vmap(uniform)(typed).shape),
        outcome("raw + 1", lambda: (raw + 1).dtype),
        outcome("key + 1", lambda: typed + 1),
        outcome('uniform(PRNGKey(seed, impl="rbg"))', lambda: uniform(rbg).shape),
    )


def what_jax_notices(seed: int) -> tuple[Outcome, ...]:
    """Run four kinds of key reuse under `jax.debug_key_reuse(True)`.

    Args:
        seed: of the keys; each case gets fresh ones, since the check remembers keys.

    Returns:
        "silent" or the class of the error that JAX raised, for each case.
    """
    normal, uniform, key = jax.random.normal, jax.random.uniform, jax.random.key

    def shared() -> str:
        jax.vmap(lambda k, x: x + normal(k), in_axes=(None, 0))(key(seed), jnp.zeros(4))
        return "silent"

    def copied() -> str:
        jax.vmap(normal)(jnp.broadcast_to(key(seed), (4,)))
        return "silent"

    def twice() -> str:
        one = key(seed)
        uniform(one), normal(one)
        return "silent"

    def every_step() -> str:
        one = key(seed)
        jax.lax.scan(lambda x, _: (x + normal(one), None), 0.0, length=4)
        return "silent"

    with jax.debug_key_reuse(True):
        return (
            outcome("vmap(noisy, in_axes=(None, 0))(key, xs)", shared),
            outcome("vmap(noisy)(broadcast_to(key, n), xs)", copied),
            outcome("uniform(key), normal(key)", twice),
            outcome("scan(lambda x, _: (x + normal(key), None), 0., length=n)", every_step),
        )


def batched_like_alone(generator: str, seed: int, walkers: int) -> int:
    """Count the walkers whose numbers are the same alone and in a batch.

    Args:
        generator: "threefry2x32" or "rbg".
        seed: any.
        walkers: size of the batch.

    Returns:
        All of them with threefry; rbg draws for the whole batch from its first key.
    """
    keys = jax.random.split(jax.random.key(seed, impl=generator), walkers)
    together = jax.vmap(jax.random.bits)(keys)
    return sum(int(jax.random.bits(keys[i]) == together[i]) for i in range(walkers))
