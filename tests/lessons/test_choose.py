"""The chosen method is accurate for the data, whatever the data, and says what it did."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from playground.lessons.choose import DIRECT_DIMENSION, pairwise_distances
from playground.lessons.distance_input import PointsRefused
from playground.lessons.distances import METRIC_NAMES

DIMENSIONS = (1, 3, DIRECT_DIMENSION + 1, 64)
TOLERANCE = 1e-4


def reference(X, Y, metric):
    """Distances in extended precision, from differences."""
    X, Y = np.asarray(X, np.longdouble), np.asarray(Y, np.longdouble)
    if metric == "dot":
        return X @ Y.T
    if metric == "cosine":
        X = X / np.sqrt((X * X).sum(axis=1, keepdims=True))
        Y = Y / np.sqrt((Y * Y).sum(axis=1, keepdims=True))
    differences = X[:, None] - Y[None]
    if metric == "manhattan":
        return np.abs(differences).sum(axis=-1)
    squares = (differences**2).sum(axis=-1)
    if metric == "cosine":
        return squares / 2
    return squares if metric == "squared" else np.sqrt(squares)


def worst(found, true):
    apart = true > 0
    assert (found[~apart] == 0).all()
    error = np.abs(found - true)[apart] / true[apart]
    return float(error.max(initial=0))


def check(X, Y, metric, tolerance=TOLERANCE):
    found = pairwise_distances(X, Y, metric)
    assert found.matrix.shape == (len(X), len(Y))
    assert found.matrix.dtype == np.float32
    assert np.isfinite(found.matrix).all()
    assert (found.matrix >= 0).all()
    true = reference(X, Y, metric)
    assert worst(found.matrix, true) <= tolerance
    return found


@pytest.fixture
def random():
    return np.random.default_rng(3)


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("metric", ["euclidean", "squared", "manhattan", "cosine"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0, 1e4])
def test_random_points_near_and_far_from_the_origin(random, dimension, metric, kind, offset):
    if metric == "cosine" and dimension == 1:
        pytest.skip("in one dimension all directions are equal or opposite")
    X = (random.normal(size=(60, dimension)) + offset).astype(kind)
    Y = (random.normal(size=(50, dimension)) + offset).astype(kind)
    check(X, Y, metric)


@pytest.mark.parametrize("dimension", [3, 64])
@pytest.mark.parametrize("metric", ["euclidean", "squared"])
@pytest.mark.parametrize("closeness", [1e-2, 1e-3, 1e-5])
@pytest.mark.parametrize("offset", [0, 1e4])
def test_near_and_exact_duplicates(random, dimension, metric, closeness, offset):
    X = random.normal(size=(60, dimension)) + offset
    Y = random.normal(size=(50, dimension)) + offset
    Y[:20] = X[:20] + closeness * random.normal(size=(20, dimension))
    Y[20:25] = X[20:25]
    for kind in (np.float32, np.float64):
        found = check(X.astype(kind), Y.astype(kind), metric)
        assert (np.diag(found.matrix)[20:25] == 0).all()


@pytest.mark.parametrize("dimension", [3, 64])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_points_against_themselves_have_a_zero_diagonal(random, dimension, metric):
    X = (random.normal(size=(50, dimension)) + 5).astype(np.float32)
    found = pairwise_distances(X, metric=metric)
    assert (np.diag(found.matrix) == 0).all()
    assert worst(found.matrix, np.where(np.eye(50, dtype=bool), 0, reference(X, X, metric))) < 1e-4


def test_clusters_give_the_expansion_up(random):
    centres = 1e3 * random.normal(size=(2, 64))
    X = (np.repeat(centres, 30, axis=0) + random.normal(size=(60, 64)) * 1e-2).astype(np.float32)
    found = check(X, X[::-1], "euclidean")
    assert found.method == "direct"
    assert found.near > 0
    assert "near" in found.reason("en")
    assert "过近" in found.reason("zh")


def test_one_point_far_away_spoils_nothing(random):
    X, Y = (random.normal(size=(40, 64)).astype(np.float32) for _ in range(2))
    X[0] = 1e6
    check(X, Y, "euclidean")


@pytest.mark.parametrize("dimension", [2, 50])
@pytest.mark.parametrize("factor", [1e20, 1e-20])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
def test_huge_and_tiny_values_are_computed(random, dimension, factor, metric):
    X, Y = (factor * random.normal(size=(20, dimension)) for _ in range(2))
    check(X.astype(np.float32), Y.astype(np.float32), metric)


@pytest.mark.parametrize("dimension", [2, 50])
@pytest.mark.parametrize("factor", [1e20, 1e-20])
@pytest.mark.parametrize("metric", ["squared", "dot"])
def test_squares_beyond_float32_are_refused_with_the_reason(random, dimension, factor, metric):
    X = (factor * random.normal(size=(20, dimension))).astype(np.float32)
    with pytest.raises(PointsRefused, match="float32") as refused:
        pairwise_distances(X, X, metric)
    assert "float32" in refused.value.message("zh")


def test_whole_numbers_do_not_wrap_round(random):
    points = np.array([[50_000, 0], [0, 0]], np.int32)
    assert pairwise_distances(points).matrix[0, 1] == 50_000
    assert pairwise_distances(points, metric="squared").matrix[0, 1] == 2.5e9
    wide = random.integers(-(2**31), 2**31, size=(30, 20)).astype(np.int32)
    check(wide, wide[::-1], "euclidean")
    close = np.array([[2**30], [2**30 + 1]], np.int32)
    assert pairwise_distances(close).matrix[0, 1] == 1
    check(np.arange(60, dtype=np.uint8).reshape(20, 3), np.zeros((1, 3), np.uint8), "manhattan")


@pytest.mark.parametrize("dimension", [3, 64])
def test_inner_products_survive_cancellation(random, dimension):
    X = random.normal(size=(30, dimension)) + 100
    Y = X - X.mean(axis=1, keepdims=True)
    found = pairwise_distances(X, Y, "dot").matrix
    true = X @ Y.T
    np.testing.assert_allclose(found, true, rtol=1e-5, atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([2, 12]),
    st.floats(-6, 6),
    st.floats(-6, 6),
)
def test_any_scale_and_offset_of_double_precision(seed, dimension, scale, offset):
    random = np.random.default_rng(seed)
    X, Y = (10**scale * random.normal(size=(9, dimension)) + 10**offset for _ in range(2))
    check(X, Y, "euclidean")


def test_it_agrees_with_scipy_and_names_its_method(random):
    X, Y = random.normal(size=(25, 100)), random.normal(size=(31, 100))
    found = pairwise_distances(X, Y)
    np.testing.assert_allclose(found.matrix, cdist(X, Y), rtol=1e-5)
    assert found.method == "centred expansion"
    assert pairwise_distances(X[:, :3], Y[:, :3]).method == "direct"
    for metric in METRIC_NAMES:
        for language in ("en", "zh"):
            assert pairwise_distances(X, Y, metric).reason(language)


@pytest.mark.parametrize(
    ("X", "Y", "metric", "reason"),
    [
        ([[1.0, np.nan]], [[0.0, 0.0]], "euclidean", r"X\[0, 1\] is nan"),
        ([[0.0, 0.0]], [[1.0, 2.0], [np.inf, 0.0]], "euclidean", r"Y\[1, 0\] is inf"),
        ([[1.0, 2.0]], [[1.0]], "euclidean", "2 coordinates"),
        ([1.0, 2.0], [[1.0]], "euclidean", r"shape \(2,\)"),
        (np.zeros((3, 0)), np.zeros((3, 0)), "euclidean", r"shape \(3, 0\)"),
        ([[1.0]], [[0.0]], "cosine", r"Y\[0\] is the zero vector"),
        ([[1j]], [[1.0]], "euclidean", "real numbers"),
        ([["a"]], [[1.0]], "euclidean", "real numbers"),
        ([[1.0, 2.0], [3.0]], [[1.0, 2.0]], "euclidean", "same number of coordinates"),
        ([[2**60]], [[1]], "euclidean", r"2\*\*53"),
        ([[1e200]], [[1.0]], "euclidean", "1e\\+150"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_the_reason(X, Y, metric, reason):
    with pytest.raises(PointsRefused, match=reason) as refused:
        pairwise_distances(X, Y, metric)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in refused.value.message("zh"))


def test_directions_of_the_smallest_float32_points():
    X = np.float32([[1e-40, 0], [1e-40, 1e-40], [3e38, 3e38]])
    found = pairwise_distances(X, metric="cosine").matrix
    assert found[1, 2] < 1e-9
    np.testing.assert_allclose(found[0, 1:], 1 - np.sqrt(0.5), rtol=1e-5)


def test_an_unknown_metric_is_named():
    with pytest.raises(ValueError, match="'hamming' is not one of"):
        pairwise_distances([[1.0]], metric="hamming")


def test_empty_sets_give_empty_matrices():
    assert pairwise_distances(np.zeros((0, 3)), np.zeros((4, 3))).matrix.shape == (0, 4)
    assert pairwise_distances(np.zeros((4, 3)), np.zeros((0, 3))).matrix.shape == (4, 0)
