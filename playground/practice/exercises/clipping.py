"""E4: per-example clipping for linear regression, and the training that works with it."""

from typing import Any

import numpy as np

from playground.practice.exercises.model import (
    Case,
    ErrorHint,
    Exercise,
    Finding,
    Growth,
    Mistake,
    Property,
    different_sizes,
    random_array,
)
from playground.sandbox.asking import Call

Theta = dict[str, np.ndarray]
TRUE_W, TRUE_B, STEPS, RATE = (1.0, -2.0, 0.5), 0.5, 200, 0.1


def _theta(rng: np.random.Generator, d: int) -> Theta:
    return {"w": random_array(rng, d), "b": random_array(rng)}


def _residuals(theta: Theta, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return X.astype(np.float64) @ theta["w"].astype(np.float64) + float(theta["b"]) - Y


def _loss(theta: Theta, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return _residuals(theta, x, y) ** 2


def _gradients(theta: Theta, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradients of all examples: of w, shape (N, d), and of b, shape (N,)."""
    slope = 2 * _residuals(theta, X, Y)
    return slope[:, None] * X, slope


def _norms(theta: Theta, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    of_w, of_b = _gradients(theta, X, Y)
    return np.sqrt((of_w**2).sum(axis=1) + of_b**2)


def _scale(norms: np.ndarray, C: float) -> np.ndarray:
    return np.minimum(1.0, C / np.maximum(norms, 1e-30))


def _mean(theta: Theta, X: np.ndarray, Y: np.ndarray, factor: Any, of_b: Any = None) -> Any:
    w, b = _gradients(theta, X, Y)
    other = factor if of_b is None else of_b
    return {"w": (factor[:, None] * w).mean(axis=0), "b": (other * b).mean(axis=0)}


def _right(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    norms = _norms(theta, X, Y)
    return _mean(theta, X, Y, _scale(norms, C)), norms


def _with(change: Any, norms_too: Any = None) -> Any:
    """Make the wrong answer whose clip factor, or whose norms, are others."""

    def wrong(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
        norms = _norms(theta, X, Y)
        gradient, told = _right(theta, X, Y, C)
        w, b = _gradients(theta, X, Y)
        if change is not None:
            gradient = change(theta, X, Y, C)
        if norms_too is not None:
            told = norms_too(norms, w, b, C)
        return gradient, told

    return wrong


def _mean_then_clip(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    mean = _mean(theta, X, Y, np.ones(len(X)))
    norm = np.sqrt((mean["w"] ** 2).sum() + mean["b"] ** 2)
    return {name: value * _scale(norm, C) for name, value in mean.items()}


def _per_leaf(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    w, b = _gradients(theta, X, Y)
    return _mean(
        theta, X, Y, _scale(np.sqrt((w**2).sum(axis=1)), C), _scale(np.abs(b), C)
    )


def _only_w(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    w, _ = _gradients(theta, X, Y)
    return _mean(theta, X, Y, _scale(np.sqrt((w**2).sum(axis=1)), C))


def _frobenius(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    total = np.sqrt((_norms(theta, X, Y) ** 2).sum())
    return _mean(theta, X, Y, np.full(len(X), _scale(total, C)))


def _elementwise(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    w, b = _gradients(theta, X, Y)
    return {"w": np.clip(w, -C, C).mean(axis=0), "b": np.clip(b, -C, C).mean(axis=0)}


def _summed(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    return {name: value * len(X) for name, value in _right(theta, X, Y, C)[0].items()}


def _unclipped(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    return _mean(theta, X, Y, np.ones(len(X)))


def _always(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    return _mean(theta, X, Y, C / _norms(theta, X, Y))


def _only_w_norm(norms: Any, w: np.ndarray, b: np.ndarray, C: float) -> np.ndarray:
    return np.sqrt((w**2).sum(axis=1))


def _frobenius_norm(norms: np.ndarray, w: Any, b: Any, C: float) -> np.ndarray:
    return np.sqrt((norms**2).sum())


_NAME = "clipped_mean_grad"
_WRONG = (
    (
        "not_clipped",
        _unclipped,
        None,
        "Nothing is clipped: norms above C must be scaled down to C.",
        "没有裁剪：超过 C 的范数必须缩小到 C。",
    ),
    (
        "mean_then_clip",
        _mean_then_clip,
        None,
        "This is the clip of the mean: the mean gradient is clipped once. Asked for is the mean "
        "of clipped gradients: clip each example first.",
        "这是对均值的裁剪：先求平均再裁剪一次。题目要求的是裁剪后的均值：先裁剪每个样本的梯度。",
    ),
    (
        "per_leaf_norm",
        _per_leaf,
        None,
        "w and b are clipped apart, each leaf by its own norm. The norm is global: over w and b "
        "together.",
        "w 和 b 被分别裁剪，各用自己的范数。应当用全局范数：w 与 b 合在一起求。",
    ),
    (
        "per_leaf_norm",
        _only_w,
        _only_w_norm,
        "The norm counts w only; it must be global, over w and b together.",
        "范数只算了 w；应当是 w 与 b 合在一起的全局范数。",
    ),
    (
        "per_leaf_norm",
        _only_w,
        None,
        "The clip factor counts the norm of w only; it must be global, over w and b together.",
        "裁剪系数只用了 w 的范数；应当用 w 与 b 合在一起的全局范数。",
    ),
    (
        "frobenius",
        _frobenius,
        _frobenius_norm,
        "This is one Frobenius norm over the gradients of all examples; every example needs its "
        "own norm.",
        "这是对所有样本的梯度求的一个 Frobenius 范数；每个样本都要有自己的范数。",
    ),
    (
        "frobenius",
        _frobenius,
        None,
        "The factor comes from one Frobenius norm over the whole batch; every example needs its "
        "own norm.",
        "裁剪系数来自整批梯度的一个 Frobenius 范数；每个样本都要有自己的范数。",
    ),
    (
        "frobenius",
        None,
        _frobenius_norm,
        "The norms are one Frobenius norm over the whole batch; every example needs its own.",
        "返回的是整批梯度的一个 Frobenius 范数；每个样本都要有自己的范数。",
    ),
    (
        "elementwise_clip",
        _elementwise,
        None,
        "Entries are clipped one by one; clip the norm: scale the gradient by min(1, C / norm).",
        "逐个元素做了裁剪；应当裁剪范数：梯度乘以 min(1, C / 范数)。",
    ),
    (
        "sum_for_mean",
        _summed,
        None,
        "This is the sum of the clipped gradients, not their mean.",
        "这是裁剪后梯度的和，不是均值。",
    ),
    (
        "always_scaled",
        _always,
        None,
        "Small gradients are blown up to norm C: the factor is min(1, C / norm), never above 1.",
        "小梯度被放大到了范数 C：系数是 min(1, C / 范数)，不会超过 1。",
    ),
    (
        "norms_after_clipping",
        None,
        lambda norms, w, b, C: np.minimum(norms, C),
        "The norms are those after clipping; return them as they were before.",
        "返回的是裁剪之后的范数；应当返回裁剪之前的范数。",
    ),
    (
        "squared",
        None,
        lambda norms, w, b, C: norms**2,
        "The norms are squared: the square root is missing.",
        "返回的是范数的平方：漏了开平方根。",
    ),
    (
        "per_leaf_norm",
        None,
        _only_w_norm,
        "The norms count w only; they must be global, over w and b together.",
        "返回的范数只算了 w；应当是 w 与 b 合在一起的全局范数。",
    ),
    (
        "per_leaf_norm",
        None,
        lambda norms, w, b, C: _only_w_norm(norms, w, b, C) + np.abs(b),
        "The norms of w and b are added; a global norm is the root of the sum of all squares.",
        "把 w 和 b 的范数直接相加了；全局范数是所有平方和的平方根。",
    ),
)


def _cases(rng: np.random.Generator) -> list[Case]:
    def batch(size: int, d: int, C: float | None = None, **more: Any) -> Case:
        theta, X, Y = _theta(rng, d), random_array(rng, size, d), random_array(rng, size)
        # Residuals of one sign, but for one near zero: C clips the mean and spares one example.
        predicted = Y + _residuals(theta, X, Y)
        Y = (predicted - 3 - Y**2).astype(np.float32)
        Y[0] = predicted[0] - 0.01
        if C is None:
            mean = _unclipped(theta, X, Y, 1.0)
            C = float(0.8 * np.sqrt((mean["w"] ** 2).sum() + mean["b"] ** 2))
        return Case(_NAME, (theta, X, Y, C), _right(theta, X, Y, C), **more)

    def one(d: int) -> Case:
        theta, x, y = _theta(rng, d), random_array(rng, d), random_array(rng)
        return Case("loss_single", (theta, x, y), _loss(theta, x, y))

    def flat(d: int) -> Case:
        theta, X, Y = _theta(rng, d), random_array(rng, 4, d), random_array(rng, 4)
        X[2], Y[2] = 0.0, theta["b"]
        about = ("an example whose gradient is zero", "某个样本的梯度为零")
        return Case(
            _NAME, (theta, X, Y, 0.5), _right(theta, X, Y, 0.5), stage="edge", about=about
        )

    size, d, other, third = different_sizes(rng, 4, low=3)
    return [
        one(d),
        one(third),
        batch(size, d),
        batch(other, third),
        batch(1, 1, 0.3, stage="edge", about=("N = d = 1", "N = d = 1")),
        flat(d),
    ]


def _growth(rng: np.random.Generator) -> list[Growth]:
    theta = _theta(rng, 3)
    small, large = (
        (theta, random_array(rng, size, 3), random_array(rng, size), 0.7) for size in (4, 36)
    )
    return [Growth(_NAME, small, large, 32)]


_SETUP = f"""
def _train(theta, X, Y, C):
    def step(_, theta):
        gradient, _ = {_NAME}(theta, X, Y, C)
        return jax.tree.map(lambda p, g: p - {RATE} * g, theta, dict(gradient))
    try:
        return jax.jit(lambda theta: jax.lax.fori_loop(0, {STEPS}, step, theta))(theta)
    except (jax.errors.TracerArrayConversionError, jax.errors.ConcretizationTypeError):
        for _ in range({STEPS}):
            theta = step(0, theta)
        return theta
"""


def _properties(rng: np.random.Generator) -> list[Property]:
    X = random_array(rng, 64, 3)
    Y = (X @ np.array(TRUE_W) + TRUE_B).astype(np.float32)
    start = {"w": np.zeros(3, np.float32), "b": np.zeros((), np.float32)}
    theta, C = _theta(rng, 4), 0.25
    big = (theta, 30 * random_array(rng, 9, 4), random_array(rng, 9), C)

    def recovers(answers: Any) -> Finding | None:
        found = answers[0].value
        w, b = np.asarray(found["w"], np.float64), float(found["b"])
        if np.allclose(w, TRUE_W, atol=0.02) and abs(b - TRUE_B) < 0.02:
            return None
        return Finding(
            "properties",
            "does_not_train",
            (
                f"{STEPS} steps of gradient descent do not recover w = {TRUE_W}, b = {TRUE_B}: "
                f"they end at w = {np.round(w, 3).tolist()}, b = {b:.3f}",
                f"{STEPS} 步梯度下降没有恢复 w = {TRUE_W}、b = {TRUE_B}："
                f"最后得到 w = {np.round(w, 3).tolist()}、b = {b:.3f}",
            ),
        )

    def is_bounded(answers: Any) -> Finding | None:
        gradient = answers[0].value[0]
        size = float(np.sqrt((gradient["w"] ** 2).sum() + gradient["b"] ** 2))
        if size <= C * 1.001:
            return None
        return Finding(
            "properties",
            "not_clipped",
            (
                f"The mean of gradients clipped to C = {C} has norm {size:.4g}: above C.",
                f"裁剪到 C = {C} 的梯度，其均值的范数却是 {size:.4g}，超过了 C。",
            ),
        )

    return [
        Property([Call(f"_call_{_NAME}", big)], is_bounded),
        Property([Call("_train", (start, X, Y, 1.0))], recovers),
    ]


E4 = Exercise(
    id="E4",
    title=("Clip every example's gradient", "逐样本裁剪梯度"),
    functions={"loss_single": ("theta", "x", "y"), _NAME: ("theta", "X", "Y", "C")},
    starter='''def loss_single(theta, x, y):
    """theta = {"w": (d,), "b": ()}; x: (d,), y: () -> (w . x + b - y) ** 2"""
    ...


def clipped_mean_grad(theta, X, Y, C):
    """X: (N, d), Y: (N,) -> (mean of clipped gradients, like theta; norms before it, (N,))"""
    ...
''',
    answer="""def loss_single(theta, x, y):
    return (jnp.dot(theta["w"], x) + theta["b"] - y) ** 2


def clipped_mean_grad(theta, X, Y, C):
    def clipped(x, y):
        gradient = jax.grad(loss_single)(theta, x, y)
        norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
        factor = jnp.minimum(1.0, C / jnp.maximum(norm, 1e-12))
        return jax.tree.map(lambda leaf: factor * leaf, gradient), norm

    gradients, norms = jax.vmap(clipped)(X, Y)
    return jax.tree.map(lambda leaf: leaf.mean(axis=0), gradients), norms
""",
    hints=(
        (
            "The gradient of one example is `jax.grad(loss_single)(theta, x, y)`: a dictionary "
            "like theta.",
            "单个样本的梯度是 `jax.grad(loss_single)(theta, x, y)`：一个与 theta 结构相同的字典。",
        ),
        (
            "Its norm goes over all leaves together: √(‖w‖² + b²). The factor is "
            "`min(1, C / norm)`.",
            "范数要把所有叶子合在一起算：√(‖w‖² + b²)。系数是 `min(1, C / norm)`。",
        ),
        (
            "Write gradient, norm and clipping for one example in one function, vmap it over "
            "`(X, Y)`, and only then take the mean over axis 0.",
            "把求梯度、范数和裁剪写成针对单个样本的一个函数，用 vmap 映射 `(X, Y)`，"
            "最后再沿轴 0 求均值。",
        ),
    ),
    cases=_cases,
    growth=_growth,
    properties=_properties,
    mistakes=(
        Mistake(
            "loss_single",
            "half_loss",
            lambda theta, x, y: _loss(theta, x, y) / 2,
            ("The loss carries no factor 1/2.", "损失前没有系数 1/2。"),
        ),
        Mistake(
            "loss_single",
            "not_squared",
            lambda theta, x, y: _residuals(theta, x, y),
            ("The residual is not squared.", "残差没有平方。"),
        ),
        Mistake(
            "loss_single",
            "missing_bias",
            lambda theta, x, y: _loss({**theta, "b": np.zeros(())}, x, y),
            ("The bias b is missing.", "漏了偏置 b。"),
        ),
        *(
            Mistake(_NAME, kind, _with(change, norms), (english, chinese))
            for kind, change, norms, english, chinese in _WRONG
        ),
    ),
    errors=(
        ErrorHint(
            "inconsistent sizes for array axes to be mapped|tree prefix|rank should be at least 1",
            "missing_none",
            (
                "theta (or C) is mapped too. It is shared by all examples: None in in_axes.",
                "theta（或 C）也被映射了。它由所有样本共享：in_axes 中要写 None。",
            ),
        ),
        ErrorHint(
            "Gradient only defined for scalar-output",
            "not_scalar",
            (
                "grad is taken of a whole batch of losses. Take it of one example's loss, and "
                "vmap the gradient: vmap(grad(loss_single), in_axes=(None, 0, 0)).",
                "对整批损失求了 grad。应当对单个样本的损失求 grad，再对梯度做 vmap："
                "vmap(grad(loss_single), in_axes=(None, 0, 0))。",
            ),
        ),
    ),
    setup=_SETUP,
    page="training",
)
