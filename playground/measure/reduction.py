"""Summing inside: how the outputs of a batch are brought down to one, chunk by chunk."""

import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.measure.agreement import drift_between

KNOWN = {
    "sum": (jnp.sum, np.sum, sum, jnp.add, np.add, operator.add, jax.lax.add),
    "mean": (jnp.mean, np.mean),
    "max": (jnp.max, np.max, max, jnp.maximum, np.maximum, jax.lax.max),
    "min": (jnp.min, np.min, min, jnp.minimum, np.minimum, jax.lax.min),
    "prod": (jnp.prod, np.prod, jnp.multiply, np.multiply, operator.mul, jax.lax.mul),
}


@dataclass(frozen=True)
class Reduction:
    """How outputs with a leading batch axis become one output, piece by piece.

    Attributes:
        chunk: stacked outputs of a chunk -> partial result.
        combine: two partial results -> one.
        finish: partial result of all, number of examples -> result.
        name: "sum", "mean", "max", "min", "prod", or "custom".
    """

    chunk: Callable[[Any], Any]
    combine: Callable[[Any, Any], Any]
    finish: Callable[[Any, int], Any]
    name: str


def reduction(reduce: Any, sample: Callable[[int], Any] | None = None) -> Reduction:
    """Read what a user means by `reduce`.

    Args:
        reduce: "sum", "mean", "max", "min" or "prod"; a function that is known to mean one of
            these (`jnp.sum`, `jnp.add` ...); a function of two results that combines them; or a
            function that takes the stacked outputs, leading axis first, and reduces that axis.
        sample: n -> stacked outputs of the first n examples, at most; decides whether an unknown
            function may be applied to chunks. Needed for unknown functions of one argument.

    Returns:
        The reduction.

    Raises:
        ValueError: the name is unknown, or the function gives something else when it is applied
            chunk by chunk.
    """
    for name, functions in KNOWN.items():
        if any(reduce is function for function in functions) or reduce == name:
            return known_reduction(name)
    if not callable(reduce):
        names = ", ".join(repr(name) for name in KNOWN)
        message = f"reduce is {reduce!r}; allowed are {names} and functions. Pass one of them."
        raise ValueError(message)
    if _required_positions(reduce) == 2:
        return Reduction(_folded(reduce), reduce, lambda total, _: total, "custom")
    return _from_chunk_function(reduce, sample)


def known_reduction(name: str) -> Reduction:
    """Return the reduction called "sum", "mean", "max", "min" or "prod"."""
    operation = "sum" if name == "mean" else name
    pairs = {"sum": jnp.add, "max": jnp.maximum, "min": jnp.minimum, "prod": jnp.multiply}

    def finish(total: Any, count: int) -> Any:
        return jax.tree.map(lambda leaf: leaf / count, total) if name == "mean" else total

    return Reduction(
        lambda stacked: jax.tree.map(lambda leaf: getattr(jnp, operation)(leaf, axis=0), stacked),
        lambda one, other: jax.tree.map(pairs[operation], one, other),
        finish,
        name,
    )


def _required_positions(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is inspect.Parameter.empty for p in parameters)


def _folded(combine: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """Combine the rows of stacked outputs in a tree of pairs, in order."""

    def chunk(stacked: Any) -> Any:
        count = jax.tree.leaves(stacked)[0].shape[0]
        while count > 1:
            half, odd = divmod(count, 2)
            left = jax.tree.map(lambda leaf, end=2 * half: leaf[0:end:2], stacked)
            right = jax.tree.map(lambda leaf, end=2 * half: leaf[1:end:2], stacked)
            paired = jax.vmap(combine)(left, right)
            last = jax.tree.map(lambda leaf: leaf[-1:], stacked)
            parts = (paired, last) if odd else (paired,)
            stacked = jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *parts)
            count = half + odd
        return jax.tree.map(lambda leaf: leaf[0], stacked)

    return chunk


def _from_chunk_function(
    reduce: Callable[[Any], Any], sample: Callable[[int], Any] | None
) -> Reduction:
    def by_leaf(stacked: Any) -> Any:
        return jax.tree.map(reduce, stacked)

    def stacked_pair(one: Any, other: Any) -> Any:
        return chunk(jax.tree.map(lambda a, b: jnp.stack([a, b]), one, other))

    outputs = sample(3) if sample is not None else None
    chunk = reduce if outputs is None or _takes(reduce, outputs) else by_leaf
    plain = Reduction(chunk, stacked_pair, lambda total, _: total, "custom")
    if outputs is None or jax.tree.leaves(outputs)[0].shape[0] < 3:
        return plain
    head = jax.tree.map(lambda leaf: leaf[:2], outputs)
    tail = jax.tree.map(lambda leaf: leaf[2:], outputs)
    whole = chunk(outputs)
    if _same(lambda: stacked_pair(chunk(head), chunk(tail)), whole):
        return plain
    weighted = _weighted(chunk)
    if _same(
        lambda: weighted.finish(weighted.combine(weighted.chunk(head), weighted.chunk(tail)), 3),
        whole,
    ):
        return weighted
    message = (
        "reduce gives another result when it is applied chunk by chunk and then to the parts. "
        'Pass a function that may be split, such as a sum, or "mean".'
    )
    raise ValueError(message)


def _weighted(mean: Callable[[Any], Any]) -> Reduction:
    """Treat a function as a mean: parts count by their number of examples."""

    def chunk(stacked: Any) -> Any:
        count = jax.tree.leaves(stacked)[0].shape[0]
        return jax.tree.map(lambda leaf: leaf * count, mean(stacked))

    def combine(one: Any, other: Any) -> Any:
        return jax.tree.map(jnp.add, one, other)

    def finish(total: Any, count: int) -> Any:
        return jax.tree.map(lambda leaf: leaf / count, total)

    return Reduction(chunk, combine, finish, "mean")


def _takes(reduce: Callable[[Any], Any], outputs: Any) -> bool:
    try:
        jax.eval_shape(reduce, outputs)
    except (TypeError, AttributeError):
        return False
    return True


def _same(result: Callable[[], Any], wanted: Any) -> bool:
    try:
        return drift_between(result(), wanted, tolerance=1e-3).agrees
    except (TypeError, ValueError):
        return False
