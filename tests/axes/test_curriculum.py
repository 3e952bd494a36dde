"""The facts of the curriculum about axes, told by `explain` and checked against jax.vmap."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from playground.axes import Level, explain, find_axes
from playground.axes.batched import pair_equations

VECTORS = jnp.arange(12.0).reshape(4, 3)
SCALARS = jnp.array([0.0, 10.0, 20.0, 30.0])


def add(vector, scalar):
    return vector + scalar


def scale(column, scalar):
    return column * scalar


def spec(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def one(function, *args, kwargs=None, **level):
    return explain(function, args, kwargs, levels=(Level(**level),))


# covers: A1
def test_a_shared_number_stays_a_number():
    report = one(add, VECTORS, 100.0, in_axes=(0, None))
    assert report.ok
    assert report.output == spec(4, 3)
    assert report.levels[0].batch_size == 4
    assert report.levels[0].inputs[0].shape == (3,)
    assert report.levels[0].inputs[1].value == 100.0
    assert report.code == "jax.vmap(add, in_axes=(0, None))(vector, 100.0)"


# covers: A2
def test_two_mapped_arguments_are_paired():
    report = one(add, VECTORS, SCALARS, in_axes=(0, 0))
    assert report.output.shape == jax.vmap(add)(VECTORS, SCALARS).shape == (4, 3)
    assert [i.shape for i in report.levels[0].inputs] == [(3,), ()]


# covers: A3
def test_a_later_axis_is_mapped_and_comes_out_first():
    report = one(add, VECTORS.T, 100.0, in_axes=(1, None))
    assert report.output.shape == (4, 3)
    same = jax.vmap(add, (1, None))(VECTORS.T, 100.0) == jax.vmap(add, (0, None))(VECTORS, 100.0)
    assert same.all()


# covers: A4
def test_out_axes_places_the_batch_axis():
    assert one(add, VECTORS, 100.0, in_axes=(0, None), out_axes=1).output.shape == (3, 4)


# covers: A5
def test_a_tree_of_outputs_takes_a_tree_of_out_axes():
    report = one(
        lambda x: {"sum": x.sum(), "doubled": 2 * x}, VECTORS, out_axes={"sum": 0, "doubled": 1}
    )
    assert report.output["sum"].shape == (4,)
    assert report.output["doubled"].shape == (3, 4)


# covers: A6
@pytest.mark.parametrize("out_axis", [-1, -2, 0, 1])
def test_negative_axes_count_from_the_end(out_axis):
    report = one(lambda s, v: s + v, 1.0, VECTORS.T, in_axes=(None, -1), out_axes=out_axis)
    straight = jax.vmap(lambda s, v: s + v, (None, 0), out_axis)(1.0, VECTORS)
    assert report.output.shape == straight.shape


PARAMETERS = {"w": jnp.array([1.0, 2.0, 3.0]), "b": SCALARS}


def predict(parameters, x):
    return x @ parameters["w"] + parameters["b"]


# covers: A7
def test_a_dict_with_some_leaves_shared():
    report = one(predict, PARAMETERS, VECTORS, in_axes=({"w": None, "b": 0}, 0))
    assert report.output.shape == (4,)
    values = jax.vmap(predict, ({"w": None, "b": 0}, 0))(PARAMETERS, VECTORS)
    assert values.tolist() == [8, 36, 64, 92]


# covers: A8
def test_a_wrong_key_is_named():
    error = one(predict, PARAMETERS, VECTORS, in_axes=({"w": None, "bias": 0}, 0)).error
    assert (error.exception, error.kind) == ("ValueError", "in_axes_not_a_prefix")
    assert error.argument == 'args[0]["b"]'
    assert "tree prefix" in error.text
    assert "['w', 'b']" in error.summary("en")
    assert 'parameters["b"]' in error.summary("zh")
    assert error.repairs[0].levels[0].in_axes == ({"w": None, "b": 0}, 0)
    assert error.repairs[0].output.shape == (4,)


def scaled(x, b):
    return x * b


# covers: A9
def test_keyword_arguments_are_always_mapped():
    x, b = jnp.arange(3.0), jnp.arange(3.0)
    refused = one(scaled, x, kwargs={"b": b}, in_axes=(0, None))
    assert refused.error.kind == "keyword_arguments"
    assert "keyword arguments" in refused.error.text
    assert refused.error.argument == 'kwargs["b"]'
    mapped = one(scaled, x, kwargs={"b": b})
    assert mapped.output.shape == (3,)
    assert mapped.levels[0].keyword_inputs["b"].shape == ()
    number = one(scaled, x, kwargs={"b": 2.0})
    assert number.error.kind == "scalar_mapped"
    first = number.error.repairs[0]
    assert (first.args[1], first.kwargs, first.levels[0].in_axes) == (2.0, {}, (0, None))
    assert first.code == "jax.vmap(scaled, in_axes=(0, None))(x, 2.0)"


# covers: A10
def test_out_axes_none_is_for_outputs_that_do_not_vary():
    refused = one(lambda x: 2 * x, SCALARS, out_axes=None)
    assert refused.error.kind == "output_varies"
    assert refused.error.repairs[0].levels[0].out_axes == 0
    shared = one(lambda x, c: c, SCALARS, jnp.ones(2), in_axes=(0, None), out_axes=None)
    assert shared.output.shape == (2,)
    # Data flow decides, not the value.
    assert not one(lambda x: 0 * x, SCALARS, out_axes=None).ok
    assert one(jnp.zeros_like, SCALARS, out_axes=None).output.shape == ()


# covers: A11
def test_axis_size_is_needed_when_nothing_is_mapped():
    refused = one(lambda c: c * jnp.ones(2), 3.0, in_axes=None)
    assert refused.error.kind == "nothing_mapped"
    assert refused.error.repairs[0].levels[0].axis_size
    assert one(lambda c: c * jnp.ones(2), 3.0, in_axes=None, axis_size=4).output.shape == (4, 2)


# covers: A12
def test_sum_match_sums_the_batch():
    x = jnp.arange(3.0)
    report = one(lambda x: 2 * x, x, out_axes=None, sum_match=True)
    assert report.output.shape == ()
    assert jax.vmap(lambda x: 2 * x, out_axes=None, sum_match=True)(x) == 6


# covers: A13
def test_the_default_maps_every_argument():
    error = one(add, VECTORS, 100.0).error
    assert (error.exception, error.kind) == ("ValueError", "scalar_mapped")
    assert error.argument == "args[1]"
    assert error.summary("en").startswith("scalar is a scalar")
    assert "标量" in error.summary("zh")
    assert error.repairs[0].levels[0].in_axes == (0, None)


# covers: A14
@pytest.mark.parametrize(("a", "b"), [((3,), (4,)), ((3, 2), (1, 2))])
def test_sizes_must_agree(a, b):
    error = one(lambda left, right: left + right, spec(*a), spec(*b)).error
    assert (error.exception, error.kind) == ("ValueError", "sizes_differ")
    assert "left" in error.text
    assert "right" in error.text
    assert error.argument == "args[1]"
    assert f"left has {a[0]} examples along axis 0" in error.summary("en")
    assert error.repairs


# covers: A14
def test_an_axis_of_length_one_is_shared_or_removed():
    error = one(jnp.dot, spec(3, 2), spec(1, 2)).error
    squeezed = error.repairs[0]
    assert squeezed.args[1].shape == (2,)
    assert squeezed.output.shape == (3,)


# covers: A15
def test_tuple_length_and_rank():
    length = one(add, VECTORS, SCALARS, in_axes=(0,)).error
    assert (length.exception, length.kind) == ("ValueError", "wrong_tuple_length")
    assert length.repairs[0].levels[0].in_axes == (0, 0)
    rank = one(add, VECTORS, SCALARS, in_axes=(0, 1)).error
    assert (rank.exception, rank.kind, rank.argument) == (
        "ValueError",
        "axis_out_of_range",
        "args[1]",
    )


# covers: A16
def test_the_column_scaling_trap():
    matrix, scalars = spec(3, 4), spec(4)
    assert one(scale, matrix, scalars, in_axes=(1, 0)).output.shape == (4, 3)
    assert one(scale, matrix, scalars, in_axes=(1, 0), out_axes=1).output.shape == (3, 4)
    found = find_axes(scale, (matrix, scalars), (3, 4))
    assert found.complete
    assert ((1, 0), 1) in [tuple(choice) for choice in found]


# covers: A17
def test_rows_by_a_filter():
    report = one(lambda row, f: row * f, spec(3, 4), spec(4), in_axes=(0, None))
    assert report.output.shape == (3, 4)


# covers: A18
def test_collectives_need_the_name():
    def centre(x):
        return x - lax.pmean(x, "batch")

    refused = one(centre, SCALARS)
    assert (refused.error.exception, refused.error.kind) == ("NameError", "unbound_axis_name")
    assert refused.error.repairs[0].levels[0].axis_name == "batch"
    assert one(centre, SCALARS, axis_name="batch").output.shape == (4,)
    values = jax.vmap(centre, axis_name="batch")(jnp.arange(4.0))
    assert values.tolist() == [-1.5, -0.5, 0.5, 1.5]


# covers: A19
def test_a_vectorized_function_takes_any_leading_axes():
    def jacobian(x):
        return jax.jacfwd(lambda x: jnp.stack([jnp.sin(x[0]) * x[1], x[0] ** 2 + x[1]]))(x)

    vectorized = jnp.vectorize(jacobian, signature="(n)->(m,n)")
    assert explain(vectorized, (spec(3, 4, 2),), levels=()).output.shape == (3, 4, 2, 2)


# covers: A20
def test_a_list_works_at_the_top_only():
    assert one(add, VECTORS, 1.0, in_axes=[0, None]).ok
    refused = one(lambda pair: pair[0], (VECTORS, VECTORS), in_axes=([0, 0],))
    assert refused.error.kind == "in_axes_not_a_prefix"
    assert one(lambda pair: pair[0], [VECTORS, VECTORS], in_axes=([0, 0],)).ok


# covers: V6
def test_the_program_is_transformed():
    report = one(lambda w, x: jnp.sum(w * x), spec(3), spec(5, 3), in_axes=(None, 0))
    single = [e.primitive.name for e in report.jaxpr.eqns]
    batched = [e.primitive.name for e in report.batched_jaxpr.eqns]
    assert single == ["mul", "reduce_sum"]
    assert not {"while", "scan"} & set(batched)
    assert report.jaxpr.eqns[-1].params["axes"] == (0,)
    assert tuple(report.batched_jaxpr.eqns[-1].params["axes"]) == (1,)
    product = one(jnp.dot, spec(5, 3), spec(5, 3))
    [row] = [r for r in pair_equations(product) if r.example.primitive == "dot_general"]
    assert "([0], [0])" in row.batched[-1].text


# covers: C4
def test_a_mapped_cond_copies_the_shared_matrix():
    def guarded(p, w, x):
        return lax.cond(p > 0, lambda w, x: w @ x, lambda w, x: x, w, x)

    args = (spec(512), spec(256, 256), spec(512, 256))
    largest = one(guarded, *args, in_axes=(0, None, 0)).largest
    assert largest.shape == (512, 256, 256)
    assert largest.bytes == 512 * 256 * 256 * 4
    assert largest.exceeds
    plain = one(lambda p, w, x: jnp.where(p > 0, w @ x, x), *args, in_axes=(0, None, 0)).largest
    assert not plain.exceeds
    rows = pair_equations(one(guarded, *args, in_axes=(0, None, 0)))
    lit = [line for row in rows for line in row.batched if line.largest]
    assert {line.results[0].shape for line in lit} == {(512, 256, 256)}
    assert {line.results[0].batch_axes for line in lit} == {(0,)}


# covers: N1, N2, N3
def test_two_levels_combine_and_swapping_them_transposes():
    matrices, vectors = spec(3, 2, 3), spec(4, 3)
    inner, outer = Level(in_axes=(None, 0)), Level(in_axes=(0, None))
    report = explain(jnp.dot, (matrices, vectors), levels=(inner, outer))
    assert report.output.shape == (3, 4, 2)
    assert [level.batch_size for level in report.levels] == [4, 3]
    assert [i.shape for i in report.levels[0].inputs] == [(2, 3), (3,)]
    assert [i.shape for i in report.levels[1].inputs] == [(2, 3), (4, 3)]
    assert report.levels[1].outputs.shape == (4, 2)
    swapped = explain(jnp.dot, (matrices, vectors), levels=(outer, inner))
    assert swapped.output.shape == (4, 3, 2)
    paired = one(jnp.dot, spec(3, 2, 3), spec(3, 3))
    assert paired.output.shape == (3, 2)
    [product] = [o for o in report.operations if o.primitive == "dot_general"]
    assert [v.batch_axes for v in product.operands] == [(None, 0), (0, None)]


def test_batch_axes_of_operations_follow_from_sizes():
    report = one(lambda x: jnp.cumsum(x.T, axis=0) + 1, spec(7, 3, 5), in_axes=0)
    for operation in report.operations:
        for value in operation.results:
            if value.batch_axis is not None:
                assert value.batched_shape[value.batch_axis] == 7
                rest = list(value.batched_shape)
                del rest[value.batch_axis]
                assert tuple(rest) == value.example_shape
                assert value.bytes == int(np.prod(value.batched_shape)) * 4
