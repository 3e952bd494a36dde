"""Comparing a value that came back with the one expected: container, shape, dtype, numbers.

Shapes are compared before numbers, and numbers only between equal shapes: nothing broadcasts.
"""

import itertools
from typing import Any

import numpy as np

from playground.practice.exercises.model import Finding, Pair, Stage

RELATIVE, ABSOLUTE = 5e-4, 5e-5
_ORDER = ("shape", "dtype", "values")


def leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    """List the leaves of tuples, lists and dictionaries with their paths, sorted by key."""
    if isinstance(value, dict):
        pairs = sorted((str(key), item) for key, item in value.items())
        return [leaf for k, item in pairs for leaf in leaves(item, f'{path}["{k}"]')]
    if isinstance(value, list | tuple):
        return [leaf for i, item in enumerate(value) for leaf in leaves(item, f"{path}[{i}]")]
    return [(path, value)]


def is_number(value: Any) -> bool:
    """Whether a leaf is an array of numbers or a number."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufcV" and not value.dtype.hasobject
    return isinstance(value, bool | int | float)


def is_close(value: Any, expected: Any) -> bool:
    """Whether two trees have the same paths, shapes and numbers up to rounding in float32."""
    mine, wanted = leaves(value), leaves(expected)
    if [path for path, _ in mine] != [path for path, _ in wanted]:
        return False
    return all(_same(a, b) for (_, a), (_, b) in zip(mine, wanted, strict=True))


def _same(value: Any, expected: Any) -> bool:
    if not is_number(value) or np.shape(value) != np.shape(expected):
        return False
    return not np.any(differs(value, expected))


def differs(value: Any, expected: Any) -> np.ndarray:
    """Mark the entries that are not what they should be; both have one shape.

    Args:
        value: what came back.
        expected: float64.

    Returns:
        Boolean, of that shape. NaN equals NaN.
    """
    value, expected = np.asarray(value, np.float64), np.asarray(expected, np.float64)
    size = np.max(np.abs(np.nan_to_num(expected)), initial=1.0)
    return ~np.isclose(value, expected, RELATIVE, ABSOLUTE * size, equal_nan=True)


def first_difference(
    value: Any, expected: Any, *, is_whole: bool, stage: Stage | None
) -> Finding | None:
    """Find the first thing that differs, shape before dtype before numbers.

    Args:
        value: what came back.
        expected: tree of float64 arrays.
        is_whole: whether whole numbers are as good as floats.
        stage: what to call the check; None names it after what differs.
    """
    wanted, mine = leaves(expected), leaves(value)
    if value is None:
        return _finding(
            stage or "shape",
            "none",
            ("it returns None", "它返回了 None"),
            ("Is a `return` missing?", "是不是漏了 `return`？"),
        )
    if [p for p, _ in mine] != [p for p, _ in wanted] or not all(is_number(v) for _, v in mine):
        return _finding(
            stage or "shape",
            "structure",
            (
                f"it must return {_form(expected)}, and it returns {_form(value)}",
                f"它应当返回 {_form(expected)}，实际返回 {_form(value)}",
            ),
        )
    found: list[Finding] = []
    for (path, a), (_, b) in zip(mine, wanted, strict=True):
        difference = _leaf(path, a, b, is_whole, stage)
        if difference is not None:
            found.append(difference)
    order = {name: place for place, name in enumerate(_ORDER)}
    return min(found, key=lambda each: order.get(each.details["what"], 9), default=None)


def _leaf(
    path: str, value: Any, wanted: Any, is_whole: bool, stage: Stage | None
) -> Finding | None:
    where = (f"`{path}` of the result", f"结果的 `{path}`") if path else ("the result", "结果")
    shape, target = np.shape(value), np.shape(wanted)
    if shape != target:
        order = _permutation(value, wanted)
        kind = "transposed" if order else "shape"
        says = (
            f"{where[0]} has shape {shape}; it must be {target}",
            f"{where[1]}的形状是 {shape}，应当是 {target}",
        )
        advice = ("", "")
        if order:
            advice = (
                "The numbers are right but transposed: change the nesting order, or out_axes.",
                "数值正确，但结果被转置了：请调整嵌套次序或 out_axes。",
            )
        return _finding(stage or "shape", kind, says, advice, "shape")
    dtype = np.asarray(value).dtype
    is_plain = isinstance(value, int) and not isinstance(value, bool) and is_whole
    allowed = ("float32", "float64", "int32", "int64") if is_whole else ("float32", "float64")
    if not (is_plain or dtype.name in allowed):
        says = (
            f"{where[0]} is {dtype.name}; it must be {allowed[0]}",
            f"{where[1]}的类型是 {dtype.name}，应当是 {allowed[0]}",
        )
        advice = (
            "Do not convert to another dtype: the inputs are float32.",
            "不要转换 dtype：输入都是 float32。",
        )
        return _finding(stage or "dtype", "dtype", says, advice, "dtype")
    if wanted.size == 0 or not np.any(differs(value, wanted)):
        return None
    return _values(where, value, wanted, stage)


def _values(where: Pair, value: Any, wanted: np.ndarray, stage: Stage | None) -> Finding:
    bad = differs(value, wanted)
    place = tuple(int(i) for i in np.argwhere(bad)[0])
    at = f"[{', '.join(map(str, place))}]" if place else ""
    got, want = float(np.asarray(value)[place]), float(wanted[place])
    says = (
        f"{int(bad.sum())} of {bad.size} numbers of {where[0]} are wrong: "
        f"{at or 'it'} is {got:.5g}, it must be {want:.5g}",
        f"{where[1]}的 {bad.size} 个数中有 {int(bad.sum())} 个不对："
        f"{at or '该数'} 为 {got:.5g}，应当是 {want:.5g}",
    )
    if bad.size == 1:
        says = (
            f"{where[0]} is {got:.5g}; it must be {want:.5g}",
            f"{where[1]}是 {got:.5g}，应当是 {want:.5g}",
        )
    if _permutation(value, wanted):
        advice = ("It is transposed.", "结果被转置了。")
        return _finding(stage or "values", "transposed", says, advice, "values")
    kind = "nan" if np.isnan(got) and not np.isnan(want) else "values"
    advice = (
        ("NaN comes from 0/0 or from a gradient at a point without one.", "")
        if kind == "nan"
        else ("", "")
    )
    if kind == "nan":
        advice = (advice[0], "NaN 来自 0/0，或来自没有梯度的点上的梯度。")
    return _finding(stage or "values", kind, says, advice, "values")


def _permutation(value: Any, wanted: np.ndarray) -> bool:
    """Whether another order of the axes makes the value right."""
    array = np.asarray(value)
    if array.ndim != np.ndim(wanted) or not 2 <= array.ndim <= 4 or array.size == 0:
        return False
    orders = itertools.islice(itertools.permutations(range(array.ndim)), 1, None)
    return any(_same(array.transpose(order), wanted) for order in orders)


def _form(value: Any) -> str:
    """Describe containers: "({"b", "w"}, array)"."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": …' for key in sorted(map(str, value))[:8]) + "}"
    if isinstance(value, list | tuple):
        return f"({', '.join(_form(item) for item in value[:8])})"
    return "array" if is_number(value) else type(value).__name__


def _finding(
    stage: Stage, kind: str, says: Pair, advice: Pair = ("", ""), what: str = ""
) -> Finding:
    return Finding(stage, kind, says, advice, {"what": what})
