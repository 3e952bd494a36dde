"""Timing: five ways to run one function on a batch, measured on this server."""

import streamlit as st

from playground.figures import first_calls
from playground.figures import timing as figures
from playground.figures.units import time_text
from playground.measure import timing
from playground.measure.records import recorded_runs, sample_csv, to_json
from playground.ui import Panel, begin, checks, enter, finish, headline_row, lang, lesson, plot, prose, t
from playground.ui.measuring import age, measured

enter()
begin("timing")

WORKLOADS = {
    "add": ("add two vectors", "向量相加"),
    "dot": ("dot product", "点积"),
    "mlp": ("small MLP", "小型 MLP"),
    "normalise": ("normalise a vector", "向量归一化"),
    "distance_row": ("distances to 16 points", "到 16 个点的距离"),
    "matmul": ("matrix product", "矩阵乘法"),
}
VIEWS = {
    "time": ("time per call", "每次调用"),
    "relative": ("relative", "相对值"),
    "per_example": ("per example", "每个样本"),
}


@lesson
def sweep() -> None:
    """The sweep over batch sizes: recorded, shared or just measured."""
    panel = Panel(timing.TimingSettings)
    left, right = st.columns([1, 2.6], gap="large")
    with left:
        panel.choose("workload", t("Function", "函数"), labels=lambda w: t(*WORKLOADS[w]), style="select")
        panel.choose("largest", t("Largest batch", "最大批大小"))
        panel.choose("length", t("Vector length", "向量长度"))
        panel.choose("chunk_size", t("Chunk size of lax.map", "lax.map 的块大小"))
        with st.expander(t("Methods", "方法")):
            for name, method in zip(("loop", "hand", "vmap", "jit_vmap", "lax_map"), timing.METHODS, strict=True):
                panel.choose(name, figures.method_name(method, lang(), panel.settings().chunk_size))
    with right:
        panel.choose("view", t("Show", "显示"), labels=lambda v: t(*VIEWS[v]))
        if panel.settings().view == "relative":
            panel.choose("relative_to", t("Relative to", "相对于"), style="select")
        settings = panel.settings()
        kept = measured("timing", settings.measured, lambda: timing.measure(settings.measured))
        ...
sweep()
