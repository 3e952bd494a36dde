"""Nested vmap of a distance of one pair, against scipy in float64 and against pencil results."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from playground.lessons import distances
from playground.lessons.levels import by_hand
from playground.lessons.nesting import code_for, nesting, predictions, stages_of

SCIPY = {
    "euclidean": "euclidean",
    "squared": "sqeuclidean",
    "manhattan": "cityblock",
    "cosine": "cosine",
}


def reference(X, Y, metric):
    X, Y = np.asarray(X, np.float64), np.asarray(Y, np.float64)
    return X @ Y.T if metric == "dot" else cdist(X, Y, SCIPY[metric])


# covers: N1
def test_one_level_pairs_and_two_levels_combine():
    found = by_hand()
    assert found.paired.shape == (3, 2)
    assert found.combined.shape == (3, 4, 2)
    A, v = np.arange(18.0).reshape(3, 2, 3), np.arange(9.0).reshape(3, 3)
    np.testing.assert_allclose(found.paired, np.stack([A[i] @ v[i] for i in range(3)]))


# covers: N2
def test_the_outer_batch_axis_comes_first():
    found = by_hand()
    A, v = np.arange(18.0).reshape(3, 2, 3), np.arange(12.0).reshape(4, 3)
    for i in range(3):
        for j in range(4):
            np.testing.assert_allclose(found.combined[i, j], A[i] @ v[j])
    np.testing.assert_array_equal(found.combined_by_loop, np.einsum("ioc,jc->ijo", A, v))


# covers: N3
def test_swapping_the_levels_transposes_the_matrix():
    X, Y = np.random.default_rng(0).normal(size=(2, 5, 3))
    rows = distances.rows_outside(distances.euclidean, X, Y[:4])
    columns = distances.columns_outside(distances.euclidean, X, Y[:4])
    assert (rows.shape, columns.shape) == ((5, 4), (4, 5))
    np.testing.assert_allclose(rows, columns.T, rtol=1e-6)


# covers: N4
def test_squared_distances_of_three_points_to_four():
    expected = [[5, 13, 5, 13], [5, 5, 13, 13], [13, 5, 13, 5]]
    np.testing.assert_array_equal(by_hand().squares, expected)


# covers: N5
def test_the_gradient_of_the_summed_matrix():
    found = by_hand()
    np.testing.assert_array_equal(found.gradient, [[8, 0], [0, 8], [-8, 0]])
    np.testing.assert_array_equal(found.gradient_formula, [[8, 0], [0, 8], [-8, 0]])


# covers: N6
def test_a_norm_over_two_batch_axes():
    vectors = np.arange(24.0).reshape(2, 3, 4)
    assert by_hand().norms.shape == (2, 3)
    np.testing.assert_allclose(by_hand().norms, np.linalg.norm(vectors, axis=-1), rtol=1e-6)


# covers: N10
@settings(deadline=None, max_examples=20)
@given(
    rows=st.sampled_from([1, 4]),
    columns=st.sampled_from([1, 5]),
    dimension=st.sampled_from([2, 7]),
    metric=st.sampled_from(distances.METRIC_NAMES),
    seed=st.integers(0, 10_000),
)
def test_every_metric_agrees_with_scipy(rows, columns, dimension, metric, seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, dimension)).astype(np.float32)
    Y = random.normal(size=(columns, dimension)).astype(np.float32)
    function = distances.metric_named(metric)
    expected = reference(X, Y, metric)
    found = distances.rows_outside(function, X, Y)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
    np.testing.assert_allclose(
        distances.columns_outside(function, X, Y), expected.T, rtol=2e-5, atol=2e-6
    )


def test_one_level_alone_pairs_rows():
    X, Y = np.random.default_rng(1).normal(size=(2, 4, 3)).astype(np.float32)
    expected = ((X.astype(float) - Y) ** 2).sum(axis=1)
    np.testing.assert_allclose(jax.vmap(distances.squared)(X, Y), expected, rtol=1e-5)


def report(order):
    X, Y = (jax.ShapeDtypeStruct((count, 3), jnp.float32) for count in (5, 7))
    return nesting(order, X, Y, distances.euclidean)


@pytest.mark.parametrize(("order", "right"), [("rows", "(5, 7)"), ("columns", "(7, 5)")])
def test_predictions_hold_the_right_shape_and_the_usual_mistakes(order, right):
    options, said = predictions(report(order))
    assert said == right
    assert set(options) == {"(5, 7)", "(7, 5)", "(5,)", "(5, 7, 3)"}


@pytest.mark.parametrize("shape", [(5, 7), (7, 5), (5,)])
def test_the_call_for_a_predicted_shape_gives_it(shape):
    code = code_for(report("rows"), str(shape))
    x, y = jnp.ones((5, 3)), jnp.zeros((7, 3))
    names = {"jax": jax, "euclidean": distances.euclidean, "x": x, "y": y}
    assert eval(code, names).shape == shape
    assert code_for(report("rows"), "(5, 7, 3)") == ""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (
            "rows",
            [
                (((5, 3), (7, 3)), (5, 7), (0, None)),
                (((3,), (7, 3)), (7,), (None, 0)),
                (((3,), (3,)), (), None),
            ],
        ),
        (
            "columns",
            [
                (((5, 3), (7, 3)), (7, 5), (None, 0)),
                (((5, 3), (3,)), (5,), (0, None)),
                (((3,), (3,)), (), None),
            ],
        ),
    ],
)
def test_the_shape_at_each_level(order, expected):
    stages = stages_of(report(order))
    assert [(s.inputs, s.output, s.in_axes) for s in stages] == expected
