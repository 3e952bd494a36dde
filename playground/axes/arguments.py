"""Remedies that change the arguments of a call; see remedies.py."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp

from playground.axes.alternatives import other_axes
from playground.axes.changes import Change, Pair, entries
from playground.axes.diagnosis import Diagnosis
from playground.axes.running import Run

FALLBACK_SIZE = 4
MOST_SPLIT = 4096


def set_level(change: Change, index: int, **values: Any) -> Change:
    """Change options of one level."""
    levels = list(change.levels)
    levels[index] = replace(levels[index], **values)
    return replace(change, levels=tuple(levels))


def _note(change: Change, english: str, chinese: str, cost: float, **values: Any) -> Change:
    notes: tuple[Pair, ...] = (*change.notes, (english, chinese))
    return replace(change, notes=notes, cost=change.cost + cost, **values)


def _batch_size(change: Change, index: int, skip: str) -> int:
    """Return the size of other mapped axes at a level, or a fallback."""
    level = change.levels[index]
    if isinstance(level.axis_size, int) and level.axis_size > 0:
        return level.axis_size
    for i, (argument, entry) in enumerate(
        zip(change.args, entries(level, len(change.args)), strict=True)
    ):
        shape = getattr(argument, "shape", None)
        usable = f"args[{i}]" != skip and shape and type(entry) is int
        if usable and -len(shape) <= entry < len(shape) and shape[entry] != 1:
            return shape[entry]
    for name, value in change.kwargs.items():
        shape = getattr(value, "shape", None)
        if shape and f'kwargs["{name}"]' != skip:
            return shape[0]
    return FALLBACK_SIZE


def keyword_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    """Pass keyword arguments by position, then try other axes for them."""
    moved = _by_position(change)
    if moved is not None:
        yield moved
        yield from other_axes(moved, None)


def _by_position(change: Change) -> Change | None:
    """Pass the keyword arguments by position, as far as the function's signature allows."""
    try:
        parameters = list(inspect.signature(change.function).parameters.values())
    except (TypeError, ValueError):
        return None
    args, expressions = list(change.args), list(change.expressions)
    kwargs, written = dict(change.kwargs), dict(change.keyword_expressions)
    moved = []
    for parameter in parameters[len(args) :]:
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or parameter.name not in kwargs:
            break
        args.append(kwargs.pop(parameter.name))
        expressions.append(written.pop(parameter.name))
        moved.append(parameter.name)
    if not moved:
        return None
    levels = []
    for level in change.levels:
        given = len(level.in_axes) if isinstance(level.in_axes, tuple | list) else len(change.args)
        now = entries(level, max(given, len(change.args)))
        new = [*now, *([0] * len(args))][: len(args)]
        levels.append(replace(level, in_axes=tuple(0 if isinstance(e, str) else e for e in new)))
    names = ", ".join(moved)
    return _note(
        change,
        f"pass {names} by position",
        f"按位置传入 {names}",
        0.3,
        args=tuple(args),
        kwargs=kwargs,
        expressions=tuple(expressions),
        keyword_expressions=written,
        levels=tuple(levels),
    )


def leaf_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    """Change the argument that cannot be mapped: split a key, repeat a scalar, bind a string."""
    if found.argument.startswith("kwargs"):
        yield from keyword_remedies(change, found, run)
    if len(change.levels) > 1:
        return
    name, size = found.facts.get("name", ""), _batch_size(change, 0, found.argument)
    for target in _whole_arguments(change, found.argument):
        value, text, put = target
        if found.kind == "key_mapped":
            yield _note(
                put(_split(value, size), f"jax.random.split({text}, {size})"),
                f"split {name} into {size} keys",
                f"把 {name} 拆分成 {size} 个 key",
                0.6,
            )
        elif found.kind == "scalar_mapped":
            yield _note(
                put(_full(value, size), f"jnp.full({size}, {text})"),
                f"repeat {name} for {size} examples",
                f"把 {name} 重复给 {size} 个样本",
                1.6,
            )
    if found.argument.startswith('kwargs["') and found.argument.count('"') == 2:
        key = found.argument.split('"')[1]
        if not _movable(change.function, key):
            yield _bound(change, key)


def _movable(function: Callable, name: str) -> bool:
    try:
        parameter = inspect.signature(function).parameters[name]
    except (TypeError, ValueError, KeyError):
        return False
    return parameter.kind is parameter.POSITIONAL_OR_KEYWORD


def _bound(change: Change, key: str) -> Change:
    kwargs = {k: v for k, v in change.kwargs.items() if k != key}
    return _note(
        change,
        f"bind {key} with functools.partial",
        f"用 functools.partial 绑定 {key}",
        1.5,
        function=functools.partial(change.function, **{key: change.kwargs[key]}),
        kwargs=kwargs,
        keyword_expressions={k: v for k, v in change.keyword_expressions.items() if k != key},
    )


def _whole_arguments(change: Change, path: str) -> Iterator[tuple[Any, str, Callable]]:
    """Yield the blamed argument if it is a whole one: value, text and how to replace it."""
    for i, value in enumerate(change.args):
        if path == f"args[{i}]":

            def put(new: Any, text: str, i: int = i) -> Change:
                args = (*change.args[:i], new, *change.args[i + 1 :])
                texts = (*change.expressions[:i], text, *change.expressions[i + 1 :])
                return replace(change, args=args, expressions=texts)

            yield value, change.expressions[i], put
    for key, value in change.kwargs.items():
        if path == f'kwargs["{key}"]':

            def put_keyword(new: Any, text: str, key: str = key) -> Change:
                return replace(
                    change,
                    kwargs={**change.kwargs, key: new},
                    keyword_expressions={**change.keyword_expressions, key: text},
                )

            yield value, change.keyword_expressions[key], put_keyword


def _split(key: Any, size: int) -> Any:
    if isinstance(key, jax.ShapeDtypeStruct) or size > MOST_SPLIT:
        return jax.ShapeDtypeStruct((size, *key.shape), key.dtype)
    return jax.random.split(key, size)


def _full(value: Any, size: int) -> Any:
    if isinstance(value, jax.ShapeDtypeStruct):
        return jax.ShapeDtypeStruct((size,), value.dtype)
    if size > MOST_SPLIT:
        return jax.ShapeDtypeStruct((size,), jnp.result_type(value))
    return jnp.full(size, value)


def size_remedies(change: Change, found: Diagnosis, run: Run) -> Iterator[Change]:
    """Remove an axis of length 1 and share the argument."""
    if len(change.levels) > 1 or found.facts.get("size") != 1:
        return
    axis, name = found.facts["axis"], found.facts["name"]
    for value, text, put in _whole_arguments(change, found.argument):
        if not hasattr(value, "shape") or found.argument.startswith("kwargs"):
            continue
        position = _position(found.argument)
        shape = list(value.shape)
        del shape[axis]
        new = (
            jax.ShapeDtypeStruct(tuple(shape), value.dtype)
            if isinstance(value, jax.ShapeDtypeStruct)
            else value.reshape(tuple(shape))
        )
        squeezed = put(new, f"jnp.squeeze({text}, {axis})")
        now = entries(change.levels[0], len(change.args))
        now[position] = None
        yield _note(
            set_level(squeezed, 0, in_axes=tuple(now)),
            f"remove the axis of length 1 of {name}",
            f"去掉 {name} 长度为 1 的轴",
            0.2,
        )


def _position(path: str) -> int:
    return int(path[len("args[") : path.index("]")])
