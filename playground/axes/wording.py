"""The longer sentences about refusals, in both languages; see sentences.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playground.axes.prefixes import Difference

Pair = tuple[str, str]


def examples(count: Any) -> str:
    """Count examples in English."""
    return f"{count} example" if count == 1 else f"{count} examples"


def output(path: str) -> Pair:
    """Name an output by its path."""
    return (f"output{path}", f"输出{path}") if path else ("the output", "输出")


def sizes_differ(f: dict) -> Pair:
    """Say whose batch sizes differ."""
    one = f["size"] == 1 or f["other_size"] == 1
    return (
        f"{f['other']} has {examples(f['other_size'])} along axis {f['other_axis']} but "
        f"{f['name']} has {f['size']} along axis {f['axis']}. All mapped axes must have one size"
        + ("; vmap does not broadcast a length of 1." if one else "."),
        f"{f['other']} 沿第 {f['other_axis']} 轴有 {f['other_size']} 个样本，而 {f['name']} "
        f"沿第 {f['axis']} 轴有 {f['size']} 个。所有映射轴的长度必须一致"
        + ("；vmap 不会广播长度为 1 的轴。" if one else "。"),
    )


def scalar_mapped(f: dict) -> Pair:
    """Say which scalar is mapped."""
    if f["keyword"]:
        return (
            f"The keyword argument {f['name']} is a scalar, and keyword arguments are always "
            "mapped along axis 0. Pass it by position with in_axes None to share it.",
            f"关键字参数 {f['name']} 是标量，而关键字参数总是沿第 0 轴映射。"
            "要共享它，请按位置传入，并把它的 in_axes 设为 None。",
        )
    return (
        f"{f['name']} is a scalar: it has no axis {f['axis']} to map. "
        "in_axes None shares it with every example.",
        f"{f['name']} 是标量，没有第 {f['axis']} 轴可以映射。"
        "把它的 in_axes 设为 None，就由所有样本共享。",
    )


def key_mapped(f: dict) -> Pair:
    """Say which single key is mapped."""
    return (
        f"{f['name']} is one random key, with no axis to map. Split it into one key per example, "
        "or share it (then every example draws the same numbers).",
        f"{f['name']} 是单个随机 key，没有可映射的轴。请把它拆分（split）成每个样本一个 key，"
        "或者共享它（这样所有样本会得到相同的随机数）。",
    )


def axis_out_of_range(f: dict) -> Pair:
    """Say which argument lacks the axis."""
    return (
        f"{f['name']} has shape {f['shape']}: it has no axis {f['axis']}. "
        f"Its axes are 0 to {f['rank'] - 1}, or -{f['rank']} to -1 from the end.",
        f"{f['name']} 的形状是 {f['shape']}，没有第 {f['axis']} 轴。"
        f"可用的轴是 0 到 {f['rank'] - 1}，从末尾数则是 -{f['rank']} 到 -1。",
    )


def wrong_tuple_length(f: dict) -> Pair:
    """Say how many entries in_axes has and needs."""
    return (
        f"in_axes has {f['given']} entries but the call has {f['needed']} positional "
        f"argument{'' if f['needed'] == 1 else 's'}: there must be one entry for each.",
        f"in_axes 有 {f['given']} 项，而调用时有 {f['needed']} 个位置参数：两者必须一一对应。",
    )


def keyword_arguments(f: dict) -> Pair:
    """Say that in_axes never counts keyword arguments."""
    names = ", ".join(f["keywords"])
    return (
        f"in_axes has {f['given']} entries but only {f['needed']} arguments are passed by "
        f"position. Keyword arguments ({names}) are not counted: they are always mapped along "
        "axis 0.",
        f"in_axes 有 {f['given']} 项，但按位置传入的参数只有 {f['needed']} 个。"
        f"关键字参数（{names}）不计入 in_axes，它们总是沿第 0 轴映射。",
    )


def spaced(text: str) -> str:
    """Put a space between Latin text and the Chinese that follows."""
    return f"{text} " if text[-1].isascii() else text


def difference(found: Difference | None, where: Pair, whole: str) -> Pair:
    """Say where axes are built differently from what they speak of."""
    if found is None:
        return f"{whole} is not built like {where[0]}.", f"{whole} 的结构与 {where[1]} 不一致。"
    english, chinese = where[0] + found.path, spaced(where[1] + found.path)
    texts: dict[str, Pair] = {
        "missing_key": (
            f"{whole} has no entry for {english}: its keys are {found.given}, needed are "
            f"{found.needed}.",
            f"{whole} 缺少 {chinese}这一项：已给出的键是 {found.given}，"
            f"需要的键是 {found.needed}。",
        ),
        "extra_key": (
            f"{whole} has an entry {found.path} that {where[0]} does not have: needed are only "
            f"{found.needed}.",
            f"{whole} 多出了 {found.path} 这一项，{spaced(where[1])}中没有它："
            f"只需要 {found.needed}。",
        ),
        "container": (
            f"{whole} has a {found.given} where {english} is a {found.needed}: inner containers "
            "must be of the same type.",
            f"{chinese}的类型是 {found.needed}，而 {whole} 中对应的是 {found.given}："
            "内层容器的类型必须相同。",
        ),
        "length": (
            f"{whole} has {found.given} entries where {english} has {found.needed}.",
            f"{chinese}有 {found.needed} 项，而 {whole} 中对应的有 {found.given} 项。",
        ),
        "deeper": (
            f"{whole} has a {found.given} where {english} is a single {found.needed}: there an "
            "int or None is needed.",
            f"{chinese}是单个 {found.needed}，而 {whole} 中对应的是 {found.given}："
            "此处只能是整数或 None。",
        ),
    }
    return texts[found.reason]


def python_control_flow(f: dict) -> Pair:
    """Say what Python wanted to know of a mapped value."""
    what = {
        "bool": ("`if`, `and` or `while`", "if、and 或 while"),
        "number": (
            "a Python number (such as `float()` or `int()`)",
            "Python 数值（如 float()、int()）",
        ),
        "index": ("a Python index or `range`", "Python 下标或 range"),
        "numpy": ("a NumPy array", "NumPy 数组"),
    }[f["conversion"]]
    name = f.get("name", "")
    told = (f" {name} is mapped.", f"{name} 已被映射。") if name else ("", "")
    return (
        f"The function needs one definite value for {what[0]}, but a mapped value stands for all "
        f"examples at once.{told[0]} Use jnp.where or lax.cond, or share that argument.",
        f"函数在 {what[1]} 处需要一个确定的值，而映射后的值同时代表所有样本。{told[1]}"
        "请改用 jnp.where 或 lax.cond，或者共享该参数。",
    )


def of_function(f: dict) -> Pair:
    """Say how the function itself fails."""
    return (
        f"The function itself fails on one example: {f['text']}",
        f"函数在单个样本上就会出错：{f['text']}",
    )


def output_varies(f: dict) -> Pair:
    """Say which output varies over the batch."""
    what = output(f["path"])
    return (
        f"{what[0][0].upper()}{what[0][1:]} varies over the batch, so out_axes None cannot drop "
        "its batch axis. Give the position of the axis, or reduce over the batch first.",
        f"{what[1]}随样本变化，out_axes 为 None 无法去掉它的批次轴。"
        "请指明批次轴的位置，或先在批次上归约。",
    )


def out_axis_out_of_range(f: dict) -> Pair:
    """Say which output has no such place."""
    what = output(f["path"])
    return (
        f"With the batch axis {what[0]} has {f['rank']} "
        f"{'axis' if f['rank'] == 1 else 'axes'}: there is no place {f['axis']} for it "
        f"(0 to {f['rank'] - 1}, or -{f['rank']} to -1).",
        f"加上批次轴后，{what[1]}共有 {f['rank']} 个轴，没有第 {f['axis']} 个位置"
        f"（可用 0 到 {f['rank'] - 1}，或 -{f['rank']} 到 -1）。",
    )


def axes_type(which: str) -> Callable[[dict], Pair]:
    """Make the sentence about axes of the wrong type."""
    return lambda f: (
        f"{which} must be an int, None or a tuple with one entry per argument, ints and None "
        f"inside; {f['axes']} is not.",
        f"{which} 只能是整数、None，或每个参数对应一项的元组，其中的叶子为整数或 None；"
        f"{f['axes']} 不符合。",
    )
