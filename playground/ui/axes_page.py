"""The cards of the Axes page: arguments, the strip, the answers of the engine."""

import inspect
from dataclasses import replace
from typing import Any

import streamlit as st

from playground.figures.boards import shape_html
from playground.lessons import axes, axes_answers
from playground.lessons.axes_call import AxesSettings, call_of
from playground.lessons.gallery import GALLERY
from playground.lessons.leaf_axes import in_axes_with
from playground.lessons.literals import LiteralError
from playground.ui.boards import argument_board, output_board, suggestion_buttons
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import strip
from playground.ui.view import view


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
            panel.choose("in_axes", "in_axes", help=_literal_help("(0, None)"))
            panel.choose("out_axes", "out_axes", help=_literal_help("0"))
            panel.choose("shapes", t("shapes", "形状"), help=_literal_help("((3, 5), (5,))"))
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


def _literal_help(example: str) -> str:
    return t(
        f"A Python literal such as `{example}`; empty means the usual call.",
        f"Python 字面量，例如 `{example}`；留空表示使用默认调用。",
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


def refusal(settings: AxesSettings) -> None:
    """Say in plain words why JAX refuses, and offer what repairs it."""
    told = axes_answers.refused(settings)
    if told is None:
        return
    st.error(told.summary(lang()), icon=":material/block:")
    if told.repairs and view().answers == "on":
        st.caption(t("Repairs, each of them tried:", "修正方法（每一个都试运行过）："))
        suggestion_buttons("repair", told.repairs, AxesSettings)
    with st.expander(t(f"JAX said: {told.exception}", f"JAX 的原话：{told.exception}")):
        st.code(told.text, language=None, wrap_lines=True)


def surprise(settings: AxesSettings) -> None:
    """Name the shape that people expect, where it is not the one that comes out."""
    other = axes_answers.surprise(settings)
    if other is not None and view().answers == "on":
        st.warning(
            t(
                f"**Expected {other.gives}?** The batch axis of the output is 0 unless you say "
                "otherwise, so what was mapped along another axis comes back along axis 0.",
                f"**以为会是 {other.gives}？** 不另行指定时，输出的批次轴是轴 0，"
                "所以沿别的轴映射的数据会沿轴 0 返回。",
            ),
            icon=":material/lightbulb:",
        )
        suggestion_buttons("surprise", [other], AxesSettings)


def want(panel: Panel[AxesSettings]) -> None:
    """Ask for a wanted output shape and show the calls that give it."""
    if view().answers == "off":
        return
    panel.choose(
        "want",
        t("I want this output shape", "我想要的输出形状"),
        help=_literal_help("(3, 5)"),
    )
    settings = panel.settings()
    if not settings.want.strip():
        return
    try:
        found, complete = axes_answers.wanted(settings)
    except LiteralError as error:
        st.warning(error.message(lang()))
        return
    if not found:
        st.info(t("No axes give that shape.", "没有哪种轴能得到这个形状。"))
    suggestion_buttons("want", found, AxesSettings)
    if not complete:
        st.caption(
            t("The search stopped early; there may be more.", "搜索提前停止，可能还有别的结果。")
        )


def needed(settings: AxesSettings, option: str) -> str:
    """Say which axes a wrongly predicted shape would need."""
    try:
        found, _ = axes_answers.choices_for(settings, axes_answers.read_want(option))
    except LiteralError:
        return ""
    if not found:
        return t("No axes give that shape.", "没有哪种轴能得到这个形状。")
    return t(f"That would need `{found[0].code}`.", f"要得到它，需要写 `{found[0].code}`。")
