"""E8: two outputs whose batch axes lie in different places (`out_axes` as a tuple)."""

from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    Case,
    Exercise,
    Growth,
    Mistake,
    different_sizes,
    random_array,
)

_NAME = "centre_columns"


def _one(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x = x.astype(np.float64)
    return x.mean(), x - x.mean()


def _columns(Xc: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    Xc = Xc.astype(np.float64)
    return Xc.mean(axis=0), Xc - Xc.mean(axis=0)


def _cases(rng: np.random.Generator) -> list[Case]:
    def batch(d: int, size: int, **more: Any) -> Case:
        Xc = random_array(rng, d, size) + 1
        return Case(_NAME, (Xc,), _columns(Xc), **more)

    d, size, other = different_sizes(rng, 3)
    ones = [random_array(rng, length) + 1 for length in (d, other)]
    return [
        *(Case("centre", (x,), _one(x)) for x in ones),
        batch(d, size),
        batch(size, other),
        batch(d, 1, stage="edge", about=("B = 1", "B = 1")),
        batch(d, 0, stage="edge", about=("B = 0", "B = 0")),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    return [Growth(_NAME, (random_array(rng, 3, 4),), (random_array(rng, 3, 36),), 32)]


E8 = Exercise(
    id="E8",
    title=("Two outputs, two out_axes", "两个输出，两种 out_axes"),
    functions={"centre": ("x",), _NAME: ("Xc",)},
    starter='''def centre(x):
    """x: (d,) -> (mean of x, (); x minus its mean, (d,))"""
    ...


def centre_columns(Xc):
    """Xc: (d, B), one example per column -> (means, (B,); centred columns, (d, B))"""
    ...
''',
    answer="""def centre(x):
    mean = jnp.mean(x)
    return mean, x - mean


def centre_columns(Xc):
    return jax.vmap(centre, in_axes=1, out_axes=(0, 1))(Xc)
""",
    hints=(
        (
            "`centre` returns a tuple: the mean first, then the centred vector.",
            "`centre` 返回一个元组：先是均值，再是减去均值后的向量。",
        ),
        (
            "The examples lie along axis 1: `in_axes=1`.",
            "样本沿轴 1 排列：`in_axes=1`。",
        ),
        (
            "Each output has its own entry: `out_axes=(0, 1)`.",
            "每个输出各有一项：`out_axes=(0, 1)`。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    mistakes=(
        Mistake(
            _NAME,
            "out_axes",
            lambda Xc: (_columns(Xc)[0], _columns(Xc)[1].T),
            (
                "The second output is transposed: its batch axis must be 1, out_axes=(0, 1).",
                "第二个输出被转置了：它的批次轴应当是 1，即 out_axes=(0, 1)。",
            ),
        ),
        Mistake(
            _NAME,
            "rows_for_columns",
            lambda Xc: (Xc.mean(axis=1), Xc - Xc.mean(axis=1, keepdims=True)),
            (
                "Rows were centred; the examples are the columns: in_axes=1.",
                "处理的是行；样本是列：in_axes=1。",
            ),
        ),
        Mistake(
            _NAME,
            "whole_mean",
            lambda Xc: (Xc.mean(), Xc - Xc.mean()),
            (
                "One mean of the whole array; each column has its own.",
                "对整个数组求了一个均值；每一列应有自己的均值。",
            ),
        ),
    ),
)
