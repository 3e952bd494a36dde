"""`find_axes` against brute force with jax.eval_shape."""

import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.axes import find_axes


def spec(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


@functools.cache
def brute(function, args, depth=1):
    """All in_axes of whole arguments and all out_axes, tried one by one, with their shapes."""
    args = [jax.ShapeDtypeStruct(*each) for each in args]
    options = [[None, *range(len(a.shape))] for a in args]
    levels = [
        (in_axes, out_axes)
        for in_axes in itertools.product(*options)
        for out_axes in (None, 0, 1, 2, 3)
    ]
    found = {}
    for chain in itertools.product(levels, repeat=depth):
        f = function
        for in_axes, out_axes in chain:
            f = jax.vmap(f, in_axes=in_axes, out_axes=out_axes)
        try:
            out = jax.eval_shape(f, *args)
        except Exception:
            continue
        found[chain] = out.shape
    return found


def wanted(function, args, want, depth=1):
    """What brute force finds for a shape."""
    given = tuple((arg.shape, arg.dtype) for arg in args)
    return {chain for chain, shape in brute(function, given, depth).items() if shape == want}


def as_set(found):
    return {tuple((level.in_axes, level.out_axes) for level in choice.levels) for choice in found}


@pytest.mark.parametrize(
    ("function", "shapes", "want"),
    [
        (jnp.multiply, [(3, 4), (4,)], (3, 4)),
        (jnp.multiply, [(3, 4), (4,)], (4, 3)),
        (jnp.dot, [(3, 4), (5, 4)], (3, 5)),
        (jnp.dot, [(3, 3), (3, 3)], (3, 3, 3)),
        (lambda a: a.sum(), [(2, 3, 5)], (3,)),
        (lambda a, b: b, [(3,), (2,)], (2,)),
        (lambda a, b, c: a * b + c, [(4, 2), (2,), (4,)], (4, 2)),
    ],
)
def test_everything_is_found(function, shapes, want):
    args = [spec(*shape) for shape in shapes]
    found = find_axes(function, args, want)
    assert found.complete
    assert as_set(found) == wanted(function, args, want)
    assert all(choice.output.shape == want for choice in found)


# covers: N1, N3
@pytest.mark.parametrize("want", [(3, 4, 2), (4, 3, 2)])
def test_pairs_of_levels(want):
    args = (spec(3, 2, 3), spec(4, 3))
    found = find_axes(jnp.dot, args, want, depth=2)
    assert found.complete
    assert as_set(found) == wanted(jnp.dot, args, want, depth=2)
    inner, outer = found[0]
    order = [((None, 0), (0, None)), ((0, None), (None, 0))]
    assert (inner.in_axes, outer.in_axes) == order[want != (3, 4, 2)]
    assert (inner.out_axes, outer.out_axes) == (0, 0)


def test_the_simplest_comes_first():
    found = find_axes(jnp.multiply, (spec(3, 3), spec(3)), (3, 3))
    assert tuple(found[0]) == ((0, 0), 0)
    assert found[0].code == "jax.vmap(multiply, in_axes=(0, 0))(args[0], args[1])"


def test_trees_of_arguments_and_outputs():
    parameters = {"w": spec(2, 3), "b": spec(5, 2)}

    def predict(parameters, x):
        return {"y": parameters["w"] @ x + parameters["b"], "b": parameters["b"], "n": None}

    found = find_axes(predict, (parameters, spec(5, 3)), {"y": (5, 2), "b": (2, 5), "n": None})
    [choice] = found
    assert choice.in_axes == ({"w": None, "b": 0}, 0)
    assert choice.out_axes == {"y": 0, "b": 1, "n": None}


def test_pairs_of_shapes_are_no_shape():
    found = find_axes(lambda a: (a.sum(), a), (spec(3, 4),), ((3,), (3, 4)))
    assert [tuple(choice) for choice in found] == [((0,), 0)]
    assert not find_axes(lambda a: (a, a), (spec(3, 4),), (3, 4))
    assert find_axes(jnp.sum, (spec(3, 4),), (3,))
    assert find_axes(lambda a: (a,), (spec(3, 4),), (spec(3, 4),))


def test_numbers_are_shared_and_nothing_is_mapped_twice():
    found = find_axes(lambda a, n: a * n, (np.ones(3), 2.0), (3,))
    assert [choice.in_axes for choice in found] == [(0, None)]


def test_a_limit_is_told():
    args = (spec(3, 3, 3), spec(3, 3, 3), spec(3, 3, 3))
    found = find_axes(lambda a, b, c: a + b + c, args, (3, 3, 3), depth=2, most_evaluations=40)
    assert (found.complete, found.reason, found.stopped_early) == (False, "evaluations", True)
    assert found.evaluations == 40


def test_depth_is_checked():
    with pytest.raises(ValueError, match="at least 1"):
        find_axes(jnp.sin, (spec(3),), (3,), depth=0)
