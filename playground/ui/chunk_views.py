"""What the Chunks page shows: the recommendation, the curves, the code, the user's own numbers."""

import streamlit as st

from playground.figures import chunks as figures
from playground.foundation.limits import MEMORY_BYTES, readable_bytes
from playground.measure.advice import ChunkAdvice, ChunkRow
from playground.measure.chunk_code import chunk_code
from playground.measure.chunk_workloads import CHUNK_WORKLOADS
from playground.measure.chunks import ChunksResult, ChunksSettings
from playground.ui.language import lang, t
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


def show_own(settings: ChunksSettings) -> None:
    """Show what the user's own per-example gradients take."""
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
