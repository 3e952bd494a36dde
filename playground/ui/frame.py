"""The frame around every page: entry, navigation, title, and what is shown when something fails."""

import functools
import logging
from collections.abc import Callable
from contextvars import ContextVar

import streamlit as st

from playground.foundation import limits
from playground.foundation.prose import section
from playground.sandbox import tell_server_address
from playground.ui.controls import forget_complaints
from playground.ui.language import lang, language_switch, t
from playground.ui.navigation import pages, title
from playground.ui.style import style
from playground.ui.warm_up import warm_up

_log = logging.getLogger(__name__)
_inside: ContextVar[bool] = ContextVar("inside_the_entry_file", default=False)


def run_app() -> None:
    """Show the navigation and run the page that the link names (called by the entry file)."""
    tell_server_address(st.get_option("server.address"))
    warm_up()
    page = st.navigation(pages(), position="top")
    token = _inside.set(True)
    try:
        guarded(page.run)()
    finally:
        _inside.reset(token)


def enter() -> None:
    """Make sure that a page runs inside the entry file (the first statement of every page).

    The first deep link after a start of the server makes Streamlit run the page's file alone;
    naming the pages once and running again mends that, and keeps the link.
    """
    if not _inside.get():
        st.navigation(pages(), position="hidden")
        st.rerun()


def begin(name: str) -> None:
    """Show a page's title, its first sentences and the language switch.

    Args:
        name: stem of the page's file; its prose's section "" is shown below the title.
    """
    forget_complaints()
    st.html(style())
    with st.container(horizontal=True, vertical_alignment="center", key="page_head"):
        st.title(title(name), anchor=False, width="stretch")
        with st.container(width="content"):
            language_switch()
    introduction = section(name, lang(), "")
    if introduction:
        with st.container(key="lead"):
            st.markdown(introduction)


def guarded(function: Callable[[], None]) -> Callable[[], None]:
    """Turn any exception of a page into a message that says what to do."""

    @functools.wraps(function)
    def run() -> None:
        try:
            function()
        except (limits.MemoryRefused, limits.ServerBusyError) as refusal:
            st.warning(refusal.message(lang()), icon=":material/front_hand:")
        except Exception as error:
            _log.exception("a page failed")
            _show_failure(error, getattr(function, "__name__", "page"))

    return run


def lesson(function: Callable[[], None]) -> Callable[[], None]:
    """Make the interactive part of a page: it reruns alone, and its failures are explained."""
    return st.fragment(guarded(function))


def _show_failure(error: Exception, part: str) -> None:
    st.error(
        t(
            "Something went wrong while this page was computed. Nothing of yours is lost. "
            "Change the last setting back, or start again from the defaults.",
            "计算本页时出了问题，你的内容没有丢失。请撤回最后一次改动，或从默认设置重新开始。",
        ),
        icon=":material/warning:",
    )
    if st.button(t("Back to the defaults", "恢复默认设置"), key=f"reset_{part}"):
        kept = {k: v for k, v in st.query_params.items() if k == "lang"}
        for key in [key for key in st.session_state if key != "language"]:
            del st.session_state[key]
        st.query_params.from_dict(kept)
        st.rerun()
    with st.expander(t("What failed", "出错信息")):
        st.code(f"{type(error).__name__}: {str(error)[:2000]}", language=None, wrap_lines=True)
