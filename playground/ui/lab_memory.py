"""Memory and chunk sizes of the user's own call: compiler and clock are asked in the sandbox."""

from dataclasses import replace
from typing import Any

import streamlit as st

from playground.figures.chunks import memory_curve
from playground.foundation.limits import MIB, readable_bytes
from playground.measure.advice import choose
from playground.measure.answering import rows_from
from playground.measure.chunk_code import chunk_code
from playground.practice import lab
from playground.practice.lab import LabSettings
from playground.practice.lab_answer import Explained
from playground.sandbox import Outcome
from playground.sandbox.sentences import explain as sentence
from playground.ui import chunk_views
from playground.ui.controls import Panel
from playground.ui.lab_page import session
from playground.ui.language import lang, t
from playground.ui.show import headline_row, plot, prose

WHY_NOT = {
    "named_axis": (
        "No chunks: a call with axis_name, axis_size or sum_match needs its whole batch.",
        "无法分块：带 axis_name、axis_size 或 sum_match 的调用需要整批数据。",
    ),
    "out_axes": (
        "Chunks come back along axis 0; set out_axes to 0 to look for a chunk size.",
        "分块结果沿轴 0 返回；要寻找分块大小，请把 out_axes 设为 0。",
    ),
    "argument_bytes": (
        "The arguments are too large to be measured here; the compiler's numbers stand above.",
        "参数太大，无法在这里实测；上面是编译器给出的数字。",
    ),
}


def memory(panel: Panel[LabSettings], told: Explained) -> None:
    """Show the button that asks, and what came of it."""
    if not told.ok:
        return
    st.subheader(t("Memory and chunk size", "内存与分块大小"), anchor=False)
    prose("lab", "memory")
    panel.choose("budget_mib", t("Memory budget", "内存预算"), unit="MiB")
    settings = panel.settings()
    key = replace(settings, budget_mib=lab.BUDGETS_MIB[0], want="", example=0)
    st.button(
        t("Ask compiler and clock", "询问编译器并计时"),
        key="lab_measure",
        on_click=_wish,
        args=(key,),
        icon=":material/memory:",
    )
    if st.session_state.get("lab_wish") == key:
        st.session_state["lab_wish"] = None
        with st.spinner(t("Compiling and timing …", "正在编译和计时……"), show_time=lang() == "en"):
            st.session_state["lab_memory"] = key, lab.ask_memory(settings, session())
    known, outcome = st.session_state.get("lab_memory", (None, None))
    if known == key and outcome is not None:
        _show(settings, told, outcome)


def _wish(key: LabSettings) -> None:
    st.session_state["lab_wish"] = key


def _show(settings: LabSettings, told: Explained, outcome: Outcome) -> None:
    if not outcome.ok:
        st.warning(sentence(outcome, lang()), icon=":material/error:")
        return
    try:
        value: dict[str, Any] = outcome.value
        temporary, output, argument = (int(size) for size in value["whole"])
        rows, batch_size = rows_from(value["rows"]), int(value["batch_size"])
        why_not = str(value["why_not"])
    except (ValueError, TypeError, KeyError, OverflowError):
        st.warning(t("The run brought no answer.", "这次运行没有带回结果。"))
        return
    headline_row(
        [
            (t("Temporaries of one vmap", "一次 vmap 的临时内存"), readable_bytes(temporary)),
            (t("Outputs", "输出"), readable_bytes(output)),
            (t("Arguments", "参数"), readable_bytes(argument)),
        ]
    )
    if why_not in WHY_NOT:
        st.info(t(*WHY_NOT[why_not]), icon=":material/info:")
    if not rows:
        return
    advice = choose(rows, batch_size, settings.budget_mib * MIB)
    chunk_views.show_verdict(advice)
    plot(memory_curve(advice, lang()), "lab_memory_curve")
    chunk_views.show_times(advice)
    best = advice.chunk_size
    if best is not None and best < batch_size and settings.levels == 1:
        _code(settings, told, best)


def _code(settings: LabSettings, told: Explained, size: int) -> None:
    """Show the call in chunks as code, where it has positional arguments alone."""
    names = tuple(dict.fromkeys(leaf.name.partition("[")[0] for leaf in told.leaves))
    axes = lab.read_axes(settings.in_axes)
    is_plain = isinstance(axes, tuple) and len(axes) == len(names)
    if is_plain and not any(leaf.is_keyword for leaf in told.leaves):
        whole = [axis for axis in axes if axis is None or type(axis) is int]
        if len(whole) == len(axes):
            st.code(chunk_code(told.function, names, axes, size, None), language="python")
