"""Hundreds of millions of distances in constant memory: blocks of rows, counted as they come."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from io import BytesIO

import numpy as np

from playground.lessons.blocks import gather, row_blocks
from playground.lessons.choose import Distances, plan
from playground.lessons.nest import MOST_DRAWN, NestSettings, evenly, two_sets

BINS = 80
MOST_DOWNLOADED = 4096


@dataclass(frozen=True)
class LargeResult:
    """What is known after some blocks.

    Attributes:
        progress: share of the rows that are done, 0 to 1.
        counts: pairs in each bin, int64, shape (bins,).
        edges: edges of the bins, shape (bins + 1,); the outer bins hold what lies beyond.
        drawn: distances of evenly spaced points, float32, shape (rows so far, drawn columns).
        drawn_at: positions of the drawn points.
        smallest: smallest value so far.
        largest: largest value so far.
        mean: mean of the values so far.
        points: number of points in each of the two sets.
        block_rows: rows of one block.
        last: report of the last block, with method and reason; its matrix is empty.
    """

    progress: float
    counts: np.ndarray
    edges: np.ndarray
    drawn: np.ndarray
    drawn_at: np.ndarray
    smallest: float
    largest: float
    mean: float
    points: int
    block_rows: int
    last: Distances


def stream(settings: NestSettings, rows: int = 0) -> Generator[LargeResult]:
    """Compare two large sets block by block; every item is a whole result of the rows so far.

    Args:
        settings: `large` points a side, of `dimension` coordinates.
        rows: rows per block; 0 chooses them.
    """
    X, Y = two_sets(settings.seed, settings.large, settings.large, settings.dimension)
    at = evenly(settings.large, MOST_DRAWN)
    counts, edges = np.zeros(BINS, np.int64), np.zeros(BINS + 1)
    drawn: list[np.ndarray] = []
    low, high, total, seen, block_rows = np.inf, -np.inf, 0.0, 0, 0
    for block in row_blocks(plan(X, Y, settings.metric), rows):
        values = block.distances.matrix
        low, high = min(low, float(values.min())), max(high, float(values.max()))
        if not seen:
            room = 0.15 * (high - low) or 1.0
            floor = -np.inf if settings.metric == "dot" else 0.0
            edges = np.linspace(max(low - room, floor), high + room, BINS + 1)
        counts = counts + counted(values, edges)
        total, seen = total + float(values.sum(dtype=np.float64)), seen + values.size
        here = at[(at >= block.start) & (at < block.stop)] - block.start
        drawn.append(values[here][:, at])
        report = replace(block.distances, matrix=np.zeros((0, 0), np.float32))
        block_rows = max(block_rows, len(values))
        yield LargeResult(
            block.progress,
            counts,
            edges,
            np.concatenate(drawn),
            at,
            low,
            high,
            total / seen,
            settings.large,
            block_rows,
            report,
        )


def counted(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Count values in bins of equal width; the outer bins take in what lies beyond.

    Returns:
        int64, shape (bins,).
    """
    bins = len(edges) - 1
    width = np.float32((edges[-1] - edges[0]) / bins)
    at = ((values - np.float32(edges[0])) / width).astype(np.int32)
    return np.bincount(np.clip(at, 0, bins - 1).ravel(), minlength=bins)


def complete(settings: NestSettings) -> bytes:
    """Return the complete matrix as a NumPy file, float32; at most `MOST_DOWNLOADED` points."""
    count = min(settings.large, MOST_DOWNLOADED)
    X, Y = two_sets(settings.seed, count, count, settings.dimension)
    work = gather(row_blocks(plan(X, Y, settings.metric)))
    while True:
        try:
            next(work)
        except StopIteration as finished:
            file = BytesIO()
            np.save(file, finished.value)
            return file.getvalue()
