"""One entry point for distance matrices: the fastest method that is accurate for the data.

It says which method it took and why. Results are float32 and agree with float64 to 1e-4 relative
(measured near 1e-7 .. 1e-5); identical points are exactly 0 apart. Methods live in `direct` and
`expansion`, what is refused in `distance_input`.
"""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from playground.foundation.language import Language, pick
from playground.lessons import distance_input as allowed
from playground.lessons.direct import direct, direct_pairs, in_float64
from playground.lessons.distances import METRIC_NAMES, unit
from playground.lessons.expansion import centred, expand, near_mask

DIRECT_DIMENSION = 8
"""Up to so many coordinates the direct sum in float64 is the faster one (measured)."""

COLUMNS_DIMENSION = 256
"""Up to so many coordinates the matrix product is faster on points as columns (measured)."""

MOST_NEAR = 0.02
"""Share of near pairs above which recomputing them costs more than computing all directly."""

PAIRS_AT_ONCE = 1 << 22
"""Numbers that are gathered at once to recompute pairs."""

WIDE = 1e30
"""Float32 coordinates beyond this are prepared in float64: their sum would overflow."""


@dataclass(frozen=True)
class Plan:
    """Points that have been checked and prepared, ready to be compared row block by row block."""

    metric: str
    X: np.ndarray
    Y: np.ndarray
    may_overflow: bool
    prepared: tuple[Array, Array, Array] | None
    """X and Y and their scale for the expansion; None: compute directly."""

    @property
    def as_columns(self) -> bool:
        """Whether what is prepared holds one point per column."""
        return self.X.shape[1] <= COLUMNS_DIMENSION


@dataclass(frozen=True)
class Distances:
    """A distance matrix and how it was made.

    Attributes:
        matrix: float32, shape (rows, columns), finite; not negative except for "dot".
        metric: one of `METRIC_NAMES`.
        method: "direct", "centred expansion" or "product".
        recomputed: how many near pairs were computed again directly.
        near: how many near pairs made the method give up the expansion; 0 when it did not.
        dimension: number of coordinates.
    """

    matrix: np.ndarray
    metric: str
    method: str
    recomputed: int
    near: int
    dimension: int

    def reason(self, language: Language) -> str:
        """Say which method was taken and why."""
        if self.method == "centred expansion":
            return pick(
                language,
                f"Centred expansion: with {self.dimension} coordinates one matrix product is the "
                f"fastest way. {self.recomputed} near pairs, where digits would cancel, were "
                "computed again from their differences.",
                f"中心化展开式：坐标有 {self.dimension} 个，用一次矩阵乘法最快。"
                f"其中 {self.recomputed} 个近点对会发生抵消，已改用坐标差重新计算。",
            )
        if self.near:
            return pick(
                language,
                f"Direct differences in float64: {self.near} pairs are so near that the expansion "
                "would cancel, too many to repair one by one.",
                f"用 float64 直接求差：有 {self.near} 个点对过近，展开式会抵消，逐个修正不划算。",
            )
        if self.metric == "manhattan":
            return pick(
                language,
                "Direct differences in float64: the Manhattan distance has no expansion.",
                "用 float64 直接求差：曼哈顿距离没有展开式。",
            )
        if self.metric == "dot":
            return pick(
                language,
                "Products in float64: terms of different sign cancel in float32.",
                "用 float64 计算乘积：正负项在 float32 下会相互抵消。",
            )
        return pick(
            language,
            f"Direct differences in float64: with {self.dimension} coordinates they are the "
            "fastest way, and nothing cancels.",
            f"用 float64 直接求差：坐标只有 {self.dimension} 个，这样最快，也不会发生抵消。",
        )


@jax.jit
def unit_rows(X: Float[Array, "points dimension"]) -> Float[Array, "points dimension"]:
    """Scale every point to length 1; largest coordinate first, so that no square overflows."""
    return jax.vmap(lambda x: unit(x / jnp.max(jnp.abs(x))))(X)


@jax.jit
def products(
    X: Float[Array, "rows dimension"], Y: Float[Array, "columns dimension"]
) -> Float[Array, "rows columns"]:
    """Inner products by one matrix product in float64, rounded to float32."""
    X, Y = (jnp.asarray(points, jnp.float64) for points in (X, Y))
    return jax.vmap(lambda x: jax.vmap(lambda y: x @ y)(Y))(X).astype(jnp.float32)


def plan(X: object, Y: object, metric: str) -> Plan:
    """Check and prepare two sets of points.

    Args:
        X: array-like of real numbers, shape (rows, dimension).
        Y: the same with shape (columns, dimension).
        metric: one of `METRIC_NAMES`.

    Returns:
        A plan for `compare`.

    Raises:
        PointsRefused: shapes, kinds or sizes of numbers that cannot be compared.
        ValueError: unknown metric.
    """
    if metric not in METRIC_NAMES:
        message = f"metric {metric!r} is not one of {', '.join(METRIC_NAMES)}"
        raise ValueError(message)
    first, second = allowed.as_points(X, "X"), allowed.as_points(Y, "Y")
    dimension = first.shape[1]
    if dimension != second.shape[1]:
        raise allowed.PointsRefused(
            f"X has {dimension} coordinates per point, Y has {second.shape[1]}; they must agree.",
            f"X 每点有 {dimension} 个坐标，Y 有 {second.shape[1]} 个；两者必须相同。",
        )
    if not len(first) or not len(second):
        return Plan(metric, first, second, False, None)
    largest = []
    for points, name in ((first, "X"), (second, "Y")):
        # Two passes without a copy; nan comes through both.
        largest.append(float(max(points.max(), -points.min())))
        allowed.check_finite(points, largest[-1], name)
    may_overflow = allowed.check_representable(metric, *largest, dimension)
    if metric == "cosine":
        # NumPy widens: the compiler would take float32 numbers below 1e-38 for 0.
        first, second = first.astype(np.float64), second.astype(np.float64)
        allowed.check_directions(first, "X")
        allowed.check_directions(second, "Y")
        first, second = (np.asarray(in_float64(unit_rows, p)) for p in (first, second))
    prepared = None
    expandable = metric not in ("manhattan", "dot") and max(largest) <= allowed.LARGEST
    if dimension > DIRECT_DIMENSION and expandable:
        narrow = first.dtype == second.dtype == np.float32 and max(largest) < WIDE
        prepare = partial(centred, as_columns=dimension <= COLUMNS_DIMENSION)
        prepared = (
            prepare(first, second)
            if narrow
            else in_float64(prepare, first.astype(np.float64), second.astype(np.float64))
        )
    return Plan(metric, first, second, may_overflow, prepared)


def compare(planned: Plan, start: int = 0, stop: int | None = None) -> Distances:
    """Compute the rows `start` to `stop` of the matrix.

    Raises:
        PointsRefused: a result is too large for float32.
    """
    rows = planned.X[start:stop]
    dimension = rows.shape[1]
    if not len(rows) or not len(planned.Y):
        empty = np.zeros((len(rows), len(planned.Y)), np.float32)
        return Distances(empty, planned.metric, "direct", 0, 0, dimension)
    near = recomputed = 0
    matrix = None
    if planned.prepared is not None:
        X, Y, scale = planned.prepared
        if len(rows) < len(planned.X):
            X = X[:, start:stop] if planned.as_columns else X[start:stop]
        expanded, has_near, *squares = expand(planned.metric, X, Y, scale, planned.as_columns)
        matrix = np.asarray(expanded)
        if np.asarray(has_near).any():
            mask = np.asarray(near_mask(planned.metric, expanded, *squares, scale))
            at, to = np.divmod(np.flatnonzero(mask), mask.shape[1])
            if len(at) > MOST_NEAR * mask.size:
                near, matrix = len(at), None
            else:
                recomputed = len(at)
                matrix = _repaired(planned, matrix, rows, at, to)
    method = "direct" if matrix is None else "centred expansion"
    if matrix is None and planned.metric == "dot" and dimension > DIRECT_DIMENSION:
        method = "product"
        matrix = np.asarray(in_float64(products, rows, planned.Y))
    elif matrix is None:
        matrix = np.asarray(in_float64(direct, planned.metric, rows, planned.Y))
    if planned.may_overflow:
        allowed.check_results(planned.metric, matrix)
    return Distances(matrix, planned.metric, method, recomputed, near, dimension)


def pairwise_distances(X: object, Y: object = None, metric: str = "euclidean") -> Distances:
    """Compare every point of X with every point of Y by the fastest method that is accurate.

    It looks at the data, so it takes concrete arrays; inside `jit` and `grad` use
    `distances.rows_outside`, whose metrics have finite gradients at coincident points.

    Args:
        X: array-like of real numbers, shape (rows, dimension).
        Y: the same with shape (columns, dimension); None compares X with itself.
        metric: "euclidean", "squared", "manhattan", "cosine" (1 - cos) or "dot".

    Returns:
        The matrix, the method and the reason for it.

    Raises:
        PointsRefused: shapes, kinds or sizes of numbers that cannot be compared.
        ValueError: unknown metric.
    """
    return compare(plan(X, X if Y is None else Y, metric))


def _repaired(
    planned: Plan, matrix: np.ndarray, rows: np.ndarray, at: np.ndarray, to: np.ndarray
) -> np.ndarray:
    matrix = matrix.copy()
    at_once = max(1, PAIRS_AT_ONCE // rows.shape[1])
    for begin in range(0, len(at), at_once):
        r, c = at[begin : begin + at_once], to[begin : begin + at_once]
        # Padded to a power of two, so that the number of compilations stays small.
        padded = np.arange(1 << (len(r) - 1).bit_length()) % len(r)
        exact = in_float64(direct_pairs, planned.metric, rows[r[padded]], planned.Y[c[padded]])
        matrix[r, c] = np.asarray(exact)[: len(r)]
    return matrix
