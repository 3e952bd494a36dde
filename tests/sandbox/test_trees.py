"""Values travel with every bit; what is no tree is refused."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from playground.sandbox.trees import KeyData, MalformedError, from_tree, to_tree

DTYPES = ("bool", "int8", "int32", "uint32", "float16", "float32", "float64", "complex64")
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.builds(KeyData, arrays.arrays("uint32", st.sampled_from([(2,), (3, 2)]))),
    st.sampled_from(DTYPES).flatmap(
        lambda name: arrays.arrays(name, arrays.array_shapes(min_dims=0, min_side=0))
    ),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    max_leaves=8,
)


def same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray)
        return (
            one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[name], other[name]) for name in one)
    if isinstance(one, KeyData):
        return isinstance(other, KeyData) and same(one.words, other.words)
    return type(one) is type(other) and one == other


@settings(max_examples=50)
@given(TREES)
def test_a_tree_comes_back_as_it_was(tree: object):
    assert same(from_tree(json.loads(json.dumps(to_tree(tree)))), tree)


def test_arrays_of_jax_keep_dtype_and_shape():
    back = from_tree(to_tree((jnp.ones((2, 0, 3), jnp.bfloat16), jnp.int8(3))))
    assert (back[0].dtype, back[0].shape) == (jnp.bfloat16, (2, 0, 3))
    assert (back[1].dtype, back[1].shape, int(back[1])) == (np.int8, (), 3)


def test_keys_come_back_as_their_words():
    keys = jax.random.split(jax.random.key(3), 5)
    back = from_tree(to_tree(keys))
    assert isinstance(back, KeyData)
    np.testing.assert_array_equal(back.words, jax.random.key_data(keys))


@pytest.mark.parametrize(
    "tree",
    [
        [],
        {},
        {"pickle": "gASVBQAAAAAAAACMAXiULg=="},
        {"array": ["float32", [4], ""]},
        {"array": ["float32", [-1], ""]},
        {"array": ["float32", [1 << 62, 1 << 62], ""]},
        {"array": ["object", [1], "AAAAAAAAAAA="]},
        {"array": ["no such", [0], ""]},
        {"array": ["float32", ["2"], "AAAAAAAAAAA="]},
        {"array": 3},
        {"list": 3},
        {"dict": [1]},
        {"key": ["x", None]},
        {"list": [], "tuple": []},
    ],
)
def test_what_is_no_tree_is_refused(tree: object):
    with pytest.raises(MalformedError):
        from_tree(tree)


def test_what_cannot_travel_is_refused():
    with pytest.raises(TypeError):
        to_tree([object()])
    with pytest.raises(TypeError):
        to_tree(np.array([object()]))
    nest: list = []
    nest.append(nest)
    with pytest.raises(ValueError, match="deeply"):
        to_tree(nest)
