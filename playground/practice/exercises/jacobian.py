"""E6: Jacobians of a function of two numbers, for any number of leading dimensions."""

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


def _split(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    X = X.astype(np.float64)
    return X[..., 0], X[..., 1]


def _vec(x: np.ndarray) -> np.ndarray:
    first, second = _split(x)
    return np.stack([np.sin(first) * second, first**2 + second], axis=-1)


def _matrix(a: Any, b: Any, c: Any, d: Any) -> np.ndarray:
    a, b, c, d = np.broadcast_arrays(a, b, c, d)
    return np.stack([np.stack([a, b], axis=-1), np.stack([c, d], axis=-1)], axis=-2)


def _jacobian(X: np.ndarray) -> np.ndarray:
    first, second = _split(X)
    return _matrix(np.cos(first) * second, np.sin(first), 2 * first, np.ones_like(first))


def _of_product(X: np.ndarray) -> np.ndarray:
    """The Jacobian when sin(x0 x1) is read for sin(x0) x1."""
    first, second = _split(X)
    slope = np.cos(first * second)
    return _matrix(slope * second, slope * first, 2 * first, np.ones_like(first))


def _cases(rng: np.random.Generator) -> list[Case]:
    def points(*leading: int, **more: Any) -> Case:
        X = random_array(rng, *leading, 2)
        return Case("jac_vectorized", (X,), _jacobian(X), **more)

    a, b, c = different_sizes(rng, 3, low=3, high=6)
    ones = [random_array(rng, 2) for _ in range(2)]
    return [
        *(Case("f_vec", (x,), _vec(x)) for x in ones),
        points(a),
        points(b, a),
        points(c, a, b),
        points(
            stage="edge",
            about=("no leading dimension, X of shape (2,)", "没有前导维度，X 的形状为 (2,)"),
        ),
        points(1, 1, stage="edge", about=("X of shape (1, 1, 2)", "X 的形状为 (1, 1, 2)")),
        points(0, stage="edge", about=("X of shape (0, 2)", "X 的形状为 (0, 2)")),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    small, large = random_array(rng, 4, 2), random_array(rng, 36, 2)
    return [Growth("jac_vectorized", (small,), (large,), 32, ("points", "点"))]


_TURNED = (
    "Each Jacobian is transposed: row i belongs to output i, column j to input j.",
    "每个 Jacobian 都被转置了：第 i 行对应第 i 个输出，第 j 列对应第 j 个输入。",
)

E6 = Exercise(
    id="E6",
    title=("Jacobians for any leading dimensions", "任意个前导维度的 Jacobian"),
    functions={"f_vec": ("x",), "jac_vectorized": ("X",)},
    starter='''def f_vec(x):
    """x: (2,) -> (sin(x0) * x1, x0 ** 2 + x1), shape (2,)"""
    ...


def jac_vectorized(X):
    """X: (..., 2) -> (..., 2, 2); [..., i, j] is the derivative of output i by input j"""
    ...
''',
    answer="""def f_vec(x):
    return jnp.stack([jnp.sin(x[0]) * x[1], x[0] ** 2 + x[1]])


jac_vectorized = jnp.vectorize(jax.jacfwd(f_vec), signature="(n)->(m,n)")
""",
    hints=(
        (
            "The Jacobian of one point is `jax.jacfwd(f_vec)(x)`, shape (2, 2).",
            "单个点的 Jacobian 是 `jax.jacfwd(f_vec)(x)`，形状 (2, 2)。",
        ),
        (
            "One vmap adds one leading dimension; `X.ndim - 1` of them are needed.",
            "一层 vmap 增加一个前导维度；一共需要 `X.ndim - 1` 层。",
        ),
        (
            "`jnp.vectorize` with `signature='(n)->(m,n)'` does it for any number. Or reshape to "
            "(-1, 2), vmap, and reshape back.",
            "`jnp.vectorize` 加上 `signature='(n)->(m,n)'` 可处理任意个前导维度。"
            "也可以先变形为 (-1, 2)，做 vmap，再变形回来。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    mistakes=(
        Mistake(
            "f_vec",
            "sine_of_product",
            lambda x: np.stack([np.sin(x[0] * x[1]), x[0] ** 2 + x[1]]),
            (
                "The first entry is sin(x0 * x1); asked for is sin(x0) * x1.",
                "第一个分量写成了 sin(x0 * x1)；题目要求的是 sin(x0) * x1。",
            ),
        ),
        Mistake(
            "jac_vectorized",
            "transposed",
            lambda X: np.swapaxes(_jacobian(X), -1, -2),
            _TURNED,
        ),
        Mistake(
            "jac_vectorized",
            "sine_of_product",
            _of_product,
            (
                "This is the Jacobian of sin(x0 * x1); asked for is sin(x0) * x1.",
                "这是 sin(x0 * x1) 的 Jacobian；题目要求的是 sin(x0) * x1。",
            ),
        ),
        Mistake(
            "jac_vectorized",
            "values_not_jacobians",
            _vec,
            (
                "These are the values of f_vec; asked for are its derivatives.",
                "这是 f_vec 的值；题目要求的是它的导数。",
            ),
        ),
        Mistake(
            "jac_vectorized",
            "gradient_of_sum",
            lambda X: _jacobian(X).sum(axis=-2),
            (
                "This is the gradient of the sum of both outputs; a Jacobian keeps them apart "
                "(jacfwd or jacrev, not grad of a sum).",
                "这是两个输出之和的梯度；Jacobian 要把各个输出分开"
                "（用 jacfwd 或 jacrev，而不是对和求 grad）。",
            ),
        ),
    ),
    errors=(
        ErrorHint(
            "Gradient only defined for scalar-output",
            "not_scalar",
            (
                "f_vec has two outputs: take jacfwd or jacrev, not grad.",
                "f_vec 有两个输出：请用 jacfwd 或 jacrev，不要用 grad。",
            ),
        ),
        ErrorHint(
            "rank should be at least|vmap was requested to map|too many indices|out of bounds",
            "leading_dimensions",
            (
                "It works for a fixed number of leading dimensions only; it must take 0, 1, 2 or "
                "more of them.",
                "它只适用于固定个数的前导维度；0 个、1 个、2 个或更多都必须能处理。",
            ),
        ),
    ),
    page="axes",
)
