"""Values with their exact shape, dtype and bits as JSON data, and back. Never pickle.

Reading is safe on anything: a tree that is not well formed raises, it makes nothing run.
"""

import base64
import math
from dataclasses import dataclass
from typing import Any

import ml_dtypes  # noqa: F401 - teaches NumPy the name "bfloat16"
import numpy as np

LARGEST_COUNT = 100_000
DEEPEST = 20


class MalformedError(ValueError):
    """What was handed over is no tree."""


@dataclass(frozen=True, eq=False)
class KeyData:
    """The words of typed random keys: handed over they become keys, and keys come back as these.

    Attributes:
        words: uint32, the keys' shape with the two words of one threefry key as last axis.
    """

    words: np.ndarray


def to_tree(value: Any) -> Any:
    """Write a value as JSON data.

    Args:
        value: arrays of NumPy or JAX, typed keys, `KeyData`, numbers, texts, None, and lists,
            tuples and dictionaries of these.

    Raises:
        TypeError: something else is in it.
        ValueError: it is nested too deeply or too large.
    """
    return _write(value, [0], 0)


def _write(value: Any, count: list[int], depth: int) -> Any:
    import jax

    count[0] += 1
    if depth > DEEPEST or count[0] > LARGEST_COUNT:
        raise ValueError("too large or too deeply nested to be handed over")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, KeyData):
        return {"key_data": _write(value.words, count, depth)}
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        return {"key_data": _write(np.asarray(jax.random.key_data(value)), count, depth)}
    if isinstance(value, jax.Array | np.ndarray | np.generic):
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        if array.dtype.hasobject:
            raise TypeError("an array of Python objects cannot be handed over")
        data = base64.b64encode(array.tobytes()).decode("ascii")
        return {"array": [array.dtype.name, list(array.shape), data]}
    for name, kind in (("list", list), ("tuple", tuple)):
        if isinstance(value, kind):
            return {name: [_write(item, count, depth + 1) for item in value]}
    if isinstance(value, dict):
        pairs = [[str(name), _write(item, count, depth + 1)] for name, item in value.items()]
        return {"dict": pairs}
    raise TypeError(f"a {type(value).__name__} cannot be handed over")


def from_tree(tree: Any) -> Any:
    """Read what `to_tree` wrote: arrays as NumPy arrays, keys as `KeyData`.

    Raises:
        MalformedError: it is no tree.
    """
    try:
        return _read(tree, 0)
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise MalformedError(str(error)) from error


def _read(tree: Any, depth: int) -> Any:
    if depth > 2 * DEEPEST:
        raise MalformedError("nested too deeply")
    if tree is None or isinstance(tree, bool | int | float | str):
        return tree
    ((kind, body),) = tree.items()
    if kind == "key_data":
        return KeyData(_read(body, depth + 1))
    if kind == "array":
        name, shape, data = body
        dtype, raw = np.dtype(str(name)), base64.b64decode(data)
        if dtype.hasobject or any(not isinstance(size, int) or size < 0 for size in shape):
            raise MalformedError(f"no array: {name} {shape}")
        if len(raw) != dtype.itemsize * math.prod(shape):
            raise MalformedError(f"{len(raw)} bytes for {name} {shape}")
        return np.frombuffer(raw, dtype).reshape(shape)
    if kind == "list":
        return [_read(item, depth + 1) for item in body]
    if kind == "tuple":
        return tuple(_read(item, depth + 1) for item in body)
    if kind == "dict":
        return {str(name): _read(item, depth + 1) for name, item in body}
    raise MalformedError(f"unknown part {kind!r}")
