"""Blocks of rows give the same matrix as one piece, report progress and can be left."""

import numpy as np
import pytest

from playground.lessons.blocks import gather, row_blocks, rows_per_block, smallest
from playground.lessons.choose import COLUMNS_DIMENSION, pairwise_distances, plan
from playground.lessons.large import complete, counted, stream
from playground.lessons.nest import NestSettings, two_sets


@pytest.fixture
def points():
    random = np.random.default_rng(5)
    return random.normal(size=(53, 20)) + 100, random.normal(size=(31, 20)) + 100


def collected(work):
    progress = []
    while True:
        try:
            progress.append(next(work))
        except StopIteration as finished:
            return finished.value, progress


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "dot"])
@pytest.mark.parametrize("rows", [1, 7, 53, 100])
def test_the_size_of_the_blocks_does_not_change_the_result(points, metric, rows):
    matrix, progress = collected(gather(row_blocks(plan(*points, metric), rows)))
    np.testing.assert_allclose(matrix, pairwise_distances(*points, metric).matrix, rtol=1e-5)
    assert progress == sorted(progress)
    assert progress[-1] == 1
    assert len(progress) == -(-53 // rows)


@pytest.mark.parametrize("dimension", [COLUMNS_DIMENSION, COLUMNS_DIMENSION + 1])
def test_blocks_agree_with_float64_whichever_way_the_points_are_laid_out(dimension):
    random = np.random.default_rng(6)
    X, Y = ((random.normal(size=(9, dimension)) + 1e4).astype(np.float32) for _ in range(2))
    Y[3] = X[5]
    planned = plan(X, Y, "euclidean")
    assert planned.as_columns == (dimension <= COLUMNS_DIMENSION)
    matrix, _ = collected(gather(row_blocks(planned, 4)))
    wide = X.astype(np.float64)[:, None] - Y.astype(np.float64)
    np.testing.assert_allclose(matrix, np.linalg.norm(wide, axis=-1), rtol=1e-4)
    assert matrix[5, 3] == 0


def test_a_caller_may_stop_asking(points):
    blocks = row_blocks(plan(*points, "euclidean"), 10)
    first = next(blocks)
    blocks.close()
    assert (first.start, first.stop, first.total) == (0, 10, 53)


def test_blocks_keep_to_their_bytes():
    assert rows_per_block(1024, 1 << 20) == 256
    assert rows_per_block(10**9) == 1


def test_nearest_pairs_are_those_of_a_full_sort(points):
    X = points[0]
    matrix = pairwise_distances(X).matrix
    first, second = np.triu_indices(len(X), 1)
    order = np.argsort(matrix[first, second])[:6]
    found = smallest(row_blocks(plan(X, X, "euclidean"), 9), 6)
    assert [(i, j) for i, j, _ in found] == list(
        zip(first[order].tolist(), second[order].tolist(), strict=True)
    )
    assert smallest(row_blocks(plan(X[:1], X[:1], "euclidean")), 6) == []


def test_counts_are_those_of_a_histogram():
    values = np.random.default_rng(0).normal(size=(40, 50)).astype(np.float32)
    edges = np.linspace(-5, 5, 21)
    found = counted(values, edges)
    assert found.sum() == values.size
    assert np.abs(found - np.histogram(values, edges)[0]).max() <= 1  # float32 at an edge
    assert counted(np.float32([-99, 99]), edges)[[0, -1]].tolist() == [1, 1]


def test_a_large_comparison_grows_block_by_block():
    asked = NestSettings(large=2048, dimension=3, seed=4)
    results = []
    for result in stream(asked, rows=512):
        results.append(result)
        if len(results) == 3:
            break
    assert [r.progress for r in results] == [0.25, 0.5, 0.75]
    assert [int(r.counts.sum()) for r in results] == [512 * 2048, 1024 * 2048, 1536 * 2048]
    X, Y = (np.asarray(points, np.float64) for points in two_sets(4, 2048, 2048, 3))
    at = results[-1].drawn_at
    some = np.linalg.norm(X[at[10]] - Y[at], axis=1)
    np.testing.assert_allclose(results[-1].drawn[10], some, rtol=1e-5)


def test_the_download_is_complete():
    from io import BytesIO

    matrix = np.load(BytesIO(complete(NestSettings(large=2048, dimension=2))))
    assert matrix.shape == (2048, 2048)
    assert np.isfinite(matrix).all()
