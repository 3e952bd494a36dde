"""Error museum: broken calls that people write, raised live, explained and repaired."""

import streamlit as st

from playground.practice import errors
from playground.ui import begin, compute, enter, errors_page, finish, lesson
from playground.ui.linked import linked
from playground.ui.view import view

enter()
begin("errors")


@lesson
def exhibit() -> None:
    """One exhibit: the call, the prediction, the verdict, the repairs."""
    settings = linked(errors.ErrorsSettings)
    result = compute(errors.compute, errors.ErrorsSettings(exhibit=settings.exhibit))
    errors_page.rooms(settings)
    left, right = st.columns([1.3, 1], gap="medium")
    with left:
        errors_page.broken_call(result)
    with right, st.container(border=True):
        is_revealed = errors_page.prediction(settings, result)
    if is_revealed:
        errors_page.verdict(result)
        errors_page.repairs(settings, result)
        errors_page.by_hand(result)
    finish("errors", settings, errors.script if view().answers == "on" else None)


exhibit()
