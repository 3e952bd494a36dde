"""E2 and E3: batched prediction with shared parameters, samples as rows and as columns."""

from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    ErrorHint,
    Exercise,
    Finding,
    Property,
    random_array,
)
from playground.practice.exercises.network import (
    cases_of,
    columns,
    growth_of,
    mistakes_of,
    random_parameters,
    rows,
)
from playground.sandbox.asking import Answer, Call


def _not_turned(rng: np.random.Generator) -> list[Property]:
    def judge(answers: Any) -> Finding | None:
        (answer,) = answers
        if not isinstance(answer, Answer) or answer.value is not True:
            return None
        return Finding(
            "properties",
            "data_transposed",
            (
                "The values are right, but `Xc` itself is transposed.",
                "数值正确，但 `Xc` 本身被转置了。",
            ),
            (
                "Leave the data as it is: in_axes=(None, 1) walks its columns, out_axes=1 puts "
                "the results into columns.",
                "数据保持原样：in_axes=(None, 1) 遍历它的列，out_axes=1 把结果放成列。",
            ),
        )

    arguments = (random_parameters(rng, 3, 5, 2), random_array(rng, 3, 4))
    return [Property([Call("_turned", arguments)], judge)]


_SETUP = """
def _turned(params, Xc):
    try:
        return _is_turned(predict_columns, (params, Xc), 1)
    except Exception:
        return False
"""

_PREDICT = """def predict(params, x):
    hidden = jax.nn.relu(params["W1"] @ x + params["b1"])
    return params["W2"] @ hidden + params["b2"]
"""
_PREDICT_STARTER = '''def predict(params, x):
    """params: W1 (h, d), b1 (h,), W2 (o, h), b2 (o,); x: (d,) -> (o,)"""
    ...
'''
_FIRST_HINT = (
    "Write `predict` for one x of shape (d,): `W1 @ x + b1`, ReLU, then `W2 @ hidden + b2`.",
    "`predict` 只针对一个形状为 (d,) 的 x：`W1 @ x + b1`，ReLU，再 `W2 @ hidden + b2`。",
)
_SHARED = ErrorHint(
    "inconsistent sizes for array axes to be mapped|in_axes specification must be a tree prefix",
    "missing_none",
    (
        "The parameters are mapped too. They are shared by all examples: None in in_axes.",
        "参数 params 也被映射了。它由所有样本共享：in_axes 中要写 None。",
    ),
)

E2 = Exercise(
    id="E2",
    title=("Batched prediction", "批量预测"),
    functions={"predict": ("params", "x"), "batched_predict": ("params", "X")},
    starter=_PREDICT_STARTER
    + '''

def batched_predict(params, X):
    """X: (B, d), one example per row -> (B, o)"""
    ...
''',
    answer=_PREDICT
    + """

def batched_predict(params, X):
    return jax.vmap(predict, in_axes=(None, 0))(params, X)
""",
    hints=(
        _FIRST_HINT,
        (
            "All examples share the parameters: their entry in `in_axes` is None.",
            "所有样本共享参数：它在 `in_axes` 中的那一项是 None。",
        ),
        (
            "`jax.vmap(predict, in_axes=(None, 0))(params, X)`",
            "`jax.vmap(predict, in_axes=(None, 0))(params, X)`",
        ),
    ),
    cases=cases_of("batched_predict", 0, rows),
    growth=growth_of("batched_predict", 0),
    mistakes=mistakes_of("batched_predict", rows),
    errors=(_SHARED,),
    page="vectorize",
)

E3 = Exercise(
    id="E3",
    title=("Samples in columns", "按列存放的样本"),
    functions={"predict": ("params", "x"), "predict_columns": ("params", "Xc")},
    starter=_PREDICT_STARTER
    + '''

def predict_columns(params, Xc):
    """Xc: (d, B), one example per column -> (o, B); do not transpose Xc"""
    ...
''',
    answer=_PREDICT
    + """

def predict_columns(params, Xc):
    return jax.vmap(predict, in_axes=(None, 1), out_axes=1)(params, Xc)
""",
    hints=(
        _FIRST_HINT,
        (
            "The examples lie along axis 1 of `Xc`: `in_axes=(None, 1)`.",
            "样本沿 `Xc` 的轴 1 排列：`in_axes=(None, 1)`。",
        ),
        (
            "The result must have its examples along axis 1 too: `out_axes=1`.",
            "结果中的样本也要沿轴 1 排列：`out_axes=1`。",
        ),
    ),
    cases=cases_of("predict_columns", 1, columns),
    growth=growth_of("predict_columns", 1),
    properties=_not_turned,
    mistakes=mistakes_of("predict_columns", columns),
    errors=(
        _SHARED,
        ErrorHint(
            "dot_general|matmul|contract|broadcast|incompatible|core dimension",
            "wrong_axis",
            (
                "predict gets rows of Xc instead of examples: they lie along axis 1, so "
                "in_axes=(None, 1). (Or a matrix is transposed.)",
                "predict 拿到的是 Xc 的行而不是样本：样本沿轴 1 排列，应写 in_axes=(None, 1)。"
                "（也可能是矩阵被转置了。）",
            ),
        ),
    ),
    setup=_SETUP,
)
