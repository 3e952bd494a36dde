"""Figure of a few methods that compute the same thing: seconds per call, on a log scale."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.units import seconds_ticks, time_text
from playground.foundation.language import Language, pick
from playground.measure.stopwatch import Timing

METHOD_NAMES = {
    "loop": ("Python loop", "Python 循环"),
    "by hand": ("written by hand", "手写批量"),
}


def race_bars(timings: Sequence[Timing], language: Language) -> Drawing:
    """Draw the median seconds per call of each method, quartiles as whiskers.

    Args:
        timings: what was measured, in the order to show.
        language: of the titles.

    Returns:
        Horizontal points on a log scale; a method without samples is left out.
    """
    shown = [timing for timing in timings if timing.samples]
    names = [pick(language, *METHOD_NAMES.get(t.name, (t.name, t.name))) for t in shown]
    medians = np.array([timing.median for timing in shown])
    low, high = np.array([timing.quartiles for timing in shown]).T
    fastest = medians.min()
    figure = go.Figure()
    figure.add_scatter(
        x=medians,
        y=names,
        mode="markers+text",
        marker={
            "color": [palette.ACCENT if "vmap" in t.name else palette.FOUND for t in shown],
            "size": 14,
        },
        text=[f"{time_text(m)} · ×{m / fastest:.3g}" for m in medians],
        textposition="top center",
        error_x={
            "type": "data",
            "symmetric": False,
            "array": high - medians,
            "arrayminus": medians - low,
            "color": palette.SHARED,
        },
        showlegend=False,
        hovertemplate="%{text}<extra>%{y}</extra>",
    )
    styled(
        figure,
        x=pick(language, "time per call, log scale", "每次调用的时间（对数刻度）"),
        height=110 + 48 * len(shown),
    )
    # Room at both ends, so that the words above the points are not cut off.
    ends = np.log10([medians.min(), medians.max()]) + np.array([-0.55, 0.55])
    figure.update_xaxes(type="log", range=ends.tolist(), **seconds_ticks(10.0**ends))
    figure.update_yaxes(range=[len(shown) - 0.5, -0.8])
    words = [f"{name} {time_text(m)}" for name, m in zip(names, medians, strict=True)]
    alt = pick(
        language, "Time per call: " + "; ".join(words), "每次调用的时间：" + "；".join(words)
    )
    table = {
        "method": np.array([timing.name for timing in shown]),
        "median_seconds": medians,
        "first_quartile_seconds": low,
        "third_quartile_seconds": high,
    }
    return Drawing(figure, alt, table)
