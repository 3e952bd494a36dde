"""The strips of the Axes page: outside, what the function sees, out; one strip for each vmap."""

from typing import Any

import streamlit as st

from playground.figures.boards import LEVELS, nested_shape_html, shape_html
from playground.lessons.axes import AxesResult
from playground.lessons.axes_outer import places
from playground.ui.boards import placed
from playground.ui.language import t
from playground.ui.nested_boards import INNER, OUTER, level_name
from playground.ui.show import strip


def flow(result: AxesResult, is_revealed: bool) -> None:
    """Show the strip of each vmap, the outer one first."""
    if len(result.levels) == 1:
        _single(result, is_revealed)
    else:
        _outer(result, is_revealed)
        _inner(result, is_revealed)


def _single(result: AxesResult, is_revealed: bool) -> None:
    level = result.levels[0]
    outside = "&nbsp; ".join(
        shape_html(b.shape, placed(b.axis, b.shape), b.axis is None) for b in result.arguments
    )
    inner = " × ".join("?" if shape is None else str(shape) for shape in level.seen)
    if is_revealed and result.ok and level.returned is not None:
        inner += " → " + ", ".join(str(shape) for shape in level.returned)
    out = "?"
    if is_revealed:
        out = "&nbsp; ".join(shape_html(b.shape, placed(b.axis, b.shape)) for b in result.outputs)
        out = out if result.ok else t("refused", "被拒绝")
    label = t("INSIDE: what the function sees", "内部：函数看到的")
    strip(
        [
            (t("OUTSIDE: what you pass", "外部：你传入的"), outside, _taken(result, 0)),
            (
                _times(label, level.batch_size),
                inner,
                t("no batch axis here", "这里没有批次轴"),
            ),
            (t("OUT: where out_axes puts the batch", "输出：out_axes 决定批次轴的位置"), out, ""),
        ]
    )


def _outer(result: AxesResult, is_revealed: bool) -> None:
    level = result.levels[OUTER]
    outside = "&nbsp; ".join(nested_shape_html(b.shape, b.places) for b in result.arguments)
    out = _end(result, OUTER, is_revealed)
    if is_revealed and result.ok:
        out = "&nbsp; ".join(nested_shape_html(b.shape, b.places) for b in result.outputs)
    label = t("BETWEEN: what the inner vmap sees", "中间：内层 vmap 看到的")
    _heading(OUTER)
    strip(
        [
            (t("OUTSIDE: what you pass", "外部：你传入的"), outside, _taken(result, OUTER)),
            (
                _times(label, level.batch_size),
                _between(result) + _returned(result, is_revealed),
                t("no axis i here", "这里没有轴 i"),
            ),
            (
                t("OUT: where the outer out_axes puts i", "输出：外层 out_axes 决定 i 的位置"),
                out,
                "",
            ),
        ]
    )


def _inner(result: AxesResult, is_revealed: bool) -> None:
    level = result.levels[INNER]
    inside = " × ".join("?" if shape is None else str(shape) for shape in level.seen)
    if is_revealed and level.returned is not None:
        inside += " → " + ", ".join(str(shape) for shape in level.returned)
    sizes = [one.batch_size for one in result.levels]
    count = None if None in sizes else (sizes[0] or 0) * (sizes[1] or 0)
    out = _end(result, INNER, is_revealed)
    if is_revealed and result.levels[OUTER].returned is not None:
        out = _returned(result, is_revealed).removeprefix(" → ")
    label = t("INSIDE: what the function sees", "内部：函数看到的")
    _heading(INNER)
    strip(
        [
            (
                t("OUTSIDE: what the outer vmap passes", "外部：外层 vmap 传入的"),
                _between(result),
                _taken(result, INNER),
            ),
            (_times(label, count), inside, t("no batch axis here", "这里没有批次轴")),
            (
                t("OUT: where the inner out_axes puts j", "输出：内层 out_axes 决定 j 的位置"),
                out,
                "",
            ),
        ]
    )


def _heading(level: int) -> None:
    st.html(f'<div class="level {LEVELS[level]}">{level_name(level)}</div>')


def _between(result: AxesResult) -> str:
    parts = []
    for board, shape in zip(result.arguments, result.levels[OUTER].seen, strict=True):
        if shape is None:
            parts.append("?")
        else:
            parts.append(nested_shape_html(shape, places(len(shape), board.axes[:1])))
    return "&nbsp; ".join(parts)


def _returned(result: AxesResult, is_revealed: bool) -> str:
    """Write what the inner vmap returns, with its batch axis where the outputs are known."""
    shapes = result.levels[OUTER].returned
    if not is_revealed or shapes is None:
        return ""
    axes: list[Any] = [board.axes[:1] for board in result.outputs] or [(None,)] * len(shapes)
    parts = [
        nested_shape_html(shape, places(len(shape), inner)) if result.ok else str(shape)
        for shape, inner in zip(shapes, axes, strict=True)
    ]
    return " → " + "&nbsp; ".join(parts)


def _end(result: AxesResult, level: int, is_revealed: bool) -> str:
    if not is_revealed:
        return "?"
    is_here = result.levels[level].is_refusing
    return t("refused here", "在此处被拒绝") if is_here else t("not reached", "未执行到此处")


def _taken(result: AxesResult, level: int) -> str:
    axes = [(board.name, board.axes[level]) for board in result.arguments]
    taken = ", ".join(f"{name}: {axis}" for name, axis in axes if isinstance(axis, int))
    return t(f"batch axis of {taken}", f"批次轴 {taken}") if taken else ""


def _times(label: str, count: int | None) -> str:
    return label if count is None else label + t(f", {count:,} times", f"（共 {count:,} 次）")
