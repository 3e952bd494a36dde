"""The boards of the Lab page: what is passed, the strip through every level, what comes out."""

from dataclasses import replace

import streamlit as st

from playground.figures.boards import shape_html
from playground.practice.lab import LabSettings
from playground.practice.lab_answer import Explained, LabBoard, Shape
from playground.practice.lab_changes import resizable, with_axis, with_size
from playground.ui.boards import argument_board, out_axes_chips, output_board, placed
from playground.ui.controls import Panel
from playground.ui.language import t
from playground.ui.show import strip, verdict
from playground.ui.view import view

BOARDS_IN_A_ROW = 3


def arguments(settings: LabSettings, told: Explained, example: int) -> None:
    """Show every leaf that is passed, with chips for its axis at the outermost level."""
    can_resize = resizable(settings)

    def change_axis(leaf: int, axis: int | None) -> None:
        Panel.put(LabSettings, with_axis(settings, told.leaves[leaf], axis))

    def change_size(leaf: int, axis: int, size: int) -> None:
        Panel.put(LabSettings, with_size(settings, leaf, axis, size), by_widget=True)

    for first in range(0, len(told.leaves), BOARDS_IN_A_ROW):
        row = told.leaves[first : first + BOARDS_IN_A_ROW]
        columns = st.columns([max(2, min(len(b.shape), 3)) for b in row], border=True)
        for position, (column, board) in enumerate(zip(columns, row, strict=True), start=first):
            with column:
                if board.python:
                    _python_value(board)
                    continue
                is_free = position < len(can_resize) and can_resize[position]
                argument_board(
                    position,
                    board,
                    example,
                    change_axis=change_axis,
                    change_size=change_size if is_free else None,
                    can_map=not board.is_keyword,
                )


def _python_value(board: LabBoard) -> None:
    words = t("shared", "共享") if board.axis is None else t("mapped", "被映射")
    st.markdown(f"`{board.name}` · {board.dtype} — **{words}**")
    st.code(board.python, language="python")


def flow(told: Explained, is_revealed: bool) -> None:
    """Show the strip from outside through every level to out."""
    shown = [board for board in told.leaves if not board.python]
    outside = "&nbsp; ".join(
        shape_html(b.shape, placed(b.axis, b.shape), b.axis is None) for b in shown
    )
    stages = [(t("OUTSIDE: what you pass", "外部：你传入的"), outside, "")]
    if len(told.levels) == 2:
        outer = told.levels[-1]
        stages.append(
            (
                _times(
                    t("BETWEEN: what the inner vmap gets", "中间：内层 vmap 得到的"), outer.size
                ),
                _seen(told, outer.seen, 0),
                "",
            )
        )
    inner = told.levels[0]
    sizes = [level.size for level in told.levels]
    count = None
    if None not in sizes:
        count = 1
        for size in sizes:
            count *= size or 0
    inside = _seen(told, inner.seen, None)
    if is_revealed and told.ok and inner.outputs is not None:
        inside += " → " + ", ".join(str(shape) for shape in inner.outputs)
    label = t("INSIDE: what the function sees", "内部：函数看到的")
    stages.append((_times(label, count), inside, t("no batch axis here", "这里没有批次轴")))
    out = "?"
    if is_revealed:
        out = "&nbsp; ".join(shape_html(b.shape, placed(b.axis, b.shape)) for b in told.outputs)
        out = out if told.ok else t("refused", "被拒绝")
    stages.append(
        (t("OUT: where out_axes puts the batch", "输出：out_axes 决定批次轴的位置"), out, "")
    )
    strip(stages)


def _times(label: str, count: int | None) -> str:
    return label if count is None else label + t(f", {count:,} times", f"（共 {count:,} 次）")


def _seen(told: Explained, shapes: tuple[Shape | None, ...] | None, level: int | None) -> str:
    if shapes is None or len(shapes) != len(told.leaves):
        return "?"
    parts = []
    for board, shape in zip(told.leaves, shapes, strict=True):
        if shape is None or board.python:
            continue
        axis = None if level is None else board.axes[level]
        is_shared = level is not None and axis is None
        parts.append(shape_html(shape, placed(axis, shape), is_shared))
    return "&nbsp; ".join(parts)


def outputs(settings: LabSettings, told: Explained, example: int) -> None:
    """Show the outputs, chips for the place of their batch axis, and the example that is lit."""
    if settings.out_axes.strip() in ("", "0", "1", "-1", "None") and not view().hides("out_axes"):
        written = settings.out_axes.strip() or "0"
        out_axes_chips(
            "lab_chip_out",
            t("out_axes: where the batch axis lands", "out_axes：批次轴放在哪里"),
            None if written == "None" else int(written),
            lambda chosen: Panel.put(LabSettings, replace(settings, out_axes=chosen)),
        )
    for board in told.outputs:
        output_board(board, example)
    known = [board.agrees[example] for board in told.outputs if example < len(board.agrees)]
    inner = "f" if len(told.levels) == 1 else "vmap(f)"
    verdict(str(example), [one for one in known if one is not None], inner)
