"""The cards of the Axes page: function, call, arguments, outputs, at one level or at two."""

import inspect
from dataclasses import replace
from typing import Any

import streamlit as st

from playground.lessons.axes import AxesResult
from playground.lessons.axes_call import AxesSettings, call_of
from playground.lessons.axes_changes import in_axes_with, with_outer, without_outer
from playground.lessons.axes_outer import inner_shapes
from playground.lessons.gallery import GALLERY
from playground.ui.boards import argument_board, literal_help, out_axes_chips, output_board
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.nested_boards import (
    INNER,
    OUTER,
    level_name,
    nested_argument_board,
    nested_output_board,
)
from playground.ui.show import verdict

NAMES = ("in_axes", "out_axes", "axis_size", "axis_name", "sum_match")
FIELDS = ({name: name for name in NAMES}, {name: f"outer_{name}" for name in NAMES})
"""What the settings call the arguments of each vmap, innermost first."""


def function_card(panel: Panel[AxesSettings]) -> None:
    """Choose the per-example function; another function starts from its usual call."""

    def start_over() -> None:
        chosen = st.session_state[AxesSettings.key("function")]
        Panel.put(AxesSettings, AxesSettings(function=chosen, outer=panel.settings().outer))

    chosen = panel.choose(
        "function",
        t("Function for one example", "单个样本的函数"),
        style="select",
        on_change=start_over,
        help=t("Written without a thought of batches.", "写的时候完全不考虑批次。"),
    )
    source = inspect.getsource(GALLERY[chosen].function).rstrip()
    st.code(source, language="python", wrap_lines=True)
    st.caption(GALLERY[chosen].says(lang()))


def outer_toggle(panel: Panel[AxesSettings]) -> None:
    """Put a second vmap around the call, or take it away."""

    def changed() -> None:
        is_on = st.session_state[AxesSettings.key("outer")]
        settings = panel.settings()
        Panel.put(AxesSettings, with_outer(settings) if is_on else without_outer(settings))

    panel.choose(
        "outer",
        t("A second vmap around it", "外面再套一层 vmap"),
        on_change=changed,
        help=t(
            "It maps what the inner vmap shares, or a second batch axis where nothing is shared.",
            "外层映射内层所共享的参数；如果没有共享的参数，就再加一根批次轴。",
        ),
    )


def examples(panel: Panel[AxesSettings], result: AxesResult) -> None:
    """Choose the example that is lit at each level."""
    names = [("example", t("Example i", "样本 i"))]
    if len(result.levels) == 2:
        names = [
            ("example", t("Example j (inner vmap)", "样本 j（内层 vmap）")),
            ("outer_example", t("Example i (outer vmap)", "样本 i（外层 vmap）")),
        ]
    for (name, label), level in reversed(list(zip(names, result.levels, strict=True))):
        size = level.batch_size or 0
        if size > 1:
            panel.choose(name, label, options=range(size) if size <= 32 else None)


def call_controls(panel: Panel[AxesSettings], has_outer: bool) -> None:
    """The call as code, for what chips cannot say; always there, so that links can carry it."""
    with st.expander(
        t("The call in code: in_axes, axis_size, …", "用代码描述调用：in_axes、axis_size……")
    ):
        left, right = st.columns(2)
        if has_outer:
            for column, level in ((left, OUTER), (right, INNER)):
                with column:
                    st.caption(level_name(level))
                    _axes(panel, level)
                    _options(panel, level)
            left, right = st.columns(2, vertical_alignment="bottom")
        with left:
            if not has_outer:
                _axes(panel, INNER)
            usual = "((2, 3, 5), (2, 5))" if has_outer else "((3, 5), (5,))"
            panel.choose("shapes", t("shapes", "形状"), help=literal_help(usual))
        with right:
            if not has_outer:
                _options(panel, INNER)
            panel.choose(
                "keyword",
                t("Pass the last argument by keyword", "最后一个参数用关键字传递"),
                help=t(
                    "Keyword arguments are always mapped along axis 0.",
                    "关键字参数总是沿轴 0 映射。",
                ),
            )


def _axes(panel: Panel[AxesSettings], level: int) -> None:
    of = t(" (outer)", "（外层）") if level == OUTER else ""
    panel.choose(FIELDS[level]["in_axes"], f"in_axes{of}", help=literal_help("(0, None)"))
    panel.choose(FIELDS[level]["out_axes"], f"out_axes{of}", help=literal_help("0"))


def _options(panel: Panel[AxesSettings], level: int) -> None:
    of = t(" (outer)", "（外层）") if level == OUTER else ""
    size = t(f"axis_size{of} (-1: not given)", f"axis_size{of}（-1 表示不给出）")
    panel.choose(FIELDS[level]["axis_size"], size)
    panel.choose(FIELDS[level]["axis_name"], f"axis_name{of}")
    panel.choose(
        FIELDS[level]["sum_match"],
        f"sum_match{of}",
        help=t(
            "Sums over the batch what out_axes=None asks for.",
            "对 out_axes=None 的输出按批求和。",
        ),
    )


def arguments(settings: AxesSettings, result: AxesResult) -> None:
    """Show every array that is passed, with chips for its axes at each level."""
    call = call_of(settings)
    keyword_leaves = len(result.arguments) if not call.keyword else len(result.arguments) - 1

    def change_axis(leaf: int, axis: int | None, level: int = 0) -> None:
        changed = {FIELDS[level]["in_axes"]: in_axes_with(call, leaf, axis, level)}
        Panel.put(AxesSettings, replace(settings, **changed))

    def change_size(leaf: int, axis: int, size: int) -> None:
        shapes = [list(shape) for shape in call.shapes]
        shapes[leaf][axis] = size
        new = repr(tuple(tuple(shape) for shape in shapes))
        Panel.put(AxesSettings, replace(settings, shapes=new), by_widget=True)

    between = inner_shapes(call.shapes, call.axes[-1])
    columns = st.columns([max(2, len(b.shape)) for b in result.arguments], border=True)
    for position, (column, shown) in enumerate(zip(columns, result.arguments, strict=True)):
        changes: dict[str, Any] = {"change_axis": change_axis, "change_size": change_size}
        can_map = position < keyword_leaves
        with column:
            if len(call.levels) == 1:
                argument_board(position, shown, result.lit[0], **changes, can_map=can_map)
            else:
                inner = between[position]
                nested_argument_board(
                    position, shown, inner, result.lit, **changes, can_map=can_map
                )


def outputs(settings: AxesSettings, result: AxesResult) -> None:
    """Show the outputs, with chips for the place of each batch axis."""
    levels = call_of(settings).levels
    label = t("out_axes: where the batch axis lands", "out_axes：批次轴放在哪里")
    for level in reversed(range(len(levels))):
        name = FIELDS[level]["out_axes"]
        out_axes_chips(
            "chip_out" if level == 0 else "chip_outer_out",
            label if len(levels) == 1 else f"{level_name(level)}: out_axes",
            levels[level].out_axes,
            lambda chosen, name=name: Panel.put(AxesSettings, replace(settings, **{name: chosen})),
        )
    if any(isinstance(level.in_axes, list) for level in levels):
        st.caption(
            t(
                "A list works for in_axes today; the documented form is a tuple.",
                "in_axes 写成列表目前也能用，但文档规定的写法是元组。",
            )
        )
    for shown in result.outputs:
        if len(levels) == 1:
            output_board(shown, result.lit[0])
        else:
            nested_output_board(shown, result.lit)
    lit = str(result.lit[0]) if len(levels) == 1 else str(result.lit[::-1])
    verdict(lit, [board.agrees for board in result.outputs if board.agrees is not None])
