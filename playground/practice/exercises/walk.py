"""E5: a random walk as a function of one key; what many walks must have in common."""

import numpy as np

from playground.practice.exercises.model import (
    Case,
    ErrorHint,
    Exercise,
    Growth,
    Property,
    random_keys,
)
from playground.practice.exercises.walk_laws import (
    SINGLES,
    STEPS,
    TIMES,
    WALKERS,
    judge_crowd,
    judge_form,
)
from playground.sandbox.asking import Call

MANY_STEPS = 24
FEW, MANY = 8, 40

_SETUP = f"""
def _walks(keys):
    crowd = jax.vmap(lambda key: walk(key, {STEPS}))
    return _quick(lambda keys: [crowd(keys) for _ in range({TIMES})], (keys,))
def _singles(key):
    return _quick(lambda key: [walk(key, n) for n in {SINGLES}], (key,))
def _long_walks(keys):
    return jax.vmap(lambda key: walk(key, {MANY_STEPS}))(keys)
def _short(key):
    return walk(key, {FEW})
def _long(key):
    return walk(key, {MANY})
def _either(key, steps):
    return _long(key) if steps.shape[0] > {FEW} else _short(key)
"""


def _cases(rng: np.random.Generator) -> list[Case]:
    return []


def _properties(rng: np.random.Generator) -> list[Property]:
    return [
        Property([Call("_singles", (random_keys(rng),))], judge_form, is_form=True),
        Property([Call("_walks", (random_keys(rng, WALKERS),))], judge_crowd),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    few, many = random_keys(rng, 4), random_keys(rng, 36)
    steps = np.zeros(FEW, np.float32), np.zeros(MANY, np.float32)
    key = random_keys(rng)
    return [
        Growth("_long_walks", (few,), (many,), 32, ("walkers", "游走者")),
        Growth("_either", (key, steps[0]), (key, steps[1]), MANY - FEW, ("steps", "步")),
    ]


E5 = Exercise(
    id="E5",
    title=("A random walk of one key", "一个 key 的随机游走"),
    functions={"walk": ("key", "n_steps")},
    starter='''def walk(key, n_steps):
    """key: one random key, n_steps: a Python int -> final position, shape ()"""
    ...
''',
    answer="""def walk(key, n_steps):
    return jnp.sum(jax.random.rademacher(key, (n_steps,), dtype=jnp.int32))
""",
    hints=(
        (
            "All steps come from one key in one call with `shape=(n_steps,)`.",
            "用一个 key 一次抽出所有步：`shape=(n_steps,)`。",
        ),
        (
            "`jax.random.bernoulli(key, 0.5, (n_steps,))` gives truth values; make -1 and +1 "
            "of them.",
            "`jax.random.bernoulli(key, 0.5, (n_steps,))` 给出真假值；把它们变成 -1 和 +1。",
        ),
        (
            "The final position is the sum of the steps. Many walkers are "
            "`jax.vmap(walk, (0, None))(jax.random.split(key, walkers), n_steps)`.",
            "终点位置是各步之和。许多游走者就是 "
            "`jax.vmap(walk, (0, None))(jax.random.split(key, walkers), n_steps)`。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    properties=_properties,
    errors=(
        ErrorHint(
            "TracerBoolConversionError|Shapes must be 1D sequences of concrete|NonConcrete",
            "n_steps_traced",
            (
                "n_steps is traced here, and a size must be known: under jit, name it in "
                "static_argnums.",
                "这里的 n_steps 被追踪了，而大小必须是已知的：在 jit 中要把它写进 static_argnums。",
            ),
        ),
        ErrorHint(
            "TracerArrayConversionError|TracerIntegerConversion|ConcretizationTypeError",
            "not_traceable",
            (
                "`walk` must work under vmap over keys: do not turn the position into a Python or "
                "NumPy number, and do not draw from np.random with it.",
                "`walk` 必须能在对 key 的 vmap 下运行：不要把位置转换成 Python 或 NumPy 的数，"
                "也不要用它驱动 np.random。",
            ),
        ),
    ),
    setup=_SETUP,
    page="walks",
)
