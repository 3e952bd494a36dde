"""The parts of the page Vectorize about programs: prints and jaxprs, Python's if and for."""

import numpy as np
import streamlit as st

from playground.figures import vectorize as figures
from playground.figures.boards import board
from playground.lessons import vectorize
from playground.lessons.python_flow import BRANCHES, PythonFlowResult
from playground.lessons.tracing import PROGRAMS, square
from playground.lessons.vectorize import VectorizeSettings
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import checks, headline_row, plot, prose
from playground.ui.source import show_source, source_of
from playground.ui.tables import table
from playground.ui.work import compute


def tracing(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """The two kinds of print; the program for one example, of vmap and of the loop."""
    left, middle, right = st.columns([1, 1.3, 1.6], gap="medium")
    with left:
        panel.choose("traced", t("Batch size", "批大小"))
        panel.choose("program", t("Function to trace", "要追踪的函数"), style="select")
        panel.choose("looped", t("Show the loop's program", "显示循环的程序"))
    settings = panel.settings()
    result = compute(vectorize.tracing, settings.of_part())
    with middle:
        show_source(square)
        st.code(f"jax.vmap(square)(jnp.arange(1.0, {settings.traced + 1}))", language="python")
    with right:
        st.caption(t("What it printed", "打印出来的内容"))
        st.code("\n".join(result.lines), language=None, wrap_lines=True)
        kinds = ("lines of print", "lines of jax.debug.print")
        names = ("print", "jax.debug.print")
        headline_row([(n, result.summary[k]) for n, k in zip(names, kinds, strict=True)])
    prose("vectorize", "prints")
    st.subheader(t("The program", "程序"), anchor=False)
    function, in_axes = PROGRAMS[settings.program]
    one, mapped = st.columns(2, gap="medium")
    with one:
        st.caption(t("for one example: ", "单个样本：") + f"`make_jaxpr({function.__name__})`")
        st.code(source_of(function) + "\n\n" + result.one, language=None, wrap_lines=True)
    with mapped:
        axes = f", in_axes={in_axes}" if None in in_axes else ""
        st.caption(
            t("after vmap: ", "vmap 之后：") + f"`make_jaxpr(vmap({function.__name__}{axes}))`"
        )
        st.code(result.mapped, language=None, wrap_lines=True)
        for setting, before, after in result.changes:
            st.html(
                f'<div class="note">{setting}: <code>{before}</code> → '
                f'<mark class="batch">{after}</mark></div>'
            )
        has_loop = bool(result.summary["vmap's program contains while or scan"])
        checks([(not has_loop, t("no while and no scan in it", "其中没有 while，也没有 scan"))])
    sizes, loop = st.columns([1.4, 1], gap="medium")
    with sizes:
        plot(figures.program_sizes(result, lang()), "vectorize_program_sizes")
    with loop:
        if settings.looped:
            st.caption(
                t("the Python loop: ", "Python 循环：") + f"`stack([{function.__name__}(…), …])`"
            )
            st.code(result.looped, language=None, height=260)
    prose("vectorize", "programs")
    return settings


def python(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """The Python if, refused; its two repairs, run; the static for, unrolled."""

    def start_over() -> None:
        chosen = st.session_state[VectorizeSettings.key("branch")]
        usual = {"relu": "-1, 2, 3", "piecewise": "-2, 3"}[chosen]
        Panel.put(VectorizeSettings, VectorizeSettings(part="python", branch=chosen, values=usual))

    left, right = st.columns([1.2, 1.8], gap="medium")
    with left:
        panel.choose("branch", t("Function", "函数"), on_change=start_over)
        panel.choose("values", t("Batch of numbers", "一批数"), help=t("Up to 12.", "最多 12 个。"))
    settings = panel.settings()
    result = compute(vectorize.python, settings.of_part())
    by_if, by_where, by_cond = BRANCHES[settings.branch]
    with left:
        show_source(by_if)
    with right:
        if result.error:
            st.error(
                f"`jax.vmap({by_if.__name__})(xs)` → **{result.error}**", icon=":material/block:"
            )
            with st.expander(t("JAX said", "JAX 的原话")):
                st.code(result.text, language=None, wrap_lines=True)
        prose("vectorize", "if")
    for column, function, values in zip(
        st.columns(2, gap="medium", border=True),
        (by_where, by_cond),
        (result.by_where, result.by_cond),
        strict=True,
    ):
        with column:
            show_source(function)
            st.html(board(np.stack([result.values, values]), axis=1, caption=function.__name__))
            same = bool(np.allclose(values, result.one_by_one))
            checks([(same, t("equals the Python if, one by one", "与逐个执行的 Python if 相同"))])
    st.subheader(t("What else works, tried now", "还有哪些写法可行（刚刚试过）"), anchor=False)
    head = (t("under vmap", "在 vmap 中"), t("outcome", "结果"))
    rows = ((f"`{a.code}`", f"{'✓' if a.works else '✗'} `{a.outcome}`") for a in result.attempts)
    table(head, rows)
    st.subheader(
        t("A for with a static count is unrolled", "次数固定的 for 会被展开"), anchor=False
    )
    unrolling(panel, result)
    return panel.settings()


def unrolling(panel: Panel[VectorizeSettings], result: PythonFlowResult) -> None:
    """The slider for the count, the unrolled program, and how programs grow."""
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        panel.choose("rounds", t("Rounds", "循环次数"))
        settings = panel.settings()
        result = compute(vectorize.python, settings.of_part())
        sines = result.summary["sin operations"]
        st.code(result.unrolled, language=None, wrap_lines=True)
        checks(
            [
                (
                    sines == settings.rounds,
                    t(f"{sines} sin in the program", f"程序中有 {sines} 个 sin"),
                )
            ]
        )
    with right:
        plot(figures.unrolled(result, lang()), "vectorize_unrolled")
    prose("vectorize", "for")
