"""The language of the view: the link decides, then this session's choice, then the browser."""

import streamlit as st

from playground.foundation.language import LANGUAGES, Language, language_from, pick

NAMES: dict[Language, str] = {"en": "English", "zh": "中文"}
CHOICE = "language_switch"
REMEMBERED = "language"


def lang() -> Language:
    """Return the language of this view."""
    asked = st.query_params.get("lang") or st.session_state.get(REMEMBERED)
    language = language_from(asked, st.context.locale)
    st.session_state[REMEMBERED] = language
    return language


def t(english: str, chinese: str) -> str:
    """Return the label of a pair that belongs to this view's language."""
    return pick(lang(), english, chinese)


def _switch() -> None:
    chosen = {name: language for language, name in NAMES.items()}[st.session_state[CHOICE]]
    st.session_state[REMEMBERED] = chosen
    st.query_params["lang"] = chosen


def language_switch() -> None:
    """Show the switch between the languages; it writes the choice into the link."""
    st.session_state[CHOICE] = NAMES[lang()]
    st.segmented_control(
        "Language / 语言",
        [NAMES[language] for language in LANGUAGES],
        key=CHOICE,
        required=True,
        on_change=_switch,
        label_visibility="collapsed",
    )
