"""The parts of the page Clip and train: controls, training, live runs, orders, noise, cases."""

import time
from collections.abc import Generator

import numpy as np
import pandas as pd
import streamlit as st

from playground.figures import clipping as clip_figures
from playground.figures import training as figures
from playground.lessons.clip_cases import clip_cases
from playground.lessons.descent import TREATMENTS, Progress
from playground.lessons.training import TrainingSettings, batch_of
from playground.lessons.training_study import TrainingResult, run_training
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import checks, headline_row, plot, prose
from playground.ui.work import long_work

AMOUNT = 0.1
LIVE_SLICES = 40
PAUSE_SECONDS = 0.1


def controls(panel: Panel[TrainingSettings]) -> TrainingSettings:
    """Show the controls of the page."""
    panel.choose("errors", t("Wrong labels", "标错的样本数"))
    panel.choose("shift", t("Size of the error", "标签误差大小"), step=0.5)
    panel.choose("clip_norm", t("Clip norm C", "裁剪范数 C"), step=0.1)
    panel.choose(
        "sigma",
        t("Noise multiplier σ", "噪声系数 σ"),
        step=0.1,
        help=t("Noise is σ times C on the sum.", "加在总和上的噪声为 σ 乘以 C。"),
    )
    panel.choose("batch_size", t("Batch size B", "批大小 B"))
    with st.expander(t("Steps, micro-batch, seed", "步数、微批、随机种子")):
        panel.choose("steps", t("Steps", "步数"))
        panel.choose("learning_rate", t("Learning rate", "学习率"))
        panel.choose("micro_batch", t("Micro-batch (examples)", "微批大小（样本数）"))
        panel.choose("seed", t("Seed", "随机种子"))
    return panel.settings()


def training(result: TrainingResult) -> None:
    """Show the loss curves, the weights that were found, and who came near the truth."""
    prose("training", "training")
    plot(figures.loss_curves(result.bad, result.good, lang()), "training_losses")
    headline_row(
        (
            figures.treatment_name(name, lang()),
            f"{result.errors[name]:.3g}",
            t("largest error of a weight", "权重的最大误差"),
        )
        for name in TREATMENTS
    )
    st.caption(t("Largest error of a weight after training.", "训练后权重的最大误差。"))


def weights(result: TrainingResult) -> None:
    """Show the weights found, and which treatments recover the truth."""
    plot(figures.weights_found(result.bad, lang()), "training_weights")
    checks(
        (
            result.errors[name] < figures.NEAR,
            t(
                f"{figures.treatment_name(name, 'en')}: true weights within {figures.NEAR} "
                f"(off by {result.errors[name]:.3g})",
                f"{figures.treatment_name(name, 'zh')}：与真实权重相差不到 {figures.NEAR}"
                f"（相差 {result.errors[name]:.3g}）",
            ),
        )
        for name in TREATMENTS
    )


def live(settings: TrainingSettings) -> None:
    """Run the training while it is watched; it can be stopped."""
    prose("training", "live")

    def show(progress: Progress, when: str = "") -> None:
        drawing = figures.loss_curves(progress, None, lang())
        key = f"training_live_{when or progress.step}"
        st.plotly_chart(drawing.figure, key=key, alt=drawing.alt)
        if not when:
            time.sleep(PAUSE_SECONDS)  # the slices are faster than the eye, and than a hand

    def start() -> Generator[Progress]:
        batch = batch_of(settings)
        how = (settings.learning_rate, settings.clip_norm, settings.sigma, settings.steps)
        return run_training(batch, batch.Y, *how, slices=LIVE_SLICES)

    last = long_work(
        "training_live",
        start,
        fraction=lambda progress: progress.step / progress.n_steps,
        label=t("Start", "开始"),
        show=show,
        token=settings,
    )
    if last is not None:
        show(last, "end")
        done = t(
            f"{last.step} of {last.n_steps} steps.", f"已完成 {last.step} / {last.n_steps} 步。"
        )
        st.caption(done)


def orders(settings: TrainingSettings, result: TrainingResult) -> None:
    """Show the three orders of clipping and averaging."""
    prose("training", "orders")
    bound = settings.clip_norm / settings.batch_size
    plot(clip_figures.order_bars(result.orders, bound, lang()), "training_orders")
    checks(
        (
            order.influence <= bound * 1.001,
            t(
                f"{clip_figures.order_name(order.name, 'en')}: one example moves it by at most "
                f"C/B (cosine with the right gradient {order.cosine:.3f})",
                f"{clip_figures.order_name(order.name, 'zh')}：单个样本的影响不超过 C/B"
                f"（与正确梯度的余弦 {order.cosine:.3f}）",
            ),
        )
        for name in clip_figures.ORDERS
        for order in result.orders
        if order.name == name
    )


def noise(result: TrainingResult) -> None:
    """Show the noise of every placement, measured."""
    prose("training", "noise")
    plot(clip_figures.noise_bars(result.noise, lang()), "training_noise")
    if not result.noise[0].stated:
        st.caption(t("No noise: σ or C is zero.", "没有噪声：σ 或 C 为零。"))
        return
    items = []
    for item in result.noise:
        times, name = item.deviation / item.stated, clip_figures.placement_name(item.name, lang())
        words = t(
            f"{name}: {times:.3g} times σC/B, correlation between leaves {item.correlation:.2f}",
            f"{name}：σC/B 的 {times:.3g} 倍，叶子间相关系数 {item.correlation:.2f}",
        )
        items.append((abs(times - 1) < AMOUNT and abs(item.correlation) < AMOUNT, words))
    checks(items)


def cases(settings: TrainingSettings) -> None:
    """Show what becomes of gradients that are hard to clip, for the chosen C and for zero."""
    prose("training", "cases")
    names = {
        "zero": t("zero", "零"),
        "small": t("small", "较小"),
        "large": t("large", "较大"),
        "norm squared overflows": t("square overflows", "平方溢出"),
        "norm overflows": t("norm overflows", "范数溢出"),
        "inf": "inf",
        "nan": "nan",
    }
    usual, ours = t("usual formula", "常见公式"), t("here", "这里")
    columns: dict[str, list[str]] = {}
    for bound in dict.fromkeys((settings.clip_norm, 0.0)):
        found = clip_cases(bound)
        columns.setdefault(t("gradient", "梯度"), [names[name] for name in found.names])
        columns.setdefault("g", [_pair(row) for row in found.given])
        columns[f"{usual}, C = {bound:g}"] = [_pair(row) for row in found.naive]
        columns[f"{ours}, C = {bound:g}"] = [
            _pair(row) + (t(" refused", " 拒收") if refused else "")
            for row, refused in zip(found.ours, found.refused, strict=True)
        ]
    st.dataframe(pd.DataFrame(columns), hide_index=True)


def _pair(row: np.ndarray) -> str:
    return "(" + ", ".join(f"{value:.3g}" for value in row.tolist()) + ")"
