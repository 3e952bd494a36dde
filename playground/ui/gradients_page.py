"""The parts of the page Gradients that follow its controls: norms, suspects, clipping, cost."""

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from playground.figures import gradients as figures
from playground.figures.boards import shape_html
from playground.figures.norm_cost import chunk_memory, method_bars
from playground.foundation.limits import readable_bytes
from playground.lessons.gradient_study import GradientsResult, suspects_table
from playground.lessons.gradients import GradientsSettings, compute_costs
from playground.lessons.norm_cost import stored_bytes
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import checks, headline_row, plot, prose, strip
from playground.ui.work import compute

AGREE = 1e-4


def controls(panel: Panel[GradientsSettings]) -> GradientsSettings:
    """Show the controls, leaving out what the chosen model does not have."""
    models = {
        "mlp": t("MLP", "MLP"),
        "linear": t("linear", "线性"),
        "logistic": t("logistic", "逻辑回归"),
    }
    model = panel.choose("model", t("Model", "模型"), labels=lambda m: models[m])
    panel.choose("batch_size", t("Batch size B", "批大小 B"))
    panel.choose("errors", t("Wrong labels", "标错的样本数"))
    if model != "logistic":
        panel.choose("shift", t("Size of the error", "标签误差大小"), step=0.5)
    panel.choose(
        "times_median",
        t("Threshold: × median norm", "阈值：范数中位数的倍数"),
        step=0.5,
        help=t("Norms above it are suspects.", "范数超过它的样本列为嫌疑。"),
    )
    panel.choose("clip_norm", t("Clip norm C", "裁剪范数 C"), step=0.5)
    with st.expander(t("Layers, training, chunks, seed", "层、训练、分块、随机种子")):
        if model == "mlp":
            panel.choose("hidden_layers", t("Hidden layers", "隐藏层数"))
            panel.choose("hidden_width", t("Hidden width", "隐藏层宽度"))
        panel.choose(
            "steps",
            t("Training steps before looking", "先训练的步数"),
            help=t("Clipped steps on the labels as they are.", "按现有标签做裁剪梯度下降。"),
        )
        panel.choose("chunk_size", t("Chunk size k", "分块大小 k"))
        panel.choose("seed", t("Seed", "随机种子"))
    return panel.settings()


def shapes(settings: GradientsSettings, result: GradientsResult) -> None:
    """Show how the batch axis passes through: parameters, batch, gradients."""
    batch = settings.batch_size
    name, shape = result.leaves[0]
    count = result.parameters * batch
    strip(
        [
            (
                t("SHARED: parameters (in_axes=None)", "共享：参数（in_axes=None）"),
                f"{name} {shape_html(shape[1:])}",
                t(
                    f"P = {result.parameters:,} numbers in all",
                    f"共 P = {result.parameters:,} 个数",
                ),
            ),
            (
                t("MAPPED: the batch (in_axes=0)", "映射：整批数据（in_axes=0）"),
                f"X {shape_html(result.features.shape, 0)}",
                t(
                    f"and Y ({batch},): a row and a label each",
                    f"以及 Y ({batch},)：每次一行、一个标签",
                ),
            ),
            (
                t("OUT: per-example gradients", "输出：逐样本梯度"),
                f"{name} {shape_html(shape, 0)}",
                f"B × P = {count:,} ({readable_bytes(stored_bytes(batch, result.parameters))})",
            ),
        ]
    )
    others = ", ".join(f"`{leaf}` {shape_text(size)}" for leaf, size in result.leaves[1:])
    st.caption(t("The other leaves: ", "其余叶子：") + others)


def predictions(result: GradientsResult) -> tuple[tuple[str, ...], str]:
    """Return shapes that people expect of the first leaf's gradients, and the right one."""
    shape = result.leaves[0][1]
    guesses = (shape[1:], (*shape[1:], shape[0]), shape, shape[:1])
    return tuple(dict.fromkeys(shape_text(guess) for guess in guesses)), shape_text(shape)


def percent(share: float) -> str:
    """Write a share in percent; a share of nothing is a dash."""
    return "–" if math.isnan(share) else f"{share:.1%}"


def shape_text(shape: tuple[int, ...]) -> str:
    """Write a shape as Python does."""
    return str(tuple(shape))


def norms(settings: GradientsSettings, result: GradientsResult) -> None:
    """Show the norms with the wrong labels marked, and how well the threshold finds them."""
    found = result.findings
    plot(figures.norm_strip(result, settings.clip_norm, lang()), "gradient_norms")
    headline_row(
        [
            (t("Suspects", "嫌疑样本"), len(found.suspects)),
            (
                t("Precision", "精确率"),
                percent(found.precision),
                t("found / suspects", "找对的 / 嫌疑"),
            ),
            (
                t("Recall", "召回率"),
                percent(found.recall),
                t("found / wrong labels", "找对的 / 标错的"),
            ),
            (t("Share clipped", "被裁剪的比例"), percent(result.clipped_share)),
        ]
    )
    within = result.clipped_norms.max() <= settings.clip_norm * (1 + 1e-5)
    agree = (
        (
            result.mean_error,
            t(
                "mean of per-example gradients = gradient of the mean",
                "逐样本梯度的均值 = 平均损失的梯度",
            ),
        ),
        (
            result.chunk_error,
            t(
                f"norms in chunks of {settings.chunk_size} = norms all at once",
                f"每块 {settings.chunk_size} 个分块求范数 = 一次求全部范数",
            ),
        ),
        (result.ghost_error, t("ghost norms = norms of the gradients", "ghost 范数 = 梯度的范数")),
        (
            result.weighted_error,
            t("clipped mean = gradient of the weighted loss", "裁剪后的均值 = 加权损失的梯度"),
        ),
    )
    largest = result.clipped_norms.max()
    checks(
        [
            *(
                (error < AGREE, words + t(f" (difference {error:.1e})", f"（相差 {error:.1e}）"))
                for error, words in agree
            ),
            (
                bool(within),
                t(
                    f"every clipped norm ≤ C (largest {largest:.4g})",
                    f"裁剪后范数均 ≤ C（最大 {largest:.4g}）",
                ),
            ),
        ]
    )


def suspects(result: GradientsResult) -> pd.DataFrame:
    """List the suspects and show what the mean gradient looks like without them."""
    prose("gradients", "outliers")
    frame = pd.DataFrame(suspects_table(result))
    titles = {
        "index": t("index", "序号"),
        "label": t("label", "标签"),
        "prediction": t("prediction", "预测"),
        "norm": t("norm", "范数"),
        "planted": t("really wrong", "确实标错"),
    }
    left, right = st.columns([1.4, 1])
    with left:
        st.dataframe(frame, hide_index=True, height=250, column_config=titles)
    with right:
        prose("gradients", "removed")
        headline_row(
            [
                (t("All examples", "全部样本"), f"{result.all_cosine:.4f}"),
                (t("Without suspects", "去掉嫌疑"), f"{result.kept_cosine:.4f}"),
            ]
        )
    return frame


def clipping(settings: GradientsSettings, result: GradientsResult) -> None:
    """Show the norms before and after clipping."""
    prose("gradients", "clipping")
    plot(figures.clipping_histogram(result, settings.clip_norm, lang()), "gradient_clipping")
    headline_row(
        [
            (t("Share clipped", "被裁剪的比例"), percent(result.clipped_share)),
            (
                t("Cosine: clipped and plain mean", "裁剪与普通均值的余弦"),
                f"{result.clipped_cosine:.4f}",
            ),
        ]
    )


def cost(settings: GradientsSettings) -> None:
    """Show time and memory of the methods; they depend on sizes only, so the rest is fixed."""
    prose("gradients", "cost")
    usual = GradientsSettings()
    same = ("errors", "shift", "steps", "times_median", "clip_norm", "seed")
    sizes = replace(settings, **{name: getattr(usual, name) for name in same})
    with st.spinner(t("Measuring …", "测量中……")):
        result = compute(compute_costs, sizes)
    plot(method_bars(result.methods, lang()), "gradient_methods")
    prose("gradients", "memory")
    st.markdown(
        t(
            f"A model with $10^8$ parameters and a batch of 32 would store "
            f"**{stored_bytes(32, 10**8) / 1e9:.1f} GB** of gradients.",
            f"一个有 $10^8$ 个参数的模型，批大小为 32，仅梯度就要存 "
            f"**{stored_bytes(32, 10**8) / 1e9:.1f} GB**。",
        )
    )
    plot(chunk_memory(result.chunk_sizes, result.chunk_bytes, lang()), "gradient_chunks")
