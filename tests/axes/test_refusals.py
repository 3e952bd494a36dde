"""What real people got wrong: `explain` tells the same truth as the real call."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from playground.axes import Level, explain
from playground.axes.kinds import KINDS


def spec(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def one(function, *args, kwargs=None, **level):
    return explain(function, args, kwargs, levels=(Level(**level),))


def real(function, *args, kwargs=None, **level):
    return jax.vmap(function, **level)(*args, **(kwargs or {}))


def agree(function, *args, kwargs=None, **level):
    """Both refuse with one class, or both go through with one shape."""
    report = one(function, *args, kwargs=kwargs, **level)
    try:
        out = real(function, *args, kwargs=kwargs, **level)
    except Exception as error:
        assert not report.ok
        assert report.error.exception == type(error).__name__
        assert report.error.kind in KINDS
        assert report.error.summary("en")
        assert report.error.summary("zh")
        return report
    assert report.ok, report.error.text
    shapes = jax.tree.map(lambda leaf: (np.shape(leaf), str(jnp.asarray(leaf).dtype)), out)
    assert shapes == jax.tree.map(lambda s: (s.shape, str(s.dtype)), report.output)
    return report


@pytest.mark.parametrize("in_axis", [-1, -2, -3, -4, 2, 3])
@pytest.mark.parametrize("out_axis", [-1, -3, -4, 0, 2, 3])
def test_negative_axes(in_axis, out_axis):
    agree(lambda a: a, jnp.zeros((2, 3, 5)), in_axes=in_axis, out_axes=out_axis)


def test_the_whole_size_text_is_kept():
    def total(a, b, c):
        return a.max() * b.min() - c

    args = (jnp.ones((6, 3)), jnp.ones((6, 5)), jnp.ones(6))
    report = agree(total, *args, in_axes=(0, 1, 0))
    assert "most axes (2 of them) had size 6, e.g. axis 0 of argument a" in report.error.text
    assert "one axis had size 5: axis 1 of argument b of type float32[6,5]" in report.error.text
    assert report.error.argument == "args[1]"
    assert report.error.summary("en") == (
        "a has 6 examples along axis 0 but b has 5 along axis 1. "
        "All mapped axes must have one size."
    )


def price(qty, unit, fee):
    return qty * unit - fee


def test_keyword_arguments():
    q, u = jnp.array([3.0, 4.0, 5.0]), jnp.array([10.0, 20.0, 30.0])
    agree(price, q, u, 1.5, in_axes=(0, 0, None))
    by_keyword = agree(price, kwargs={"qty": q, "unit": u, "fee": 1.5}, in_axes=(0, 0, None))
    assert by_keyword.error.repairs[0].code == (
        "jax.vmap(price, in_axes=(0, 0, None))(qty, unit, 1.5)"
    )
    agree(price, q, u, kwargs={"fee": 1.5}, in_axes=(0, 0))
    agree(price, q, u, kwargs={"fee": q}, in_axes=(0, 0))
    agree(lambda m, k: m.sum() + k.sum(), jnp.ones((2, 3)), kwargs={"k": jnp.ones((3, 7))},
          in_axes=1)  # fmt: skip


def test_containers_in_axes():
    x, y = jnp.ones((3, 2)), jnp.ones((3, 2))

    def product(p):
        return (p[0] * p[1]).sum()

    agree(lambda a, b: (a * b).sum(), x, y, in_axes=[0, None])
    wrong = agree(product, (x, y), in_axes=([0, 0],))
    assert "tuple" in wrong.error.summary("en")
    agree(product, [x, y], in_axes=([0, 0],))
    agree(product, [x, y], in_axes=((0, 0),))
    flat = agree(product, (x, y), in_axes=(0, 0))
    assert ((0, 0),) in [repair.levels[0].in_axes for repair in flat.error.repairs]


def test_a_bare_dict_is_refused_when_vmap_is_built():
    d = {"w": jnp.ones((3, 4)), "s": jnp.float32(2.0)}

    def f(d):
        return d["w"] * d["s"]

    bare = agree(f, d, in_axes={"w": 0, "s": None})
    assert (bare.error.exception, bare.error.kind) == ("TypeError", "in_axes_type")
    assert bare.error.repairs[0].levels[0].in_axes == ({"w": 0, "s": None},)
    missing = agree(f, d, in_axes=({"w": 0},))
    assert (missing.error.exception, missing.error.argument) == ("ValueError", 'args[0]["s"]')
    extra = agree(f, d, in_axes=({"w": 0, "s": None, "z": 0},))
    assert extra.error.argument == 'args[0]["z"]'
    whole = agree(f, d, in_axes=(0,))
    assert whole.error.argument == 'args[0]["s"]'
    assert whole.error.repairs[0].levels[0].in_axes == ({"w": 0, "s": None},)


def test_axis_size():
    def f(a):
        return a + 1

    agree(f, 1.5, in_axes=None, out_axes=None)
    agree(f, 1.5, in_axes=None, out_axes=None, axis_size=2)
    agree(f, 1.5, in_axes=None, axis_size=2)
    agree(f, 1.5, in_axes=None, axis_size=0)
    conflict = agree(f, jnp.ones(3), axis_size=4)
    assert conflict.error.kind == "axis_size_conflict"
    assert conflict.error.repairs[0].levels[0].axis_size is None
    negative = agree(f, 1.5, in_axes=None, axis_size=-1)
    assert (negative.error.exception, negative.error.kind) == ("TypeError", "axis_size_invalid")
    agree(lambda: jnp.ones(2), axis_size=3)
    agree(lambda: jnp.ones(2))


def test_a_batch_of_nothing():
    agree(lambda r: r.sum(), jnp.zeros((0, 3)))
    agree(jax.grad(lambda r: (r**2).sum()), jnp.zeros((0, 3)))
    ids = jnp.zeros((0,), int)
    assert agree(lambda i: jnp.zeros((0,))[i], ids).error.exception == "IndexError"
    agree(lambda i: jnp.take(jnp.zeros((0,)), i), ids)
    agree(lambda i: jnp.array([7.0])[i], jnp.array([2]))


def reduce(v, how):
    return v.sum() if how == "sum" else v.max()


def test_strings():
    x = jnp.arange(6.0).reshape(2, 3)
    agree(reduce, x, "sum", in_axes=(0, None))
    mapped = agree(reduce, x, "sum")
    assert (mapped.error.kind, mapped.error.argument) == ("not_an_array", "args[1]")
    assert mapped.error.repairs[0].code == "jax.vmap(reduce, in_axes=(0, None))(v, 'sum')"
    keyword = agree(reduce, x, kwargs={"how": "sum"})
    assert keyword.error.argument == 'kwargs["how"]'
    assert keyword.error.repairs[0].args[1] == "sum"
    agree(functools.partial(reduce, how="max"), x)


def rounds(flag, n, x):
    for _ in range(n):
        x = x * 2 if flag else x
    return x


def test_python_values_pass_through_untouched():
    x = jnp.ones(2)
    agree(rounds, True, 3, x, in_axes=(None, None, 0))
    agree(rounds, jnp.array(True), jnp.array(3), x, in_axes=(None, None, 0))
    specs = one(rounds, spec(dtype=bool), spec(dtype=jnp.int32), spec(2), in_axes=(None, None, 0))
    assert specs.output.shape == (2,)
    mapped = agree(rounds, jnp.array([True, False]), 3, x, in_axes=(0, None, 0))
    assert (mapped.error.exception, mapped.error.kind, mapped.error.argument) == (
        "TracerBoolConversionError",
        "python_control_flow",
        "args[0]",
    )


def test_python_control_flow():
    x = jnp.arange(3.0)

    def sign(t, x):
        return x if t > 0 else -x

    mapped = agree(sign, x - 1, x)
    assert mapped.error.argument == "args[0]"
    assert "t is mapped" in mapped.error.summary("en")
    agree(sign, -1.0, x, in_axes=(None, 0))
    agree(lambda r: r.sum() if r.shape[0] > 1 else r.max(), jnp.ones((2, 2)))
    agree(lambda a: a > 0 and a < 2, x)
    assert agree(lambda a: float(a), x).error.exception == "ConcretizationTypeError"
    shared = agree(sign, jnp.float32(2.0), jnp.ones((1, 3)))
    assert shared.error.repairs[0].levels[0].in_axes == (None, 0)


def test_outputs_that_are_constants():
    x = jnp.arange(3)
    assert agree(lambda a: 9, x).output.shape == (3,)
    agree(lambda a: 9, x, out_axes=None)
    assert agree(lambda a: None, x).output is None
    report = agree(lambda a: {"y": a, "c": 1.5, "n": None}, x)
    assert report.output["n"] is None
    agree(lambda a: {"y": a, "c": 1.5}, x, out_axes={"y": 0, "c": None})
    assert agree(lambda a: "hi", x).error.kind == "output_not_an_array"
    agree(lambda a: "hi", x, out_axes=None)
    agree(lambda a: True, x)
    agree(lambda a: object, x, out_axes=None)


def test_outputs_that_vary():
    x = jnp.arange(3.0)
    second = agree(lambda a: (7.0, a * a), x, out_axes=(None, None))
    assert "utput[1]" in second.error.summary("en")
    agree(lambda a: a, x, out_axes=None, axis_name="b")
    agree(lambda a: lax.pmean(a, "b"), x, out_axes=None, axis_name="b")
    long = agree(lambda a: a, x, out_axes=(0, 0))
    assert long.error.kind == "out_axes_not_a_prefix"
    agree(lambda a: (a, a), x, out_axes=(0,))


@pytest.mark.parametrize(
    ("function", "out_axes"),
    [
        (lambda a: lax.psum(a, "i"), 0),
        (lambda a: lax.psum(a, "i"), None),
        (lambda a: lax.psum(1, "i"), None),
        (lambda a: lax.psum(jnp.array(0.5) ** 2, "i"), None),
        (lambda a: lax.pmean(jnp.float32(7.0), "i"), None),
        (lambda a: lax.pmax(a, "i"), None),
        (lambda a: lax.all_gather(a, "i"), 0),
        (lambda a: lax.all_gather(a, "i"), None),
        (lambda a: lax.axis_index("i"), 0),
        (lambda a: lax.axis_index("i"), None),
        (lambda a: lax.axis_size("i"), None),
        (lambda a: a if lax.pmean(a, "i") > 0 else -a, 0),
        (lambda a: np.asarray(lax.psum(a, "i")), None),
    ],
)
def test_collectives(function, out_axes):
    agree(function, jnp.array([1.0, 2.0, 4.0]), axis_name="i", out_axes=out_axes)


def test_cond_and_switch():
    def f(p, a):
        return lax.cond(p > 0, jnp.sin, jnp.cos, a)

    x = jnp.arange(3.0)
    shared = agree(f, 1.0, x, in_axes=(None, 0))
    mapped = agree(f, x, x)
    names = [[e.primitive.name for e in r.batched_jaxpr.eqns] for r in (shared, mapped)]
    assert "cond" in names[0] or not names[0].count("select_n")
    assert "cond" not in names[1]
    assert "select_n" in names[1]
    agree(lambda i, a: lax.switch(i, [lambda t: t, lambda t: 10 * t], a), jnp.arange(3), 1.0,
          in_axes=(0, None))  # fmt: skip
    for guard in (
        lambda a: jnp.where(a > 0, jnp.log(a), 0.0),
        lambda a: lax.cond(a > 0, jnp.log, jnp.zeros_like, a),
    ):
        agree(jax.grad(guard), x)


def test_a_loop_that_never_ends_is_explained():
    def runaway(a):
        return lax.while_loop(
            lambda t: (t < 0) | (t > 1e-3), lambda t: jnp.where(t < 0, t * 2 - 1, t / 2), a
        )

    report = one(lambda a: lax.cond(a >= 0, runaway, lambda t: -t, a), jnp.array([1.0, -1.0]))
    assert report.output == spec(2)
    assert "while" in [operation.primitive for operation in report.operations] or report.operations
    # Python asks for the result of a loop that never ends: the engine gives up waiting.
    asked = one(lambda a, b: a if runaway(b) > 0 else -a, jnp.ones(3), -1.0, in_axes=(0, None))
    assert asked.output == spec(3)
    assert "while" in asked.assumed[0]
    assert report.assumed == ()


def test_while_with_a_mapped_predicate():
    from jax.experimental import io_callback

    def collatz(n):
        return lax.while_loop(
            lambda s: s[0] != 1,
            lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1),
            (n, 0),
        )[1]

    agree(collatz, jnp.array([1, 2, 7, 27]))
    agree(collatz, jnp.zeros((0,), int))
    for ordered in (False, True):

        def body(s, ordered=ordered):
            io_callback(lambda v: None, None, s[0], ordered=ordered)
            return s[0] + 1, s[1]

        agree(lambda k, b=body: lax.while_loop(lambda s: s[0] < s[1], b, (0, k))[0],
              jnp.array([1, 3]))  # fmt: skip


def test_loops_over_the_batch_inside():
    agree(lambda r: lax.map(lambda a: a * 2, r, batch_size=2), jnp.ones((3, 5)))
    agree(lambda r: lax.map(lambda a: a * 2, r, batch_size=-1), jnp.ones((3, 5)))


def test_keys():
    raw = jax.random.split(jax.random.PRNGKey(0))
    typed = jax.random.split(jax.random.key(0))
    agree(jax.random.uniform, raw)
    agree(jax.random.uniform, raw, in_axes=1)
    agree(jax.random.uniform, typed)
    assert agree(jax.random.uniform, typed, in_axes=1).error.kind == "axis_out_of_range"
    three = agree(jax.random.uniform, jax.random.split(jax.random.PRNGKey(0), 3), in_axes=1)
    assert three.error.kind == "key_data"
    assert three.error.repairs[0].levels[0].in_axes in (0, (0,))
    agree(jax.random.uniform, jax.random.PRNGKey(0))
    single = agree(jax.random.uniform, jax.random.key(0))
    assert single.error.kind == "key_mapped"
    assert "jax.random.split" in single.error.repairs[0].code
    agree(lambda k: k, typed)
    agree(jax.random.key_data, typed)
    agree(lambda k: k + 1, typed)
    agree(lambda k, a: a + jax.random.normal(k), jax.random.key(7), jnp.zeros(4),
          in_axes=(None, 0))  # fmt: skip


def test_integer_widths():
    steps = jnp.ones((2, 20), jnp.int8)
    assert agree(jnp.sum, steps).output.dtype == jnp.int32
    assert agree(jnp.cumsum, steps).output.dtype == jnp.int8
    agree(lambda r: lax.scan(lambda a, t: (a + t, None), jnp.int8(0), r)[0], steps)


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (jax.grad(jnp.cos), jnp.arange(3)),
        (jax.grad(lambda a: jnp.int32(a)), jnp.ones(3)),
        (jax.grad(lambda a: a > 0), jnp.ones(3)),
        (jax.grad(lambda a: a + 1j), jnp.ones(3)),
        (jax.grad(lambda a: a * jnp.ones(2)), jnp.ones(3)),
        (jax.grad(lambda a: a.astype(jnp.int32).astype(jnp.float32) * a), jnp.ones(3)),
    ],
)
def test_gradients(function, x):
    agree(function, x)


def test_gradient_of_a_tree_with_a_counter():
    parameters = {"w": jnp.ones(2), "step": jnp.int32(0)}

    def loss(p, x):
        return (p["w"] * x).sum() + 0.0 * p["step"]

    x = jnp.ones((3, 2))
    agree(jax.grad(loss), parameters, x, in_axes=(None, 0))
    report = one(jax.grad(loss, allow_int=True), parameters, x, in_axes=(None, 0))
    assert report.output["w"].shape == (3, 2)
    assert report.output["step"].dtype == jax.dtypes.float0


def test_shapes_of_any_size_cost_nothing():
    million = 10**6
    report = one(lambda a, b: (a * b).sum(), spec(million, million), spec(million),
                 in_axes=(0, None))  # fmt: skip
    assert report.output == spec(million)
    assert report.largest.bytes == 4 * million**2
    assert one(jnp.zeros_like, spec(3, million, million), out_axes=None).ok
    wrong = one(jnp.dot, spec(million, million), spec(million - 1, million))
    assert wrong.error.kind == "sizes_differ"
    assert wrong.error.repairs
    assert one(lambda a: a + jnp.eye(10**5).sum() + jnp.arange(10**9).sum(), jnp.ones(3)).ok


def test_numpy_arrays_keep_or_lose_their_width_as_in_the_real_call():
    wide = np.ones((3, 2))
    for function in (lambda a: a, lambda a: a * 2, lambda a: (a, 1)):
        report, out = one(function, wide), real(function, wide)
        got = jax.tree.map(lambda leaf: str(leaf.dtype), report.output)
        assert got == jax.tree.map(lambda leaf: str(leaf.dtype), out)


def test_default_levels():
    assert explain(jnp.add, (jnp.ones(3), 1.0)).chain == (Level(in_axes=(0, None)),)
    assert explain(jnp.sin, (jnp.ones(3),)).chain == (Level(),)
    with pytest.raises(TypeError, match="Level objects"):
        explain(jnp.sin, (jnp.ones(3),), levels=(0,))
