"""Drawing a call for the drill, by level of difficulty, and breaking it in a typical way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes import Level, Report, explain
from playground.practice import drill_functions as pool
from playground.practice.drill_functions import Piece

SIZES = (2, 3, 4, 5, 6, 7, 8)


@dataclass(frozen=True)
class Call:
    """One call on shapes.

    Attributes:
        topic: key of `TOPICS`.
        function: for ONE example.
        args: positional arguments: pytrees of jax.ShapeDtypeStruct.
        levels: the chain, innermost first.
        kwargs: keyword arguments.
    """

    topic: str
    function: FunctionType
    args: tuple
    levels: tuple[Level, ...]
    kwargs: dict[str, Any]

    def report(self) -> Report:
        """Ask the engine."""
        return explain(self.function, self.args, self.kwargs, levels=self.levels)


TOPICS: dict[str, tuple[int, str, str]] = {
    "shared": (1, "mapped or shared", "映射还是共享"),
    "later_axis": (2, "later axes in and out", "输入和输出的其他轴"),
    "trees": (3, "dicts and tuples", "字典与元组"),
    "keywords": (3, "keyword arguments", "关键字参数"),
    "nesting": (4, "nested vmap", "嵌套 vmap"),
    "gradients": (4, "per-example gradients", "逐样本梯度"),
}

type Generator = np.random.Generator


def pick[T](rng: Generator, options: tuple[T, ...] | list[T]) -> T:
    """Draw one of several."""
    return options[int(rng.integers(len(options)))]


def struct(shape: tuple[int, ...]) -> jax.ShapeDtypeStruct:
    """Describe a float32 array of a shape."""
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def _sizes(rng: Generator) -> dict[str, int]:
    """Give every letter and both batches sizes that are all different."""
    drawn = rng.permutation(SIZES)[:4]
    return dict(zip(("m", "n", "B", "C"), map(int, drawn), strict=True))


def _with_batch(shape: tuple[int, ...], size: int, axis: int) -> tuple[int, ...]:
    return (*shape[:axis], size, *shape[axis:])


def _simple(rng: Generator, topic: str, pieces: tuple[Piece, ...], *, is_later: bool) -> Call:
    piece, sizes = pick(rng, pieces), _sizes(rng)
    count = len(piece.inputs)
    mapped = [bool(rng.integers(2)) for _ in range(count)]
    mapped[int(rng.integers(count))] = True
    args, axes = [], []
    for letters, is_mapped in zip(piece.inputs, mapped, strict=True):
        shape = tuple(sizes[letter] for letter in letters)
        if not is_mapped:
            args.append(struct(shape))
            axes.append(None)
            continue
        axis = int(rng.integers(len(shape) + 1)) if is_later else 0
        args.append(struct(_with_batch(shape, sizes["B"], axis)))
        is_negative = is_later and rng.random() < 0.3
        axes.append(axis - len(shape) - 1 if is_negative else axis)
    rank = len(piece.output)
    out_axes = int(rng.integers(-rank - 1, rank + 1)) if is_later and rng.random() < 0.5 else 0
    return Call(topic, piece.function, tuple(args), (Level(tuple(axes), out_axes),), {})


def _shared(rng: Generator) -> Call:
    return _simple(rng, "shared", pool.SIMPLE, is_later=False)


def _later(rng: Generator) -> Call:
    return _simple(rng, "later_axis", pool.SIMPLE, is_later=True)


def _gradients(rng: Generator) -> Call:
    return _simple(rng, "gradients", pool.GRADIENTS, is_later=True)


def _dict_in(rng: Generator) -> Call:
    sizes = _sizes(rng)
    is_layer = bool(rng.integers(2))
    letters = {"w": "mn"} if is_layer else {"w": "n", "b": ""}
    axes = {name: pick(rng, (None, 0)) for name in letters}
    params = {}
    for name, of in letters.items():
        shape = tuple(sizes[letter] for letter in of)
        params[name] = struct(shape if axes[name] is None else (sizes["B"], *shape))
    x = (sizes["B"], sizes["n"])
    function = pool.layer if is_layer else pool.predict
    return Call("trees", function, (params, struct(x)), (Level((axes, 0)),), {})


def _dict_out(rng: Generator) -> Call:
    sizes = _sizes(rng)
    axis = pick(rng, (0, 1))
    out_axes = {"centred": pick(rng, (0, 1, -1)), "peak": 0}
    row = struct(_with_batch((sizes["n"],), sizes["B"], axis))
    return Call("trees", pool.spread, (row,), (Level(axis, out_axes),), {})


def _tuple_out(rng: Generator) -> Call:
    sizes = _sizes(rng)
    is_mapped = bool(rng.integers(2))
    factor = struct((sizes["B"],) if is_mapped else ())
    out_axes = pick(rng, ((0, 0), (1, 0), (0, None), (1, None)))
    row = struct((sizes["B"], sizes["n"]))
    in_axes = (0, 0 if is_mapped else None)
    return Call("trees", pool.scaled, (row, factor), (Level(in_axes, out_axes),), {})


def _keywords(rng: Generator) -> Call:
    sizes = _sizes(rng)
    axis = pick(rng, (0, 1))
    x = struct(_with_batch((sizes["n"],), sizes["B"], axis))
    slope = pick(rng, (struct(()), struct((sizes["n"],))))
    shift = pick(rng, (struct((sizes["B"],)), struct((sizes["B"],)), struct(())))
    in_axes = pick(rng, ((axis, None), (axis, None), (axis, None, None)))
    return Call("keywords", pool.affine, (x, slope), (Level(in_axes),), {"shift": shift})


def _nesting(rng: Generator) -> Call:
    sizes = _sizes(rng)
    pieces = [piece for piece in pool.SIMPLE if len(piece.inputs) == 2]
    piece = pick(rng, pieces)
    shapes = [tuple(sizes[letter] for letter in letters) for letters in piece.inputs]
    first = bool(rng.integers(2))  # whether the inner level walks the first argument
    later = bool(rng.random() < 0.4)
    args, places = [], []
    for shape, batch in zip(shapes, ("B", "C"), strict=True):
        axis = int(rng.integers(len(shape) + 1)) if later else 0
        args.append(struct(_with_batch(shape, sizes[batch], axis)))
        places.append(axis)
    one, other = (places[0], None), (None, places[1])
    inner, outer = (one, other) if first else (other, one)
    out_axes = pick(rng, (0, 0, 1))
    levels = (Level(inner), Level(outer, out_axes))
    return Call("nesting", piece.function, tuple(args), levels, {})


def _two_batches(rng: Generator) -> Call:
    sizes = _sizes(rng)
    order = rng.permutation(["B", "C", "n"])
    vector = struct(tuple(sizes[str(letter)] for letter in order))
    levels = tuple(Level(int(rng.integers(2))) for _ in range(2))
    return Call("nesting", pool.total, (vector,), levels, {})


RECIPES: dict[int, tuple[Callable[[Generator], Call], ...]] = {
    1: (_shared,),
    2: (_later,),
    3: (_dict_in, _dict_out, _tuple_out, _keywords, _keywords),
    4: (_nesting, _nesting, _two_batches, _gradients, _gradients),
}


def draw(rng: Generator, level: int) -> Call:
    """Draw a call that is usually accepted.

    Args:
        rng: the source of chance.
        level: 1 to 4.
    """
    return pick(rng, RECIPES[level])(rng)


def broken(rng: Generator, call: Call) -> Call:
    """Break a call in one of the ways in which people do; some changes leave it intact."""
    place = int(rng.integers(len(call.levels)))
    level = call.levels[place]
    entries = level.in_axes if isinstance(level.in_axes, tuple) else (level.in_axes,)
    position = int(rng.integers(len(entries)))
    plain = [i for i, e in enumerate(entries) if e is None or isinstance(e, int)]
    is_first = call.topic == "shared"  # only what the first level has spoken of
    ways: list[Level] = [
        replace(level, in_axes=(*entries, 0)),
        replace(level, in_axes=tuple(None for _ in entries)),
    ]
    if not is_first:
        ways += [replace(level, out_axes=None), replace(level, out_axes=3)]
    for i in plain:
        ways += [
            replace(level, in_axes=(*entries[:i], axis, *entries[i + 1 :]))
            for axis in ((0, None) if is_first else (0, 1, 3, None))
            if axis != entries[i]
        ]
    for i, entry in enumerate(entries):
        if isinstance(entry, dict) and len(entry) > 1:
            short = {"w": entry["w"]}
            ways += 3 * [replace(level, in_axes=(*entries[:i], short, *entries[i + 1 :]))]
    if rng.random() < 0.25:
        return _with_another_size(call, position)
    new = pick(rng, ways)
    return replace(call, levels=(*call.levels[:place], new, *call.levels[place + 1 :]))


def _with_another_size(call: Call, position: int) -> Call:
    """Let one mapped axis of one argument have one entry more."""
    arg, entry = call.args[position % len(call.args)], call.levels[-1].in_axes
    axis = entry[position] if isinstance(entry, tuple) and position < len(entry) else entry
    if not isinstance(axis, int) or not hasattr(arg, "shape"):
        return call
    shape = list(arg.shape)
    shape[axis] += 1
    place = position % len(call.args)
    args = (*call.args[:place], struct(tuple(shape)), *call.args[place + 1 :])
    return replace(call, args=args)
