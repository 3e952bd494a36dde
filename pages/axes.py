"""Axes: what vmap does with one call, and why it refuses."""

import streamlit as st

from playground.lessons import axes
from playground.lessons.axes_answers import predictions
from playground.ui import (
    Panel,
    axes_answers,
    axes_page,
    begin,
    compute,
    enter,
    finish,
    lang,
    lesson,
    t,
)
from playground.ui.predict import predict_first

enter()
begin("axes")


@lesson
def call() -> None:
    """One call: arguments, strip, outputs or refusal."""
    panel = Panel(axes.AxesSettings)
    first, rest = st.columns([1.1, 2], gap="small")
    with first, st.container(border=True):
        axes_page.function_card(panel)
        example = st.container()
    controls = st.container()
    with controls:
        axes_page.call_controls(panel)
    settings = panel.settings(example=panel.linked.example)
    for complaint in axes.call_of(settings).unreadable:
        st.warning(complaint.message(lang()))
    result = compute(axes.compute, settings)
    with example:
        size = result.batch_size or 0
        if size > 1:
            few = range(size) if size <= 32 else None
            panel.choose("example", t("Example i", "样本 i"), options=few)
            settings = panel.settings()
            result = compute(axes.compute, settings)
    with rest:
        axes_page.arguments(settings, result)
    key = f"{settings.function}{settings.shapes}{settings.in_axes}{settings.out_axes}"
    is_revealed = predict_first(
        key,
        lambda: predictions(settings),
        lambda option: axes_answers.needed(settings, option),
    )
    axes_page.flow(result, is_revealed)
    if is_revealed:
        left, right = st.columns([1, 1.6])
        with left, st.container(border=True):
            axes_page.outputs(settings, result)
        with right:
            st.code(f"{result.code}", language="python", wrap_lines=True)
            axes_answers.refusal(settings)
            axes_answers.surprise(settings)
            axes_answers.want(panel)
        axes_answers.how_it_was_batched(settings)
    axes_answers.leading_dimensions(panel)
    finish("axes", settings, axes.script)


call()
