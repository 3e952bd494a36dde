"""Chunks: how many examples at once fit into memory, and which number is fastest."""

from dataclasses import asdict

import streamlit as st

from playground.figures.chunks import memory_curve
from playground.measure import chunks
from playground.measure.advice import choose
from playground.measure.records import recorded_surveys
from playground.ui import Panel, begin, compute, enter, finish, lang, lesson, plot, prose, t
from playground.ui import chunk_views as views
from playground.ui.machine_line import machine_line
from playground.ui.measuring import age, measured
from playground.ui.samples import sample_files
from playground.ui.view import view

enter()
begin("chunks")


def controls(panel: Panel[chunks.ChunksSettings]) -> None:
    """What is run in chunks, and the budget."""
    function = t("Function for one example", "单个样本的函数")
    panel.choose("workload", function, labels=lambda w: t(*views.WORKLOADS[w]), style="select")
    panel.choose("batch_size", t("Batch size N", "批大小 N"))
    panel.choose("length", t("Vector length", "向量长度"))
    panel.choose(
        "reduce", t("Outputs", "输出"), labels=lambda r: t(*views.REDUCTIONS[r]), style="radio"
    )
    panel.choose("budget_mib", t("Memory budget", "内存预算"), unit="MiB")


@lesson
def chunk() -> None:
    """Memory from the compiler at once; times recorded, shared or measured now."""
    panel = Panel(chunks.ChunksSettings)
    left, right = st.columns([1, 2.8], gap="large")
    with left:
        controls(panel)
    with right:
        settings = panel.settings()
        key = settings.measured
        kept = measured("chunks", key, lambda: chunks.measure(key))
        survey = kept.result if kept else recorded_surveys().get(key)
        result = compute(chunks.compute, settings)
        rows = survey.rows if survey else result.rows
        if survey:
            when = age(kept) if kept else t("Times recorded earlier", "时间为事先录制")
            st.caption(f"{when} · {survey.machine.caption(lang())}")
        else:
            st.caption(
                t(
                    "The memory below comes from the compiler. Measure to see the times and the "
                    "recommended k.",
                    "下面的内存由编译器给出。点“在本机测量”可看到时间和推荐的 k。",
                )
            )
        advice = choose(rows, settings.batch_size, settings.budget_bytes)
        is_revealed = views.is_revealed(advice, settings)
        if is_revealed and view().answers == "on":
            views.show_verdict(advice)
        else:
            advice = views.without_answer(advice, with_times=is_revealed)
        views.show_limit(rows)
        prose("chunks", "memory")
        plot(memory_curve(advice, lang()), "chunks_memory")
    views.show_times(advice)
    panel.choose("chunk_size", t("Chunk size k to look at", "要查看的分块大小 k"))
    settings = panel.settings()
    views.show_code(settings, compute(chunks.compute, settings))
    st.subheader(t("Your own numbers", "你自己的数字"), anchor=False)
    views.own_numbers(panel)
    prose("chunks", "adviser")
    st.code(views.ADVISER, language="python")
    files = sample_files("chunks", survey if is_revealed else None, settings=asdict(key))
    finish("chunks", panel.settings(), chunks.script, files)


chunk()
machine_line()
