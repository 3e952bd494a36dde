"""E10: the same numbers in chunks, so that the large intermediate never exists as a whole."""

from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    Case,
    Exercise,
    Finding,
    Growth,
    Mistake,
    Property,
    different_sizes,
    random_array,
)
from playground.sandbox.asking import Call

_NAME = "energies_in_chunks"
_N, _D, _CHUNK = 48, 10, 4


def _every(X: np.ndarray) -> np.ndarray:
    X = X.astype(np.float64)
    return (np.tanh(X[:, :, None] - X[:, None, :]) ** 2).sum(axis=(1, 2))


def _cases(rng: np.random.Generator) -> list[Case]:
    def batch(size: int, d: int, chunk: int, **more: Any) -> Case:
        X = random_array(rng, size, d)
        return Case(_NAME, (X, chunk), _every(X), **more)

    d, other = different_sizes(rng, 2, low=3)
    ones = [random_array(rng, length) for length in (d, other)]
    return [
        *(Case("energy", (x,), _every(x[None])[0]) for x in ones),
        batch(13, d, 4),
        batch(17, other, 5),
        batch(12, d, 4, stage="edge", about=("N = 12, batch_size = 4", "N = 12、batch_size = 4")),
        batch(1, d, 3, stage="edge", about=("N = 1, batch_size = 3", "N = 1、batch_size = 3")),
    ]


_SETUP = f"""
def _in_chunks(X):
    return {_NAME}(X, 4)
def _largest_inside(X):
    try:
        return _largest(_in_chunks, (X,))
    except Exception:
        return 0
"""


def _growth(rng: np.random.Generator) -> list[Growth]:
    small, large = random_array(rng, 13, 3), random_array(rng, 13 + 128, 3)
    return [Growth("_in_chunks", (small,), (large,), 32)]


def _properties(rng: np.random.Generator) -> list[Property]:
    whole = _N * _D * _D

    def judge(answers: Any) -> Finding | None:
        largest = answers[0].value
        if not isinstance(largest, int) or largest < whole // 2:
            return None
        return Finding(
            "properties",
            "not_chunked",
            (
                f"The values are right, but an array of {largest} numbers exists at once: all "
                f"{_N} examples of {_D} × {_D}. With chunks of {_CHUNK}, {_CHUNK * _D * _D} are "
                "enough.",
                f"数值正确，但同时存在一个含 {largest} 个数的数组：{_N} 个样本全部的 "
                f"{_D} × {_D}。按块大小 {_CHUNK} 分块，{_CHUNK * _D * _D} 个就够了。",
            ),
            (
                "`jax.lax.map(energy, X, batch_size=batch_size)` runs vmap chunk by chunk.",
                "`jax.lax.map(energy, X, batch_size=batch_size)` 会逐块运行 vmap。",
            ),
        )

    return [Property([Call("_largest_inside", (random_array(rng, _N, _D),))], judge)]


def _dropped(X: np.ndarray, chunk: int) -> np.ndarray:
    return _every(X[: len(X) - len(X) % chunk])


E10 = Exercise(
    id="E10",
    title=("In chunks", "分块计算"),
    functions={"energy": ("x",), _NAME: ("X", "batch_size")},
    starter='''def energy(x):
    """x: (d,) -> sum over all i, j of tanh(x[i] - x[j]) ** 2, ()"""
    ...


def energies_in_chunks(X, batch_size):
    """X: (N, d), batch_size: a Python int that need not divide N -> (N,)"""
    ...
''',
    answer="""def energy(x):
    return jnp.sum(jnp.tanh(x[:, None] - x[None, :]) ** 2)


def energies_in_chunks(X, batch_size):
    return jax.lax.map(energy, X, batch_size=batch_size)
""",
    hints=(
        (
            "`x[:, None] - x[None, :]` has shape (d, d): a batch of N needs N × d × d numbers.",
            "`x[:, None] - x[None, :]` 的形状是 (d, d)：N 个样本就需要 N × d × d 个数。",
        ),
        (
            "`jax.lax.map` runs one example after the other; with `batch_size=` it runs chunks.",
            "`jax.lax.map` 逐个样本运行；加上 `batch_size=` 就按块运行。",
        ),
        (
            "`jax.lax.map(energy, X, batch_size=batch_size)`; the rest is run apart.",
            "`jax.lax.map(energy, X, batch_size=batch_size)`；余下的部分会单独运行。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    properties=_properties,
    mistakes=(
        Mistake(
            _NAME,
            "remainder_dropped",
            _dropped,
            (
                "The last chunk is missing: batch_size need not divide N.",
                "漏了最后不满的一块：batch_size 不一定整除 N。",
            ),
        ),
        Mistake(
            "energy",
            "not_squared",
            lambda x: np.tanh(np.subtract.outer(x, x)).sum(),
            ("The tanh is not squared.", "tanh 没有平方。"),
        ),
    ),
    setup=_SETUP,
    page="chunks",
)
