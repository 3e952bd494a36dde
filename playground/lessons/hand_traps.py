"""Traps of vectorizing by hand: what one example means, and what the same code does to a batch."""

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.foundation.language import Language, pick
from playground.lessons.one_batch import dot, dot_by_hand, normalize, normalize_by_hand
from playground.lessons.trap_functions import (
    center,
    center_by_hand,
    matvec,
    matvec_by_hand,
    total,
    total_by_hand,
    transpose,
    transpose_by_hand,
)


@dataclass(frozen=True)
class Trap:
    """One trap.

    Attributes:
        function: for ONE example.
        arguments: "x", "x, y" or "W, x"; W is shared.
        by_hand: the same for a batch, written correctly.
        why: what goes wrong, in both languages.
    """

    function: FunctionType
    arguments: str
    by_hand: FunctionType
    why: tuple[str, str]

    def says(self, language: Language) -> str:
        """Say what goes wrong."""
        return pick(language, *self.why)


TRAPS = {
    "normalize": Trap(
        normalize,
        "x",
        normalize_by_hand,
        (
            "Of a matrix, `norm` is one number for all rows: every row is divided by it.",
            "对矩阵，`norm` 只得到一个数（所有行共用），每一行都除以它。",
        ),
    ),
    "center": Trap(
        center,
        "x",
        center_by_hand,
        (
            "`mean` without an axis is the mean of the whole batch.",
            "不写 axis 的 `mean` 是整批数据的均值。",
        ),
    ),
    "total": Trap(
        total,
        "x",
        total_by_hand,
        (
            "`sum` without an axis adds up all examples: one number instead of one per example.",
            "不写 axis 的 `sum` 把所有样本加在一起：只剩一个数，而不是每个样本一个数。",
        ),
    ),
    "dot": Trap(
        dot,
        "x, y",
        dot_by_hand,
        (
            "Of two matrices, `dot` is the matrix product: refused, or silent nonsense when batch "
            "size and length happen to be equal.",
            "对两个矩阵，`dot` 是矩阵乘法：通常报错；批大小恰好等于向量长度时则悄悄算出别的东西。",
        ),
    ),
    "matvec": Trap(
        matvec,
        "W, x",
        matvec_by_hand,
        (
            "`W @ X` multiplies the columns of the batch: refused, or wrong without a word when "
            "batch size and length happen to be equal.",
            "`W @ X` 乘的是整批数据的列：通常会报错；批大小恰好等于向量长度时则悄悄算错。",
        ),
    ),
    "transpose": Trap(
        transpose,
        "x",
        transpose_by_hand,
        (
            "`.T` reverses ALL axes: of a batch of matrices the batch axis goes last.",
            "`.T` 会颠倒所有轴：对一批矩阵来说，批次轴被放到了最后。",
        ),
    ),
}


@dataclass(frozen=True)
class TrapResult:
    """What was meant and what came out.

    Attributes:
        inputs: the arguments as they were passed, float32.
        meant: vmap of the function, float32.
        got: the function of the whole batch, float32; None when JAX refused.
        differs: for each entry of `got` whether it differs from what was meant; all True when the
            shapes differ; None when refused.
        wrong_examples: which examples are not what was meant.
        refusal: JAX's words, "" when nothing was refused.
        by_hand: the batch formula written correctly, float32.
        summary: headline numbers by name.
    """

    inputs: tuple[np.ndarray, ...]
    meant: np.ndarray
    got: np.ndarray | None
    differs: np.ndarray | None
    wrong_examples: tuple[int, ...]
    refusal: str
    by_hand: np.ndarray
    summary: dict[str, Any]


def trap_batch(batch_size: int, features: int):
    """Return a batch of small whole numbers that starts with the rows (3, 4, 0) and (1, 0, 0).

    Args:
        batch_size: 2 to 5.
        features: 2 to 5.
    """
    table = [
        [3.0, 4.0, 0.0, 6.0, 2.0],
        [1.0, 0.0, 0.0, 5.0, 8.0],
        [2.0, 7.0, 1.0, 4.0, 9.0],
        [6.0, 5.0, 8.0, 3.0, 1.0],
        [9.0, 2.0, 4.0, 7.0, 0.0],
    ]
    return jnp.array(table)[:batch_size, :features]


def trap_arguments(arguments: str, batch_size: int, features: int):
    """Return the batched arguments of a trap and the in_axes that say which are shared.

    Args:
        arguments: "x", "x, y", "W, x" or "matrix" (each example is a 2 x features matrix).
        batch_size: number of examples.
        features: length of an example.

    Returns:
        The arguments as a tuple, and in_axes.
    """
    X = trap_batch(batch_size, features)
    if arguments == "x, y":
        return (X, X[::-1] + 1), (0, 0)
    if arguments == "W, x":
        W = trap_batch(5, features)[1:3] - 1
        return (W, X), (None, 0)
    if arguments == "matrix":
        return (jnp.stack([X, X + 10], axis=1),), (0,)
    return (X,), (0,)


def meant_and_got(function: Callable, arguments: tuple, in_axes: tuple):
    """Run a per-example function as it is meant, and on the whole batch.

    Args:
        function: for one example.
        arguments: batched and shared arrays.
        in_axes: which of them are mapped.

    Returns:
        The mapped result, the result of the plain call or None, and JAX's refusal or "".
    """
    meant = jax.vmap(function, in_axes=in_axes)(*arguments)
    try:
        return meant, function(*arguments), ""
    except (TypeError, ValueError) as error:
        return meant, None, f"{type(error).__name__}: {error}"


def wrong_rows(meant, got) -> tuple[int, ...]:
    """Return the examples whose row of `got` is not what was meant; all when shapes differ."""
    if got is None or got.shape != meant.shape:
        return tuple(range(meant.shape[0]))
    same = jnp.isclose(got, meant, rtol=1e-5, atol=1e-5)
    rows = same.reshape(meant.shape[0], -1).all(axis=1)
    return tuple(i for i, row in enumerate(rows.tolist()) if not row)


def trap_headlines(function: Callable, arguments: tuple, in_axes: tuple) -> dict[str, Any]:
    """Return the headline numbers of a trap: shapes, row norms, and which examples are wrong."""
    meant, got, _ = meant_and_got(function, arguments, in_axes)
    rows = meant.reshape(meant.shape[0], -1)
    numbers: dict[str, Any] = {
        "shape meant": meant.shape,
        "length of each meant row": tuple(jnp.linalg.norm(rows, axis=1).tolist()),
        "shape got": "refused" if got is None else got.shape,
    }
    if got is not None and got.shape == meant.shape:
        rows = got.reshape(got.shape[0], -1)
        numbers["length of each row got"] = tuple(jnp.linalg.norm(rows, axis=1).tolist())
    return numbers | {"wrong examples": wrong_rows(meant, got)}


def kind_of_arguments(trap: str) -> str:
    """Return how the arguments of a trap are made; see `trap_arguments`."""
    return "matrix" if trap == "transpose" else TRAPS[trap].arguments


def run_trap(trap: str, batch_size: int, features: int) -> TrapResult:
    """Run one trap of the gallery."""
    function = TRAPS[trap].function
    arguments, in_axes = trap_arguments(kind_of_arguments(trap), batch_size, features)
    meant, got, refusal = meant_and_got(function, arguments, in_axes)
    differs = None
    if got is not None:
        same_shape = got.shape == meant.shape
        differs = (
            ~np.isclose(got, meant, rtol=1e-5, atol=1e-5)
            if same_shape
            else np.ones(got.shape, bool)
        )
    return TrapResult(
        tuple(np.asarray(argument) for argument in arguments),
        np.asarray(meant),
        None if got is None else np.asarray(got),
        differs,
        wrong_rows(meant, got),
        refusal,
        np.asarray(TRAPS[trap].by_hand(*arguments)),
        trap_headlines(function, arguments, in_axes),
    )
