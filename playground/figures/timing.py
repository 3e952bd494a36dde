"""Figures of the Timing page: time against batch size with its spread, and the first calls."""

import math

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.timing_words import curves_alt, curves_table, method_name
from playground.figures.units import seconds_ticks, time_text, translucent
from playground.foundation.language import Language, pick
from playground.measure.crossover import Crossover, crossovers
from playground.measure.timing import TimingResult

COLOURS = {
    "loop": palette.SHARED,
    "hand-written": palette.GOOD,
    "vmap": palette.THIRD,
    "jit(vmap)": palette.ACCENT,
    "lax.map": palette.SECOND,
}
SYMBOLS = {
    "loop": "square",
    "hand-written": "diamond",
    "vmap": "triangle-up",
    "jit(vmap)": "circle",
    "lax.map": "cross",
}


def found_crossovers(result: TimingResult) -> tuple[Crossover, ...]:
    """Return the batch sizes at which one method clearly overtakes another."""
    medians = {name: [t.median for t in result.of(name)] for name in result.methods}
    return crossovers(result.sizes, medians)


def curves(
    result: TimingResult,
    view: str,
    relative_to: str,
    language: Language,
    *,
    with_crossovers: bool = True,
) -> Drawing:
    """Draw one curve per method with a band from the first to the third quartile.

    Args:
        result: a finished sweep.
        view: "time" per call, "relative" to one method, or "per_example".
        relative_to: the method that is 1 in the relative view.
        language: of the titles.
        with_crossovers: whether to mark where one method overtakes another.

    Returns:
        The drawing; its table has one row per method and batch size, in seconds.
    """
    sizes = np.array(result.sizes)
    if relative_to not in result.methods:
        relative_to = result.methods[0]
    scale = {
        "time": np.ones(len(sizes)),
        "per_example": 1 / sizes,
        "relative": 1 / np.array([t.median for t in result.of(relative_to)]),
    }[view]
    figure = go.Figure()
    for method in result.methods:
        _add_method(figure, result, method, scale, view, language)
    if view == "time":
        if with_crossovers:
            _add_crossovers(figure, result, language)
        _add_slope_guides(figure, result, language)
    base = method_name(relative_to, language, result.chunk_size)
    title = {
        "time": pick(language, "Time per call", "每次调用的时间"),
        "per_example": pick(language, "Time per example", "每个样本的时间"),
        "relative": pick(language, f"Time relative to {base} (×)", f"与 {base} 相比的时间（倍）"),
    }[view]
    styled(
        figure, x=pick(language, "Batch size (examples)", "批大小（样本数）"), y=title, height=440
    )
    figure.update_xaxes(type="log", tickvals=list(result.sizes), ticktext=[str(s) for s in sizes])
    figure.update_yaxes(type="log")
    if view == "relative":
        figure.update_yaxes(dtick=1)
    else:
        figure.update_yaxes(**seconds_ticks(_all_values(figure)))
    return Drawing(figure, curves_alt(result, view, language), curves_table(result))


def _add_method(
    figure: go.Figure,
    result: TimingResult,
    method: str,
    scale: np.ndarray,
    view: str,
    language: Language,
) -> None:
    timings, sizes = result.of(method), np.array(result.sizes)
    name = method_name(method, language, result.chunk_size)
    colour = COLOURS[method]
    middle = np.array([t.median for t in timings]) * scale
    quartiles = np.array([t.quartiles for t in timings]) * scale[:, None]
    kept = np.isfinite(middle)
    if not kept.any():
        return
    figure.add_scatter(
        x=np.concatenate([sizes[kept], sizes[kept][::-1]]),
        y=np.concatenate([quartiles[kept, 0], quartiles[kept, 1][::-1]]),
        mode="lines",
        fill="toself",
        fillcolor=translucent(colour, 0.18),
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        legendgroup=method,
    )
    unstable = [t.unstable for t, keep in zip(timings, kept, strict=True) if keep]
    words = [f"{value:.3g} ×" if view == "relative" else time_text(value) for value in middle[kept]]
    badge = pick(language, "unstable: varies by more than 10 %", "不稳定：波动超过 10%")
    figure.add_scatter(
        x=sizes[kept],
        y=middle[kept],
        name=name,
        mode="lines+markers",
        legendgroup=method,
        line={"color": colour, "width": 2.5 if method == "jit(vmap)" else 1.8},
        marker={
            "size": 9,
            "color": colour,
            "symbol": [SYMBOLS[method] + ("-open" if shaky else "") for shaky in unstable],
        },
        text=[f"{w}<br>{badge}" if u else w for w, u in zip(words, unstable, strict=True)],
        hovertemplate="%{x}: %{text}",
    )
    _add_stop(figure, method, sizes, middle, kept, language, view)


def _add_stop(
    figure: go.Figure,
    method: str,
    sizes: np.ndarray,
    middle: np.ndarray,
    kept: np.ndarray,
    language: Language,
    view: str,
) -> None:
    """A method over its budget is drawn as stopped, not left out."""
    missing = np.flatnonzero(~kept)
    if not missing.size or view == "relative":
        return
    last = int(np.flatnonzero(kept)[-1])
    growth = sizes[missing[0]] / sizes[last] if view == "time" else 1.0
    figure.add_scatter(
        x=[sizes[last], sizes[missing[0]]],
        y=[middle[last], middle[last] * growth],
        mode="lines+markers+text",
        line={"color": COLOURS[method], "dash": "dot"},
        marker={"symbol": ["circle-open", "x"], "size": [1, 12], "color": COLOURS[method]},
        text=["", pick(language, "stopped", "已停止")],
        textposition="middle left",
        hoverinfo="skip",
        showlegend=False,
        legendgroup=method,
    )


def _add_crossovers(figure: go.Figure, result: TimingResult, language: Language) -> None:
    found = found_crossovers(result)
    if not found:
        return
    names = [
        pick(
            language,
            f"from about {c.batch_size:.0f} examples on, "
            f"{method_name(c.after, language, result.chunk_size)} is faster than "
            f"{method_name(c.before, language, result.chunk_size)}",
            f"约 {c.batch_size:.0f} 个样本以上，"
            f"{method_name(c.after, language, result.chunk_size)} 快于 "
            f"{method_name(c.before, language, result.chunk_size)}",
        )
        for c in found
    ]
    figure.add_scatter(
        x=[c.batch_size for c in found],
        y=[c.seconds for c in found],
        name=pick(language, "crossover", "交叉点"),
        mode="markers",
        marker={
            "symbol": "circle-open",
            "size": 18,
            "color": palette.FOUND,
            "line": {"width": 2.5},
        },
        text=names,
        hovertemplate="%{text}<extra></extra>",
    )


def _add_slope_guides(figure: go.Figure, result: TimingResult, language: Language) -> None:
    """Two thin lines to compare with: twice the batch, twice the time; or no more at all."""
    medians = [t.median for method in result.methods for t in result.of(method)]
    finite = [m for m in medians if math.isfinite(m)]
    if len(result.sizes) < 2 or not finite:
        return
    low, first, last = min(finite) * 0.6, result.sizes[0], result.sizes[-1]
    for slope, words in (
        (1, pick(language, "∝ batch size", "∝ 批大小")),
        (0, pick(language, "constant", "恒定")),
    ):
        figure.add_scatter(
            x=[first, last],
            y=[low, low * (last / first) ** slope],
            mode="lines",
            name=words,
            line={"color": palette.SHARED, "width": 1, "dash": "dash" if slope else "dot"},
            hoverinfo="skip",
        )


def _all_values(figure: go.Figure) -> list[float]:
    return [float(y) for trace in figure.data for y in (trace.y if trace.y is not None else ())]
