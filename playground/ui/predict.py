"""Predict first: before a result is shown, the user says what will come out."""

from collections.abc import Callable, Mapping

import streamlit as st

from playground.ui.language import t
from playground.ui.view import view


def predict_first(
    key: str,
    options: Callable[[], tuple[tuple[str, ...], str]],
    why_not: Callable[[str], str],
    question: str = "",
    labels: Mapping[str, str] | None = None,
) -> bool:
    """Ask for a prediction when the link says so.

    Args:
        key: names the question; another key asks anew.
        options: gives the possible answers and the right one.
        why_not: says, for a wrong answer, what it would need, in the view's language.
        question: what is asked; by default, which shape comes out.
        labels: what answers are called in the view's language, where that is not the answer itself.

    Returns:
        Whether the result may be shown now.
    """
    if not view().predict:
        return True
    answers, right = options()
    question = question or t("Predict first: which shape comes out?", "先预测：输出是什么形状？")
    named = {"error": t("an error", "报错"), **(labels or {})}
    chosen = st.segmented_control(
        question, answers, format_func=lambda a: named.get(a, a), key=f"predict_{key}", wrap=True
    )
    if chosen is None:
        st.caption(t("Choose, then see the result.", "选好之后再看结果。"))
        return False
    if chosen == right:
        st.success(t("Right.", "正确。"), icon=":material/check:")
    else:
        st.warning(
            t(
                f"You chose {named.get(chosen, chosen)}; it is {named.get(right, right)}.",
                f"你选的是 {named.get(chosen, chosen)}；实际是 {named.get(right, right)}。",
            )
            + " "
            + why_not(chosen),
            icon=":material/close:",
        )
    return True
