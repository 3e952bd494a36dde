"""Argument boards with chips for their axes, and suggestions as buttons that apply themselves."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st

from playground.figures.boards import board, shape_html
from playground.foundation.settings import Settings
from playground.ui.controls import Panel, epoch
from playground.ui.language import lang, t
from playground.ui.view import view

SIZES = tuple(range(9))


def axis_words(axis: int | str | None) -> str:
    """Say how an argument is mapped."""
    if axis == "?":
        return t("not named by in_axes", "in_axes 没有提到它")
    if axis is None:
        return t("shared", "共享")
    return t(f"mapped along axis {axis}", f"沿轴 {axis} 映射")


def argument_board(
    position: int,
    shown: Any,
    lit: int,
    *,
    change_axis: Callable[[int, int | None], None],
    change_size: Callable[[int, int, int], None] | None,
    can_map: bool = True,
) -> None:
    """Show one array of a call: its chips, its cells, its sizes.

    Args:
        position: which leaf it is.
        shown: has `.name`, `.shape`, `.axis`, `.values`, and `.dtype` where it is not float32.
        lit: the example that is lit.
        change_axis: called with the position and the new axis.
        change_size: called with the position, the axis and its new size; None where the sizes
            cannot be changed.
        can_map: False for keyword arguments, whose axis is always 0.
    """
    axis, shape = shown.axis, shown.shape
    place = placed(axis, shape)
    dtype = getattr(shown, "dtype", "float32")
    st.markdown(f"`{shown.name}` · {shape} {dtype} — **{axis_words(axis)}**")
    with st.container(horizontal=True, vertical_alignment="center"):
        if can_map and not view().hides("axes_chips"):
            axis_chips(f"chip_{position}", shape, axis, lambda new: change_axis(position, new))
        if shape and change_size is not None and not view().hides("axes_sizes"):
            size_sliders(position, shape, change_size)
    if shown.values is None:
        st.html(f'<div class="card big">{shape_html(shape, place, axis is None)}</div>')
        return
    caption = f"{shown.name}, {shape}, {axis_words(axis)}"
    drawn = board(shown.values, axis=place, lit=lit, caption=caption, is_shared=axis is None)
    st.html(drawn)


def axis_chips(
    key: str,
    shape: Sequence[int],
    axis: int | str | None,
    change: Callable[[int | None], None],
    label: str = "",
) -> None:
    """Show a chip for each axis of an array, and one that shares it.

    Args:
        key: names the chips.
        shape: of the array as the vmap gets it.
        axis: its axis now, None when shared, "?" when nothing is said.
        change: called with the new axis.
        label: shown above; without it the chips stand alone.
    """
    place = placed(axis, shape)
    options = [str(i) for i in range(len(shape))] + ["None"]
    names = {str(i): t(f"axis {i} · {n}", f"轴 {i} · {n}") for i, n in enumerate(shape)}
    names["None"] = t("shared", "共享")
    if axis is not None and axis != "?" and place is None:
        options.insert(-1, str(axis))
        names[str(axis)] = t(f"axis {axis}: none", f"轴 {axis}：不存在")
    st.session_state[key] = None if axis == "?" else str(axis if place is None else place)

    def changed() -> None:
        chosen = st.session_state[key]
        if chosen is not None:
            change(None if chosen == "None" else int(chosen))

    st.pills(
        label or t("Which axis is mapped?", "映射哪根轴？"),
        options,
        format_func=lambda option: names[option],
        key=key,
        on_change=changed,
        label_visibility="visible" if label else "collapsed",
        required=axis != "?",
        wrap=True,
    )


def placed(axis: int | str | None, shape: Sequence[int]) -> int | None:
    """Count an axis from 0; None where the array has no such axis."""
    is_axis = isinstance(axis, int) and -len(shape) <= axis < len(shape)
    return axis % len(shape) if is_axis else None


def out_axes_chips(key: str, label: str, out_axes: Any, change: Callable[[str], None]) -> None:
    """Show where the batch axis of the outputs lands, where one axis is said for all of them."""
    if not isinstance(out_axes, int | None):
        return
    options = list(dict.fromkeys(["0", "1", "-1", "None", str(out_axes)]))
    st.session_state[key] = str(out_axes)
    st.segmented_control(
        label,
        options,
        key=key,
        on_change=lambda: st.session_state[key] and change(st.session_state[key]),
    )


def size_sliders(
    position: int, shape: Sequence[int], change_size: Callable[[int, int, int], None]
) -> None:
    """Show a button that opens a slider for the size of each axis."""
    with st.popover(t("sizes", "大小"), type="tertiary", key=f"sizes_{position}"):
        for i, size in enumerate(shape):
            key = f"size_{position}_{i}_{epoch()}"
            st.session_state[key] = size
            st.select_slider(
                t(f"size of axis {i}", f"轴 {i} 的大小"),
                sorted({*SIZES, size}),
                key=key,
                on_change=lambda i=i, key=key: change_size(position, i, st.session_state[key]),
            )


def output_board(shown: Any, lit: int) -> None:
    """Show one output: where the batch axis landed, and the slice of the lit example."""
    words = (
        t("does not vary over the batch", "不随批次变化")
        if shown.axis is None
        else t(f"batch axis {shown.axis}", f"批次轴为轴 {shown.axis}")
    )
    st.markdown(f"`{shown.name}` · {shown.shape} — **{words}**")
    if shown.values is None:
        st.html(f'<div class="card big">{shape_html(shown.shape, shown.axis)}</div>')
    else:
        is_shared = shown.axis is None
        caption = f"{shown.name}, {shown.shape}"
        st.html(board(shown.values, axis=shown.axis, lit=lit, caption=caption, is_shared=is_shared))


def suggestion_buttons[S: Settings](
    key: str, suggestions: Iterable[Any], kind: type[S], *, is_short: bool = False
) -> None:
    """Show calls to try as buttons that apply themselves; what a page cannot show is code.

    Args:
        key: names this row of buttons.
        suggestions: each with `.description(lang)`, `.gives`, `.code`, `.settings`.
        kind: settings class of the page.
        is_short: leaves out the code below the buttons.
    """
    only_code = []
    with st.container(horizontal=True):
        for number, one in enumerate(suggestions):
            if one.settings is None:
                only_code.append(one)
                continue
            st.button(
                f"{one.description(lang())} → {one.gives}",
                key=f"{key}_{number}",
                help=f"`{one.code}`",
                on_click=Panel.put,
                args=(kind, one.settings),
            )
    for one in [] if is_short else only_code:
        st.markdown(f"{one.description(lang())} → `{one.gives}`")
        st.code(one.code, language="python", wrap_lines=True)


def literal_help(example: str, empty: str = "") -> str:
    """Return the help of a control that takes a Python literal.

    Args:
        example: such a literal.
        empty: what an empty text means; the usual call when it is not said.
    """
    empty = empty or t("the usual call", "使用默认调用")
    return t(
        f"A Python literal such as `{example}`; empty means {empty}.",
        f"Python 字面量，例如 `{example}`；留空表示{empty}。",
    )
