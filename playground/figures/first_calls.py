"""Figure of the Timing page: what a first call costs, stage by stage, apart from the later ones."""

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.timing_words import method_name
from playground.figures.units import time_text
from playground.foundation.language import Language, pick
from playground.measure.timing import TimingResult


def first_calls(result: TimingResult, language: Language) -> Drawing:
    """Draw the first call of each method apart, by stage, at the largest batch that all reached.

    Args:
        result: a finished sweep.
        language: of the titles.

    Returns:
        Stacked bars of seconds, and a mark where a later call lies.
    """
    complete = [r for r in result.rows if all(t.samples and t.first for t in r.timings)]
    row = complete[-1] if complete else result.rows[0]
    timings = [t for t in row.timings if t.first and t.name in result.methods]
    names = [method_name(t.name, language, result.chunk_size) for t in timings]
    stages = (
        ("trace", pick(language, "trace", "追踪"), palette.THIRD),
        ("lower", pick(language, "lower", "降级为 StableHLO"), palette.SECOND),
        ("compile", pick(language, "compile (XLA)", "编译（XLA）"), palette.FOUND),
        ("run", pick(language, "first run", "首次运行"), palette.ACCENT),
    )
    figure, table = go.Figure(), {"method": np.array([t.name for t in timings])}
    for stage, label, colour in stages:
        seconds = np.array([getattr(t.first, f"{stage}_seconds") for t in timings])
        table[f"{stage}_seconds"] = seconds
        figure.add_bar(
            y=names,
            x=seconds * 1e3,
            name=label,
            orientation="h",
            marker={"color": colour},
            hovertemplate="%{x:.3g} ms",
        )
    totals = np.sum([table[f"{stage}_seconds"] for stage, _, _ in stages], axis=0)
    later = np.array([t.median for t in timings])
    table["later_call_seconds"] = later
    figure.add_scatter(
        y=names,
        x=later * 1e3,
        mode="markers",
        name=pick(language, "a later call", "之后每次调用"),
        marker={"symbol": "line-ns-open", "size": 26, "color": palette.BAD, "line": {"width": 3}},
        hovertemplate="%{x:.3g} ms",
    )
    title = pick(
        language,
        f"First call at batch size {row.batch_size} (ms)",
        f"批大小为 {row.batch_size} 时的首次调用（毫秒）",
    )
    styled(figure, x=title, height=120 + 46 * len(names))
    figure.update_layout(barmode="stack", bargap=0.35, legend={"traceorder": "normal"})
    figure.update_yaxes(autorange="reversed")
    _cut_axis(figure, names, totals, later, [t.name for t in timings])
    words = [f"{name} {time_text(total)}" for name, total in zip(names, totals, strict=True)]
    alt = pick(
        language,
        "Bars of the first call: " + "; ".join(words),
        "首次调用的条形图：" + "；".join(words),
    )
    return Drawing(figure, alt, table)


def _cut_axis(
    figure: go.Figure, names: list[str], totals: np.ndarray, later: np.ndarray, methods: list[str]
) -> None:
    """Let the loop's bar leave the axis, so that the others can be read; say every total."""
    others = [total for total, name in zip(totals, methods, strict=True) if name != "loop"]
    end = 1.25 * max([*others, 1e-6]) * 1e3
    figure.update_xaxes(range=[0, end])
    for name, total, again in zip(names, totals, later, strict=True):
        is_cut = total * 1e3 > end
        figure.add_annotation(
            x=end if is_cut else max(total, again) * 1e3,
            y=name,
            text=time_text(total) + (" →" if is_cut else ""),
            showarrow=False,
            xanchor="right" if is_cut else "left",
            xshift=-8 if is_cut else 8,
            font={"color": "#ffffff"} if is_cut else None,
        )
