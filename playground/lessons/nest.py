"""The page Nest: two sets of random points, every pair compared by two levels of vmap."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from playground.axes import Report
from playground.foundation.settings import Settings, one_of, whole
from playground.lessons import distances
from playground.lessons.cancellation import OFFSETS, Cancellation, cancellation, error_at
from playground.lessons.choose import Distances, pairwise_distances
from playground.lessons.coincident import coincident_gradients, meeting, nan_counts
from playground.lessons.distances import METRIC_NAMES, ORDERS
from playground.lessons.matmul import ProductWays, product_verdict, product_ways
from playground.lessons.nesting import Stage, nesting, stages_of

COUNTS = (1, 2, 3, 5, 7, 8, 16, 32, 64, 128, 256, 512, 1024)
DIMENSIONS = (1, 2, 3, 5, 8, 16, 64, 256, 784)
SECTIONS = ("accuracy", "gradient", "matmul", "hand", "own", "large")
MOST_DRAWN = 200
FEW = 64
"""Points a side that the section on accuracy looks at."""

FEWER = 12
"""Points of X whose gradients are shown."""


@dataclass(frozen=True)
class NestSettings(Settings, prefix="nest"):
    """What the page Nest can be asked."""

    rows: int = one_of(5, COUNTS)
    columns: int = one_of(7, COUNTS)
    dimension: int = one_of(3, DIMENSIONS)
    metric: str = one_of("euclidean", METRIC_NAMES)
    order: str = one_of("rows", ORDERS)
    seed: int = whole(0, low=0, high=9_999)
    section: str = one_of("accuracy", SECTIONS)
    offset: int = one_of(10_000, OFFSETS)
    coincident: int = one_of(1, (0, 1, 2, 3))
    large: int = one_of(4096, (2048, 4096, 8192, 16_384))

    def of_matrix(self) -> "NestSettings":
        """Return these settings without what belongs to the closer looks."""
        return NestSettings(
            self.rows, self.columns, self.dimension, self.metric, self.order, self.seed, "hand"
        )


@dataclass(frozen=True)
class NestResult:
    """Every x against every y in two orders of nesting.

    Attributes:
        X: the points that are drawn, float32, shape (drawn rows, dimension).
        Y: the same, shape (drawn columns, dimension).
        row_at: position of each drawn x among all rows.
        column_at: position of each drawn y among all columns.
        matrix: the drawn part in the chosen order, float32.
        swapped: the drawn part in the other order, float32.
        stages: shapes at each level, outside first.
        call: the nested call as one line of Python.
        summary: headline numbers of the whole matrix.
        first_agrees: whether entry [0, 0] equals the function of the first pair alone.
        metric: name of the metric.
        order: "rows" or "columns".
    """

    X: np.ndarray
    Y: np.ndarray
    row_at: np.ndarray
    column_at: np.ndarray
    matrix: np.ndarray
    swapped: np.ndarray
    stages: tuple[Stage, ...]
    call: str
    summary: dict[str, Any]
    first_agrees: bool
    metric: str
    order: str


def two_sets(
    seed: int, rows: int, columns: int, dimension: int
) -> tuple[Float[Array, "rows dimension"], Float[Array, "columns dimension"]]:
    """Draw two sets of points around the same three centres, one group after the other.

    The groups show as blocks in a distance matrix. Each random draw has its own key.

    Returns:
        X and Y, float32.
    """
    for_centres, for_x, for_y = jax.random.split(jax.random.key(seed), 3)
    centres = 2 * jax.random.normal(for_centres, (3, dimension))
    X = jax.random.normal(for_x, (rows, dimension)) + centres[jnp.arange(rows) * 3 // rows]
    Y = jax.random.normal(for_y, (columns, dimension))
    return X, Y + centres[jnp.arange(columns) * 3 // columns]


def matrix_summary(matrix: np.ndarray, swapped: np.ndarray, alone: float) -> dict[str, Any]:
    """Return the headline numbers of a matrix, of the swapped one and of its first pair."""
    difference = float(np.abs(matrix - swapped.T).max())
    scale = float(np.abs(matrix).max())
    return {
        "shape": matrix.shape,
        "shape with swapped levels": swapped.shape,
        "swapped is the transpose": difference <= 1e-5 * scale,
        "smallest": float(matrix.min()),
        "mean": float(matrix.mean(dtype=np.float64)),
        "largest": float(matrix.max()),
        "first pair alone": alone,
    }


def evenly(length: int, most: int = MOST_DRAWN) -> np.ndarray:
    """Choose at most `most` evenly spaced positions, first and last among them."""
    return np.unique(np.linspace(0, length - 1, min(length, most)).round().astype(int))


def points_of(settings: NestSettings) -> tuple[Array, Array]:
    """Draw the points that the settings ask for."""
    return two_sets(settings.seed, settings.rows, settings.columns, settings.dimension)


def few_points(settings: NestSettings) -> tuple[Array, Array]:
    """Return the first points of both sets, enough to look at accuracy and gradients."""
    X, Y = points_of(settings)
    return X[:FEW], Y[:FEW]


def whole_matrix(settings: NestSettings) -> np.ndarray:
    """Compute the complete matrix in the chosen order, for the download."""
    X, Y = points_of(settings)
    nested = distances.rows_outside if settings.order == "rows" else distances.columns_outside
    return np.asarray(nested(distances.metric_named(settings.metric), X, Y))


def report_of(settings: NestSettings) -> Report:
    """Ask the axes engine about the nesting of the page; nothing is computed."""
    sizes = ((settings.rows, settings.dimension), (settings.columns, settings.dimension))
    X, Y = (jax.ShapeDtypeStruct(size, jnp.float32) for size in sizes)
    return nesting(settings.order, X, Y, distances.metric_named(settings.metric))


def compute(settings: NestSettings) -> NestResult:
    """Compare all pairs in both orders of nesting and keep what can be drawn."""
    X, Y = points_of(settings)
    metric = distances.metric_named(settings.metric)
    by_rows = np.asarray(distances.rows_outside(metric, X, Y))
    by_columns = np.asarray(distances.columns_outside(metric, X, Y))
    rows, columns = evenly(len(X)), evenly(len(Y))
    drawn_rows = by_rows[np.ix_(rows, columns)]
    drawn_columns = by_columns[np.ix_(columns, rows)]
    chosen = settings.order == "rows"
    matrix, swapped = (by_rows, by_columns) if chosen else (by_columns, by_rows)
    alone = float(metric(X[0], Y[0]))
    report = report_of(settings)
    return NestResult(
        np.asarray(X)[rows],
        np.asarray(Y)[columns],
        rows,
        columns,
        drawn_rows if chosen else drawn_columns,
        drawn_columns if chosen else drawn_rows,
        stages_of(report),
        report.code,
        matrix_summary(matrix, swapped, alone) | section_headlines(settings),
        bool(np.isclose(matrix[0, 0], alone, rtol=1e-4, atol=1e-6)),
        settings.metric,
        settings.order,
    )


def headlines(result: NestResult) -> dict[str, Any]:
    """Return the numbers that the page and its script both show."""
    return result.summary


def accuracy(settings: NestSettings) -> tuple[Cancellation, Distances]:
    """Compare methods far from the origin; the second part is the method chosen at the offset."""
    X, Y = few_points(settings)
    moved = X + jnp.float32(settings.offset), Y + jnp.float32(settings.offset)
    return cancellation(X, Y), pairwise_distances(*moved)


def meeting_points(settings: NestSettings) -> tuple[Array, Array]:
    """Return up to 12 points of X, the first of them moved onto points of Y, and Y."""
    X, Y = few_points(settings)
    return meeting(X[:FEWER], Y, settings.coincident), Y


def gradients(settings: NestSettings) -> dict[str, np.ndarray]:
    """Compute the gradient with respect to X where some points of X coincide with points of Y."""
    return coincident_gradients(*meeting_points(settings))


def products(settings: NestSettings) -> ProductWays:
    """Multiply a batch of matrices in three ways; sizes follow the sliders, at most 64."""
    return product_ways(*product_sizes(settings), 4, settings.seed)


def product_sizes(settings: NestSettings) -> tuple[int, int, int]:
    """Return batch, rows and inner size of the matrices."""
    return min(settings.rows, FEW), min(settings.columns, FEW), min(settings.dimension, FEW)


def section_headlines(settings: NestSettings) -> dict[str, Any]:
    """Return the numbers of the closer look, for those that have a script."""
    if settings.section == "accuracy":
        return error_at(*few_points(settings), settings.offset)
    if settings.section == "gradient":
        return nan_counts(gradients(settings))
    if settings.section == "matmul":
        return product_verdict(products(settings))
    return {}


def script(settings: NestSettings) -> str:
    """Return the standalone script of the page; see `nest_script`."""
    from playground.lessons import nest_script  # it uses the functions of this module

    return nest_script.script(settings)
