"""Timing: five ways to run one function on a batch, measured on this server."""

import streamlit as st

from playground.figures.timing_words import method_name
from playground.measure import timing
from playground.measure.records import recorded_runs
from playground.measure.timing_parts import script
from playground.ui import Panel, begin, enter, finish, lang, lesson, t
from playground.ui.machine_line import machine_line
from playground.ui.measuring import age, measured
from playground.ui.samples import sample_files
from playground.ui.timing_parts import PARTS, show_part
from playground.ui.timing_questions import sweep_is_revealed
from playground.ui.timing_views import VIEWS, WORKLOADS, rules, show_sweep

enter()
begin("timing")


def choose_workload(panel: Panel[timing.TimingSettings]) -> None:
    """The function that is run on a batch."""
    workload = t("Function", "函数")
    panel.choose("workload", workload, labels=lambda name: t(*WORKLOADS[name]), style="select")


def sweep_controls(panel: Panel[timing.TimingSettings]) -> None:
    """What is measured."""
    choose_workload(panel)
    panel.choose("largest", t("Largest batch size", "最大批大小"))
    panel.choose("length", t("Vector length", "向量长度"))
    panel.choose("chunk_size", t("Chunk size of lax.map", "lax.map 的块大小"))
    chunk_size = panel.settings().chunk_size
    with st.expander(t("Methods", "方法")):
        for name, method in timing.METHOD_FIELDS.items():
            panel.choose(name, method_name(method, lang(), chunk_size))
        panel.choose("seed", t("Seed of the data", "数据的随机种子"))


@lesson
def sweep() -> None:
    """The sweep over batch sizes: recorded, measured by anybody, or measured now."""
    panel = Panel(timing.TimingSettings)
    panel.choose("part", t("What is measured", "测什么"), labels=lambda name: t(*PARTS[name]))
    part = panel.settings().part
    if part == "lies":
        choose_workload(panel)
    if part != "sweep":
        found = show_part(panel.settings())
        finish("timing", panel.settings(), script, sample_files(f"timing_{part}", found))
        return
    left, right = st.columns([1, 2.8], gap="large")
    with left:
        sweep_controls(panel)
    with right:
        panel.choose("view", t("Show", "显示"), labels=lambda name: t(*VIEWS[name]))
        if panel.settings().view == "relative":
            panel.choose("relative_to", t("Relative to", "以此为 1"), style="select")
        settings = panel.settings()
        kept = measured("timing", settings.measured, lambda: timing.measure(settings.measured))
        recorded = recorded_runs().get(settings.workload)
        result = kept.result if kept else recorded
        if kept:
            st.caption(f"{age(kept)} · {kept.result.machine.caption(lang())}")
        elif recorded:
            st.caption(
                t(
                    f"Recorded earlier, on {recorded.machine.caption(lang())}; vector length "
                    f"{recorded.length}, batches to {recorded.sizes[-1]}. Measure to see yours.",
                    f"事先录制：{recorded.machine.caption(lang())}；向量长度 {recorded.length}，"
                    f"批大小至 {recorded.sizes[-1]}。点“在本机测量”可得到你的结果。",
                )
            )
        is_revealed = result is not None and sweep_is_revealed(result)
        if is_revealed:
            show_sweep(result, settings)
    rules()
    finish("timing", settings, script, sample_files("timing", result if is_revealed else None))


sweep()
machine_line()
