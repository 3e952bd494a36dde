"""What points may be compared: shapes, kinds of numbers, and sizes that float32 can carry.

Nothing overflows silently: what cannot be computed is refused, with the reason in both languages.
"""

import jax.numpy as jnp
import numpy as np

from playground.foundation.language import Language, pick

LARGEST_INPUT = 1e150
LARGEST_WHOLE = 2**53
SHORTEST = 1e-300
LARGEST = float(np.finfo(np.float32).max)
SMALLEST = float(np.finfo(np.float32).tiny)


class PointsRefused(ValueError):  # noqa: N818 - a refusal, not a fault
    """Points that cannot be compared; says what was given, what is allowed and what to do."""

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__(english)
        self.english = english
        self.chinese = chinese

    def message(self, language: Language) -> str:
        """Say why in the language asked for."""
        return pick(language, self.english, self.chinese)


def as_points(values: object, name: str) -> np.ndarray:
    """Take in points of any real kind of number.

    Args:
        values: array-like, shape (points, dimension).
        name: what to call it in a refusal, such as "X".

    Returns:
        float32 when that loses nothing by kind (float32, float16, bfloat16, bool), else float64.

    Raises:
        PointsRefused: not two axes, no coordinates, complex, or whole numbers beyond 2**53.
    """
    try:
        points = np.asarray(values)
    except ValueError:
        raise PointsRefused(
            f"The rows of {name} do not all have the same number of coordinates.",
            f"{name} 各行的坐标个数不一致。",
        ) from None
    if points.ndim != 2 or points.shape[1] == 0:
        raise PointsRefused(
            f"{name} has shape {points.shape}; needed is (points, dimension) with dimension >= 1.",
            f"{name} 的形状是 {points.shape}；需要 (点数, 维数)，且维数至少为 1。",
        )
    if points.dtype == np.float32:
        return points
    kind = points.dtype.kind
    if kind in "iu":
        if points.size and max(int(points.max()), -int(points.min())) > LARGEST_WHOLE:
            raise PointsRefused(
                f"{name} holds whole numbers beyond 2**53, which float64 cannot tell apart. "
                "Subtract a common offset first.",
                f"{name} 含有超过 2**53 的整数，float64 无法区分它们。请先减去一个公共偏移量。",
            )
        return points.astype(np.float64)
    if kind == "f":
        return points.astype(np.float64 if points.dtype.itemsize > 4 else np.float32)
    if kind == "b" or points.dtype == jnp.bfloat16:
        return points.astype(np.float32)
    raise PointsRefused(
        f"{name} holds {points.dtype}; needed are real numbers.",
        f"{name} 的元素类型是 {points.dtype}；需要实数。",
    )


def check_finite(points: np.ndarray, largest: float, name: str) -> None:
    """Refuse nan, infinity and values beyond what float64 can square.

    Raises:
        PointsRefused: names the first such row.
    """
    if largest <= LARGEST_INPUT:
        return
    good = np.abs(points) <= LARGEST_INPUT
    row, column = np.argwhere(~good)[0]
    raise PointsRefused(
        f"{name}[{row}, {column}] is {points[row, column]}; allowed are finite numbers up to "
        f"{LARGEST_INPUT:g}. Remove that row or replace the value.",
        f"{name}[{row}, {column}] 的值为 {points[row, column]}；只允许绝对值不超过 "
        f"{LARGEST_INPUT:g} 的有限数。请删除该行或替换该值。",
    )


def check_representable(metric: str, largest_x: float, largest_y: float, dimension: int) -> bool:
    """Compare the size of the possible results with what float32 can hold.

    Args:
        metric: one of the five names.
        largest_x: largest absolute coordinate of X.
        largest_y: largest absolute coordinate of Y.
        dimension: number of coordinates.

    Returns:
        True when some result may be too large, so that the results must be looked at.

    Raises:
        PointsRefused: the results are so small that float32 would lose the smallest of them.
    """
    both = max(largest_x, largest_y)
    bound = {
        "euclidean": 2 * both * dimension**0.5,
        "squared": dimension * (2 * both) ** 2,
        "manhattan": 2 * both * dimension,
        "cosine": 2.0,
        "dot": dimension * largest_x * largest_y,
    }[metric]
    least = SMALLEST * (1e6 if metric in ("euclidean", "manhattan") else 1e12)
    if bound < least and min(largest_x, largest_y) > 0:
        raise PointsRefused(
            f"The coordinates are at most {both:.3g}, so no “{metric}” value exceeds {bound:.3g}: "
            f"too near to {SMALLEST:.3g}, the smallest normal number of float32, to keep the small "
            "ones. Multiply the points by a constant first.",
            f"坐标的绝对值不超过 {both:.3g}，“{metric}” 值不会超过 {bound:.3g}：过于接近 float32 的"
            f"最小正规数 {SMALLEST:.3g}，较小的值会丢失。请先把点乘以一个常数。",
        )
    return not bound <= LARGEST


def check_results(metric: str, matrix: np.ndarray) -> None:
    """Refuse a matrix in which a result was too large for float32.

    Raises:
        PointsRefused: names the pair and what to do.
    """
    if np.isfinite(matrix).all():
        return
    row, column = np.argwhere(~np.isfinite(matrix))[0]
    raise PointsRefused(
        f"“{metric}” of points {row} and {column} is larger than {LARGEST:.3g}, the largest number "
        "of float32. Divide the points by a constant first, or choose another metric.",
        f"第 {row} 点与第 {column} 点的 “{metric}” 值超过 float32 的最大数 {LARGEST:.3g}。"
        "请先把点除以一个常数，或换一种度量。",
    )


def check_directions(points: np.ndarray, name: str) -> None:
    """Refuse points at the origin: they have no direction, so no cosine distance.

    Raises:
        PointsRefused: names the first such row.
    """
    zero = np.abs(points).max(axis=1) < SHORTEST
    if zero.any():
        row = int(np.flatnonzero(zero)[0])
        raise PointsRefused(
            f"{name}[{row}] is the zero vector: it has no direction, so its cosine distance is not "
            "defined. Remove that point or choose another metric.",
            f"{name}[{row}] 是零向量：它没有方向，余弦距离无定义。请删除该点或换一种度量。",
        )
