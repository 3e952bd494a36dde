"""Newton's method on least squares: one step when the Hessian is well, and what copes when not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

METHODS = ("inv", "solve", "lstsq", "pinv")
PROBLEMS = ("well", "deficient", "close")


def residual_loss(w, x, y):
    """Compute the squared error of ONE example of a linear model."""
    return (x @ w - y) ** 2


def mean_residual_loss(w, X, Y):
    """Average it over the batch."""
    return jax.vmap(residual_loss, in_axes=(None, 0, 0))(w, X, Y).mean()


def step_by_inv(H, g):
    """Multiply with the inverse."""
    return -jnp.linalg.inv(H) @ g


def step_by_solve(H, g):
    """Solve the linear system by factorization."""
    return -jnp.linalg.solve(H, g)


def step_by_lstsq(H, g):
    """Take the shortest of the steps that come closest."""
    return -jnp.linalg.lstsq(H, g)[0]


def step_by_pinv(H, g):
    """Multiply with the pseudo-inverse."""
    return -jnp.linalg.pinv(H, hermitian=True) @ g


STEPS = (step_by_inv, step_by_solve, step_by_lstsq, step_by_pinv)


def newton_data(problem: str, closeness: int):
    """Return inputs, (n, 3), and targets, (n,), of a least-squares problem, float32.

    Args:
        problem: "well" has independent columns; "deficient" is [[1, 2, 3], [4, 5, 6]], two
            equations for three unknowns; "close" has two columns that differ by little.
        closeness: of "close": the columns differ by 10**-closeness.
    """
    if problem == "deficient":
        return jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), jnp.array([1.0, 2.0])
    a = jnp.array([1.0, 2.0, -1.0, 0.5, 3.0])
    b = jnp.array([0.5, -1.0, 2.0, 1.5, 1.0])
    c = jnp.array([2.0, 0.0, 1.0, -1.0, 0.5])
    third = c if problem == "well" else b + 10.0**-closeness * c
    return jnp.stack([a, b, third], axis=1), jnp.array([1.0, 0.0, 2.0, -1.0, 3.0])


def newton_step(step: Callable, w, X, Y):
    """Take one Newton step from w.

    Args:
        step: solves for the step, given Hessian (3, 3) and gradient (3,).
        w: weights, (3,).
        X: inputs, (n, 3).
        Y: targets, (n,).

    Returns:
        The new weights, (3,).
    """
    H = jax.hessian(mean_residual_loss)(w, X, Y)
    g = jax.grad(mean_residual_loss)(w, X, Y)
    return w + step(H, g)


@dataclass(frozen=True)
class NewtonRow:
    """One way to solve for the step.

    Attributes:
        method: one of `METHODS`.
        weights: after one step, float32, shape (3,).
        loss: after one step.
        slope: length of the gradient after one step.
        step_length: length of the step.
    """

    method: str
    weights: np.ndarray
    loss: float
    slope: float
    step_length: float


@dataclass(frozen=True)
class NewtonResult:
    """One problem solved four ways.

    Attributes:
        X: inputs, float32, shape (n, 3).
        hessian: float32, shape (3, 3).
        inverse: what `inv` returns for it, float32, shape (3, 3).
        rank: of the Hessian, computed in float64.
        condition: its condition number in float64; infinite or huge when it is singular.
        loss_before: before the step.
        best_loss: the smallest loss there is, NumPy float64.
        rows: the four ways.
        summary: headline numbers by name.
    """

    X: np.ndarray
    hessian: np.ndarray
    inverse: np.ndarray
    rank: int
    condition: float
    loss_before: float
    best_loss: float
    rows: tuple[NewtonRow, ...]
    summary: dict[str, Any]


def rank_and_condition(X) -> tuple[int, float]:
    """Return rank and condition number of the Hessian 2 X'X / n in float64.

    The singular values of X are squared instead of forming the product, which would lose digits.
    """
    X = np.asarray(X, np.float64)
    singular = np.zeros(X.shape[1])
    found = np.linalg.svd(X, compute_uv=False)
    singular[: found.size] = found
    rank = int((singular > singular[0] * max(X.shape) * np.finfo(np.float64).eps).sum())
    condition = float("inf") if rank < X.shape[1] else float((singular[0] / singular[-1]) ** 2)
    return rank, condition


def newton_headlines(problem: str, closeness: int) -> dict[str, object]:
    """Take one step each way: rank, condition number, loss and largest weight after it."""
    X, Y = newton_data(problem, closeness)
    w = jnp.zeros(3)
    rank, condition = rank_and_condition(X)
    numbers: dict[str, object] = {"rank": rank, "condition number": condition}
    steps = (step_by_inv, step_by_solve, step_by_lstsq, step_by_pinv)
    for name, step in zip(("inv", "solve", "lstsq", "pinv"), steps, strict=True):
        after = newton_step(step, w, X, Y)
        numbers[f"loss after a step by {name}"] = float(mean_residual_loss(after, X, Y))
    return numbers


def run_newton(problem: str, closeness: int) -> NewtonResult:
    """Solve one problem in all four ways."""
    X, Y = newton_data(problem, closeness)
    w = jnp.zeros(3)
    hessian = jax.hessian(mean_residual_loss)(w, X, Y)
    rank, condition = rank_and_condition(X)
    best, *_ = np.linalg.lstsq(np.asarray(X, np.float64), np.asarray(Y, np.float64))
    rows = []
    for method, step in zip(METHODS, STEPS, strict=True):
        after = newton_step(step, w, X, Y)
        slope = jnp.linalg.norm(jax.grad(mean_residual_loss)(after, X, Y))
        value = float(mean_residual_loss(after, X, Y))
        length = float(jnp.linalg.norm(after - w))
        rows.append(NewtonRow(method, np.asarray(after), value, float(slope), length))
    residual = np.asarray(X, np.float64) @ best - np.asarray(Y, np.float64)
    return NewtonResult(
        np.asarray(X),
        np.asarray(hessian),
        np.asarray(jnp.linalg.inv(hessian)),
        rank,
        condition,
        float(mean_residual_loss(w, X, Y)),
        float((residual**2).mean()),
        tuple(rows),
        newton_headlines(problem, closeness),
    )
