"""How user code hands back a value: a variable `value`, or `result`, or its last line."""

from typing import Any

LARGEST_COUNT = 200_000
DEEPEST = 50


def hand_back(names: dict[str, Any], question: Any = None) -> Any:
    """Take what the code hands back, as JSON data.

    Args:
        names: the names the code left.
        question: not used.

    Returns:
        `value` if the code set it, else `result`, else the value of the last line when that is
        an expression with a value JSON can hold; otherwise None.

    Raises:
        TypeError: `value` or `result` is nothing JSON can hold.
        ValueError: it has too many elements or is nested too deeply.
    """
    for name in ("value", "result"):
        if name in names:
            return plain(names[name])
    try:
        return plain(names.get("__last__"))
    except TypeError:
        return None


def plain(value: Any) -> Any:
    """Turn arrays, scalars, lists, tuples and dictionaries into JSON data.

    Args:
        value: NumPy and JAX arrays of any shape and dtype are taken (complex numbers become
            [real, imaginary], typed keys their words).

    Returns:
        Lists, dictionaries with text keys, numbers, texts, truth values, None.

    Raises:
        TypeError: something else is in it.
        ValueError: more than `LARGEST_COUNT` elements, or nested deeper than `DEEPEST`.
    """
    count = [0]
    return _plain(value, count, 0)


def _plain(value: Any, count: list[int], depth: int) -> Any:
    import jax
    import numpy as np

    count[0] += 1
    if count[0] > LARGEST_COUNT:
        raise ValueError(f"more than {LARGEST_COUNT} elements to hand back")
    if depth > DEEPEST:
        raise ValueError(f"nested deeper than {DEEPEST}")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, complex):
        return [value.real, value.imag]
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    if isinstance(value, jax.Array | np.ndarray | np.generic):
        return _plain_array(np.asarray(value), count, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, count, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item, count, depth + 1) for key, item in value.items()}
    raise TypeError(
        f"cannot hand back a {type(value).__name__}: numbers, texts, arrays, and lists and "
        "dictionaries of these can be handed back"
    )


def _plain_array(array: Any, count: list[int], depth: int) -> Any:
    if array.size > LARGEST_COUNT:
        raise ValueError(f"more than {LARGEST_COUNT} elements to hand back")
    count[0] += array.size
    if array.dtype.kind == "V":  # bfloat16 and its kin
        array = array.astype("float32")
    if array.dtype.kind not in "biufcUS":
        raise TypeError(f"cannot hand back an array of dtype {array.dtype}")
    if array.dtype.kind in "cS":
        items = [_plain(item, count, depth + 1) for item in array.tolist()] if array.ndim else None
        return items if array.ndim else _plain(array.item(), count, depth + 1)
    return array.tolist()
