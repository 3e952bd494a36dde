"""E2 and E3: batched prediction with shared parameters, samples as rows and as columns."""

from collections.abc import Callable
from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    Case,
    ErrorHint,
    Exercise,
    Finding,
    Growth,
    Mistake,
    Property,
    different_sizes,
    random_array,
)
from playground.sandbox.asking import Answer, Call

Parameters = dict[str, np.ndarray]


def _parameters(rng: np.random.Generator, d: int, h: int, o: int) -> Parameters:
    shapes = {"W1": (h, d), "b1": (h,), "W2": (o, h), "b2": (o,)}
    return {name: random_array(rng, *shape) for name, shape in shapes.items()}


def _rows(
    params: Parameters,
    X: np.ndarray,
    *,
    biased: tuple[bool, bool] = (True, True),
    rectify: Callable[[np.ndarray], np.ndarray] = lambda x: np.maximum(x, 0),
    at_end: Callable[[np.ndarray], np.ndarray] = lambda x: x,
) -> np.ndarray:
    p = {name: value.astype(np.float64) for name, value in params.items()}
    hidden = rectify(X.astype(np.float64) @ p["W1"].T + biased[0] * p["b1"])
    return at_end(hidden @ p["W2"].T + biased[1] * p["b2"])


def _one(params: Parameters, x: np.ndarray, **more: Any) -> np.ndarray:
    return _rows(params, x[None], **more)[0]


def _columns(params: Parameters, Xc: np.ndarray, **more: Any) -> np.ndarray:
    return _rows(params, Xc.T, **more).T


def _same(x: np.ndarray) -> np.ndarray:
    return x


_WRONG: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    (
        "missing_bias",
        {"biased": (False, True)},
        "The bias b1 of the first layer is missing.",
        "漏了第一层的偏置 b1。",
    ),
    (
        "missing_bias",
        {"biased": (True, False)},
        "The bias b2 of the second layer is missing.",
        "漏了第二层的偏置 b2。",
    ),
    (
        "missing_bias",
        {"biased": (False, False)},
        "Both biases (b1 and b2) are missing.",
        "两层的偏置 b1、b2 都漏了。",
    ),
    (
        "missing_relu",
        {"rectify": _same},
        "The ReLU between the layers is missing: the network is linear.",
        "两层之间漏了 ReLU：网络变成了线性的。",
    ),
    (
        "relu_at_end",
        {"at_end": lambda x: np.maximum(x, 0)},
        "There is a ReLU after the last layer; it belongs only between the layers.",
        "最后一层之后多了一个 ReLU；它只应放在两层之间。",
    ),
    (
        "relu_at_end",
        {"rectify": _same, "at_end": lambda x: np.maximum(x, 0)},
        "The ReLU sits after the last layer; it belongs between the layers.",
        "ReLU 放在了最后一层之后；它应放在两层之间。",
    ),
    (
        "other_activation",
        {"rectify": np.tanh},
        "The activation is tanh; ReLU is asked for.",
        "激活函数用了 tanh；题目要求的是 ReLU。",
    ),
    (
        "other_activation",
        {"rectify": lambda x: 1 / (1 + np.exp(-x))},
        "The activation is the sigmoid; ReLU is asked for.",
        "激活函数用了 sigmoid；题目要求的是 ReLU。",
    ),
    (
        "other_activation",
        {"rectify": np.abs},
        "The activation is the absolute value; ReLU is max(x, 0).",
        "激活函数用了绝对值；ReLU 是 max(x, 0)。",
    ),
)


def _mistakes(batched: str, compute: Callable[..., np.ndarray]) -> tuple[Mistake, ...]:
    return tuple(
        Mistake(
            function,
            kind,
            lambda params, x, do=do, more=more: do(params, x, **more),
            (english, chinese),
        )
        for kind, more, english, chinese in _WRONG
        for function, do in (("predict", _one), (batched, compute))
    )


def _cases_of(batched: str, place: int, compute: Callable[..., np.ndarray]):  # noqa: ANN202
    """Make the function that draws cases; `place` is the axis of the examples."""

    def cases(rng: np.random.Generator) -> list[Case]:
        def batch(d: int, h: int, o: int, size: int, **more: Any) -> Case:
            params = _parameters(rng, d, h, o)
            X = random_array(rng, *((size, d) if place == 0 else (d, size)))
            return Case(batched, (params, X), compute(params, X), **more)

        d, h, o, size, other = different_sizes(rng, 5)

        def one(d: int, h: int, o: int) -> Case:
            params, x = _parameters(rng, d, h, o), random_array(rng, d)
            return Case("predict", (params, x), _one(params, x))

        return [
            one(d, h, o),
            one(other, d, size),
            batch(d, h, o, size),
            batch(size, d, other, h),
            batch(d, h, o, 1, stage="edge", about=("B = 1", "B = 1")),
            batch(d, h, o, 0, stage="edge", about=("B = 0", "B = 0")),
        ]

    return cases


def _growth_of(batched: str, place: int):  # noqa: ANN202
    def growth(rng: np.random.Generator) -> list[Growth]:
        params = _parameters(rng, 3, 5, 2)
        small, large = ((size, 3)[:: -1 if place else 1] for size in (4, 36))
        data = random_array(rng, *small), random_array(rng, *large)
        return [Growth(batched, (params, data[0]), (params, data[1]), 32)]

    return growth


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

    arguments = (_parameters(rng, 3, 5, 2), random_array(rng, 3, 4))
    return [Property([Call("_turned", arguments)], judge)]


_SETUP = """
def _turned(params, Xc):
    try:
        return _is_turned(predict_columns, (params, Xc), 1)
    except Exception:
        return False
"""

_PREDICT = '''def predict(params, x):
    hidden = jax.nn.relu(params["W1"] @ x + params["b1"])
    return params["W2"] @ hidden + params["b2"]
'''
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
    cases=_cases_of("batched_predict", 0, _rows),
    growth=_growth_of("batched_predict", 0),
    mistakes=_mistakes("batched_predict", _rows),
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
    cases=_cases_of("predict_columns", 1, _columns),
    growth=_growth_of("predict_columns", 1),
    properties=_not_turned,
    mistakes=_mistakes("predict_columns", _columns),
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
