"""Figures of what norms cost: time and planned memory by method, memory by chunk size."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from playground.figures.drawing import Drawing, styled
from playground.figures.palette import ACCENT, SHARED, WASTED_PATTERN
from playground.foundation.language import Language, pick
from playground.lessons.norm_cost import MethodCost

KIB = 1024.0


def method_name(name: str, language: Language) -> str:
    """Return what a method is called on the page."""
    return {
        "stored": pick(language, "all stored", "全部存储"),
        "fused": pick(language, "one jit", "一次 jit"),
        "chunked": pick(language, "lax.map, chunks", "lax.map 分块"),
        "ghost": pick(language, "ghost", "ghost"),
        "mean": pick(language, "mean gradient", "平均梯度"),
    }[name]


def method_bars(costs: tuple[MethodCost, ...], language: Language) -> Drawing:
    """Draw time and planned memory of each way to the norms.

    Args:
        costs: of `compare_methods`.
        language: of titles and alternative text.
    """
    names = [method_name(cost.name, language) for cost in costs]
    medians = np.array([np.median(c.milliseconds) if c.milliseconds else np.nan for c in costs])
    lows, highs = (
        np.array([np.quantile(c.milliseconds, q) if c.milliseconds else np.nan for c in costs])
        for q in (0.25, 0.75)
    )
    memory = np.array([cost.temporary_bytes + cost.output_bytes for cost in costs]) / KIB
    figure = make_subplots(2, 1, vertical_spacing=0.22)
    colours = [SHARED if cost.name == "mean" else ACCENT for cost in costs]
    hatching = ["" if cost.milliseconds else WASTED_PATTERN for cost in costs]
    for row, values in ((1, medians), (2, memory)):
        figure.add_bar(
            x=values,
            y=names,
            orientation="h",
            row=row,
            col=1,
            showlegend=False,
            marker={"color": colours, "pattern": {"shape": hatching}},
            text=[f"{value:.3g}" if np.isfinite(value) else "–" for value in values],
            textposition="inside",
            insidetextanchor="start",
            textangle=0,
            constraintext="none",
            error_x={
                "array": highs - medians,
                "arrayminus": medians - lows,
                "thickness": 1,
                "color": SHARED,
            }
            if row == 1
            else None,
        )
    styled(figure, height=520)
    figure.update_layout(margin={"t": 12})
    figure.update_yaxes(autorange="reversed", automargin=True)
    time_title = pick(language, "time (ms), median, quartiles", "时间（毫秒），中位数与四分位")
    memory_title = pick(language, "planned memory (KiB, log)", "计划内存（KiB，对数）")
    figure.update_xaxes(title=time_title, rangemode="tozero", row=1, col=1)
    figure.update_xaxes(title=memory_title, type="log", dtick=1, row=2, col=1)
    listed = pick(language, "; ", "；").join(
        pick(language, f"{name}: {t:.3g} ms, {m:.4g} KiB", f"{name}：{t:.3g} 毫秒，{m:.4g} KiB")
        for name, t, m in zip(names, medians, memory, strict=True)
    )
    return Drawing(
        figure,
        pick(language, "Time and memory. ", "时间与内存。") + listed,
        {
            "method": np.array([cost.name for cost in costs]),
            "median_ms": medians,
            "lower_quartile_ms": lows,
            "upper_quartile_ms": highs,
            "temporary_bytes": np.array([cost.temporary_bytes for cost in costs]),
            "output_bytes": np.array([cost.output_bytes for cost in costs]),
            "worst_relative_difference": np.array([cost.worst_difference for cost in costs]),
        },
    )


def chunk_memory(sizes: tuple[int, ...], memory: tuple[int, ...], language: Language) -> Drawing:
    """Draw the temporary memory of `lax.map(batch_size=k)` against k.

    Args:
        sizes: chunk sizes k.
        memory: bytes for each.
        language: of titles and alternative text.
    """
    kib = np.array(memory) / KIB
    figure = go.Figure()
    figure.add_scatter(
        x=sizes,
        y=kib,
        mode="lines+markers",
        marker={"color": ACCENT, "size": 9},
        line={"color": ACCENT},
        hovertemplate="k = %{x}: %{y:.4g} KiB<extra></extra>",
    )
    styled(
        figure,
        x=pick(language, "chunk size k (examples, log)", "分块大小 k（样本数，对数）"),
        y=pick(language, "temporary memory (KiB, log)", "临时内存（KiB，对数）"),
        height=300,
    )
    figure.update_xaxes(type="log", tickvals=list(sizes), ticktext=[str(k) for k in sizes])
    figure.update_yaxes(type="log", dtick=1)
    return Drawing(
        figure,
        pick(
            language,
            f"Temporary memory grows with the chunk: {kib[0]:.3g} KiB at k = {sizes[0]}, "
            f"{kib[-1]:.4g} KiB at k = {sizes[-1]}.",
            f"临时内存随分块增大：k = {sizes[0]} 时为 {kib[0]:.3g} KiB，"
            f"k = {sizes[-1]} 时为 {kib[-1]:.4g} KiB。",
        ),
        {"chunk_size": np.array(sizes), "temporary_bytes": np.array(memory)},
    )
