"""Large distance matrices, a block of rows at a time: constant working memory, progress, cancel.

A generator stops wherever its caller stops asking, so cancelling needs no machinery.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from playground.lessons.choose import Distances, Plan, compare

BLOCK_BYTES = 16 << 20


@dataclass(frozen=True)
class RowBlock:
    """Some rows of a distance matrix.

    Attributes:
        start: first row, counted from 0.
        stop: one past the last row.
        total: rows of the whole matrix.
        distances: the rows; `distances.matrix` is float32, shape (stop - start, columns).
    """

    start: int
    stop: int
    total: int
    distances: Distances

    @property
    def progress(self) -> float:
        """Share of the rows that are done, 0 to 1."""
        return self.stop / self.total


def rows_per_block(columns: int, block_bytes: int = BLOCK_BYTES) -> int:
    """Return how many rows of `columns` float32 numbers fit into a block; at least 1."""
    return max(1, block_bytes // (4 * max(1, columns)))


def row_blocks(planned: Plan, rows: int = 0) -> Generator[RowBlock]:
    """Compute a distance matrix block by block.

    Args:
        planned: from `choose.plan`; every block uses the same centre, so the result does not
            depend on the size of the blocks beyond rounding.
        rows: rows per block; 0 chooses them for about 16 MiB.

    Yields:
        Blocks in order. The caller may keep them, reduce them, or stop.

    Raises:
        PointsRefused: a result is too large for float32.
    """
    total = len(planned.X)
    step = rows or rows_per_block(len(planned.Y))
    for start in range(0, total, step):
        stop = min(start + step, total)
        yield RowBlock(start, stop, total, compare(planned, start, stop))


def gather(blocks: Generator[RowBlock]) -> Generator[float, None, np.ndarray]:
    """Collect blocks into the whole matrix and report progress on the way.

    Yields:
        The share of rows that are done.

    Returns:
        float32, shape (rows, columns); (0, 0) when there were no blocks.
    """
    matrix = np.zeros((0, 0), np.float32)
    for block in blocks:
        if block.start == 0:
            matrix = np.empty((block.total, block.distances.matrix.shape[1]), np.float32)
        matrix[block.start : block.stop] = block.distances.matrix
        yield block.progress
    return matrix


def smallest(blocks: Generator[RowBlock], count: int) -> list[tuple[int, int, float]]:
    """Find the closest pairs without ever holding the whole matrix.

    Args:
        blocks: rows of a matrix of points against themselves.
        count: how many pairs to keep.

    Returns:
        (first point, second point, distance), nearest first; each pair once, first < second.
    """
    kept: list[tuple[float, int, int]] = []
    for block in blocks:
        matrix = block.distances.matrix
        first = np.arange(block.start, block.stop)[:, None]
        second = np.arange(matrix.shape[1])[None, :]
        flat = np.where(first < second, matrix, np.inf).ravel()
        take = min(count, flat.size)
        at = np.argpartition(flat, take - 1)[:take] if take else np.empty(0, int)
        rows, columns = np.divmod(at[np.isfinite(flat[at])], matrix.shape[1])
        found = zip(matrix[rows, columns], rows + block.start, columns, strict=True)
        kept = sorted(kept + [(float(d), int(i), int(j)) for d, i, j in found])[:count]
    return [(i, j, d) for d, i, j in kept]
