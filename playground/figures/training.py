"""Figures of training: loss curves of every treatment, and the weights they end with."""

import numpy as np
import plotly.graph_objects as go

from playground.figures.drawing import Drawing, styled, thinned
from playground.figures.palette import ACCENT, BAD, SECOND, SHARED, THIRD
from playground.foundation.language import Language, pick
from playground.lessons.descent import TREATMENTS, Progress
from playground.lessons.training_study import TRUE_BIAS, TRUE_WEIGHTS

COLOURS = {"plain": BAD, "weighted": THIRD, "clipped": ACCENT, "noisy": SECOND}

NEAR = 0.05
WIDTHS = {"clipped": 5.0}  # the noisy curve often lies on it


def treatment_name(name: str, language: Language) -> str:
    """Return what a treatment of the gradients is called on the page."""
    return {
        "plain": pick(language, "plain mean", "普通平均"),
        "weighted": pick(language, "suspects weighted 0", "嫌疑样本权重为 0"),
        "clipped": pick(language, "clipped", "裁剪"),
        "noisy": pick(language, "clipped + noise", "裁剪 + 噪声"),
    }[name]


def loss_curves(bad: Progress, good: Progress | None, language: Language) -> Drawing:
    """Draw the loss on the right labels for every treatment, learnt from wrong and right labels.

    Args:
        bad: training with the wrong labels among the data.
        good: training with right labels only, drawn dashed; None leaves it out.
        language: of titles and alternative text.
    """
    figure, table = go.Figure(), {}
    for run, dash, suffix in (
        (bad, "solid", ""),
        (good, "dot", pick(language, ", right labels", "，标签全对")),
    ):
        if run is None:
            continue
        for name in TREATMENTS:
            table[f"{name}{'' if run is bad else '_right_labels'}"] = run.losses[name]
            if run is not bad and name not in ("plain", "clipped"):
                continue
            losses = run.losses[name]
            kept = thinned(len(losses))
            figure.add_scatter(
                x=kept + 1,
                y=losses[kept],
                mode="lines",
                name=treatment_name(name, language) + suffix,
                line={
                    "color": COLOURS[name],
                    "dash": dash,
                    "width": WIDTHS.get(name, 2.5) if run is bad else 2.5,
                },
            )
    styled(
        figure,
        x=pick(language, "step", "步"),
        y=pick(language, "mean loss on the right labels (log)", "正确标签上的平均损失（对数）"),
        height=400,
    )
    figure.update_yaxes(type="log", dtick=1)
    figure.update_xaxes(range=[0, bad.n_steps])
    ends = pick(language, ", ", "，").join(
        f"{treatment_name(name, language)} {bad.losses[name][-1]:.3g}" for name in TREATMENTS
    )
    return Drawing(
        figure,
        pick(
            language,
            f"Loss on the right labels after {bad.step} steps: {ends}.",
            f"{bad.step} 步后正确标签上的损失：{ends}。",
        ),
        {"step": np.arange(1, bad.step + 1), **table},
    )


def weights_found(bad: Progress, language: Language) -> Drawing:
    """Draw the weights each treatment ends with beside the true ones.

    Args:
        bad: training with the wrong labels among the data.
        language: of titles and alternative text.
    """
    labels, truth = ["w₁", "w₂", "w₃", "b"], np.array([*TRUE_WEIGHTS, TRUE_BIAS])
    figure, table = go.Figure(), {"weight": np.array(labels), "truth": truth}
    for name in TREATMENTS:
        values = np.append(bad.params[name]["w1"], bad.params[name]["b1"])
        table[name] = values
        figure.add_bar(
            x=labels,
            y=np.maximum(np.abs(values - truth), 1e-6),
            name=treatment_name(name, language),
            marker={"color": COLOURS[name]},
            customdata=values,
            hovertemplate="%{x} = %{customdata:.4g}",
        )
    figure.add_hline(y=NEAR, line={"color": SHARED, "dash": "dash"})
    styled(
        figure,
        x=pick(language, "parameter", "参数"),
        y=pick(language, "distance from the truth (log)", "与真值的偏差（对数）"),
        height=400,
    )
    figure.update_yaxes(type="log", dtick=1)
    worst = {name: float(np.max(np.abs(table[name] - truth))) for name in TREATMENTS}
    listed = ", ".join(f"{treatment_name(name, language)} {worst[name]:.3g}" for name in TREATMENTS)
    return Drawing(
        figure,
        pick(
            language,
            f"Largest distance from the true weights: {listed}.",
            f"与真实权重的最大偏差：{listed}。",
        ),
        table,
    )
