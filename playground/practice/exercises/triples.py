"""E9: three levels of vmap, and the order of nesting that gives the axes asked for."""

from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    Case,
    ErrorHint,
    Exercise,
    Growth,
    Mistake,
    different_sizes,
    random_array,
)

_NAME = "all_scores"


def _every(U: np.ndarray, V: np.ndarray, W: np.ndarray, order: str = "cab") -> np.ndarray:
    U, V, W = (each.astype(np.float64) for each in (U, V, W))
    return np.einsum(f"ad,bd,cd->{order}", U, V, W)


def _cases(rng: np.random.Generator) -> list[Case]:
    def arrays(a: int, b: int, c: int, d: int, **more: Any) -> Case:
        U, V, W = (random_array(rng, size, d) for size in (a, b, c))
        return Case(_NAME, (U, V, W), _every(U, V, W), **more)

    a, b, c, d, other = different_sizes(rng, 5)
    ones = [tuple(random_array(rng, length) for _ in range(3)) for length in (d, other)]
    return [
        *(
            Case("score", each, np.asarray(np.prod(np.asarray(each, np.float64), axis=0).sum()))
            for each in ones
        ),
        arrays(a, b, c, d),
        arrays(d, other, a, b),
        arrays(1, 1, 1, 1, stage="edge", about=("all sizes 1", "所有大小都是 1")),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    def arrays(*sizes: int) -> tuple[np.ndarray, ...]:
        return tuple(random_array(rng, size, 2) for size in sizes)

    over = (("U", " U 的行"), ("V", " V 的行"), ("W", " W 的行"))
    return [
        Growth(
            _NAME,
            arrays(3, 4, 5),
            arrays(*(36 if place == i else size for i, size in enumerate((3, 4, 5)))),
            31,
            (f"rows of {english}", chinese),
        )
        for place, (english, chinese) in enumerate(over)
    ]


def _order(order: str) -> Mistake:
    names = ", ".join({"a": "a (U)", "b": "b (V)", "c": "c (W)"}[letter] for letter in order)
    outer = {"a": "U", "b": "V", "c": "W"}[order[0]]
    return Mistake(
        _NAME,
        "nested_order",
        lambda U, V, W: _every(U, V, W, order),
        (
            f"The axes come out as ({names}), because the outermost level walks {outer}; asked "
            "for is (c, a, b).",
            f"得到的轴是 ({names})，因为最外层遍历的是 {outer}；题目要求 (c, a, b)。",
        ),
        (
            "The outermost vmap's axis comes first: let it walk W.",
            "最外层 vmap 的轴排在最前面：让它遍历 W。",
        ),
    )


E9 = Exercise(
    id="E9",
    title=("Three levels in the right order", "三层嵌套的次序"),
    functions={"score": ("u", "v", "w"), _NAME: ("U", "V", "W")},
    starter='''def score(u, v, w):
    """u, v, w: (d,) -> sum of u * v * w, ()"""
    ...


def all_scores(U, V, W):
    """U: (a, d), V: (b, d), W: (c, d) -> (c, a, b): W first"""
    ...
''',
    answer="""def score(u, v, w):
    return jnp.sum(u * v * w)


def all_scores(U, V, W):
    over_v = jax.vmap(score, in_axes=(None, 0, None))
    over_u = jax.vmap(over_v, in_axes=(0, None, None))
    return jax.vmap(over_u, in_axes=(None, None, 0))(U, V, W)
""",
    hints=(
        (
            "One level per array; each level maps one argument and shares the other two (None).",
            "每个数组一层；每层映射一个参数，另外两个共享（None）。",
        ),
        (
            "The innermost level's axis comes last: it walks V.",
            "最内层的轴排在最后：它遍历 V。",
        ),
        (
            "From inside to outside: (None, 0, None), (0, None, None), (None, None, 0).",
            "从内到外：(None, 0, None)、(0, None, None)、(None, None, 0)。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    mistakes=tuple(_order(order) for order in ("abc", "acb", "bac", "bca", "cba")),
    errors=(
        ErrorHint(
            "inconsistent sizes for array axes to be mapped",
            "missing_none",
            (
                "A level maps several arrays in step. Each level maps one and gives None to the "
                "others.",
                "某一层同时映射了几个数组。每层只映射一个，其余写 None。",
            ),
        ),
    ),
    page="nest",
)
