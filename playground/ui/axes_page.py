"""The cards of the Axes page: function, arguments, the strip, outputs."""

import inspect
from dataclasses import replace
from typing import Any

import streamlit as st

from playground.figures.boards import shape_html
from playground.lessons import axes
from playground.lessons.axes_call import AxesSettings, call_of
from playground.lessons.gallery import GALLERY
from playground.lessons.leaf_axes import in_axes_with
from playground.ui.boards import argument_board, literal_help, output_board
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import strip


def function_card(panel: Panel[AxesSettings]) -> None:
    """Choose the per-example function; another function starts from its usual call."""

    def start_over() -> None:
        chosen = st.session_state[AxesSettings.key("function")]
        Panel.put(AxesSettings, AxesSettings(function=chosen))

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


def call_controls(panel: Panel[AxesSettings]) -> None:
    """The call as code, for what chips cannot say; always there, so that links can carry it."""
    with st.expander(
        t("The call in code: in_axes, axis_size, …", "用代码描述调用：in_axes、axis_size……")
    ):
        left, right = st.columns(2)
        with left:
            panel.choose("in_axes", "in_axes", help=literal_help("(0, None)"))
            panel.choose("out_axes", "out_axes", help=literal_help("0"))
            panel.choose("shapes", t("shapes", "形状"), help=literal_help("((3, 5), (5,))"))
        with right:
            panel.choose("axis_size", t("axis_size (-1: not given)", "axis_size（-1 表示不给出）"))
            panel.choose("axis_name", "axis_name")
            panel.choose(
                "keyword",
                t("Pass the last argument by keyword", "最后一个参数用关键字传递"),
                help=t(
                    "Keyword arguments are always mapped along axis 0.",
                    "关键字参数总是沿轴 0 映射。",
                ),
            )
            panel.choose(
                "sum_match",
                "sum_match",
                help=t(
                    "Sums over the batch what out_axes=None asks for.",
                    "对 out_axes=None 的输出按批求和。",
                ),
            )


def arguments(settings: AxesSettings, result: axes.AxesResult) -> None:
    """Show every array that is passed, with chips for its axes."""
    call = call_of(settings)
    keyword_leaves = len(result.arguments) if not call.keyword else len(result.arguments) - 1

    def change_axis(leaf: int, axis: int | None) -> None:
        Panel.put(AxesSettings, replace(settings, in_axes=in_axes_with(call, leaf, axis)))

    def change_size(leaf: int, axis: int, size: int) -> None:
        shapes = [list(shape) for shape in call.shapes]
        shapes[leaf][axis] = size
        new = repr(tuple(tuple(shape) for shape in shapes))
        Panel.put(AxesSettings, replace(settings, shapes=new), by_widget=True)

    columns = st.columns([max(2, len(b.shape)) for b in result.arguments], border=True)
    for position, (column, shown) in enumerate(zip(columns, result.arguments, strict=True)):
        with column:
            argument_board(
                position,
                shown,
                result.example,
                change_axis=change_axis,
                change_size=change_size,
                can_map=position < keyword_leaves,
            )


def flow(result: axes.AxesResult, is_revealed: bool) -> None:
    """Show the strip from outside to inside to out."""
    outside = "&nbsp; ".join(
        shape_html(b.shape, _place(b.axis, b.shape), b.axis is None) for b in result.arguments
    )
    size = result.batch_size
    taken = ", ".join(f"{b.name}: {b.axis}" for b in result.arguments if isinstance(b.axis, int))
    seen = [str(b.inside) if b.inside is not None else "?" for b in result.arguments]
    inner = " × ".join(seen)
    if is_revealed and result.ok:
        inner += " → " + ", ".join(str(b.inside) for b in result.outputs)
    out = "?"
    if is_revealed:
        out = "&nbsp; ".join(shape_html(b.shape, _place(b.axis, b.shape)) for b in result.outputs)
        out = out if result.ok else t("refused", "被拒绝")
    strip(
        [
            (
                t("OUTSIDE: what you pass", "外部：你传入的"),
                outside,
                t(f"batch axis of {taken}", f"批次轴 {taken}") if taken else "",
            ),
            (
                t(
                    f"INSIDE: what the function sees, {size} times",
                    f"内部：函数看到的（共 {size} 次）",
                )
                if size is not None
                else t("INSIDE: what the function sees", "内部：函数看到的"),
                inner,
                t("no batch axis here", "这里没有批次轴"),
            ),
            (t("OUT: where out_axes puts the batch", "输出：out_axes 决定批次轴的位置"), out, ""),
        ]
    )


def _place(axis: Any, shape: tuple[int, ...]) -> int | None:
    is_axis = isinstance(axis, int) and -len(shape) <= axis < len(shape)
    return axis % len(shape) if is_axis else None


def outputs(settings: AxesSettings, result: axes.AxesResult) -> None:
    """Show the outputs, with chips for the place of the batch axis."""
    options = ["0", "1", "-1", "None"]
    if isinstance(call_of(settings).level.out_axes, int | None):
        st.session_state["chip_out"] = str(call_of(settings).level.out_axes)
        st.segmented_control(
            t("out_axes: where the batch axis lands", "out_axes：批次轴放在哪里"),
            options,
            key="chip_out",
            on_change=lambda: Panel.put(
                AxesSettings,
                replace(settings, out_axes=st.session_state["chip_out"] or settings.out_axes),
            ),
        )
    if isinstance(call_of(settings).level.in_axes, list):
        st.caption(
            t(
                "A list works for in_axes today; the documented form is a tuple.",
                "in_axes 写成列表目前也能用，但文档规定的写法是元组。",
            )
        )
    for shown in result.outputs:
        output_board(shown, result.example)
    agree = [b.agrees for b in result.outputs if b.agrees is not None]
    if agree:
        i = result.example
        words = t(f"example {i} of the output", f"输出中的样本 {i}")
        equals = t(f"equals f(example {i})", f"等于 f(样本 {i})")
        differs = t(f"differs from f(example {i})", f"不等于 f(样本 {i})")
        mark, verdict = ("✓", equals) if all(agree) else ("✗", differs)
        st.html(
            f'<div class="below {"good" if all(agree) else "bad"}">{mark} {words} {verdict}</div>'
        )
