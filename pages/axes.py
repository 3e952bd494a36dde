"""Axes: what vmap does with one call, and why it refuses."""

import streamlit as st

from playground.lessons import axes, axes_call
from playground.lessons.axes_answers import predictions
from playground.ui import (
    Panel,
    axes_answers,
    axes_page,
    axes_strips,
    begin,
    compute,
    enter,
    finish,
    lang,
    lesson,
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
        axes_page.outer_toggle(panel)
        example = st.container()
    axes_page.call_controls(panel, has_outer=panel.settings().outer)
    settings = panel.settings()
    call = axes_call.call_of(settings)
    for complaint in call.unreadable:
        st.warning(complaint.message(lang()))
    with example:
        axes_page.examples(panel, compute(axes.compute, settings))
    settings = panel.settings()
    result = compute(axes.compute, settings)
    with rest:
        axes_page.arguments(settings, result)
    is_revealed = predict_first(
        f"{settings.function}{call.shapes}{call.levels}",
        lambda: predictions(settings),
        lambda option: axes_answers.needed(settings, option),
    )
    axes_strips.flow(result, is_revealed)
    if is_revealed:
        left, right = st.columns([1, 1.6])
        with left, st.container(border=True):
            axes_page.outputs(settings, result)
        with right:
            st.code(result.code, language="python", wrap_lines=True)
            axes_answers.told(panel, settings)
        axes_answers.how_it_was_batched(settings)
    axes_answers.leading_dimensions(panel)
    finish("axes", settings, axes.script)


call()
