"""What an exception of the user's code means: the mistakes that JAX reports in its own words."""

import re

from playground.practice.exercises.model import ErrorHint, Finding, Pair, Stage
from playground.sandbox.outcome import CodeError, Outcome
from playground.sandbox.sentences import explain

USUAL = (
    ErrorHint(
        "inconsistent sizes for array axes to be mapped",
        "missing_none",
        (
            "vmap was asked to walk several arguments in step, and their sizes differ. What is "
            "shared by all examples needs None in in_axes; for all pairs, nest two vmaps.",
            "vmap 要同步遍历几个参数，但它们的大小不同。所有样本共享的参数在 in_axes 中要写 None；"
            "要得到所有配对，请嵌套两层 vmap。",
        ),
    ),
    ErrorHint(
        "vmap in_axes must be|vmap in_axes specification|vmap was requested to map",
        "in_axes",
        (
            "in_axes does not fit the arguments: one entry per argument, each an axis it has.",
            "in_axes 与参数不匹配：每个参数对应一项，且该参数必须有这个轴。",
        ),
    ),
    ErrorHint(
        "dot_general|matmul|contract|shapes for dot|size of label|mismatch in its core dimension",
        "wrong_axis",
        (
            "A product meets sizes that do not fit: a wrong axis is mapped, or a matrix is "
            "transposed.",
            "乘积两边的大小不匹配：映射了错误的轴，或者矩阵被转置了。",
        ),
    ),
    ErrorHint(
        "broadcast|mul got incompatible|add got incompatible|sub got incompatible",
        "wrong_axis",
        (
            "Two arrays meet whose shapes do not fit: is the right axis mapped, and does every "
            "argument have the shape you think it has?",
            "两个形状不相容的数组相遇：映射的轴对吗？每个参数的形状是你以为的那样吗？",
        ),
    ),
    ErrorHint(
        "out of bounds for array of dimension",
        "no_such_axis",
        (
            "An axis is named that an array does not have: in_axes counts the axes of what is "
            "passed, out_axes those of each output with its batch axis.",
            "用到了数组没有的轴：in_axes 要看输入数组的轴，"
            "out_axes 要看各个输出加上批次轴之后的轴。",
        ),
    ),
    ErrorHint(
        "TracerBoolConversionError",
        "python_if",
        (
            "A Python `if` needs one truth value; under vmap every example has its own. "
            "Use jnp.where or lax.cond.",
            "Python 的 `if` 只需要一个真假值，而在 vmap 下每个样本各有一个。"
            "请用 jnp.where 或 lax.cond。",
        ),
    ),
    ErrorHint(
        "TracerArrayConversionError|ConcretizationTypeError|TracerIntegerConversionError",
        "not_traceable",
        (
            "Inside vmap, grad or jit a value is not yet a number: do not convert it with float(), "
            "int() or NumPy, and do not use it as a size.",
            "在 vmap、grad 或 jit 内部，值还不是具体的数："
            "不要用 float()、int() 或 NumPy 转换，也不要把它当作大小使用。",
        ),
    ),
    ErrorHint(
        "Gradient only defined for scalar-output",
        "not_scalar",
        (
            "grad needs one number per example; this function returns an array.",
            "grad 要求每个样本只有一个数，而这个函数返回的是数组。",
        ),
    ),
    ErrorHint(
        r"positional argument|unexpected keyword argument",
        "signature",
        (
            "A function is called with a number of arguments it does not take.",
            "调用函数时的参数个数与定义不符。",
        ),
    ),
)


def of_call(error: CodeError, function: str, hints: tuple[ErrorHint, ...], stage: Stage) -> Finding:
    """Explain an exception that a call raised.

    Args:
        error: what it raised.
        function: who was called.
        hints: what errors mean in this exercise, before the usual meanings.
        stage: the check that met it.
    """
    line = "" if error.line is None else f" in line {error.line}"
    zeile = "" if error.line is None else f"第 {error.line} 行"
    first = error.message.strip().splitlines()[0][:300] if error.message.strip() else ""
    raised = (
        f"`{function}` raised {error.type}{line}: {first}",
        f"`{function}` 在{zeile or '运行时'}抛出 {error.type}：{first}",
    )
    for hint in (*hints, *USUAL):
        if re.search(hint.pattern, f"{error.type}: {error.message}"):
            return Finding(stage, hint.kind, raised, hint.says, {"line": error.line})
    advice = (
        "Run it in your head for one example, with the shapes written beside.",
        "用一个样本在脑中走一遍，并在旁边写出形状。",
    )
    return Finding(stage, "error", raised, advice, {"line": error.line})


def of_outcome(outcome: Outcome) -> Finding:
    """Explain a run that gave no answers at all."""
    error = outcome.error
    kind = outcome.status
    advice: Pair = ("", "")
    if error is not None and error.type in ("SyntaxError", "IndentationError", "TabError"):
        kind = "syntax"
        advice = ("Mend the syntax first; nothing was run.", "先改正语法；代码还没有运行。")
    elif error is not None and error.type == "ValueTooLarge":
        kind = "shape"
        advice = (
            "The result is far larger than asked for: look at its shape.",
            "结果比题目要求的大得多：请检查它的形状。",
        )
    elif kind == "error":
        advice = ("The code fails before any call.", "代码在任何调用之前就出错了。")
    elif kind == "timeout":
        advice = (
            "Is there a loop that never ends, or one in Python over many examples?",
            "有没有不会结束的循环，或对大量样本的 Python 循环？",
        )
    elif kind == "crashed":
        advice = (
            "Code that ends its own process cannot be judged.",
            "会终止自身进程的代码无法评判。",
        )
    said = (explain(outcome, "en"), explain(outcome, "zh"))
    line = None if error is None else error.line
    return Finding("runs", kind, said, advice, {"line": line})
