"""Per-example clipping in NumPy for E4: the right answer, and the wrong ones people give."""

from typing import Any

import numpy as np

Theta = dict[str, np.ndarray]


def residuals(theta: Theta, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return prediction minus target of one example or of all."""
    return X.astype(np.float64) @ theta["w"].astype(np.float64) + float(theta["b"]) - Y


def loss(theta: Theta, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the squared residual of one example or of all."""
    return residuals(theta, x, y) ** 2


def _gradients(theta: Theta, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradients of all examples: of w, shape (N, d), and of b, shape (N,)."""
    slope = 2 * residuals(theta, X, Y)
    return slope[:, None] * X, slope


def norms(theta: Theta, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return the norm of every example's gradient, over w and b together, shape (N,)."""
    of_w, of_b = _gradients(theta, X, Y)
    return np.sqrt((of_w**2).sum(axis=1) + of_b**2)


def _scale(norms: np.ndarray, C: float) -> np.ndarray:
    return np.minimum(1.0, C / np.maximum(norms, 1e-30))


def _mean(theta: Theta, X: np.ndarray, Y: np.ndarray, factor: Any, of_b: Any = None) -> Any:
    w, b = _gradients(theta, X, Y)
    other = factor if of_b is None else of_b
    return {"w": (factor[:, None] * w).mean(axis=0), "b": (other * b).mean(axis=0)}


def right(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    """Return what `clipped_mean_grad` must return."""
    sizes = norms(theta, X, Y)
    return _mean(theta, X, Y, _scale(sizes, C)), sizes


def answer_with(change: Any, norms_too: Any = None) -> Any:
    """Make the wrong answer whose clip factor, or whose norms, are others."""

    def wrong(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
        sizes = norms(theta, X, Y)
        gradient, told = right(theta, X, Y, C)
        w, b = _gradients(theta, X, Y)
        if change is not None:
            gradient = change(theta, X, Y, C)
        if norms_too is not None:
            told = norms_too(sizes, w, b, C)
        return gradient, told

    return wrong


def _mean_then_clip(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    mean = _mean(theta, X, Y, np.ones(len(X)))
    norm = np.sqrt((mean["w"] ** 2).sum() + mean["b"] ** 2)
    return {name: value * _scale(norm, C) for name, value in mean.items()}


def _per_leaf(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    w, b = _gradients(theta, X, Y)
    return _mean(theta, X, Y, _scale(np.sqrt((w**2).sum(axis=1)), C), _scale(np.abs(b), C))


def _only_w(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    w, _ = _gradients(theta, X, Y)
    return _mean(theta, X, Y, _scale(np.sqrt((w**2).sum(axis=1)), C))


def _frobenius(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    total = np.sqrt((norms(theta, X, Y) ** 2).sum())
    return _mean(theta, X, Y, np.full(len(X), _scale(total, C)))


def _elementwise(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    w, b = _gradients(theta, X, Y)
    return {"w": np.clip(w, -C, C).mean(axis=0), "b": np.clip(b, -C, C).mean(axis=0)}


def _summed(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    return {name: value * len(X) for name, value in right(theta, X, Y, C)[0].items()}


def unclipped(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    """Return the plain mean gradient."""
    return _mean(theta, X, Y, np.ones(len(X)))


def _always(theta: Theta, X: np.ndarray, Y: np.ndarray, C: float) -> Any:
    return _mean(theta, X, Y, C / norms(theta, X, Y))


def _only_w_norm(norms: Any, w: np.ndarray, b: np.ndarray, C: float) -> np.ndarray:
    return np.sqrt((w**2).sum(axis=1))


def _frobenius_norm(norms: np.ndarray, w: Any, b: Any, C: float) -> np.ndarray:
    return np.sqrt((norms**2).sum())


WRONG = (
    (
        "not_clipped",
        unclipped,
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
