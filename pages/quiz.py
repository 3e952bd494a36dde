"""Quiz: questions whose answers are proved by code that runs here."""

import streamlit as st

from playground.practice import quiz
from playground.ui import begin, compute, enter, finish, lesson, quiz_page, t
from playground.ui.linked import linked
from playground.ui.view import view

enter()
begin("quiz")


@lesson
def questions() -> None:
    """One question, or the review."""
    settings = linked(quiz.QuizSettings)
    with st.spinner(t("Running the proofs …", "正在运行证明……"), show_time=False):
        result = compute(quiz.compute, settings)
    if result.current is None:
        quiz_page.review(settings, result)
    else:
        quiz_page.question(settings, result.current)
    quiz_page.way(settings, result)
    finish("quiz", settings, quiz.script if view().answers == "on" else None)


questions()
