"""A changed call: what differs from the original, in words and as code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes import code
from playground.axes.leaves import abstract, mapped_leaves
from playground.axes.levels import Level

Pair = tuple[str, str]


@dataclass(frozen=True)
class Change:
    """A call derived from a refused one.

    Attributes:
        function: the per-example function, with keyword arguments bound where that is the change.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.
        expressions: how each positional argument is written.
        keyword_expressions: how each keyword argument is written.
        notes: changes that are not axes, in both languages.
        cost: what the notes cost in simplicity.
        steps: how many remedies led here.
    """

    function: Callable
    args: tuple
    kwargs: dict
    levels: tuple[Level, ...]
    expressions: tuple[str, ...]
    keyword_expressions: dict[str, str]
    notes: tuple[Pair, ...] = ()
    cost: float = 0.0
    steps: int = 0

    @property
    def key(self) -> str:
        """What makes two changes the same: the axes leaf by leaf, however they are written."""
        tree = jax.tree.structure((self.args, self.kwargs), is_leaf=batching.is_vmappable)
        levels = [
            (_axes_key(level, tree, self), replace(level, in_axes=0)) for level in self.levels
        ]
        return repr((self.expressions, self.keyword_expressions, levels, self.notes))

    @property
    def code(self) -> str:
        """The call to write."""
        return code.call(self.function, self.expressions, self.keyword_expressions, self.levels)


def _axes_key(level: Level, tree: Any, change: Change) -> Any:
    try:
        axes = mapped_leaves(tree, level)
    except Exception:
        return repr(level.in_axes)
    if isinstance(level.in_axes, tuple | list) and len(level.in_axes) != len(change.args):
        return repr(level.in_axes)
    leaves = jax.tree.leaves((change.args, change.kwargs), is_leaf=batching.is_vmappable)
    ranks = [len(getattr(abstract(leaf), "shape", ())) for leaf in leaves]
    return [a + r if type(a) is int and a < 0 else a for a, r in zip(axes, ranks, strict=True)]


def compact(before: Any, in_axes: tuple) -> Any:
    """Write in_axes as one int or None where it was written so and still can be."""
    single = before is None or type(before) is int
    if single and in_axes and all(same(entry, in_axes[0]) for entry in in_axes):
        return in_axes[0] if in_axes[0] is None or type(in_axes[0]) is int else in_axes
    return in_axes


def as_change(function: Callable, args: tuple, kwargs: dict, levels: tuple[Level, ...]) -> Change:
    """Start from the call as it is."""
    return Change(
        function,
        args,
        kwargs,
        levels,
        code.argument_expressions(function, args),
        code.keyword_expressions(kwargs),
    )


def entries(level: Level, count: int) -> list[Any]:
    """Write in_axes as one entry per positional argument; missing ones are the string "missing"."""
    axes = level.in_axes
    if isinstance(axes, tuple | list):
        return [*axes, *["missing"] * (count - len(axes))][:count]
    if axes is None or type(axes) is int:
        return [axes] * count
    return ["missing"] * count


def _entry_words(name: str, entry: Any) -> Pair:
    if entry is None:
        return f"share {name}", f"共享 {name}"
    if isinstance(entry, int):
        return f"map {name} along axis {entry}", f"沿第 {entry} 轴映射 {name}"
    return f"map {name} with {entry!r}", f"按 {entry!r} 映射 {name}"


def _out_words(axes: Any) -> Pair:
    if axes is None:
        return "return the output without a batch axis (out_axes None)", (
            "输出不带批次轴（out_axes 为 None）"
        )
    if type(axes) is int:
        return f"put the batch axis of the output at {axes} (out_axes)", (
            f"把输出的批次轴放在第 {axes} 轴（out_axes）"
        )
    return f"use out_axes={axes!r}", f"使用 out_axes={axes!r}"


def _level_words(old: Level, new: Level, names: Sequence[str]) -> list[Pair]:
    count = len(names)
    words = [
        _entry_words(name, after)
        for name, before, after in zip(names, entries(old, count), entries(new, count), strict=True)
        if not same(before, after)
    ]
    if not words and not same(old.in_axes, new.in_axes):
        words.append((f"use in_axes={new.in_axes!r}", f"使用 in_axes={new.in_axes!r}"))
    if not same(old.out_axes, new.out_axes):
        words.append(_out_words(new.out_axes))
    if old.axis_size != new.axis_size:
        words.append(
            ("leave axis_size out", "去掉 axis_size")
            if new.axis_size is None
            else (f"give axis_size={new.axis_size}", f"给出 axis_size={new.axis_size}")
        )
    if old.axis_name != new.axis_name:
        words.append(
            (
                f"name the batch axis {new.axis_name!r} (axis_name)",
                f"把批次轴命名为 {new.axis_name!r}（axis_name）",
            )
        )
    if old.sum_match != new.sum_match:
        words.append(
            ("sum the output over the batch (sum_match)", "在批次上对输出求和（sum_match）")
        )
    return words


def same(one: Any, other: Any) -> bool:
    """Compare axes: types count, so a list is no tuple and True is no 1."""
    return type(one) is type(other) and repr(one) == repr(other)


def description(original: Sequence[Level], change: Change, names: Sequence[str]) -> Pair:
    """Say what a change does.

    Args:
        original: the levels of the refused call.
        change: the changed call.
        names: names of the positional arguments of the changed call.

    Returns:
        One sentence in English and one in Chinese.
    """
    words = list(change.notes)
    last = len(original) - 1
    for i, (old, new) in enumerate(zip(original, change.levels, strict=True)):
        for english, chinese in _level_words(old, new, names):
            if last > 0:
                place = ("inner level", "内层") if i == 0 else ("outer level", "外层")
                if 0 < i < last:
                    place = (f"level {i + 1}", f"第 {i + 1} 层")
                english, chinese = f"{english} at the {place[0]}", f"在{place[1]}{chinese}"
            words.append((english, chinese))
    words = words or [("call it like this", "这样调用")]
    *firsts, (english, chinese) = words
    if firsts:
        english = ", ".join(e for e, _ in firsts) + " and " + english
        chinese = "，".join(c for _, c in firsts) + "，并" + chinese
    return english[0].upper() + english[1:] + ".", chinese + "。"


def simplicity(original: Sequence[Level], change: Change, blamed: int | None) -> float:
    """Rate a change: how much differs, a little less where it is the blamed argument.

    Args:
        original: the levels of the refused call.
        change: the changed call.
        blamed: index of the positional argument to blame.

    Returns:
        The smaller the simpler.
    """
    total = change.cost
    count = len(change.args)
    for old, new in zip(original, change.levels, strict=True):
        before, after = entries(old, count), entries(new, count)
        for i, (one, other) in enumerate(zip(before, after, strict=True)):
            if same(one, other) or (isinstance(one, str) and other == 0):
                continue
            axes = jax.tree.leaves(other) or [0]
            total += 1.0 - 0.2 * (i == blamed) + 0.05 * max(axes)
            total += 0.02 * (other is None) + 0.3 * (not (other is None or type(other) is int))
            # An argument that was shared on purpose stays shared rather than that one is mapped.
            total += 0.1 * (one is None)
        if not same(old.out_axes, new.out_axes):
            axes = jax.tree.leaves(new.out_axes) or [0]
            tree = not (new.out_axes is None or type(new.out_axes) is int)
            total += 1.0 + 0.05 * max(map(abs, axes)) + 0.1 * (new.out_axes is None) + 0.2 * tree
        total += 1.1 * (old.axis_size != new.axis_size) + 0.9 * (old.axis_name != new.axis_name)
        total += 1.4 * (old.sum_match != new.sum_match)
        # Nothing is mapped at all any more: allowed with axis_size, seldom meant.
        total += 0.5 * (not any(jax.tree.leaves(e) for e in after) and not change.kwargs)
    return total
