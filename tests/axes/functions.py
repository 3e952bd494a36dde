"""Per-example functions for drawn calls: ordinary mathematics and everything that trips vmap."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class Point(NamedTuple):
    x: object
    y: object


@jax.custom_jvp
def squared(a):
    return a * a


squared.defjvp(lambda primals, tangents: (squared(primals[0]), 2 * primals[0] * tangents[0]))


@jax.custom_vjp
def clipped(a):
    return jnp.clip(a, 0, 2)


clipped.defvjp(lambda a: (clipped(a), a), lambda a, g: (g * (a > 0),))


@jax.jit
def jitted(a):
    return jnp.tanh(a).sum() * 2


@functools.partial(jax.jit, static_argnums=1)
def jitted_static(a, n):
    return a * n


def powers(a, n=2):
    for _ in range(n):
        a = a * 2
    return a


def rolled(a):
    return lax.fori_loop(0, 3, lambda i, s: s + i, a)


def counted(a):
    return lax.while_loop(lambda s: (s[0] < 3).all(), lambda s: (s[0] + 1, s[1]), (a, a))[0]


def scanned(a):
    return lax.scan(lambda c, t: (c + t, c), jnp.zeros(()), a)


def looks(a):
    return a if a > 0 else -a


def looks_at_sum(a):
    return a if a.sum() > 0 else -a


def counts(a):
    return sum(range(a), 0)


def with_numpy(a):
    return np.sin(a)


def key_noise(key):
    return jax.random.normal(key, (2,))


def key_choice(key):
    k, _ = jax.random.split(key)
    return jax.random.randint(k, (), 0, 5), key


ONE = {
    "identity": lambda a: a,
    "sum": lambda a: a.sum(),
    "jnp_sum": jnp.sum,
    "double": lambda a: a * 2,
    "half": lambda a: a / 2,
    "norm": lambda a: jnp.linalg.norm(a),
    "normalize": lambda a: a / jnp.sqrt(jnp.sum(a * a)),
    "transpose": lambda a: a.T,
    "softmax": jax.nn.softmax,
    "relu": jax.nn.relu,
    "sort": jnp.sort,
    "argmax": jnp.argmax,
    "cumsum": jnp.cumsum,
    "first": lambda a: a[0],
    "last": lambda a: a[..., -1],
    "two_indices": lambda a: a[0, 1],
    "mask": lambda a: a[a > 0],
    "own_index": lambda a: jnp.arange(3)[a],
    "set_first": lambda a: a.at[0].set(1),
    "reshape": lambda a: a.reshape(-1),
    "reshape_fixed": lambda a: a.reshape(3, 2),
    "outer": lambda a: jnp.outer(a, a),
    "matmul_self": lambda a: a @ a,
    "zeros_like": jnp.zeros_like,
    "ones_shape": lambda a: jnp.ones(a.shape),
    "shape": lambda a: a.shape,
    "ndim": lambda a: a.ndim,
    "constant": lambda a: 9,
    "constant_float": lambda a: 1.5,
    "constant_bool": lambda a: True,
    "constant_array": lambda a: jnp.ones(2),
    "constant_numpy": lambda a: np.ones(2),
    "constant_numpy_scalar": lambda a: np.float64(2),
    "none": lambda a: None,
    "string": lambda a: "hi",
    "object": lambda a: object,
    "string_in_tuple": lambda a: (a, "hi"),
    "empty": lambda a: (),
    "dict": lambda a: {"y": a, "c": 1.5, "n": None},
    "pair": lambda a: (a, a * a),
    "list": lambda a: [a, jnp.zeros(2)],
    "point": lambda a: Point(a, 1),
    "nested": lambda a: {"a": (a, None), "b": [a]},
    "looks": looks,
    "looks_at_sum": looks_at_sum,
    "and": lambda a: a > 0 and a < 2,
    "float": lambda a: float(a),
    "int": lambda a: int(a),
    "index": lambda a: [1, 2, 3][a],
    "range": counts,
    "len": lambda a: len(a),
    "iterate": lambda a: [t * 2 for t in a],
    "numpy": with_numpy,
    "item": lambda a: a.item(),
    "tolist": lambda a: a.tolist(),
    "format": lambda a: jnp.ones(int(f"{a:.0f}")),
    "str": lambda a: len(str(a)) * 0,
    "where": lambda a: jnp.where(a > 0, a, 0),
    "where_one": lambda a: jnp.where(a > 0),
    "nonzero": lambda a: jnp.nonzero(a),
    "unique": lambda a: jnp.unique(a),
    "arange": lambda a: jnp.arange(a),
    "cond": lambda a: lax.cond(a.sum() > 0, jnp.sin, jnp.cos, a),
    "switch": lambda a: lax.switch(a, [lambda: 1.0, lambda: 2.0, lambda: 3.0]),
    "rolled": rolled,
    "counted": counted,
    "scanned": scanned,
    "map": lambda a: lax.map(lambda t: t * 2, a),
    "map_batched": lambda a: lax.map(lambda t: t * 2, a, batch_size=2),
    "jitted": jitted,
    "jitted_static": lambda a: jitted_static(a, 3),
    "jit_if": jax.jit(looks),
    "squared": squared,
    "clipped": clipped,
    "checkpoint": jax.checkpoint(lambda a: jnp.sin(a) * a),
    "grad_sum": jax.grad(lambda a: jnp.sum(a * a)),
    "grad": jax.grad(lambda a: a * a),
    "value_and_grad": jax.value_and_grad(lambda a: (a**2).sum()),
    "grad_custom": jax.grad(lambda a: squared(a).sum() + clipped(a).sum()),
    "jacfwd": jax.jacfwd(lambda a: jnp.sin(a) * a.sum()),
    "jacrev": jax.jacrev(lambda a: jnp.sin(a) * a.sum()),
    "hessian": jax.hessian(lambda a: (a**3).sum()),
    "grad_integer": jax.grad(lambda a: a.astype(int).sum() * 1.0),
    "inner_vmap": lambda a: jax.vmap(lambda t: t * 2)(a),
    "inner_vmap_shared": lambda a: jax.vmap(lambda t: t * a)(jnp.arange(3)),
    "psum": lambda a: lax.psum(a, "i"),
    "pmean": lambda a: a - lax.pmean(a, "i"),
    "pmax": lambda a: lax.pmax(a, "i"),
    "psum_one": lambda a: lax.psum(1, "i"),
    "psum_j": lambda a: lax.psum(a, "j"),
    "psum_both": lambda a: lax.psum(a, ("i", "j")),
    "psum_constant": lambda a: lax.psum(jnp.float32(2), "i"),
    "axis_index": lambda a: lax.axis_index("i"),
    "axis_size": lambda a: lax.axis_size("i"),
    "all_gather": lambda a: lax.all_gather(a, "i"),
    "all_gather_sum": lambda a: lax.all_gather(a, "i").sum(0),
    "ppermute": lambda a: lax.ppermute(a, "i", [(0, 0)]),
    "all_to_all": lambda a: lax.all_to_all(a, "i", 0, 0),
    "psum_scatter": lambda a: lax.psum_scatter(a, "i"),
    "if_pmean": lambda a: a if lax.pmean(a, "i").sum() > 0 else -a,
    "range_size": lambda a: [a * k for k in range(lax.axis_size("i"))],
    "numpy_of_psum": lambda a: np.asarray(lax.psum(a, "i")) + 1,
    "mask_of_psum": lambda a: jnp.arange(2)[lax.psum(a.sum() * 0, "i") < jnp.arange(2)],
    "key_noise": key_noise,
    "key_uniform": jax.random.uniform,
    "key_choice": key_choice,
    "key_data": lambda k: jax.random.key_data(k),
    "fold_in": lambda k: jax.random.fold_in(k, 1),
    "permutation": lambda k: jax.random.permutation(k, 3),
    "inverse": jnp.linalg.inv,
    "determinant": jnp.linalg.det,
    "cholesky": jnp.linalg.cholesky,
    "eigh": jnp.linalg.eigh,
    "svd": lambda a: jnp.linalg.svd(a, full_matrices=False),
    "solve": lambda a: jnp.linalg.solve(a + jnp.eye(a.shape[0]), a[0]),
    "fft": jnp.fft.fft,
    "top_k": lambda a: lax.top_k(a, 1),
    "dynamic_slice": lambda a: lax.dynamic_slice(a, (0,), (2,)),
    "roll": lambda a: jnp.roll(a, 1),
    "flip": jnp.flip,
    "pad": lambda a: jnp.pad(a, 1),
    "diag": jnp.diag,
    "trace": jnp.trace,
    "mean": jnp.mean,
    "var": jnp.var,
    "median": jnp.median,
    "max_initial": lambda a: a.max(),
    "one_hot": lambda a: jax.nn.one_hot(a, 3),
    "einsum": lambda a: jnp.einsum("ij->ji", a),
    "concatenate": lambda a: jnp.concatenate([a, a]),
    "stack": lambda a: jnp.stack([a, a], axis=-1),
    "split": lambda a: jnp.split(a, 2),
    "broadcast": lambda a: jnp.broadcast_to(a, (2, 3)),
    "squeeze": lambda a: jnp.squeeze(a, 0),
    "expand": lambda a: a[None],
    "bits": lambda a: ~a,
    "real": lambda a: a.real,
    "sort_pair": lambda a: lax.sort((a, a), num_keys=1),
    "bool": lambda a: bool(a),
    "not": lambda a: not a,
    "assert": lambda a: (_ for _ in ()).throw(AssertionError("no")),
    "raise_key": lambda a: {}["missing"],
    "attribute": lambda a: a.nothing,
    "too_many": lambda a, b: a,
    "field_w": lambda p: p["w"] * 2,
    "field_both": lambda p: p["w"].sum() + p["b"],
    "field_if": lambda p: p["w"] if p["b"] > 0 else -p["w"],
    "pair_product": lambda p: (p[0] * p[1]).sum(),
    "point_sum": lambda p: p.x + p.y,
    "tree_double": lambda p: jax.tree.map(lambda t: t * 2, p),
    "tree_size": lambda p: len(jax.tree.leaves(p)),
    "debug_print": lambda a: (jax.debug.callback(lambda t: None, a), a)[1],
    "stop_gradient": lax.stop_gradient,
    "astype": lambda a: a.astype(jnp.float16),
    "device_put": lambda a: jax.device_put(a),
    "asarray": lambda a: jnp.asarray(a, jnp.float32),
    "isnan": lambda a: jnp.isnan(a).any(),
    "searchsorted": lambda a: jnp.searchsorted(jnp.arange(3.0), a),
    "associative_scan": lambda a: lax.associative_scan(jnp.add, a),
    "linearize": lambda a: jax.linearize(jnp.sin, a)[0],
    "jvp": lambda a: jax.jvp(jnp.sin, (a,), (a,)),
    "vjp": lambda a: jax.vjp(jnp.sin, a)[1](a)[0],
    "eval_shape": lambda a: jnp.zeros(jax.eval_shape(jnp.outer, a, a).shape),
    "while_shared": lambda a: a + lax.while_loop(lambda s: s < 3, lambda s: s + 1, 0),
    "if_while_shared": lambda a: (
        a if lax.while_loop(lambda s: s < 3, lambda s: s + 1, 0) > 2 else "no"
    ),
    "eager_table": lambda a: jnp.array([1.0, 2.0, 3.0])[jnp.argsort(jnp.arange(3))] * a.sum(),
}

TWO = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "jnp_add": jnp.add,
    "dot": jnp.dot,
    "matmul": lambda a, b: a @ b,
    "outer": jnp.outer,
    "pair": lambda a, b: (a, b),
    "swap": lambda a, b: {"b": b, "a": a},
    "first": lambda a, b: a,
    "second": lambda a, b: b,
    "distance": lambda a, b: jnp.sqrt(((a - b) ** 2).sum()),
    "sums": lambda a, b: a.sum() * b.sum(),
    "where": lambda a, b: jnp.where(a > 0, a, b),
    "choose": lambda flag, a: a if flag else -a,
    "positive": lambda t, a: a if t > 0 else -a,
    "powers": lambda a, n: powers(a, n),
    "repeat": lambda a, n: jnp.repeat(a, n),
    "tile": lambda a, n: jnp.tile(a, n),
    "reduce": lambda a, how: a.sum() if how == "sum" else a.max(),
    "cond": lambda p, a: lax.cond(p > 0, lambda t: t, lambda t: t * 2, a),
    "cond_matrix": lambda p, w: lax.cond(p.sum() > 0, lambda m: m.sum(), lambda m: 0.0, w),
    "take": lambda a, i: a[i],
    "jnp_take": lambda a, i: jnp.take(a, i),
    "mask": lambda a, m: a[m],
    "slice": lambda a, n: a[:n],
    "reshape": lambda a, n: a.reshape(n, -1),
    "stack": lambda a, b: jnp.stack([a, b]),
    "concatenate": lambda a, b: jnp.concatenate([a, b]),
    "scan": lambda a, xs: lax.scan(lambda c, t: (c + t, c), a, xs),
    "while": lambda k, a: lax.while_loop(
        lambda s: s[0] < k, lambda s: (s[0] + 1, s[1] * 2), (0, a)
    )[1],
    "fori": lambda n, a: lax.fori_loop(0, n, lambda i, s: s * 2, a),
    "grad": jax.grad(lambda w, x: jnp.sum(jnp.tanh(w * x))),
    "grad_scalar": jax.grad(lambda w, x: w * x),
    "grad_dot": jax.grad(lambda w, x: jnp.dot(w, x)),
    "value_and_grad": jax.value_and_grad(lambda w, x: (w * x).sum()),
    "numpy_second": lambda a, b: a + np.sin(b).sum(),
    "noise": lambda k, a: a + jax.random.normal(k, jnp.shape(a)),
    "keys": lambda k, a: (jax.random.fold_in(k, 1), a),
    "params": lambda p, x: x @ p["w"] + p["b"],
    "params_product": lambda p, x: x * p["w"] + p["b"],
    "point": lambda p, a: Point(p.x * a, p.y),
    "psum_second": lambda a, b: a + lax.psum(b, "i"),
    "centre": lambda a, b: (a - lax.pmean(a, "i"), b),
    "if_psum_second": lambda a, b: a if lax.psum(b, "i").sum() > 0 else -a,
    "inner": lambda a, b: jax.vmap(jnp.multiply, in_axes=(0, None))(a, b),
    "solve": lambda m, v: jnp.linalg.solve(m, v),
    "polyval": lambda p, x: jnp.polyval(p, x),
    "clip": lambda a, b: jnp.clip(a, b, b + 1),
    "minimum": lambda a, b: jnp.minimum(a, b),
    "power": lambda a, b: a**b,
    "compare": lambda a, b: (a > b).all(),
    "einsum": lambda a, b: jnp.einsum("i,j->ij", a, b),
    "convolve": lambda a, b: jnp.convolve(a, b),
    "keyword": lambda a, b=2: a * b,
    "keyword_only": lambda a, *, b: a * b,
    "maybe": lambda a, b=None: a if b is None else a + b,
    "star": lambda *xs: sum(x.sum() for x in xs),
    "options": lambda a, **options: a * options.get("b", 1),
}

THREE = {
    "affine": lambda w, x, b: jnp.dot(w, x) + b,
    "fused": lambda a, b, c: a * b + c,
    "choose": lambda flag, n, a: [a * k if flag else a for k in range(n)],
    "clip": jnp.clip,
    "where": jnp.where,
    "price": lambda qty, unit, fee: qty * unit - fee,
    "loss_gradient": jax.grad(lambda w, x, y: ((jnp.dot(w, x) - y) ** 2).sum()),
    "update": lambda a, i, v: a.at[i].set(v),
    "triple": lambda a, b, c: (a, (b, c)),
}
