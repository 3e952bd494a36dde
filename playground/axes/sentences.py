"""Refusals in plain words, in both languages: a sentence or two with the real names and sizes."""

from __future__ import annotations

from collections.abc import Callable

from playground.axes import wording
from playground.axes.diagnosis import Diagnosis
from playground.foundation.language import Language, pick

_SENTENCES: dict[str, Callable[[dict], wording.Pair]] = {
    "in_axes_type": wording.axes_type("in_axes"),
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
    "wrong_tuple_length": wording.wrong_tuple_length,
    "keyword_arguments": wording.keyword_arguments,
    "in_axes_not_a_prefix": lambda f: wording.difference(
        f.get("difference"), (f.get("name", "the arguments"),) * 2, "in_axes"
    ),
    "not_an_array": lambda f: (
        f"{f['name']} is a {f['type']}, not an array: it cannot be mapped. "
        "Share it with in_axes None.",
        f"{f['name']} 的类型是 {f['type']}，不是数组，无法映射。"
        "请把它的 in_axes 设为 None 来共享。",
    ),
    "scalar_mapped": wording.scalar_mapped,
    "key_mapped": wording.key_mapped,
    "axis_out_of_range": wording.axis_out_of_range,
    "sizes_differ": wording.sizes_differ,
    "axis_size_conflict": lambda f: (
        f"axis_size is {f['axis_size']} but {f['name']} has {wording.examples(f['size'])} along "
        f"axis {f['axis']}.",
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
    "python_control_flow": wording.python_control_flow,
    "boolean_mask": lambda f: (
        "Indexing with a boolean array gives a result whose size depends on the values, and a "
        "mapped value has no definite one. Use jnp.where with three arguments.",
        "用布尔数组取下标时，结果的大小取决于数值，而映射后的值并不确定。"
        "请改用三参数的 jnp.where。",
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
    "function_error": wording.of_function,
    "output_not_an_array": lambda f: (
        f"The function returns {f['value']}, a {f['type']}: every output must be an array or a "
        "number (or None).",
        f"函数返回了 {f['value']}，类型是 {f['type']}：每个输出都必须是数组、数值或 None。",
    ),
    "out_axes_not_a_prefix": lambda f: wording.difference(
        f.get("difference"), ("the output", "输出"), "out_axes"
    ),
    "output_varies": wording.output_varies,
    "out_axis_out_of_range": wording.out_axis_out_of_range,
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
            else (
                f"Level {diagnosis.level + 1} from the inside: ",
                f"从内数第 {diagnosis.level + 1} 层：",
            )
        )
        english, chinese = names[0] + english, names[1] + chinese
    return pick(language, english, chinese)
