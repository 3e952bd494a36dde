"""A user's own points against themselves: what is drawn, the nearest pairs, the whole matrix."""

from dataclasses import dataclass, replace
from io import BytesIO

import numpy as np

from playground.lessons.blocks import RowBlock, row_blocks, rows_per_block, smallest
from playground.lessons.choose import Distances, Plan, plan
from playground.lessons.nest import MOST_DRAWN, evenly
from playground.lessons.points import Problem, choose_columns, read_points

NEAREST = 20
ROUND_UP = 128


@dataclass(frozen=True)
class OwnPoints:
    """A file and what to do with it.

    Attributes:
        data: bytes of the file.
        columns: names of the columns to use; empty means all numeric ones.
        metric: one of `METRIC_NAMES`.
    """

    data: bytes
    columns: tuple[str, ...]
    metric: str


@dataclass(frozen=True)
class OwnResult:
    """What is shown of the points of a file; small, whatever the size of the file.

    Attributes:
        count: how many points were compared.
        names: names of the columns that were used.
        problems: one for each row that was left out.
        points: the points that are drawn, float64, shape (drawn, dimension).
        lines: their lines in the file, int, shape (drawn,).
        matrix: their distances, float32, shape (drawn, drawn).
        nearest: (line, line, distance) of the nearest pairs of all points, nearest first.
        report: method and reason; its matrix is empty.
        metric: name of the metric.
    """

    count: int
    names: tuple[str, ...]
    problems: tuple[Problem, ...]
    points: np.ndarray
    lines: np.ndarray
    matrix: np.ndarray
    nearest: tuple[tuple[int, int, float], ...]
    report: Distances
    metric: str


def column_names(data: bytes) -> tuple[str, ...]:
    """Return the names of the numeric columns of a file; see `points.read_points`."""
    return read_points(data).names


def compute(own: OwnPoints) -> OwnResult:
    """Compare all points of a file with each other, a block of rows at a time.

    Raises:
        PointsRefused: the file, or its numbers, cannot be used; says why.
    """
    chosen = choose_columns(read_points(own.data), own.columns)
    planned = padded_plan(chosen.points, own.metric)
    count = len(chosen.points)
    drawn = evenly(count, MOST_DRAWN)
    rows, reports = [], []

    def watched():
        for block in row_blocks(planned, ROUND_UP * max(1, rows_per_block(count) // ROUND_UP)):
            block = without_padding(block, count)
            here = drawn[(drawn >= block.start) & (drawn < block.stop)] - block.start
            rows.append(block.distances.matrix[here][:, drawn])
            reports.append(block.distances)
            yield block

    nearest = smallest(watched(), NEAREST)
    lines = chosen.lines
    return OwnResult(
        count,
        chosen.names,
        chosen.problems,
        chosen.points[drawn],
        lines[drawn],
        np.concatenate(rows),
        tuple((int(lines[i]), int(lines[j]), value) for i, j, value in nearest),
        replace(reports[0], matrix=np.zeros((0, 0), np.float32)),
        own.metric,
    )


def padded_plan(points: np.ndarray, metric: str) -> Plan:
    """Plan with the number of points rounded up, so that few sizes are ever compiled."""
    extra = -len(points) % ROUND_UP
    padded = np.concatenate([points, np.repeat(points[-1:], extra, axis=0)])
    return plan(padded, padded, metric)


def without_padding(block: RowBlock, count: int) -> RowBlock:
    """Drop the rows and columns that `padded_plan` added."""
    kept = max(0, min(block.stop, count) - block.start)
    cut = replace(block.distances, matrix=block.distances.matrix[:kept, :count])
    return RowBlock(block.start, block.start + kept, count, cut)


def complete(own: OwnPoints) -> bytes:
    """Return the complete matrix as a NumPy file, float32, shape (points, points)."""
    chosen = choose_columns(read_points(own.data), own.columns)
    count = len(chosen.points)
    blocks = row_blocks(padded_plan(chosen.points, own.metric))
    parts = [without_padding(block, count).distances.matrix for block in blocks]
    file = BytesIO()
    np.save(file, np.concatenate(parts))
    return file.getvalue()
