"""Functions to start from on the Lab page; as text, because they run in the sandbox."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class LabExample:
    """One example.

    Attributes:
        english: what it shows.
        chinese: the same in Chinese.
        code: defines `f` for one example.
        arguments: as `playground.axes.own_arguments` reads them.
        axes: settings of the call that differ from the usual ones.
    """

    english: str
    chinese: str
    code: str
    arguments: str
    axes: dict[str, object] = field(default_factory=dict)


COLUMNS = LabExample(
    "Prediction, examples stored as columns",
    "预测：样本按列存放",
    '''def f(x, W, b):
    """One example: a layer with shared weights."""
    return W @ x + b
''',
    "x: (3, 5)\nW: (4, 3)\nb: (4,)",
    {"in_axes": "(1, None, None)"},
)

EXAMPLES = {
    "columns": COLUMNS,
    "gradients": LabExample(
        "Per-example gradients of a dictionary of parameters",
        "对参数字典求逐样本梯度",
        """def loss(params, x, y):
    return (params["w"] @ x + params["b"] - y) ** 2

def f(params, x, y):
    return jax.grad(loss)(params, x, y)
""",
        'params: {"w": (3,), "b": ()}\nx: (5, 3)\ny: (5,)',
        {"in_axes": "(None, 0, 0)"},
    ),
    "pairs": LabExample(
        "Every pair: two levels of vmap",
        "两两比较：两层 vmap",
        """def f(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))
""",
        "a: (5, 3)\nb: (7, 3)",
        {"levels": 2, "in_axes": "(0, None)", "inner_in_axes": "(None, 0)"},
    ),
    "noise": LabExample(
        "Random noise: one key for each example",
        "随机噪声：每个样本一个 key",
        """def f(key, x, sigma):
    return x + sigma * jax.random.normal(key, x.shape)
""",
        "key: keys(0, 5)\nx: (5, 3)\nsigma: 0.5",
        {"in_axes": "(0, 0, None)"},
    ),
    "branch": LabExample(
        "Refused: Python's if on a mapped value",
        "被拒绝：对映射的值使用 Python 的 if",
        """def f(x, limit):
    size = jnp.sqrt(x @ x)
    if size > limit:
        return x / size * limit
    return x
""",
        "x: (5, 3)\nlimit: 4.0",
        {"in_axes": "(0, None)"},
    ),
    "sizes": LabExample(
        "Refused: sizes of the mapped axes differ",
        "被拒绝：映射轴的大小不一致",
        """def f(column, scale):
    return column * scale
""",
        "column: (3, 5)\nscale: (5,)",
    ),
    "mean": LabExample(
        "A collective: subtract the mean of the batch",
        "集合操作：减去批次的均值",
        """def f(x):
    return x - lax.pmean(x, "batch")
""",
        "x: (5, 3)",
        {"axis_name": "batch"},
    ),
    "large": LabExample(
        "Real sizes: attention, its memory and chunks",
        "真实大小：注意力的内存与分块",
        """def f(query, keys, values):
    weights = jax.nn.softmax(keys @ query / jnp.sqrt(query.size))
    return weights @ values
""",
        "query: (2048, 64)\nkeys: (512, 64)\nvalues: (512, 64)",
        {"in_axes": "(0, None, None)"},
    ),
}
