"""E12: gradients without NaN, where a root has no derivative."""

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

_NAME = "norm_gradients"


def _norm(x: np.ndarray) -> np.ndarray:
    return np.sqrt((x.astype(np.float64) ** 2).sum(axis=-1))


def _gradients(X: np.ndarray) -> np.ndarray:
    norms = _norm(X)[..., None]
    return np.where(norms > 0, X / np.where(norms > 0, norms, 1), 0)


def _cases(rng: np.random.Generator) -> list[Case]:
    def rows(size: int, d: int, zero: tuple[int, ...] = (), **more: Any) -> Case:
        X = random_array(rng, size, d)
        X[list(zero)] = 0
        return Case(_NAME, (X,), _gradients(X), **more)

    size, d, other = different_sizes(rng, 3, low=3)
    ones = [random_array(rng, length) for length in (d, other)]
    zero = np.zeros(d, np.float32)
    about = ("rows of zeros among the others", "其中有全零的行")
    return [
        *(Case("safe_norm", (x,), _norm(x)) for x in ones),
        rows(size, d),
        rows(other, size),
        Case("safe_norm", (zero,), _norm(zero), "edge", ("x = 0", "x = 0")),
        rows(6, d, (1, 4), stage="edge", about=about),
        rows(1, 1, stage="edge", about=("n = d = 1", "n = d = 1")),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    return [Growth(_NAME, (random_array(rng, 4, 3),), (random_array(rng, 36, 3),), 32)]


E12 = Exercise(
    id="E12",
    title=("Gradients without NaN", "没有 NaN 的梯度"),
    functions={"safe_norm": ("x",), _NAME: ("X",)},
    starter='''def safe_norm(x):
    """x: (d,) -> Euclidean norm, (); its gradient at x = 0 must be 0, not NaN"""
    return jnp.sqrt(jnp.sum(x**2))


def norm_gradients(X):
    """X: (n, d), some rows may be zero -> (n, d), gradient of safe_norm at every row"""
    return jax.vmap(jax.grad(safe_norm))(X)
''',
    answer="""def safe_norm(x):
    squared = jnp.sum(x**2)
    is_zero = squared == 0
    root = jnp.sqrt(jnp.where(is_zero, 1.0, squared))
    return jnp.where(is_zero, 0.0, root)


def norm_gradients(X):
    return jax.vmap(jax.grad(safe_norm))(X)
""",
    hints=(
        (
            "The derivative of the root at 0 is infinite; times 0 that is NaN.",
            "平方根在 0 处的导数是无穷大，乘以 0 就得到 NaN。",
        ),
        (
            "`jnp.where(is_zero, 0.0, jnp.sqrt(squared))` is not enough: the branch not taken is "
            "still differentiated, and NaN times 0 is NaN.",
            "`jnp.where(is_zero, 0.0, jnp.sqrt(squared))` 还不够：未选中的分支也会被求导，"
            "NaN 乘以 0 仍是 NaN。",
        ),
        (
            "Use two wheres: give the root a harmless argument (1.0) where the square is 0.",
            "用两个 where：在平方为 0 处给平方根一个无害的自变量（1.0）。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    mistakes=(
        Mistake(
            "safe_norm",
            "squared",
            lambda x: _norm(x) ** 2,
            ("This is the squared norm: the root is missing.", "这是范数的平方：漏了开平方根。"),
        ),
        Mistake(
            _NAME,
            "squared",
            lambda X: 2.0 * X,
            ("These are gradients of the squared norm.", "这是范数平方的梯度。"),
        ),
        Mistake(
            _NAME,
            "frobenius",
            lambda X: X / np.sqrt((X.astype(np.float64) ** 2).sum()),
            (
                "This is the gradient of one Frobenius norm of the whole array; every row has its "
                "own norm.",
                "这是整个数组的 Frobenius 范数的梯度；每一行应有自己的范数。",
            ),
        ),
        Mistake(
            _NAME,
            "values_for_gradients",
            _norm,
            ("These are the norms; asked for are the gradients.", "这是范数本身；要的是梯度。"),
        ),
    ),
    page="gradients",
)
