"""Gradients: the gradient of every example, which ones are too long, and what norms cost."""

import streamlit as st

from playground.lessons import gradients
from playground.ui import (
    Panel,
    begin,
    compute,
    enter,
    finish,
    gradient_facts,
    gradients_page,
    lesson,
    link_to,
    predict_first,
    t,
)

enter()
begin("gradients")


@lesson
def norms() -> None:
    """One batch: norms, suspects, clipping, cost."""
    panel = Panel(gradients.GradientsSettings)
    left, right = st.columns([1, 2.6], gap="medium")
    with left, st.container(border=True):
        settings = gradients_page.controls(panel)
    result = compute(gradients.compute, settings)
    with right:
        if not predict_first(
            f"grad{result.leaves}",
            lambda: gradients_page.predictions(result),
            lambda _: t(
                "The batch axis comes first, in every leaf.", "每个叶子的批次轴都在最前面。"
            ),
            t(
                "Predict first: shape of the gradient of W1 or w1?",
                "先预测：首个权重的逐样本梯度形状？",
            ),
        ):
            return
        gradients_page.shapes(settings, result)
        gradients_page.norms(settings, result)
    parts = st.tabs(
        [t("Suspects", "嫌疑样本"), t("Clipping", "裁剪"), t("Time and memory", "时间与内存")]
    )
    with parts[0]:
        frame = gradients_page.suspects(result)
    with parts[1]:
        gradients_page.clipping(settings, result)
    with parts[2]:
        gradients_page.cost(settings)
    files = {"suspects.csv": frame.to_csv(index=False).encode()}
    finish("gradients", settings, gradients.script, files)


@lesson
def further() -> None:
    """What does not depend on the controls: by hand, refused, statistics."""
    st.subheader(t("Five points by hand, and what grad refuses", "五个点，以及 grad 拒绝什么"))
    gradient_facts.first_steps()
    st.subheader(t("The batch normalisation trap", "批归一化的陷阱"))
    gradient_facts.statistics()
    link_to("training", t("Clip, add noise, train", "裁剪、加噪、训练"))


norms()
further()
