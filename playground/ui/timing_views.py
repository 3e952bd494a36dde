"""What the Timing page shows of a sweep: headline numbers, curves, first calls, agreement."""

import streamlit as st

from playground.figures.first_calls import first_calls
from playground.figures.timing import curves, found_crossovers
from playground.figures.timing_words import method_name
from playground.figures.units import time_text
from playground.measure import stopwatch
from playground.measure.timing import SizeRow, TimingResult, TimingSettings
from playground.ui.language import lang, t
from playground.ui.show import checks, headline_row, plot, prose
from playground.ui.view import view

WORKLOADS = {
    "add": ("add two vectors", "两向量相加"),
    "dot": ("dot product", "点积"),
    "mlp": ("small MLP", "小型 MLP"),
    "normalise": ("normalise a vector", "向量归一化"),
    "distance_row": ("distances to 16 points", "到 16 个点的距离"),
    "matmul": ("matrix product", "矩阵乘法"),
}
VIEWS = {
    "time": ("time per call", "每次调用的时间"),
    "relative": ("relative", "相对时间"),
    "per_example": ("time per example", "每个样本的时间"),
}


def show_sweep(result: TimingResult, settings: TimingSettings) -> None:
    """Show a finished sweep from the answer to the details."""
    has_answers = view().answers == "on"
    if has_answers:
        _headlines(result)
    prose("timing", "curves", unstable=f"{100 * stopwatch.UNSTABLE:g}")
    drawn = curves(result, settings.view, settings.relative_to, lang(), with_crossovers=has_answers)
    plot(drawn, "timing_curves")
    if has_answers:
        _crossovers(result)
    st.subheader(t("First calls, apart", "首次调用，单独列出"), anchor=False)
    prose("timing", "first")
    plot(first_calls(result, lang()), "timing_first_calls")
    st.subheader(t("Do they compute the same?", "算出来的一样吗？"), anchor=False)
    prose("timing", "agree")
    _agreement(result)


def rules() -> None:
    """Say how the stopwatch measures, in its own numbers."""
    prose(
        "timing",
        "rules",
        sample_ms=f"{1000 * stopwatch.SHORTEST_SAMPLE_SECONDS:g}",
        settled=f"{100 * stopwatch.SETTLED:g}",
        longest_call=f"{stopwatch.LONGEST_CALL_SECONDS:g}",
    )


def _headlines(result: TimingResult) -> None:
    """How much longer the others take than jit(vmap), at the largest size each of them reached."""
    others = [
        (method, row)
        for method in result.methods
        if method != "jit(vmap)" and (row := _largest_row(result, method)) is not None
    ]
    if "jit(vmap)" not in result.methods or not others:
        return
    st.markdown(t("**How many times as long as `jit(vmap)`**", "**耗时是 `jit(vmap)` 的多少倍**"))
    items = []
    for method, row in others:
        slow, quick = _median(row, method), _median(row, "jit(vmap)")
        ratio = slow / quick
        label = method_name(method, lang(), result.chunk_size).partition("(batch")[0]
        words = t(
            f"Medians at batch size {row.batch_size}: {time_text(slow)} and "
            f"{time_text(quick)} per call.",
            f"批大小为 {row.batch_size} 时的中位数：每次调用 {time_text(slow)} 与 "
            f"{time_text(quick)}。",
        )
        items.append((label, f"{ratio:.3g} ×" if ratio < 99.5 else f"{ratio:,.0f} ×", words))
    headline_row(items)


def _largest_row(result: TimingResult, method: str) -> SizeRow | None:
    rows = [row for row in result.rows if _median(row, method) > 0]
    return rows[-1] if rows else None


def _median(row: SizeRow, method: str) -> float:
    return next((t.median for t in row.timings if t.name == method), float("nan"))


def _crossovers(result: TimingResult) -> None:
    lines = []
    for crossing in found_crossovers(result):
        before = method_name(crossing.before, lang(), result.chunk_size)
        after = method_name(crossing.after, lang(), result.chunk_size)
        lines.append(
            t(
                f"- from about **{crossing.batch_size:.0f}** examples on, {after} is faster "
                f"than {before}",
                f"- 约 **{crossing.batch_size:.0f}** 个样本以上，{after} 快于 {before}",
            )
        )
    if lines:
        st.markdown("\n".join(lines))


def _agreement(result: TimingResult) -> None:
    complete = [row for row in result.rows if all(timing.drift for timing in row.timings)]
    row = complete[-1] if complete else result.rows[0]
    items: list[tuple[bool, str]] = []
    for timing in row.timings:
        if timing.name == "hand-written" or timing.drift is None:
            continue
        name = method_name(timing.name, lang(), result.chunk_size)
        ulp, relative = timing.drift.ulp, f"{timing.drift.relative:.1e}"
        if ulp == 0:
            words = t(
                f"{name}: equal to the hand-written batch to the last bit",
                f"{name}：与手写批量逐位相同",
            )
        else:
            words = t(
                f"{name}: within {ulp:.3g} ulp of the hand-written batch ({relative} relative)",
                f"{name}：与手写批量最多相差 {ulp:.3g} ulp（相对误差 {relative}）",
            )
        items.append((timing.drift.agrees, words))
    checks(items)
