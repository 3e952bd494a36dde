"""Draws calls of jax.vmap, valid and not, and compares `explain` with the real call."""

import warnings
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes import Level, explain
from tests.axes.functions import ONE, THREE, TWO, Point


@jax.tree_util.register_dataclass
@dataclass
class Layer:
    w: Any
    b: Any


@jax.tree_util.register_dataclass
@dataclass
class Tagged:
    w: Any
    name: str = field(metadata={"static": True}, default="t")


@dataclass
class Call:
    label: str
    function: Any
    args: tuple
    kwargs: dict
    levels: tuple


DTYPES = [
    jnp.float32,
    jnp.float32,
    jnp.float32,
    jnp.float32,
    jnp.int32,
    jnp.int32,
    jnp.bool_,
    jnp.bfloat16,
    jnp.float16,
    jnp.int8,
    jnp.uint8,
    jnp.complex64,
]


def ones(shape, dtype):
    """An array on the device, made without compiling a program for its shape."""
    return jnp.asarray(np.ones(shape, dtype))


class Drawer:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def chance(self, p):
        return self.random.random() < p

    def one_of(self, items):
        return items[int(self.random.integers(len(items)))]

    def size(self):
        return self.one_of([0, 1, 2, 2, 3, 3, 3])

    def shape(self, n, levels):
        rank = self.one_of([0, 0, 1, 1, 1, 2]) + (levels if self.chance(0.8) else 0)
        shape = [n if self.chance(0.55) else self.size() for _ in range(rank)]
        if shape and self.chance(0.7):
            shape[0] = n
        return tuple(shape[:4])

    def leaf(self, n, levels):
        kind = self.random.random()
        shape = self.shape(n, levels)
        if kind < 0.66:
            return ones(shape, self.one_of(DTYPES))
        if kind < 0.74:
            return np.ones(shape, self.one_of([np.float64, np.int64, np.float32, np.int32, bool]))
        if kind < 0.84:
            return self.one_of([1, 2, 1.5, True, False, 0, 2.0, 1 + 1j, np.float32(1), np.int64(2)])
        if kind < 0.92:
            key = jax.random.key(0) if self.chance(0.6) else jax.random.PRNGKey(0)
            return key if self.chance(0.3) else jax.random.split(key, shape[:2] or n)
        return self.one_of(["sum", None, "max", object(), np.array(["a", "b"]), b"bytes"])

    def argument(self, n, levels):
        kind = self.random.random()
        if kind < 0.74:
            return self.leaf(n, levels)

        def leaf():
            return self.leaf(n, levels)

        return self.one_of(
            [
                lambda: {"w": leaf(), "b": leaf()},
                lambda: {"w": leaf(), "b": leaf()},
                lambda: {"w": leaf()},
                lambda: (leaf(), leaf()),
                lambda: [leaf(), leaf()],
                lambda: Point(leaf(), leaf()),
                lambda: Layer(leaf(), leaf()),
                lambda: Tagged(leaf()),
                lambda: {"w": {"a": leaf(), "c": leaf()}, "b": leaf()},
                lambda: (),
                dict,
                lambda: [[leaf()], (leaf(), None)],
                lambda: {"w": leaf(), "b": None},
            ]
        )()

    def axis_for(self, value):
        """An axis that fits, mostly."""
        if self.chance(0.06):
            return self.one_of([-3, -2, -1, 0, 1, 2, 3, 4, None, -5])
        rank = np.ndim(value) if not isinstance(value, jax.Array) else value.ndim
        if isinstance(value, str | bytes) or value is None or type(value) is object or rank == 0:
            return None if self.chance(0.85) else 0
        if self.chance(0.25):
            return None
        if self.chance(0.7):
            return 0
        return int(self.random.integers(-rank, rank))

    def entry(self, value):
        leaves = jax.tree.leaves(value)
        if (len(leaves) == 1 and leaves[0] is value) or not leaves:
            return self.axis_for(value)
        if self.chance(0.45):
            return self.axis_for(leaves[0])
        return self.spoiled(jax.tree.map(self.axis_for, value))

    def spoiled(self, tree):
        if not self.chance(0.15):
            return tree
        if isinstance(tree, dict) and tree:
            key = next(iter(tree))
            return self.one_of(
                [
                    {k: v for k, v in tree.items() if k != key},
                    {**tree, "z": 0},
                    list(tree.values()),
                ]
            )
        if type(tree) is tuple:
            return self.one_of([list(tree), (*tree, 0), tree[:-1], (0,) * len(tree)])
        if isinstance(tree, list):
            return tuple(tree)
        return self.one_of([0, (0, 0), {"w": 0}])

    def in_axes(self, args):
        kind = self.random.random()
        if kind < 0.2:
            return 0
        if kind < 0.24:
            return self.one_of([None, 1, -1, 2, -2])
        if kind < 0.27:
            return self.one_of(
                [
                    {"w": 0},
                    "0",
                    1.0,
                    True,
                    np.int64(0),
                    (0, "x"),
                    (),
                    [0],
                    ((0,),),
                    (1.5,),
                    (True,),
                    (0, 0),
                    (0, None),
                    (None, None),
                    (np.int32(0), 0),
                ]
            )
        entries = tuple(self.entry(arg) for arg in args)
        if self.chance(0.04):
            entries = self.one_of([entries[:-1], (*entries, 0), (*entries, None)])
        return list(entries) if self.chance(0.05) else entries

    def out_axes(self):
        if self.chance(0.7):
            return 0
        return self.one_of(
            [
                1,
                -1,
                None,
                2,
                -2,
                -3,
                3,
                (0, 0),
                (0, None),
                (None, 1),
                {"y": 0, "c": None, "n": None},
                [0, 0],
                {"a": 0, "b": 1},
                Point(0, None),
                "0",
                (0, 1),
                None,
                None,
                1,
                -1,
                (0,),
                [0],
                (0, (1, None)),
                {"y": 1, "c": 0, "n": 0},
                (),
                1.0,
            ]
        )

    def level(self, args, n):
        return Level(
            in_axes=self.in_axes(args),
            out_axes=self.out_axes(),
            axis_size=self.one_of([n, n, 3, 0, -1, 2, "3", 2.0, True])
            if self.chance(0.1)
            else None,
            axis_name=self.one_of(["i", "i", "j"]) if self.chance(0.35) else None,
            sum_match=self.chance(0.06),
        )

    def call(self):
        """Mostly a call that makes sense, now and then anything."""
        return self.sensible_call() if self.chance(0.65) else self.wild_call()

    def sensible_call(self):
        pool, count = self.one_of([(ONE, 1), (ONE, 1), (TWO, 2), (TWO, 2), (THREE, 3)])
        name = self.one_of(sorted(pool))
        depth = self.one_of([1, 1, 1, 1, 2, 2, 3])
        sizes = [self.one_of([0, 1, 2, 3, 3, 4]) for _ in range(depth)]
        m = self.one_of([1, 2, 3, 3])
        args, axes = [], []
        for _ in range(count):
            arg, per_level = self.sensible_argument(sizes, m)
            args.append(arg)
            axes.append(per_level)
        levels = []
        for i in range(depth):
            in_axes = tuple(per_level[i] for per_level in axes)
            if all(type(a) is int and a == in_axes[0] for a in in_axes) and self.chance(0.5):
                in_axes = in_axes[0]
            mapped = any(a is not None for a in jax.tree.leaves(in_axes))
            size = sizes[i] if self.chance(0.1 if mapped else 0.9) else None
            out = (
                self.one_of([0, 0, 0, 0, 0, 0, 1, -1, None])
                if self.chance(0.8)
                else self.out_axes()
            )
            name_ = "ijk"[i] if self.chance(0.7) else None
            levels.append(Level(in_axes, out, size, name_, self.chance(0.04)))
        kwargs = {}
        if self.chance(0.05) and count > 1:
            kwargs = {self.one_of(["b", "n", "fee"]): args.pop()}
            levels = [
                Level(
                    level.in_axes[:-1] if isinstance(level.in_axes, tuple) else level.in_axes,
                    level.out_axes,
                    level.axis_size,
                    level.axis_name,
                )
                for level in levels
            ]
        return Call(name, pool[name], tuple(args), kwargs, tuple(levels))

    def sensible_argument(self, sizes, m):
        if self.chance(0.13):
            parts = {k: self.sensible_leaf(sizes, m) for k in ("w", "b")}
            kind = self.one_of([dict, tuple, list, Point, Layer])
            build = {
                dict: lambda d: d,
                tuple: lambda d: tuple(d.values()),
                list: lambda d: list(d.values()),
                Point: lambda d: Point(*d.values()),
                Layer: lambda d: Layer(*d.values()),
            }[kind]
            arg = build({k: part[0] for k, part in parts.items()})
            per_level = [
                build({k: part[1][i] for k, part in parts.items()}) for i in range(len(sizes))
            ]
            return arg, per_level
        return self.sensible_leaf(sizes, m)

    def sensible_leaf(self, sizes, m):
        kind = self.random.random()
        if kind < 0.12:
            value = self.one_of([1, 2, 1.5, True, "sum", None, 3, np.float32(1)])
            return value, [None] * len(sizes)
        rank = self.one_of([0, 0, 1, 1, 1, 2, 2])
        shape = [m if self.chance(0.85) else self.size() for _ in range(rank)]
        dtype = self.one_of(DTYPES)
        is_key = kind > 0.94
        if is_key:
            shape = []
        axes = []
        for size in sizes:
            if self.chance(0.3):
                axes.append(None)
                continue
            axis = 0 if self.chance(0.7) else int(self.random.integers(0, len(shape) + 1))
            shape.insert(axis, size)
            axes.append(axis if self.chance(0.8) else axis - len(shape))
        if is_key:
            raw = self.chance(0.4)
            key = jax.random.PRNGKey(0) if raw else jax.random.key(0)
            if shape:
                key = jax.random.split(key, tuple(shape))
            return key, axes
        if self.chance(0.1):
            return np.ones(shape, self.one_of([np.float64, np.int64, np.float32])), axes
        return ones(shape, dtype), axes

    def wild_call(self):
        pool, count = self.one_of([(ONE, 1), (ONE, 1), (TWO, 2), (TWO, 2), (THREE, 3)])
        name = self.one_of(sorted(pool))
        function = pool[name]
        depth = self.one_of([1, 1, 1, 1, 2, 2, 3])
        n = self.one_of([0, 1, 2, 3, 3, 3, 2])
        args = tuple(self.argument(n, depth) for _ in range(count))
        if self.chance(0.02):
            args = self.one_of([(), args[:-1], (*args, ones(3, jnp.float32))])
        levels = tuple(self.level(args, n) for _ in range(depth))
        if depth > 1 and self.chance(0.5):
            # Make the inner levels see one axis less: write axes for the remaining shapes.
            levels = tuple(
                Level(
                    tuple(0 if self.chance(0.6) and jax.tree.leaves(a) else None for a in args),
                    level.out_axes if self.chance(0.4) else 0,
                    level.axis_size,
                    level.axis_name,
                )
                for level in levels
            )
        kwargs = {}
        if self.chance(0.12):
            moved = self.one_of(["b", "n", "fee", "how"])
            kwargs = {moved: args[-1]} if args else {moved: self.leaf(n, depth)}
            args = args[:-1]
            if self.chance(0.7):
                levels = tuple(
                    Level(
                        level.in_axes[: len(args)] if isinstance(level.in_axes, tuple) else 0,
                        level.out_axes,
                        level.axis_size,
                        level.axis_name,
                    )
                    for level in levels
                )
        return Call(name, function, args, kwargs, levels)


def real_verdict(call):
    """Run the real chain: (True, output) or (False, exception class name, text)."""
    try:
        function = call.function
        for level in call.levels:
            function = jax.vmap(
                function,
                in_axes=level.in_axes,
                out_axes=level.out_axes,
                axis_size=level.axis_size,
                axis_name=level.axis_name,
                sum_match=level.sum_match,
            )
        out = function(*call.args, **call.kwargs)
        return True, jax.tree.map(as_pair, out), ""
    except Exception as error:
        return False, type(error).__name__, str(error)


def as_pair(leaf):
    dtype = leaf.dtype if hasattr(leaf, "dtype") else jnp.result_type(leaf)
    return tuple(np.shape(leaf)), str(dtype)


def told_verdict(call, specs=False):
    args, kwargs = (call.args, call.kwargs)
    if specs:
        args, kwargs = jax.tree.map(as_spec, (args, kwargs))
    report = explain(call.function, args, kwargs, call.levels)
    if report.ok:
        return True, jax.tree.map(lambda s: (tuple(s.shape), str(s.dtype)), report.output), ""
    return False, report.error.exception, report.error.text


def as_spec(leaf):
    if isinstance(leaf, jax.Array):
        return jax.ShapeDtypeStruct(
            leaf.shape, leaf.dtype, weak_type=getattr(leaf, "weak_type", False)
        )
    return leaf


def told_or_crash(call, specs):
    try:
        return told_verdict(call, specs)
    except Exception as error:  # a crash of the engine is a disagreement too
        return None, type(error).__name__, str(error)


def disagreement(call):
    """Compare the real call with explain on arrays and on ShapeDtypeStructs; "" if all agree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        real = real_verdict(call)
        for specs in (False, True):
            told = told_or_crash(call, specs)
            if told[:2] != real[:2]:
                # JAX's caches take 2.0 for 2: after a refused axis_size=2.0 they may refuse a
                # right call. What an earlier call left there must not decide.
                jax.clear_caches()
                real = real_verdict(of_ones(call) if specs else call)
                told = told_or_crash(call, specs)
            if told[:2] != real[:2]:
                kind = "specs" if specs else "arrays"
                return (
                    f"{call.label} ({kind}) args={describe(call.args)} "
                    f"kwargs={describe(call.kwargs)} levels={call.levels}\n   real {real}\n"
                    f"   told {told}"
                )
    return ""


def of_ones(call):
    """The call with ones for arrays: what a ShapeDtypeStruct stands for where Python looks."""

    def one(leaf):
        is_numbers = isinstance(leaf, jax.Array) and not jnp.issubdtype(
            leaf.dtype, jax.dtypes.prng_key
        )
        return ones(leaf.shape, leaf.dtype) if is_numbers else leaf

    args, kwargs = jax.tree.map(one, (call.args, call.kwargs))
    return Call(call.label, call.function, args, kwargs, call.levels)


def describe(tree):
    return jax.tree.map(
        lambda x: f"{x.dtype}{list(x.shape)}" if hasattr(x, "shape") else repr(x), tree
    )


def spoiled(call, drawer):
    """Spoil the axes of a call that goes through: a repair of axes then exists by construction."""
    index = int(drawer.random.integers(len(call.levels)))
    level = call.levels[index]
    options = {name: getattr(level, name) for name in level.__dataclass_fields__}
    entries = options["in_axes"]
    as_tuple = tuple(entries) if isinstance(entries, tuple | list) else (entries,) * len(call.args)
    kind = drawer.one_of(["entry", "entry", "entry", "all", "length", "out", "size", "swap"])
    if kind == "entry" and as_tuple:
        i = int(drawer.random.integers(len(as_tuple)))
        new = drawer.one_of([None, 0, 1, 2, -1, -3, 3])
        options["in_axes"] = (*as_tuple[:i], new, *as_tuple[i + 1 :])
    elif kind == "all":
        options["in_axes"] = drawer.one_of([0, 1, None, -1])
    elif kind == "length":
        options["in_axes"] = drawer.one_of([as_tuple[:-1], (*as_tuple, 0), (*as_tuple, None)])
    elif kind == "out":
        options["out_axes"] = drawer.one_of(
            [None, 3, -4, 1, (0, 0), (0,), {"y": 0}, [0], (0, None)]
        )
    elif kind == "size":
        options["axis_size"] = drawer.one_of([2, 3, 5, -1])
    else:
        options["in_axes"] = tuple(reversed(as_tuple))
    levels = (*call.levels[:index], Level(**options), *call.levels[index + 1 :])
    return Call(call.label, call.function, call.args, call.kwargs, levels)
