"""Exercises: write the function, have it checked on data it has never seen, be told the mistake."""

import streamlit as st

from playground.practice.exercises import EXERCISES, ExercisesSettings
from playground.ui import (
    Panel,
    begin,
    enter,
    exercises_page,
    finish,
    lang,
    lesson,
    link_to,
    prose,
    t,
)

enter()
begin("exercises")


@lesson
def exercise() -> None:
    """One exercise: statement, editor, verdict, hints, answer."""
    exercises_page.say_whether_code_runs()
    panel = Panel(ExercisesSettings)
    task = panel.choose(
        "task", t("Exercise", "练习"), labels=exercises_page.task_label, style="select"
    )
    chosen = EXERCISES[task]
    left, right = st.columns([1, 1.5], gap="large")
    with left:
        prose("exercises", task)
        st.caption(
            t("`jax`, `jnp`, `lax` and `np` are there.", "`jax`、`jnp`、`lax`、`np` 可直接使用。")
        )
        link_to(chosen.page, t("The page that explains it", "讲解这一内容的页面"))
        exercises_page.hints(chosen)
        exercises_page.answer(chosen)
    with right:
        is_asked = exercises_page.editor(chosen)
        exercises_page.verdict(chosen, is_asked=is_asked)
    with st.expander(t("What is checked, and how", "检查什么、怎样检查")):
        prose("exercises", "checks")
    exercises_page.progress(lang())
    finish("exercises", panel.settings())


exercise()
