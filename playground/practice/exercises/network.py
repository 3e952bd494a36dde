"""The network of E2 and E3 in NumPy, the wrong ones people write, and random cases of both."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    Case,
    Growth,
    Mistake,
    different_sizes,
    random_array,
)

Parameters = dict[str, np.ndarray]


def random_parameters(rng: np.random.Generator, d: int, h: int, o: int) -> Parameters:
    """Draw parameters for d inputs, h hidden units, o outputs."""
    shapes = {"W1": (h, d), "b1": (h,), "W2": (o, h), "b2": (o,)}
    return {name: random_array(rng, *shape) for name, shape in shapes.items()}


def rows(
    params: Parameters,
    X: np.ndarray,
    *,
    biased: tuple[bool, bool] = (True, True),
    rectify: Callable[[np.ndarray], np.ndarray] = lambda x: np.maximum(x, 0),
    at_end: Callable[[np.ndarray], np.ndarray] = lambda x: x,
) -> np.ndarray:
    """Predict for X of shape (B, d), in float64; the options make the usual mistakes."""
    p = {name: value.astype(np.float64) for name, value in params.items()}
    hidden = rectify(X.astype(np.float64) @ p["W1"].T + biased[0] * p["b1"])
    return at_end(hidden @ p["W2"].T + biased[1] * p["b2"])


def _one(params: Parameters, x: np.ndarray, **more: Any) -> np.ndarray:
    return rows(params, x[None], **more)[0]


def columns(params: Parameters, Xc: np.ndarray, **more: Any) -> np.ndarray:
    """Predict for Xc of shape (d, B): shape (o, B)."""
    return rows(params, Xc.T, **more).T


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


def mistakes_of(batched: str, compute: Callable[..., np.ndarray]) -> tuple[Mistake, ...]:
    """Name the usual mistakes of `predict` and of its batched form."""
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


def cases_of(
    batched: str, place: int, compute: Callable[..., np.ndarray]
) -> Callable[[np.random.Generator], Sequence[Case]]:
    """Make the function that draws cases; `place` is the axis of the examples."""

    def cases(rng: np.random.Generator) -> list[Case]:
        def batch(d: int, h: int, o: int, size: int, **more: Any) -> Case:
            params = random_parameters(rng, d, h, o)
            X = random_array(rng, *((size, d) if place == 0 else (d, size)))
            return Case(batched, (params, X), compute(params, X), **more)

        d, h, o, size, other = different_sizes(rng, 5)

        def one(d: int, h: int, o: int) -> Case:
            params, x = random_parameters(rng, d, h, o), random_array(rng, d)
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


def growth_of(batched: str, place: int) -> Callable[[np.random.Generator], Sequence[Growth]]:
    """Make the function that draws a small and a large batch."""

    def growth(rng: np.random.Generator) -> list[Growth]:
        params = random_parameters(rng, 3, 5, 2)
        small, large = ((size, 3)[:: -1 if place else 1] for size in (4, 36))
        data = random_array(rng, *small), random_array(rng, *large)
        return [Growth(batched, (params, data[0]), (params, data[1]), 32)]

    return growth
