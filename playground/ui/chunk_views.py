"""What the Chunks page shows: the recommendation, the curves, the code, the user's own numbers."""

from dataclasses import replace

import streamlit as st

from playground.figures import chunks as figures
from playground.figures.units import time_text
from playground.foundation.limits import MEMORY_BYTES, readable_bytes
from playground.measure.advice import ChunkAdvice, ChunkRow, guesses
from playground.measure.chunk_code import chunk_code
from playground.measure.chunk_workloads import CHUNK_WORKLOADS
from playground.measure.chunks import ChunksResult, ChunksSettings
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.predict import predict_first
from playground.ui.show import plot, prose

WORKLOADS = {
    "two_products": ("tanh(W x) W", "tanh(W x) W"),
    "columns": ("tanh(W x) W, stored as columns", "tanh(W x) W，按列存放"),
    "outer": ("outer product x xᵀ", "外积 x xᵀ"),
    "gradients": ("per-example gradients", "逐样本梯度"),
    "norms": ("gradient norms only", "只要梯度范数"),
    "attention": ("attention of one query", "单个查询的注意力"),
}
REDUCTIONS = {
    "none": ("return all", "全部返回"),
    "sum": ("sum inside", "内部求和"),
    "mean": ("mean inside", "内部求平均"),
}
FORMS_STYLE = """<style>
.forms { overflow-x: auto; color: var(--ink); } .forms table { border-collapse: collapse; }
.forms td, .forms th { padding: 6px 14px; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
.forms th { color: var(--mute); font-weight: 500; } .forms code { color: var(--ink); }
.forms td:first-child, .forms th:first-child { text-align: left; padding-left: 0; }
</style>"""
ADVISER = """from playground.measure import recommend_chunk

advice = recommend_chunk(f, (params, x), (None, 0), memory_budget_bytes=64 * 2**20)
advice.chunk_size, advice.reason("en")
"""


def is_revealed(advice: ChunkAdvice, settings: ChunksSettings) -> bool:
    """Ask which chunk size will be recommended when the link says so; tell whether to say it."""
    if advice.best is None and not advice.missing_bytes:
        return True  # nothing was measured yet, so there is nothing to predict
    budget = readable_bytes(advice.memory_budget_bytes)
    options = (*map(str, guesses(advice)), "none")
    return predict_first(
        f"chunks_{settings.measured}_{budget}_{'_'.join(options)}",
        lambda: (options, "none" if advice.best is None else str(advice.chunk_size)),
        lambda chosen: _why_not(advice, chosen),
        t(
            f"Predict first: which chunk size k will be recommended for a budget of {budget}?",
            f"先预测：预算为 {budget} 时会推荐哪个分块大小 k？",
        ),
        {"none": t("none fits", "都放不下")},
    )


def _why_not(advice: ChunkAdvice, chosen: str) -> str:
    """Set a wrong prediction against the budget, or against the recommendation."""
    rows = {str(row.chunk_size): row for row in advice.rows}
    row, best = rows.get(chosen), advice.best
    budget = readable_bytes(advice.memory_budget_bytes)
    if row is not None and row.predicted_bytes > advice.memory_budget_bytes:
        needs = readable_bytes(row.predicted_bytes)
        return t(
            f"k = {chosen} needs {needs}, more than {budget}.",
            f"k = {chosen} 需要 {needs}，超出预算 {budget}。",
        )
    shown = [one for one in (row, best) if one is not None]
    needs = [readable_bytes(one.predicted_bytes) for one in shown]
    return " ".join(
        t(
            f"k = {one.chunk_size} needs {size} and takes {time_text(one.measured_seconds)}.",
            f"k = {one.chunk_size} 需要 {size}，耗时 {time_text(one.measured_seconds)}。",
        )
        for one, size in zip(shown, needs, strict=True)
    )


def without_answer(advice: ChunkAdvice, *, with_times: bool) -> ChunkAdvice:
    """Take the recommendation out of an advice, and the times too while they are predicted."""
    rows = advice.rows
    if not with_times:
        rows = tuple(replace(row, samples=()) for row in rows)
    return replace(advice, chunk_size=None, rows=rows)


def own_numbers(panel: Panel[ChunksSettings]) -> None:
    """Show controls for the sizes of the user's own model, and what its gradients take."""
    prose("chunks", "own")
    batch, parameters, bytes_each, total = st.columns(4, vertical_alignment="bottom")
    with batch:
        panel.choose("own_batch", t("Examples B", "样本数 B"))
    with parameters:
        panel.choose("own_parameters", t("Parameters P", "参数个数 P"))
    with bytes_each:
        panel.choose("own_bytes", t("Bytes of one number", "每个数的字节数"))
    with total:
        _own_total(panel.settings())


def show_verdict(advice: ChunkAdvice) -> None:
    """Say the recommendation, or why there is none."""
    if advice.best is not None:
        st.success(advice.reason(lang()), icon=":material/memory:")
    elif any(row.was_run for row in advice.rows) or advice.missing_bytes:
        st.warning(advice.reason(lang()), icon=":material/memory:")


def show_times(advice: ChunkAdvice) -> None:
    """Show time against chunk size, and time against memory, when something was measured."""
    time, front = figures.time_curve(advice, lang()), figures.pareto(advice, lang())
    if time is None or front is None:
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(t("Time", "时间"), anchor=False)
        prose("chunks", "time")
        plot(time, "chunks_time")
    with right:
        st.subheader(t("Memory against time", "内存与时间的取舍"), anchor=False)
        prose("chunks", "pareto")
        plot(front, "chunks_pareto")


def show_limit(rows: tuple[ChunkRow, ...]) -> None:
    """Say which sizes this server refuses to run at all."""
    over = [row for row in rows if row.predicted_bytes > MEMORY_BYTES]
    if over:
        most = readable_bytes(max(row.predicted_bytes for row in over))
        allowed = readable_bytes(MEMORY_BYTES)
        st.warning(
            t(
                f"{len(over)} of {len(rows)} chunk sizes need up to {most}; one computation may "
                f"use {allowed} here, so they are not run. The compiler said so without running.",
                f"{len(rows)} 个分块大小中有 {len(over)} 个最多需要 {most}；"
                f"这里单次计算最多可用 {allowed}，因此不会运行它们。"
                "这些数字由编译器给出，无需运行。",
            ),
            icon=":material/front_hand:",
        )


def show_code(settings: ChunksSettings, result: ChunksResult) -> None:
    """Show the program in chunks, and what it is made of."""
    workload = CHUNK_WORKLOADS[settings.workload]
    name = getattr(workload.function, "__name__", "f")
    reduce = None if settings.reduce == "none" else settings.reduce
    _show_forms(result)
    prose("chunks", "code")
    source = chunk_code(name, workload.arguments, workload.in_axes, result.chosen, reduce)
    st.code(source, language="python")
    times, rest = divmod(result.batch_size, result.chosen)
    parts = f"{result.batch_size} = {times} × {result.chosen} + {rest}"
    steps = " → ".join(f"`{step}`" for step in result.steps)
    st.caption(
        t(
            f"The program at k = {result.chosen}: {steps}. {parts}.",
            f"k = {result.chosen} 时的程序：{steps}。{parts}。",
        )
    )


def _show_forms(result: ChunksResult) -> None:
    """Four ways to run the batch, as the compiler plans them."""
    heads = (
        t("Program", "程序"),
        t("Temporaries", "临时内存"),
        t("Outputs", "输出"),
        t("Arguments", "参数"),
        "",
    )
    stuck = t("outputs do not shrink", "输出不会变小")
    lines = [f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"]
    for name, memory in result.forms.items():
        sizes = (memory.temporary_bytes, memory.output_bytes, memory.argument_bytes)
        is_stuck = name.startswith("lax.map") and memory.output_bytes > memory.temporary_bytes
        label = f"<code>{name}</code>"
        if name.startswith("sum"):
            label = t(name, f"内部求和，每次 {result.chosen} 个")
        cells = [label, *(readable_bytes(size) for size in sizes), stuck if is_stuck else ""]
        lines.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    st.html(f"{FORMS_STYLE}<div class='forms'><table>{''.join(lines)}</table></div>")


def _own_total(settings: ChunksSettings) -> None:
    size = settings.own_total_bytes
    st.metric(
        t("B × P × bytes", "B × P × 字节数"),
        f"{size / 1e9:,.4g} GB" if size >= 1e8 else f"{size / 1e6:,.4g} MB",
        help=t(
            f"{settings.own_numbers:,.6g} numbers; {readable_bytes(size)} in binary units.",
            f"共 {settings.own_numbers:,.6g} 个数；按二进制单位为 {readable_bytes(size)}。",
        ),
        border=True,
    )
