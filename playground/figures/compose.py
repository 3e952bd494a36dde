"""Figures of the page Compose: the loss while training, the fitted curve, Newton's step."""

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled, thinned
from playground.foundation.language import Language, pick
from playground.lessons.newton import NewtonResult
from playground.lessons.regression_mlp import Training

SMALLEST_LOSS = 1e-15


def loss_curve(training: Training, language: Language) -> Drawing:
    """Draw the loss before each step, on a log scale."""
    steps = np.arange(training.losses.size)
    shown = thinned(steps.size, 400)
    figure = go.Figure()
    figure.add_scatter(
        x=steps[shown],
        y=training.losses[shown],
        mode="lines",
        line={"color": palette.ACCENT, "width": 2},
        showlegend=False,
    )
    styled(
        figure,
        x=pick(language, "step", "步"),
        y=pick(language, "mean squared error, log scale", "均方误差（对数刻度）"),
        height=300,
    )
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    figure.update_xaxes(range=[0, training.total])
    first, last = training.losses[0], training.losses[-1]
    alt = pick(
        language,
        f"The loss goes from {first:.3g} to {last:.3g} in {steps.size} steps.",
        f"损失在 {steps.size} 步内从 {first:.3g} 变为 {last:.3g}。",
    )
    return Drawing(figure, alt, {"step": steps, "loss": training.losses})


def fitted_curve(training: Training, language: Language) -> Drawing:
    """Draw the examples and what the network says now."""
    figure = go.Figure()
    figure.add_scatter(
        x=training.xs,
        y=training.ys,
        mode="markers",
        marker={"color": palette.SHARED, "size": 6},
        name=pick(language, "examples", "样本"),
    )
    figure.add_scatter(
        x=training.xs,
        y=training.fit,
        mode="lines",
        line={"color": palette.ACCENT, "width": 3},
        name=pick(language, "network", "网络"),
    )
    styled(figure, x="x", y="y", height=300)
    apart = float(np.abs(training.fit - training.ys).mean())
    alt = pick(
        language,
        f"{training.xs.size} examples and the network's curve; mean distance {apart:.3g}.",
        f"{training.xs.size} 个样本与网络的曲线，平均相差 {apart:.3g}。",
    )
    table = {"x": training.xs, "y": training.ys, "network": training.fit}
    return Drawing(figure, alt, table)


def newton_losses(result: NewtonResult, language: Language) -> Drawing:
    """Draw the loss after one step by each way to solve, beside the loss before."""
    before = pick(language, "before the step", "走步之前")
    names = [before, *(row.method for row in result.rows)]
    losses = np.array([result.loss_before, *(row.loss for row in result.rows)], np.float64)
    drawn = np.where(np.isfinite(losses), np.maximum(losses, SMALLEST_LOSS), np.nan)
    figure = go.Figure()
    figure.add_scatter(
        x=drawn,
        y=names,
        mode="markers+text",
        marker={"size": 13, "color": [palette.SHARED] + [palette.ACCENT] * len(result.rows)},
        text=[f"{loss:.3g}" for loss in losses],
        textposition="top center",
        showlegend=False,
        hovertemplate="%{y}: %{text}<extra></extra>",
    )
    styled(figure, x=pick(language, "loss, log scale", "损失（对数刻度）"), height=320)
    figure.update_xaxes(type="log", exponentformat="power")
    figure.update_yaxes(range=[len(names) - 0.5, -0.8])
    ends = np.log10([np.nanmin(drawn), np.nanmax(drawn)])
    room = 0.08 * max(float(ends[1] - ends[0]), 1.0)
    figure.update_xaxes(range=[float(ends[0]) - room, float(ends[1]) + room], nticks=8)
    if result.best_loss > SMALLEST_LOSS:
        figure.add_vline(x=result.best_loss, line={"color": palette.GOOD, "dash": "dot"})
    words = [f"{name} {loss:.3g}" for name, loss in zip(names, losses, strict=True)]
    alt = pick(language, "Loss: " + "; ".join(words), "损失：" + "；".join(words))
    return Drawing(figure, alt, {"method": np.array(names), "loss": losses})
