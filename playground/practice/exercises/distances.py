"""E1: pairwise Euclidean distances, two levels of vmap around a function of two points."""

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


def _differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a.astype(np.float64)[:, None, :] - b.astype(np.float64)[None, :, :]


def _pairwise(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sqrt((_differences(a, b) ** 2).sum(axis=-1))


def _one(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.sqrt(((p.astype(np.float64) - q) ** 2).sum())


def _cases(rng: np.random.Generator) -> list[Case]:
    def pair(n: int, m: int, d: int, **more: Any) -> Case:
        a, b = random_array(rng, n, d), random_array(rng, m, d)
        return Case("compute_pairwise_distances", (a, b), _pairwise(a, b), **more)

    n, m, d, other = different_sizes(rng, 4)
    points = [(random_array(rng, size), random_array(rng, size)) for size in (d, other)]
    return [
        *(Case("euclidean_distance", each, _one(*each)) for each in points),
        pair(n, m, d),
        pair(m, other, n),
        pair(1, 1, 1, stage="edge", about=("n = m = d = 1", "n = m = d = 1")),
        pair(0, 3, 2, stage="edge", about=("n = 0 points", "n = 0 个点")),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    def arrays(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
        return random_array(rng, n, 3), random_array(rng, m, 3)

    name = "compute_pairwise_distances"
    return [
        Growth(name, arrays(4, 6), arrays(36, 6), 32, ("rows of arr_a", " arr_a 的行")),
        Growth(name, arrays(5, 4), arrays(5, 36), 32, ("rows of arr_b", " arr_b 的行")),
    ]


_SQUARED = (
    "These are squared distances: the square root (sqrt) is missing.",
    "这是距离的平方：漏了开平方根（sqrt）。",
)
_MANHATTAN = (
    "This is the Manhattan distance (sum of absolute differences), not the Euclidean one.",
    "这是曼哈顿距离（绝对差之和），不是欧氏距离。",
)

E1 = Exercise(
    id="E1",
    title=("Pairwise distances", "两两之间的距离"),
    functions={
        "euclidean_distance": ("p1", "p2"),
        "compute_pairwise_distances": ("arr_a", "arr_b"),
    },
    starter='''def euclidean_distance(p1, p2):
    """p1, p2: (d,) -> scalar"""
    ...


def compute_pairwise_distances(arr_a, arr_b):
    """arr_a: (n, d), arr_b: (m, d) -> (n, m)"""
    ...
''',
    answer="""def euclidean_distance(p1, p2):
    return jnp.sqrt(jnp.sum((p1 - p2) ** 2))


def compute_pairwise_distances(arr_a, arr_b):
    one_to_all = jax.vmap(euclidean_distance, in_axes=(None, 0))
    return jax.vmap(one_to_all, in_axes=(0, None))(arr_a, arr_b)
""",
    hints=(
        (
            "Write `euclidean_distance` for two vectors only; no batch anywhere.",
            "`euclidean_distance` 只针对两个向量来写，不要考虑批次。",
        ),
        (
            "One vmap walks the rows of `arr_b` while p1 stays: `in_axes=(None, 0)`.",
            "一层 vmap 遍历 `arr_b` 的行，p1 保持不变：`in_axes=(None, 0)`。",
        ),
        (
            "A second vmap around it walks the rows of `arr_a`: `in_axes=(0, None)`. The outer "
            "level's axis comes first in the result.",
            "外面再套一层 vmap 遍历 `arr_a` 的行：`in_axes=(0, None)`。外层的轴排在结果最前面。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    mistakes=(
        Mistake("euclidean_distance", "squared", lambda p, q: _one(p, q) ** 2, _SQUARED),
        Mistake(
            "compute_pairwise_distances", "squared", lambda a, b: _pairwise(a, b) ** 2, _SQUARED
        ),
        Mistake(
            "euclidean_distance",
            "manhattan",
            lambda p, q: np.abs(p.astype(np.float64) - q).sum(),
            _MANHATTAN,
        ),
        Mistake(
            "compute_pairwise_distances",
            "manhattan",
            lambda a, b: np.abs(_differences(a, b)).sum(-1),
            _MANHATTAN,
        ),
        Mistake(
            "compute_pairwise_distances",
            "frobenius",
            lambda a, b: np.sqrt((_differences(a, b) ** 2).sum()),
            (
                "This is one Frobenius norm over all pairs; the norm must go over the "
                "coordinates of one pair only.",
                "这是对所有点对取的一个 Frobenius 范数；范数只应对单个点对的坐标求。",
            ),
        ),
        Mistake(
            "euclidean_distance",
            "not_reduced",
            lambda p, q: np.abs(p.astype(np.float64) - q),
            (
                "The coordinates are not summed: a distance is one number.",
                "没有对坐标求和：距离应当是一个数。",
            ),
        ),
        Mistake(
            "compute_pairwise_distances",
            "not_centred",
            lambda a, b: a.astype(np.float64) @ b.astype(np.float64).T,
            ("These are inner products, not distances.", "这是内积，不是距离。"),
        ),
    ),
    errors=(
        ErrorHint(
            "inconsistent sizes for array axes to be mapped",
            "missing_none",
            (
                "One vmap over both arguments pairs row i with row i. For all pairs, one level "
                "needs in_axes=(None, 0) and the other (0, None): a None is missing.",
                "一层 vmap 同时映射两个参数，只会把第 i 行与第 i 行配对。要得到所有配对，"
                "一层用 in_axes=(None, 0)，另一层用 (0, None)：这里缺了 None。",
            ),
        ),
    ),
    page="nest",
)
