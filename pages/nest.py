"""Nest: every pair of two sets of points, by two levels of vmap around a function of one pair."""

import inspect

import streamlit as st

from playground.figures import nest as figures
from playground.lessons import nest
from playground.lessons.distances import metric_named
from playground.ui import (
    Panel,
    begin,
    checks,
    compute,
    enter,
    finish,
    lang,
    lesson,
    plot,
    prose,
    t,
)
from playground.ui.nest_parts import (
    SECTION_PARTS,
    level_cards,
    metric_labels,
    section_labels,
)
from playground.ui.nest_questions import is_revealed

enter()
begin("nest")


@lesson
def pairs() -> None:
    """The matrix, its shape at each level, the swapped order, and one closer look."""
    panel = Panel(nest.NestSettings)
    controls, chosen, other = st.columns([1, 1.5, 1.5], gap="medium")
    with controls:
        panel.choose("rows", t("Points x", "点 x 的个数"))
        panel.choose("columns", t("Points y", "点 y 的个数"))
        panel.choose("dimension", t("Coordinates d", "坐标个数 d"))
        panel.choose("metric", t("Metric", "度量"), labels=metric_labels, style="select")
        panel.choose(
            "order",
            t("Outer level walks", "外层遍历"),
            labels={"rows": "X", "columns": "Y"}.__getitem__,
            help=t("The outer level's axis comes first.", "外层的轴排在结果最前面。"),
        )
        panel.choose("seed", t("Seed", "随机种子"))
    settings = panel.settings()
    with chosen:
        if not is_revealed(settings):
            return
    result = compute(nest.compute, settings.of_matrix())
    summary = result.summary
    with chosen:
        st.markdown(t("**Your order**", "**你的次序**") + f" · `{summary['shape']}`")
        plot(figures.distances(result, lang()), "nest_distances")
    with other:
        size = summary["shape with swapped levels"]
        st.markdown(t("**Levels swapped**", "**交换两层**") + f" · `{size}`")
        plot(figures.distances(result, lang(), swapped=True), "nest_swapped", download=False)
    level_cards(result)
    left, right = st.columns(2, gap="medium")
    with left:
        source = inspect.getsource(metric_named(settings.metric))
        st.code(source, language="python", wrap_lines=True)
        st.code(result.call, language="python", wrap_lines=True)
    with right:
        prose("nest", "reading")
        verdict = t("swapping the levels transposes the matrix", "交换两层，矩阵转置")
        first = t(
            "entry [0, 0] equals the function of the first pair", "[0, 0] 等于第一对点的函数值"
        )
        checks([(summary["swapped is the transpose"], verdict), (result.first_agrees, first)])
    st.divider()
    part = panel.choose("section", t("A closer look", "进一步看"), labels=section_labels)
    SECTION_PARTS[part](panel)
    settings = panel.settings()
    finish("nest", settings, nest.script)


pairs()
