"""Clip and train: what clipping and noise do to one step, and to two hundred of them."""

import streamlit as st

from playground.lessons import training
from playground.ui import Panel, begin, compute, enter, finish, lesson, link_to, t, training_page
from playground.ui.frame import guarded

enter()
begin("training")


@lesson
def clip_and_train() -> None:
    """One batch with wrong labels: training, orders of clipping, noise, hard cases."""
    panel = Panel(training.TrainingSettings)
    left, right = st.columns([1, 2.6], gap="medium")
    with left, st.container(border=True):
        settings = training_page.controls(panel)
    result = compute(training.compute, settings)
    with right:
        training_page.training(result)
    parts = st.tabs(
        [
            t("Orders of clipping", "裁剪的次序"),
            t("Noise", "噪声"),
            t("Weights found", "得到的权重"),
            t("Hard cases", "棘手的梯度"),
        ]
    )
    with parts[0]:
        training_page.orders(settings, result)
    with parts[1]:
        training_page.noise(result)
    with parts[2]:
        training_page.weights(result)
    with parts[3]:
        training_page.cases(settings)
    finish("training", settings, training.script)


def watch() -> None:
    """The live run; no fragment, because a click inside one would wait for the run to end."""
    st.subheader(t("Watch it train", "实时观看训练"), anchor=False)
    training_page.live(training.TrainingSettings.from_query(st.query_params.to_dict())[0])
    link_to("gradients", t("Where the norms come from", "这些范数从何而来"))


clip_and_train()
guarded(watch)()
