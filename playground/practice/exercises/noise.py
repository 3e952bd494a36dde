"""E7: noise of its own for every example, from one key."""

from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    ErrorHint,
    Exercise,
    Finding,
    Growth,
    Pair,
    Property,
    random_array,
    random_keys,
)
from playground.sandbox.asking import Call

ROWS, WIDTH = 800, 5
_NAME = "add_noise_to_all"


def _finding(kind: str, says: Pair, advice: Pair = ("", ""), stage: Any = "properties") -> Finding:
    return Finding(stage, kind, says, advice)


def _form(shapes: list[tuple[int, ...]], names: list[str]) -> Any:
    def judge(answers: Any) -> Finding | None:
        for answer, shape, name in zip(answers, shapes, names, strict=True):
            value = answer.value
            if value is None:
                says = (f"`{name}` returns None.", f"`{name}` 返回了 None。")
                return _finding("none", says, stage="shape")
            if np.shape(value) != shape:
                says = (
                    f"`{name}` gives shape {np.shape(value)}; it must be {shape}.",
                    f"`{name}` 得到形状 {np.shape(value)}，应当是 {shape}。",
                )
                return _finding("shape", says, stage="shape")
            if np.asarray(value).dtype.name not in ("float32", "float64"):
                kind = np.asarray(value).dtype.name
                says = (
                    f"`{name}` gives {kind}; it must be float32.",
                    f"`{name}` 得到 {kind}，应当是 float32。",
                )
                return _finding("dtype", says, stage="dtype")
        return None

    return judge


def _judge(X: np.ndarray) -> Any:
    def judge(answers: Any) -> Finding | None:
        first, again, other = (np.asarray(a.value, np.float64) - X for a in answers)
        if not np.allclose(first, again, atol=1e-6):
            return _finding(
                "not_reproducible",
                (
                    "The same key gave different noise.",
                    "同一个 key 给出了不同的噪声。",
                ),
                ("Draw from the key only.", "只能用传入的 key 抽样。"),
            )
        if np.allclose(first, other, atol=1e-6):
            return _finding(
                "key_ignored",
                ("Different keys gave the same noise.", "不同的 key 给出了相同的噪声。"),
                (
                    "Use the key that is passed; make none inside.",
                    "请使用传入的 key，不要在内部生成 key。",
                ),
            )
        if np.abs(first - first[:1]).max() < 1e-4:
            return _finding(
                "shared_key",
                (
                    "Every row got the same noise: all examples share one key.",
                    "每一行的噪声都相同：所有样本共享了一个 key。",
                ),
                (
                    "Split the key into one per row: jax.random.split(key, B), mapped with "
                    "in_axes=(0, 0).",
                    "把 key 拆分成每行一个：jax.random.split(key, B)，用 in_axes=(0, 0) 映射。",
                ),
            )
        if np.abs(first - first[:, :1]).max() < 1e-4:
            return _finding(
                "shared_noise",
                (
                    "All entries of a row got the same number.",
                    "同一行的所有元素得到了同一个数。",
                ),
                ("Draw with the shape of x.", "按 x 的形状抽样。"),
            )
        return _normal(first)

    return judge


def _normal(noise: np.ndarray) -> Finding | None:
    """Mean, variance, fourth moment within six standard errors of the standard normal ones."""
    size = noise.size
    mean, variance, fourth = noise.mean(), (noise**2).mean(), (noise**4).mean()
    is_normal = (
        abs(mean) < 6 / np.sqrt(size)
        and abs(variance - 1) < 6 * np.sqrt(2 / size)
        and abs(fourth - 3) < 6 * np.sqrt(96 / size)
    )
    rows = np.corrcoef(noise.T) - np.eye(noise.shape[1])
    if is_normal and np.abs(rows).max() < 6 / np.sqrt(len(noise)):
        return None
    return _finding(
        "not_normal",
        (
            f"The noise has mean {mean:.3g} and variance {variance:.3g}; standard normal noise "
            "has 0 and 1, and independent entries.",
            f"噪声的均值为 {mean:.3g}、方差为 {variance:.3g}；标准正态噪声应为 0 和 1，"
            "且各元素独立。",
        ),
        ("Use jax.random.normal.", "请用 jax.random.normal。"),
    )


def _properties(rng: np.random.Generator) -> list[Property]:
    key, x = random_keys(rng), random_array(rng, 6)
    small, X = random_array(rng, 4, 3), random_array(rng, ROWS, WIDTH)
    forms = [
        Call("_call_add_noise", (key, x)),
        Call(f"_call_{_NAME}", (key, small)),
        Call(f"_call_{_NAME}", (key, small[:1])),
    ]
    shapes = [(6,), (4, 3), (1, 3)]
    many = [Call(f"_call_{_NAME}", (each, X)) for each in (key, key, random_keys(rng))]
    ones = [Call("_call_add_noise", (each, X[:, 0])) for each in (key, key, random_keys(rng))]

    def single(answers: Any) -> Finding | None:
        """The same laws for one long example, seen as a column."""
        first = np.asarray(answers[0].value, np.float64) - X[:, 0]
        same, other = (np.asarray(a.value, np.float64) - X[:, 0] for a in answers[1:])
        if np.abs(first - first[0]).max() < 1e-4 or not np.allclose(first, same, atol=1e-6):
            return _judge(X[:, :1])([_Column(a) for a in answers])
        if np.allclose(first, other, atol=1e-6):
            return _judge(X[:, :1])([_Column(a) for a in answers])
        return _normal(np.stack([first[::2], first[1::2]], axis=1))

    return [
        Property(forms, _form(shapes, ["add_noise", _NAME, _NAME]), is_form=True),
        Property(many, _judge(X)),
        Property(ones, single),
    ]


class _Column:
    """An answer whose vector is seen as a column."""

    def __init__(self, answer: Any) -> None:
        self.value = np.asarray(answer.value)[:, None]


def _growth(rng: np.random.Generator) -> list[Growth]:
    key = random_keys(rng)
    small, large = (key, random_array(rng, 4, 3)), (key, random_array(rng, 36, 3))
    return [Growth(_NAME, small, large, 32)]


def _none(_: np.random.Generator) -> tuple[()]:
    return ()


E7 = Exercise(
    id="E7",
    title=("A key for every example", "每个样本一个 key"),
    functions={"add_noise": ("key", "x"), _NAME: ("key", "X")},
    starter='''def add_noise(key, x):
    """x: (d,) -> x plus standard normal noise, (d,)"""
    ...


def add_noise_to_all(key, X):
    """key: one key; X: (B, d) -> (B, d), every row with noise of its own"""
    ...
''',
    answer="""def add_noise(key, x):
    return x + jax.random.normal(key, x.shape)


def add_noise_to_all(key, X):
    keys = jax.random.split(key, X.shape[0])
    return jax.vmap(add_noise)(keys, X)
""",
    hints=(
        (
            "For one example: `x + jax.random.normal(key, x.shape)`.",
            "单个样本：`x + jax.random.normal(key, x.shape)`。",
        ),
        (
            "With in_axes=(None, 0) all rows would share the key, and get the same noise.",
            "若用 in_axes=(None, 0)，所有行共享同一个 key，得到的噪声也相同。",
        ),
        (
            "Split first: `keys = jax.random.split(key, X.shape[0])`, then map over keys and rows.",
            "先拆分：`keys = jax.random.split(key, X.shape[0])`，再同时映射 key 和行。",
        ),
    ),
    cases=_none,
    growth=_growth,
    properties=_properties,
    errors=(
        ErrorHint(
            "inconsistent sizes|map over a rank-0|rank should be at least 1|requested to map",
            "key_not_split",
            (
                "One key cannot be mapped along with B rows: split it into B keys first.",
                "单个 key 不能与 B 行一起映射：先把它拆分成 B 个 key。",
            ),
        ),
    ),
    page="walks",
)
