"""E11: a branch that every example takes for itself."""

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

_NAME = "huber_all"


def _huber(r: Any) -> np.ndarray:
    r = np.asarray(r, np.float64)
    return np.where(np.abs(r) <= 1, r**2 / 2, np.abs(r) - 0.5)


def _both(kind: str, compute: Any, english: str, chinese: str) -> tuple[Mistake, ...]:
    return tuple(
        Mistake(function, kind, compute, (english, chinese)) for function in ("huber", _NAME)
    )


def _cases(rng: np.random.Generator) -> list[Case]:
    def array(*shape: int, **more: Any) -> Case:
        R = 2 * random_array(rng, *shape)
        return Case(_NAME, (R,), _huber(R), **more)

    a, b, c = different_sizes(rng, 3, low=3)
    signs = [np.float32(sign * rng.uniform(*of)) for sign in (-1, 1) for of in ((0.2, 0.9), (2, 4))]
    return [
        *(Case("huber", (np.asarray(r),), _huber(r)) for r in signs),
        array(a + 6, b),
        array(c, a + 7),
        array(1, 1, stage="edge", about=("shape (1, 1)", "形状 (1, 1)")),
        array(0, 3, stage="edge", about=("shape (0, 3)", "形状 (0, 3)")),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    return [Growth(_NAME, (random_array(rng, 4, 3),), (random_array(rng, 36, 3),), 32)]


E11 = Exercise(
    id="E11",
    title=("A branch for every example", "每个样本各走一个分支"),
    functions={"huber": ("r",), _NAME: ("R",)},
    starter='''def huber(r):
    """r: () -> r ** 2 / 2 where |r| <= 1, else |r| - 1/2"""
    if abs(r) <= 1:
        return r**2 / 2
    return abs(r) - 0.5


def huber_all(R):
    """R: (n, m) -> (n, m), huber of every entry, with vmap"""
    return jax.vmap(jax.vmap(huber))(R)
''',
    answer="""def huber(r):
    return jnp.where(jnp.abs(r) <= 1, r**2 / 2, jnp.abs(r) - 0.5)


def huber_all(R):
    return jax.vmap(jax.vmap(huber))(R)
""",
    hints=(
        (
            "Check the starter code and read the error: a Python `if` wants one truth value.",
            "先检查初始代码并阅读报错：Python 的 `if` 只接受一个真假值。",
        ),
        (
            "`jnp.where(condition, a, b)` computes both and chooses entry by entry.",
            "`jnp.where(condition, a, b)` 两个分支都计算，再逐元素选择。",
        ),
        (
            "`jax.lax.cond` works too; under vmap it becomes a select, both branches run.",
            "也可以用 `jax.lax.cond`；在 vmap 下它会变成 select，两个分支都会执行。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    mistakes=(
        *_both(
            "branches_swapped",
            lambda r: np.where(
                np.abs(r) <= 1, np.abs(r).astype(np.float64) - 0.5, np.float64(r) ** 2 / 2
            ),
            "The branches are swapped.",
            "两个分支写反了。",
        ),
        *_both(
            "missing_abs",
            lambda r: np.where(r <= 1, np.float64(r) ** 2 / 2, np.float64(r) - 0.5),
            "The condition (and the line) must use |r|: negative residuals count too.",
            "条件（和直线部分）要用 |r|：负的残差也要计入。",
        ),
        *_both(
            "missing_abs",
            lambda r: np.where(np.abs(r) <= 1, np.float64(r) ** 2 / 2, np.float64(r) - 0.5),
            "The line must use |r|: negative residuals count too.",
            "直线部分要用 |r|：负的残差也要计入。",
        ),
        *_both(
            "half_loss",
            lambda r: np.where(np.abs(r) <= 1, np.float64(r) ** 2, np.abs(np.float64(r)) - 0.5),
            "The factor 1/2 of the square is missing.",
            "平方项漏了系数 1/2。",
        ),
        *_both(
            "one_branch",
            lambda r: np.float64(r) ** 2 / 2,
            "Only the first branch is ever taken.",
            "只走了第一个分支。",
        ),
        *_both(
            "one_branch",
            lambda r: np.abs(np.float64(r)) - 0.5,
            "Only the second branch is ever taken.",
            "只走了第二个分支。",
        ),
    ),
    page="control_flow",
)
