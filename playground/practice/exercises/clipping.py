"""E4: per-example clipping for linear regression, and the training that works with it."""

from typing import Any

import numpy as np

from playground.practice.exercises.clipping_mistakes import (
    WRONG,
    Theta,
    answer_with,
    loss,
    residuals,
    right,
    unclipped,
)
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

_NAME = "clipped_mean_grad"
TRUE_W, TRUE_B, STEPS, RATE = (1.0, -2.0, 0.5), 0.5, 200, 0.1


def _theta(rng: np.random.Generator, d: int) -> Theta:
    return {"w": random_array(rng, d), "b": random_array(rng)}


def _cases(rng: np.random.Generator) -> list[Case]:
    def batch(size: int, d: int, C: float | None = None, **more: Any) -> Case:
        theta, X, Y = _theta(rng, d), random_array(rng, size, d), random_array(rng, size)
        # Residuals of one sign, but for one near zero: C clips the mean and spares one example.
        predicted = Y + residuals(theta, X, Y)
        Y = (predicted - 3 - Y**2).astype(np.float32)
        Y[0] = predicted[0] - 0.01
        if C is None:
            mean = unclipped(theta, X, Y, 1.0)
            C = float(0.8 * np.sqrt((mean["w"] ** 2).sum() + mean["b"] ** 2))
        return Case(_NAME, (theta, X, Y, C), right(theta, X, Y, C), **more)

    def one(d: int) -> Case:
        theta, x, y = _theta(rng, d), random_array(rng, d), random_array(rng)
        return Case("loss_single", (theta, x, y), loss(theta, x, y))

    def flat(d: int) -> Case:
        theta, X, Y = _theta(rng, d), random_array(rng, 4, d), random_array(rng, 4)
        X[2], Y[2] = 0.0, theta["b"]
        about = ("an example whose gradient is zero", "某个样本的梯度为零")
        return Case(_NAME, (theta, X, Y, 0.5), right(theta, X, Y, 0.5), stage="edge", about=about)

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
            lambda theta, x, y: loss(theta, x, y) / 2,
            ("The loss carries no factor 1/2.", "损失前没有系数 1/2。"),
        ),
        Mistake(
            "loss_single",
            "not_squared",
            lambda theta, x, y: residuals(theta, x, y),
            ("The residual is not squared.", "残差没有平方。"),
        ),
        Mistake(
            "loss_single",
            "missing_bias",
            lambda theta, x, y: loss({**theta, "b": np.zeros(())}, x, y),
            ("The bias b is missing.", "漏了偏置 b。"),
        ),
        *(
            Mistake(_NAME, kind, answer_with(change, norms), (english, chinese))
            for kind, change, norms, english, chinese in WRONG
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
