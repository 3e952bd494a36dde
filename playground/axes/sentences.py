"""Refusals in plain words, in both languages: one or two sentences with the real names and sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playground.axes.diagnosis import Diagnosis
from playground.axes.prefixes import Difference
from playground.foundation.language import Language, pick

Pair = tuple[str, str]


def _examples(count: Any) -> str:
    return f"{count} example" if count == 1 else f"{count} examples"


def _output(path: str) -> Pair:
    return (f"output{path}", f"输出{path}") if path else ("the output", "输出")


def _sizes_differ(f: dict) -> Pair:
    one = f["size"] == 1 or f["other_size"] == 1
    return (
        f"{f['other']} has {_examples(f['other_size'])} along axis {f['other_axis']} but "
        f"{f['name']} has {f['size']} along axis {f['axis']}. All mapped axes must have one size"
        + ("; vmap does not broadcast a length of 1." if one else "."),
        f"{f['other']} 沿第 {f['other_axis']} 轴有 {f['other_size']} 个样本，而 {f['name']} "
        f"沿第 {f['axis']} 轴有 {f['size']} 个。所有映射轴的长度必须一致"
        + ("；vmap 不会广播长度为 1 的轴。" if one else "。"),
    )


def _scalar_mapped(f: dict) -> Pair:
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


def _key_mapped(f: dict) -> Pair:
    return (
        f"{f['name']} is one random key, with no axis to map. Split it into one key per example, "
        "or share it (then every example draws the same numbers).",
        f"{f['name']} 是单个随机 key，没有可映射的轴。请把它拆分（split）成每个样本一个 key，"
        "或者共享它（这样所有样本会得到相同的随机数）。",
    )


def _axis_out_of_range(f: dict) -> Pair:
    return (
        f"{f['name']} has shape {f['shape']}: it has no axis {f['axis']}. "
        f"Its axes are 0 to {f['rank'] - 1}, or -{f['rank']} to -1 from the end.",
        f"{f['name']} 的形状是 {f['shape']}，没有第 {f['axis']} 轴。"
        f"可用的轴是 0 到 {f['rank'] - 1}，从末尾数则是 -{f['rank']} 到 -1。",
    )


def _wrong_tuple_length(f: dict) -> Pair:
    return (
        f"in_axes has {f['given']} entries but the call has {f['needed']} positional "
        f"argument{'' if f['needed'] == 1 else 's'}: there must be one entry for each.",
        f"in_axes 有 {f['given']} 项，而调用时有 {f['needed']} 个位置参数：两者必须一一对应。",
    )


def _keyword_arguments(f: dict) -> Pair:
    names = ", ".join(f["keywords"])
    return (
        f"in_axes has {f['given']} entries but only {f['needed']} arguments are passed by "
        f"position. Keyword arguments ({names}) are not counted: they are always mapped along "
        "axis 0.",
        f"in_axes 有 {f['given']} 项，但按位置传入的参数只有 {f['needed']} 个。"
        f"关键字参数（{names}）不计入 in_axes，它们总是沿第 0 轴映射。",
    )


def _spaced(text: str) -> str:
    """Put a space between Latin text and the Chinese that follows."""
    return f"{text} " if text[-1].isascii() else text


def _difference(found: Difference | None, where: Pair, whole: str) -> Pair:
    if found is None:
        return f"{whole} is not built like {where[0]}.", f"{whole} 的结构与 {where[1]} 不一致。"
    english, chinese = where[0] + found.path, _spaced(where[1] + found.path)
    texts: dict[str, Pair] = {
        "missing_key": (
            f"{whole} has no entry for {english}: its keys are {found.given}, needed are "
            f"{found.needed}.",
            f"{whole} 缺少 {chinese}这一项：已给出的键是 {found.given}，需要的键是 {found.needed}。",
        ),
        "extra_key": (
            f"{whole} has an entry {found.path} that {where[0]} does not have: needed are only "
            f"{found.needed}.",
            f"{whole} 多出了 {found.path} 这一项，{_spaced(where[1])}中没有它：只需要 {found.needed}。",
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


def _python_control_flow(f: dict) -> Pair:
    what = {
        "bool": ("`if`, `and` or `while`", "if、and 或 while"),
        "number": ("a Python number (such as `float()` or `int()`)", "Python 数值（如 float()、int()）"),
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


def _of_function(f: dict) -> Pair:
    return (
        f"The function itself fails on one example: {f['text']}",
        f"函数在单个样本上就会出错：{f['text']}",
    )


def _output_varies(f: dict) -> Pair:
    what = _output(f["path"])
    return (
        f"{what[0][0].upper()}{what[0][1:]} varies over the batch, so out_axes None cannot drop "
        "its batch axis. Give the position of the axis, or reduce over the batch first.",
        f"{what[1]}随样本变化，out_axes 为 None 无法去掉它的批次轴。"
        "请指明批次轴的位置，或先在批次上归约。",
    )


def _out_axis_out_of_range(f: dict) -> Pair:
    what = _output(f["path"])
    return (
        f"With the batch axis {what[0]} has {f['rank']} "
        f"{'axis' if f['rank'] == 1 else 'axes'}: there is no place {f['axis']} for it "
        f"(0 to {f['rank'] - 1}, or -{f['rank']} to -1).",
        f"加上批次轴后，{what[1]}共有 {f['rank']} 个轴，没有第 {f['axis']} 个位置"
        f"（可用 0 到 {f['rank'] - 1}，或 -{f['rank']} 到 -1）。",
    )


def _axes_type(which: str) -> Callable[[dict], Pair]:
    return lambda f: (
        f"{which} must be an int, None or a tuple with one entry per argument, ints and None "
        f"inside; {f['axes']} is not.",
        f"{which} 只能是整数、None，或每个参数对应一项的元组，其中的叶子为整数或 None；"
        f"{f['axes']} 不符合。",
    )


_SENTENCES: dict[str, Callable[[dict], Pair]] = {
    "in_axes_type": _axes_type("in_axes"),
    "out_axes_type": lambda f: (
        "out_axes must be an int, None or a container of these built like the output; "
        f"{f['axes']} is not.",
        f"out_axes 只能是整数、None，或与输出结构相同、以它们为叶子的容器；{f['axes']} 不符合。",
    ),
    "not_a_function": lambda f: (
        "vmap needs a function that can be called and is no generator.",
        "vmap 需要一个可调用的函数，且不能是生成器。",
    ),
    "unknown_option": lambda f: (
        "The installed JAX does not know this option of vmap.",
        "当前安装的 JAX 不支持 vmap 的这个选项。",
    ),
    "wrong_tuple_length": _wrong_tuple_length,
    "keyword_arguments": _keyword_arguments,
    "in_axes_not_a_prefix": lambda f: _difference(
        f.get("difference"), (f.get("name", "the arguments"),) * 2, "in_axes"
    ),
    "not_an_array": lambda f: (
        f"{f['name']} is a {f['type']}, not an array: it cannot be mapped. "
        "Share it with in_axes None.",
        f"{f['name']} 的类型是 {f['type']}，不是数组，无法映射。请把它的 in_axes 设为 None 来共享。",
    ),
    "scalar_mapped": _scalar_mapped,
    "key_mapped": _key_mapped,
    "axis_out_of_range": _axis_out_of_range,
    "sizes_differ": _sizes_differ,
    "axis_size_conflict": lambda f: (
        f"axis_size is {f['axis_size']} but {f['name']} has {_examples(f['size'])} along axis "
        f"{f['axis']}.",
        f"axis_size 是 {f['axis_size']}，而 {f['name']} 沿第 {f['axis']} 轴有 {f['size']} 个样本。",
    ),
    "axis_size_invalid": lambda f: (
        f"axis_size must be a whole number of 0 or more; it is {f['axis_size']}.",
        f"axis_size 必须是不小于 0 的整数；现在是 {f['axis_size']}。",
    ),
    "nothing_mapped": lambda f: (
        "No argument is mapped, so nothing says how many examples there are. Map an axis, or give "
        "axis_size.",
        "没有任何参数被映射，无从得知样本的个数。请映射某个轴，或给出 axis_size。",
    ),
    "python_control_flow": _python_control_flow,
    "boolean_mask": lambda f: (
        "Indexing with a boolean array gives a result whose size depends on the values, and a "
        "mapped value has no definite one. Use jnp.where with three arguments.",
        "用布尔数组取下标时，结果的大小取决于数值，而映射后的值并不确定。请改用三参数的 jnp.where。",
    ),
    "key_data": lambda f: (
        "What reaches jax.random for one example is not one key: a raw key is uint32 of shape "
        "(2,), so a batch of keys is (n, 2), mapped along axis 0.",
        "传给 jax.random 的单个样本不是一个 key：原始 key 是形状 (2,) 的 uint32，"
        "一批 key 的形状是 (n, 2)，应沿第 0 轴映射。",
    ),
    "unbound_axis_name": lambda f: (
        f"A collective uses the axis name {f['axis_name']}, which no level has: give it as "
        "axis_name.",
        f"集合操作用到了轴名 {f['axis_name']}，但没有任何一层定义它：请通过 axis_name 给出。",
    ),
    "grad_needs_scalar": lambda f: (
        "jax.grad needs a function with a scalar output for one example. Take the gradient inside "
        "(vmap of grad), or sum the output first.",
        "jax.grad 要求函数对单个样本输出标量。请先求梯度再 vmap，或先对输出求和。",
    ),
    "grad_needs_real": lambda f: (
        f"jax.grad needs real floating-point numbers: {f['text']}",
        f"jax.grad 需要实浮点数：{f['text']}",
    ),
    "function_signature": lambda f: (
        f"The function does not take these arguments: {f['text']}",
        f"函数不接受这样的参数：{f['text']}",
    ),
    "function_error": _of_function,
    "output_not_an_array": lambda f: (
        f"The function returns {f['value']}, a {f['type']}: every output must be an array or a "
        "number (or None).",
        f"函数返回了 {f['value']}，类型是 {f['type']}：每个输出都必须是数组、数值或 None。",
    ),
    "out_axes_not_a_prefix": lambda f: _difference(
        f.get("difference"), ("the output", "输出"), "out_axes"
    ),
    "output_varies": _output_varies,
    "out_axis_out_of_range": _out_axis_out_of_range,
    "other": lambda f: (
        "JAX refuses this call; its own text says why.",
        "JAX 拒绝了这次调用，原因见它自己的报错。",
    ),
}


def summary(diagnosis: Diagnosis, levels: int, language: Language) -> str:
    """Say in one or two sentences why a call is refused.

    Args:
        diagnosis: what was found out.
        levels: how many levels the call has; with several, the sentence says which refuses.
        language: "en" or "zh".

    Returns:
        The sentences.
    """
    english, chinese = _SENTENCES[diagnosis.kind](diagnosis.facts)
    if levels > 1 and diagnosis.level is not None and diagnosis.kind not in ("function_error",):
        names = (
            ("Inner level: ", "内层：")
            if diagnosis.level == 0
            else ("Outer level: ", "外层：")
            if diagnosis.level == levels - 1
            else (f"Level {diagnosis.level + 1} from the inside: ", f"从内数第 {diagnosis.level + 1} 层：")
        )
        english, chinese = names[0] + english, names[1] + chinese
    return pick(language, english, chinese)
