"""Figures of clipping and noise: three orders, five places for the noise, each measured."""

import numpy as np
import plotly.graph_objects as go

from playground.figures.drawing import Drawing, styled
from playground.figures.palette import BAD, FOUND, GOOD, SHARED
from playground.foundation.language import Language, pick
from playground.lessons.training_study import NoiseResult, OrderResult

ORDERS = ("mean_of_clipped", "micro_batches", "clip_of_mean")


def order_name(name: str, language: Language) -> str:
    """Return what an order of clipping and averaging is called on the page."""
    return {
        "mean_of_clipped": pick(
            language, "clip each, then mean: DP-SGD", "先逐个裁剪再平均：DP-SGD"
        ),
        "micro_batches": pick(language, "micro-batches, then clip", "微批平均后裁剪"),
        "clip_of_mean": pick(language, "mean, then clip", "先平均再裁剪"),
    }[name]


def placement_name(name: str, language: Language) -> str:
    """Return what a place of the noise is called on the page."""
    return {
        "on_sum": pick(language, "σC on the sum, ÷ B", "σC 加在总和上，÷ B"),
        "on_mean": pick(language, "σC/B on the mean", "σC/B 加在均值上"),
        "sum_noise_on_mean": pick(language, "σC on the mean", "σC 加在均值上"),
        "on_each_example": pick(language, "σC on every example", "每个样本都加 σC"),
        "one_key_for_all_leaves": pick(language, "one key, all leaves", "各叶子共用 key"),
    }[name]


def broken(names: list[str]) -> list[str]:
    """Break long labels into two lines, so that bars keep their room on a phone."""
    return [
        name.replace(": ", ":<br>").replace("：", "：<br>").replace(", ", ",<br>", 1)
        for name in names
    ]


def order_bars(orders: tuple[OrderResult, ...], bound: float, language: Language) -> Drawing:
    """Draw how far one example can move each order's result, against the bound C/B.

    Args:
        orders: of `study_orders`.
        bound: C / B.
        language: of titles and alternative text.
    """
    by_name = {order.name: order for order in orders}
    rows = [by_name[name] for name in ORDERS]
    names = [order_name(row.name, language) for row in rows]
    figure = go.Figure()
    figure.add_bar(
        x=[row.influence for row in rows],
        y=broken(names),
        orientation="h",
        marker={"color": [GOOD if row.influence <= bound * 1.001 else FOUND for row in rows]},
        text=[f"{row.influence:.3g}" for row in rows],
        textangle=0,
    )
    figure.add_vline(x=bound, line={"color": SHARED, "dash": "dash"})
    styled(
        figure,
        x=pick(language, "largest move by one example", "单个样本的最大影响")
        + f"<br>C/B = {bound:.3g}",
        height=280,
    )
    figure.update_layout(margin={"t": 12})
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(autorange="reversed", automargin=True)
    listed = pick(language, "; ", "；").join(
        f"{name}: {row.influence:.3g}" for name, row in zip(names, rows, strict=True)
    )
    return Drawing(
        figure,
        pick(
            language,
            f"How far one example can move the gradient, bound C/B = {bound:.3g}. {listed}",
            f"单个样本最多能让梯度移动多少，界为 C/B = {bound:.3g}。{listed}",
        ),
        {
            "order": np.array([row.name for row in rows]),
            "influence": np.array([row.influence for row in rows]),
            "cosine": np.array([row.cosine for row in rows]),
            "norm": np.array([row.norm for row in rows]),
        },
    )


def noise_bars(noise: tuple[NoiseResult, ...], language: Language) -> Drawing:
    """Draw the measured noise on the mean for every place it can be added, against sigma C / B.

    Args:
        noise: of `study_noise`.
        language: of titles and alternative text.
    """
    names = [placement_name(item.name, language) for item in noise]
    factors = np.array([item.deviation / item.stated if item.stated else 0 for item in noise])
    figure = go.Figure()
    figure.add_bar(
        x=[item.deviation for item in noise],
        y=broken(names),
        orientation="h",
        marker={"color": [GOOD if item.is_right else BAD for item in noise]},
        text=[
            f"{item.deviation:.3g} (× {factor:.3g})"
            for item, factor in zip(noise, factors, strict=True)
        ],
        textposition="auto",
    )
    figure.add_vline(x=noise[0].stated, line={"color": SHARED, "dash": "dash"})
    styled(
        figure,
        x=pick(
            language,
            "measured deviation on the mean (log)",
            "均值上实测的标准差（对数）",
        ),
        height=280,
    )
    figure.update_layout(margin={"t": 12})
    if noise[0].stated > 0:
        figure.update_xaxes(type="log", dtick=1)
    figure.update_yaxes(autorange="reversed", automargin=True)
    listed = pick(language, "; ", "；").join(
        f"{name}: {item.deviation:.3g}" for name, item in zip(names, noise, strict=True)
    )
    return Drawing(
        figure,
        pick(
            language,
            f"Measured noise; σC/B = {noise[0].stated:.3g}. {listed}",
            f"实测噪声；σC/B = {noise[0].stated:.3g}。{listed}",
        ),
        {
            "placement": np.array([item.name for item in noise]),
            "is_right": np.array([item.is_right for item in noise]),
            "deviation": np.array([item.deviation for item in noise]),
            "stated": np.array([item.stated for item in noise]),
            "correlation_of_leaves": np.array([item.correlation for item in noise]),
        },
    )
