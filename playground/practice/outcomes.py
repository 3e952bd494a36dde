"""What can come out of a call, as short names that a link can carry, and how they are said.

An outcome is a shape such as "(3, 5)", a kind of refusal such as "sizes_differ", or something that
is seen in the numbers such as "all_equal".
"""

from typing import Any

import jax
import numpy as np

from playground.axes import Report
from playground.foundation.language import Language, pick

NAMES: dict[str, tuple[str, str]] = {
    "in_axes_type": (
        "Error: in_axes must be an int, None or a tuple",
        "报错：in_axes 必须是整数、None 或元组",
    ),
    "wrong_tuple_length": (
        "Error: in_axes has another length than the arguments",
        "报错：in_axes 的长度与参数个数不同",
    ),
    "keyword_arguments": (
        "Error: in_axes counts keyword arguments, which it never names",
        "报错：in_axes 把关键字参数也算了进去，但它从不涉及关键字参数",
    ),
    "in_axes_not_a_prefix": (
        "Error: in_axes is built differently from the argument",
        "报错：in_axes 的结构与参数不一致",
    ),
    "not_an_array": ("Error: what is mapped is no array", "报错：被映射的不是数组"),
    "scalar_mapped": (
        "Error: a value without axes is mapped",
        "报错：没有轴的值被映射",
    ),
    "key_mapped": ("Error: a single random key is mapped", "报错：单个随机 key 被映射"),
    "axis_out_of_range": (
        "Error: an argument has no such axis",
        "报错：某个参数没有这根轴",
    ),
    "sizes_differ": (
        "Error: the mapped axes have different sizes",
        "报错：被映射的各轴大小不同",
    ),
    "axis_size_conflict": (
        "Error: axis_size contradicts the mapped axes",
        "报错：axis_size 与被映射的轴矛盾",
    ),
    "nothing_mapped": (
        "Error: nothing is mapped, so the batch has no size",
        "报错：没有任何映射，批大小无从得知",
    ),
    "python_control_flow": (
        "Error: Python needs the value of something mapped",
        "报错：Python 需要知道被映射的值",
    ),
    "boolean_mask": (
        "Error: the result's shape would depend on the values",
        "报错：结果的形状会取决于数值",
    ),
    "unbound_axis_name": (
        "Error: the batch axis has no such name",
        "报错：批次轴没有这个名字",
    ),
    "grad_needs_scalar": (
        "Error: grad needs one number as output",
        "报错：grad 要求输出是一个数",
    ),
    "grad_needs_real": (
        "Error: grad needs real numbers, not integers",
        "报错：grad 需要实数，而不是整数",
    ),
    "function_error": (
        "Error: the function itself fails on one example",
        "报错：函数本身处理单个样本时就失败",
    ),
    "output_not_an_array": (
        "Error: the output holds something that is no array",
        "报错：输出中含有不是数组的东西",
    ),
    "out_axes_not_a_prefix": (
        "Error: out_axes is built differently from the output",
        "报错：out_axes 的结构与输出不一致",
    ),
    "output_varies": (
        "Error: out_axes=None, but the output varies over the batch",
        "报错：out_axes=None，但输出随批次变化",
    ),
    "out_axis_out_of_range": (
        "Error: the output has no such place for the batch axis",
        "报错：输出没有这个位置来放批次轴",
    ),
    "all_equal": ("No error: all numbers are equal", "不报错：所有的数都相等"),
    "all_different": ("No error: all numbers differ", "不报错：所有的数各不相同"),
    "has_nan": ("No error: some numbers are nan", "不报错：有的数是 nan"),
    "all_finite": ("No error: all numbers are finite", "不报错：所有的数都是有限值"),
}


def is_shape(outcome: str) -> bool:
    """Tell whether an outcome is a shape."""
    return outcome not in NAMES


def say(outcome: str, language: Language) -> str:
    """Say an outcome in one line of Markdown."""
    if not is_shape(outcome):
        return pick(language, *NAMES[outcome])
    return pick(language, f"Shape `{outcome}`", f"形状 `{outcome}`")


def shapes(output: Any) -> str:
    """Write the shapes of an output: `(3, 5)`, and its structure where it has one.

    Args:
        output: pytree of arrays or of shapes.
    """
    if output is None or hasattr(output, "shape"):
        return str(None if output is None else tuple(output.shape))
    if isinstance(output, dict):
        inside = ", ".join(f"{key!r}: {shapes(value)}" for key, value in output.items())
        return f"{{{inside}}}".replace("'", '"')
    if isinstance(output, tuple | list):
        return f"({', '.join(shapes(member) for member in output)})"
    return str(jax.tree.map(lambda leaf: tuple(jax.numpy.shape(leaf)), output))


def outcome_of(report: Report) -> str:
    """Return the outcome of a call, as the engine judges it."""
    return shapes(report.output) if report.error is None else report.error.kind


def attempt(call: Any) -> str:
    """Make a call and say what it gave: shapes, or the class of the error."""
    try:
        output = call()
    except Exception as error:
        return type(error).__name__
    return str(jax.tree.map(np.shape, output))
