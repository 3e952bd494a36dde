"""Many points on the page Nest: a user's own file, and matrices too large to keep."""

import hashlib
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from playground.figures import nest_points as figures
from playground.figures.nest import value_name
from playground.foundation.limits import place
from playground.lessons import large, own_points
from playground.lessons.distance_input import PointsRefused
from playground.lessons.nest import NestSettings
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import plot, prose
from playground.ui.work import long_work

MOST_PROBLEMS = 12


def own(panel: Panel[NestSettings]) -> None:
    """Distances of the points in an uploaded file, or the reason why there are none."""
    prose("nest", "own")
    file = st.file_uploader(
        t("CSV file, one point per line", "CSV 文件，每行一个点"), ["csv", "tsv", "txt"]
    )
    example = "name,height,width\nA,1.0,2.0\nB,1.1,2.1\nC,5.0,0.5\nD,,1.0\nE,4.8,0.4\n"
    if file is None:
        st.caption(t("An example, until you choose a file:", "在你选择文件之前，先用这个例子："))
        st.code(example, language=None)
    data = example.encode() if file is None else file.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    try:
        names = _once("nest_own_names", digest, lambda: own_points.column_names(data))
        taken = tuple(st.multiselect(t("Columns to use", "使用的列"), names, names))
        asked = own_points.OwnPoints(data, taken, panel.settings().metric)
        token = (digest, taken, asked.metric)
        result = _once("nest_own_result", token, lambda: own_points.compute(asked))
    except PointsRefused as refusal:
        st.warning(refusal.message(lang()), icon=":material/front_hand:")
        return
    _own_result(asked, result)


def _once[R](key: str, token: Any, function: Callable[[], R]) -> R:
    """Compute once for this session: what users upload stays out of the cache that all share."""
    kept = st.session_state.get(key)
    if kept is None or kept[0] != token:
        with place():
            kept = (token, function())
        st.session_state[key] = kept
    return kept[1]


def _own_result(asked: own_points.OwnPoints, result: own_points.OwnResult) -> None:
    problems = result.problems
    if problems:
        listed = "\n".join(f"- {problem.message(lang())}" for problem in problems[:MOST_PROBLEMS])
        left_out = t(f"Lines left out: {len(problems)}", f"有 {len(problems)} 行未使用：")
        more = "\n- …" if len(problems) > MOST_PROBLEMS else ""
        st.warning(f"{left_out}\n{listed}{more}", icon=":material/rule:")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        plot(figures.own(result, lang()), "nest_own")
    with right:
        st.markdown(t("**Nearest pairs**", "**最近的点对**"))
        names = [
            t("first line", "第一行号"),
            t("second line", "第二行号"),
            value_name(result.metric, lang()),
        ]
        st.dataframe(pd.DataFrame(list(result.nearest), columns=names), hide_index=True, height=300)
        st.download_button(
            t("Complete matrix (.npy)", "完整矩阵（.npy）"),
            lambda: own_points.complete(asked),
            file_name="distances.npy",
            key="nest_own_npy",
            on_click="ignore",
            icon=":material/download:",
        )
    st.info(result.report.reason(lang()), icon=":material/alt_route:")


def big(panel: Panel[NestSettings]) -> None:
    """Block-wise distances with progress, cancel and a histogram that grows."""
    prose("nest", "large")
    panel.choose("large", t("Points in each set", "每组点数"))
    settings = panel.settings()

    def show(result: large.LargeResult) -> None:
        key = f"nest_counts_at_{result.progress}"  # one run shows many of them: each its own key
        plot(figures.counts(result, settings.metric, lang()), key, download=False)

    pairs = settings.large**2
    result = long_work(
        "nest_large",
        lambda: large.stream(settings),
        fraction=lambda item: item.progress,
        label=t(f"Compute {pairs:,} values", f"计算 {pairs:,} 个值"),
        show=show,
        token=(settings.large, settings.dimension, settings.metric, settings.seed),
    )
    if result is None:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        plot(figures.counts(result, settings.metric, lang()), "nest_counts")
    with right:
        plot(figures.drawn(result, settings.metric, lang()), "nest_drawn")
    st.caption(
        t(
            f"{result.progress:.0%} of the rows, {result.block_rows} at a time. ",
            f"已完成 {result.progress:.0%} 的行，每块 {result.block_rows} 行。",
        )
        + result.last.reason(lang())
    )
    if settings.large <= large.MOST_DOWNLOADED:
        st.download_button(
            t("Complete matrix (.npy)", "完整矩阵（.npy）"),
            lambda: large.complete(settings),
            file_name="distances.npy",
            key="nest_large_npy",
            on_click="ignore",
            icon=":material/download:",
        )
