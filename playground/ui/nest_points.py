"""Many points on the page Nest: a user's own file, and matrices too large to keep."""

import pandas as pd
import streamlit as st

from playground.figures import nest as figures
from playground.lessons import large, own_points
from playground.lessons.distance_input import PointsRefused
from playground.lessons.nest import NestSettings
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import plot
from playground.ui.work import compute, long_work

MOST_PROBLEMS = 12


def own(panel: Panel[NestSettings]) -> None:
    """Distances of the points in an uploaded file, or the reason why there are none."""
    file = st.file_uploader(
        t("CSV file, one point per line", "CSV 文件，每行一个点"), ["csv", "tsv", "txt"]
    )
    example = "name,height,width\nA,1.0,2.0\nB,1.1,2.1\nC,5.0,0.5\nD,,1.0\nE,4.8,0.4\n"
    if file is None:
        st.caption(t("An example, until you choose a file:", "在你选择文件之前，先用这个例子："))
        st.code(example, language=None)
    data = example.encode() if file is None else file.getvalue()
    try:
        table = compute(own_points.read, data)
        names = st.multiselect(t("Columns to use", "使用的列"), table.names, table.names)
        asked = own_points.OwnPoints(data, tuple(names), panel.settings().metric)
        result = compute(own_points.compute, asked)
    except PointsRefused as refusal:
        st.warning(refusal.message(lang()), icon=":material/front_hand:")
        return
    _own_result(asked, result)


def _own_result(asked: own_points.OwnPoints, result: own_points.OwnResult) -> None:
    problems = result.chosen.problems
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
        lines = result.chosen.lines
        rows = [(int(lines[i]), int(lines[j]), d) for i, j, d in result.nearest]
        names = [
            t("first line", "第一行号"),
            t("second line", "第二行号"),
            figures.value_name(result.metric, lang()),
        ]
        st.dataframe(pd.DataFrame(rows, columns=names), hide_index=True, height=300)
        st.download_button(
            t("Complete matrix (.npy)", "完整矩阵（.npy）"),
            lambda: own_points.complete(asked),
            file_name="distances.npy",
            key="nest_own_npy",
            on_click="ignore",
            icon=":material/download:",
        )
    st.info(result.distances.reason(lang()), icon=":material/alt_route:")


def big(panel: Panel[NestSettings]) -> None:
    """Block-wise distances with progress, cancel and a histogram that grows."""
    panel.choose("large", t("Points in each set", "每组点数"))
    settings = panel.settings()

    def show(result: large.LargeResult) -> None:
        plot(figures.counts(result, settings.metric, lang()), "nest_counts_live", download=False)

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
    plot(figures.counts(result, settings.metric, lang()), "nest_counts")
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
