"""Drill: endless questions about shapes, axes and refusals."""

import streamlit as st

from playground.practice import drill
from playground.ui import begin, compute, drill_page, enter, finish, lesson
from playground.ui.linked import linked

enter()
begin("drill")


@lesson
def question() -> None:
    """One question, its verdict, and how it has gone so far."""
    settings = linked(drill.DrillSettings)
    asked = drill.DrillSettings(settings.level, settings.seed, settings.number)
    result = compute(drill.compute, asked)
    drill_page.controls(settings)
    left, right = st.columns([1, 1.1], gap="medium")
    with left:
        drill_page.exercise(result)
    with right, st.container(border=True):
        drill_page.answer(settings, result)
    drill_page.progress(settings)
    finish("drill", settings, drill.script)


question()
