"""Pages whose whole state is the link itself: read it, ask one question, go to another state."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import streamlit as st

from playground.foundation.settings import Settings, written
from playground.ui.language import lang
from playground.ui.view import view


def linked[S: Settings](kind: type[S]) -> S:
    """Read the settings of a page from the link and name what could not be taken."""
    settings, complaints = kind.from_query(st.query_params.to_dict())
    for complaint in complaints:
        st.warning(complaint.message(lang()), icon=":material/warning:")
    return settings


def go(settings: Settings, **changes: Any) -> None:
    """Write another state into the link (called by widgets, before the page runs again).

    Args:
        settings: the state now.
        changes: fields that change.
    """
    settings = replace(settings, **changes)
    for item in fields(settings):
        value = getattr(settings, item.name)
        if value == item.default:
            st.query_params.pop(settings.key(item.name), None)
        else:
            st.query_params[settings.key(item.name)] = written(value)


def choose(
    settings: Settings,
    name: str,
    label: str,
    options: Sequence[Any],
    labels: Callable[[Any], str] = str,
    *,
    style: str = "select",
    help: str | None = None,  # noqa: A002 - Streamlit's own word
    **also: Any,
) -> None:
    """Show a control of one field that is not hidden; a choice goes to the new state.

    Args:
        settings: the state now.
        name: the field.
        label: what the control is called.
        options: what can be chosen.
        labels: how an option is written.
        style: "select", "buttons" or "number".
        help: one sentence.
        also: fields that change with every choice, such as the guess that starts anew.
    """
    key = settings.key(name)
    if view().hides(key):
        return
    st.session_state[f"{key}_chosen"] = getattr(settings, name)

    def changed() -> None:
        chosen = st.session_state[f"{key}_chosen"]
        go(settings, **{name: chosen}, **also)

    bound: dict[str, Any] = {"key": f"{key}_chosen", "on_change": changed, "help": help}
    if style == "number":
        st.number_input(label, min(options), max(options), step=1, **bound)
    elif style == "buttons":
        st.segmented_control(label, options, format_func=labels, required=True, **bound)
    else:
        st.selectbox(label, options, format_func=labels, **bound)


def ask(
    settings: Settings,
    question: str,
    options: Sequence[str],
    *,
    guess: int,
    token: str,
    answer: Callable[[int], None],
) -> None:
    """Ask one question whose answer stands in the link.

    Args:
        settings: the state now.
        question: what is asked, in the view's language.
        options: the answers as Markdown, in order.
        guess: number of the answer given, from 1; another number for none.
        token: names the question; another one starts without an answer.
        answer: called with the number of the answer that is chosen.
    """
    key = f"{settings.key('ask')}_{token}"
    st.session_state[key] = guess if 1 <= guess <= len(options) else None
    st.radio(
        question,
        range(1, len(options) + 1),
        index=None,
        format_func=lambda number: options[number - 1],
        key=key,
        on_change=lambda: answer(st.session_state[key]),
    )
