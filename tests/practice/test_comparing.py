"""Nothing broadcasts before it is compared."""

import numpy as np
import pytest

from playground.practice.exercises.comparing import first_difference, is_close


def found(value, expected, **more):
    difference = first_difference(value, expected, is_whole=more.get("is_whole", False), stage=None)
    return None if difference is None else (difference.stage, difference.kind)


WANTED = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (WANTED.astype(np.float32), None),
        (WANTED.copy(), None),
        (WANTED.T.copy(), ("shape", "transposed")),
        (np.float32(1.0), ("shape", "shape")),
        (WANTED[:1].astype(np.float32), ("shape", "shape")),
        (WANTED[None], ("shape", "shape")),
        (WANTED.astype(int), ("dtype", "dtype")),
        (WANTED > 2, ("dtype", "dtype")),
        (WANTED.astype(np.float16), ("dtype", "dtype")),
        (WANTED + 1j, ("dtype", "dtype")),
        (WANTED + 0.01, ("values", "values")),
        (np.full((2, 3), np.nan), ("values", "nan")),
        (None, ("shape", "none")),
        ("right", ("shape", "structure")),
        ({"w": WANTED}, ("shape", "structure")),
        ([WANTED], ("shape", "structure")),
    ],
)
def test_one_array(value, verdict):
    assert found(value, WANTED) == verdict


def test_lists_stand_for_tuples_and_keys_have_no_order():
    wanted = ({"b": np.array(1.0), "w": np.array([2.0])}, np.array([3.0]))
    assert found([{"w": np.array([2.0]), "b": 1.0}, np.array([3.0])], wanted) is None
    assert found([{"w": np.array([2.0])}, np.array([3.0])], wanted) == ("shape", "structure")


def test_a_square_matrix_that_is_transposed_is_told_by_its_numbers():
    square = np.arange(9.0).reshape(3, 3)
    assert found(square.T.copy(), square) == ("values", "transposed")


def test_shapes_come_before_dtypes_and_numbers():
    wanted = (np.zeros(2), np.zeros(3))
    assert found((np.ones(2), np.zeros(4)), wanted) == ("shape", "shape")
    assert found((np.ones(2), np.zeros(3, int)), wanted) == ("dtype", "dtype")


def test_whole_numbers_count_where_they_are_allowed():
    assert found(np.int32(3), np.array(3.0), is_whole=True) is None
    assert found(3, np.array(3.0), is_whole=True) is None
    assert found(True, np.array(1.0), is_whole=True) == ("dtype", "dtype")


def test_close_never_broadcasts():
    assert not is_close(np.zeros(()), np.zeros(3))
    assert not is_close(np.zeros((3, 1)), np.zeros(3))
