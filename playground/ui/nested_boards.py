"""Boards of a call with two vmaps: chips for each level, both batch axes marked and named."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from playground.figures.boards import nested_board, nested_shape_html
from playground.ui.boards import axis_chips, size_sliders
from playground.ui.language import t
from playground.ui.view import view

INNER, OUTER = 0, 1


def level_name(level: int) -> str:
    """Name a vmap and the index of its examples."""
    return (
        t("outer vmap · i", "外层 vmap · i")
        if level == OUTER
        else t("inner vmap · j", "内层 vmap · j")
    )


def nested_argument_board(
    position: int,
    shown: Any,
    inner_shape: tuple[int, ...],
    lit: tuple[int, ...],
    *,
    change_axis: Callable[[int, int | None, int], None],
    change_size: Callable[[int, int, int], None],
    can_map: bool = True,
) -> None:
    """Show one array of a call: chips of the outer and of the inner vmap, its cells, its sizes.

    Args:
        position: which leaf it is.
        shown: has `.name`, `.shape`, `.axes`, `.places`, `.values`; axes are innermost first.
        inner_shape: the array as the inner vmap gets it.
        lit: the examples that are lit.
        change_axis: called with the position, the new axis and the level.
        change_size: called with the position, the axis and its new size.
        can_map: False for keyword arguments, whose axis is always 0.
    """
    mapped = ", ".join(
        f"{level_name(level)}: {_axis_words(shown.axes[level])}" for level in (OUTER, INNER)
    )
    has_chips = can_map and not view().hides("axes_chips")
    said = "" if has_chips else f" — **{mapped}**"
    st.markdown(f"`{shown.name}` · {shown.shape} float32{said}")
    if has_chips:
        for level, shape in ((OUTER, shown.shape), (INNER, inner_shape)):
            axis_chips(
                f"chip_{position}_{level}",
                shape,
                shown.axes[level],
                lambda axis, level=level: change_axis(position, axis, level),
                label=level_name(level),
            )
    if shown.shape and not view().hides("axes_sizes"):
        size_sliders(position, shown.shape, change_size)
    _cells(shown, lit, f"{shown.name}, {shown.shape}, {mapped}")


def _axis_words(axis: int | str | None) -> str:
    if axis == "?":
        return t("not named", "没有提到")
    return t("shared", "共享") if axis is None else t(f"axis {axis}", f"轴 {axis}")


def nested_output_board(shown: Any, lit: tuple[int, ...]) -> None:
    """Show one output: where both batch axes landed, and the example that is lit."""
    i, j = (
        t("none", "无") if place is None else t(f"axis {place}", f"轴 {place}")
        for place in reversed(shown.places)
    )
    words = t(f"i: {i}, j: {j}", f"i：{i}，j：{j}")
    st.markdown(f"`{shown.name}` · {shown.shape} — **{words}**")
    _cells(shown, lit, f"{shown.name}, {shown.shape}, {words}")


def _cells(shown: Any, lit: tuple[int, ...], caption: str) -> None:
    if shown.values is None:
        shape = nested_shape_html(shown.shape, shown.places)
        st.html(f'<div class="card big">{shape}</div>')
    else:
        st.html(nested_board(shown.values, places=shown.places, lit=lit, caption=caption))
