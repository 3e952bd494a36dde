"""Plots of what happens when a key is used twice."""

import numpy as np
from plotly.subplots import make_subplots

from playground.figures.drawing import Drawing, styled, thinned
from playground.figures.palette import BAD, GOOD
from playground.foundation.language import Language, pick


def reuse(
    reused: tuple[np.ndarray, np.ndarray], split: tuple[np.ndarray, np.ndarray], language: Language
) -> Drawing:
    """Uniform against normal draws: from one key on the left, from two keys on the right."""
    titles = pick(language, "one key, used twice", "同一个 key 用了两次")
    figure = make_subplots(1, 2, shared_yaxes=True, subplot_titles=(titles, "split"))
    keep = thinned(len(reused[0]), 1500)
    for column, (draws, colour) in enumerate(((reused, BAD), (split, GOOD)), start=1):
        figure.add_scatter(
            x=draws[0][keep],
            y=draws[1][keep],
            mode="markers",
            marker={"size": 4, "color": colour, "opacity": 0.6},
            showlegend=False,
            row=1,
            col=column,
        )
    styled(figure, x="uniform", y="normal", height=320)
    figure.update_yaxes(title="", col=2)
    columns = ("uniform_reused", "normal_reused", "uniform_split", "normal_split")
    note = ""
    if len(keep) < len(reused[0]):
        note = pick(
            language,
            f"Drawn: {len(keep)} of {len(reused[0])} pairs; the CSV has all.",
            f"图中画出 {len(reused[0])} 对中的 {len(keep)} 对；CSV 中是全部数据。",
        )
    alt = pick(
        language,
        "Uniform against normal numbers: from one key all points lie on one rising curve, "
        "from two keys they fill the plane.",
        "均匀分布与正态分布随机数的散点图：用同一个 key 时所有点落在一条上升曲线上，"
        "用两个 key 时点散布开来。",
    )
    return Drawing(figure, alt, dict(zip(columns, (*reused, *split), strict=True)), note)
