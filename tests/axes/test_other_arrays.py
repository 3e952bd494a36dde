"""NumPy arrays keep their dtype where vmap hands them on; keys refuse what real keys refuse."""

import itertools

import jax
import numpy as np
import pytest
from jax import lax

from playground.axes import Level, explain

COLLECTIVES = {
    "ppermute": lambda a: lax.ppermute(a, "i", [(0, 1), (1, 0)]),
    "pbroadcast": lambda a: lax.pbroadcast(a, "i", 0),
    "all_to_all": lambda a: lax.all_to_all(a, "i", 0, 0),
    "all_to_all tiled": lambda a: lax.all_to_all(a, "i", 0, 0, tiled=True),
    "all_gather": lambda a: lax.all_gather(a, "i"),
    "all_gather tiled": lambda a: lax.all_gather(a, "i", tiled=True),
    "psum": lambda a: lax.psum(a, "i"),
    "psum_scatter": lambda a: lax.psum_scatter(a, "i"),
    "identity": lambda a: a,
}


def real(function, array, levels):
    for level in levels:
        function = jax.vmap(
            function, level.in_axes, level.out_axes, level.axis_name, level.axis_size
        )
    try:
        out = function(array)
    except Exception as error:
        return type(error).__name__
    return out.shape, out.dtype


@pytest.mark.parametrize("name", COLLECTIVES)
@pytest.mark.parametrize("shape", [(2,), (2, 2), (2, 4, 2)])
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_the_dtype_is_the_real_one(name, shape, dtype):
    array = np.ones(shape, dtype)
    for in_axes, out_axes, depth in itertools.product((0, 1, None), (0, -1, None), (1, 2)):
        levels = (Level(in_axes, out_axes, 2, "i"), *[Level(0, 0, None, "j")] * (depth - 1))
        report = explain(COLLECTIVES[name], (array,), levels=levels)
        out = report.output
        told = (out.shape, out.dtype) if report.ok else report.error.exception
        assert told == real(COLLECTIVES[name], array, levels), levels


def test_a_mapped_numpy_array_is_not_copied():
    array = np.broadcast_to(np.float32(1), (10**6, 10**6))  # one number in memory, a view of 4 TB
    assert explain(lambda a: a + 1, (array,), levels=(Level(0),)).output.shape == (10**6, 10**6)


@pytest.mark.parametrize("name", [name for name in dir(jax.Array) if not name.startswith("_")])
def test_keys_refuse_the_methods_that_real_keys_refuse(name):
    keys = jax.random.split(jax.random.key(0), 3)

    def call(key):
        return (getattr(lax.all_gather(key, "i"), name)(), 0.0)[1]

    levels = (Level(0, 0, None, "i"),)
    told = explain(call, (keys,), levels=levels)
    expected = real(call, keys, levels)
    assert (told.error.exception if told.error else ((3,), np.float32)) == expected
