"""Asking the server's queue for a measurement: a button, a progress bar with position, cancel."""

import uuid
from collections.abc import Hashable

import streamlit as st

from playground.measure.queue import MEASUREMENTS, Kept, Ticket, Work
from playground.ui.language import t
from playground.ui.warm_up import stop_warming_up

LOOK_EVERY_SECONDS = 0.4


def measured(name: str, key: Hashable, start: Work, *, at_once: bool = False) -> Kept | None:
    """Show the button that measures and return the newest result, whichever session measured it.

    The measurement runs in the queue's own thread: this page only looks at its ticket, and other
    pages do not notice.

    Args:
        name: of the widgets, unique in the app.
        key: what the result depends on.
        start: makes the generator that measures; it yields shares of 1.
        at_once: whether to measure without being asked when nobody has yet.

    Returns:
        The newest finished result for this key, or None.
    """
    watcher = st.session_state.setdefault("measuring_as", uuid.uuid4().hex)
    kept = MEASUREMENTS.kept(key)
    place = st.container(horizontal=True, vertical_alignment="center")
    label = t("Measure again", "重新测量") if kept else t("Measure here", "在本机测量")
    with place:
        st.button(
            label,
            key=f"{name}_measure",
            type="primary",
            icon=":material/timer:",
            on_click=_ask,
            args=(name, key, start, watcher),
        )
    if at_once and kept is None and st.session_state.get(f"{name}_left") != key:
        _ask(name, key, start, watcher)
    ticket = st.session_state.get(f"{name}_ticket")
    if ticket is not None and ticket.key == key:
        if ticket.error is not None:
            del st.session_state[f"{name}_ticket"]
            raise ticket.error
        if ticket.is_active and watcher in ticket.watchers:
            with place:
                _watch(name, ticket, watcher)
    return MEASUREMENTS.kept(key)


@st.fragment(run_every=LOOK_EVERY_SECONDS)
def _watch(name: str, ticket: Ticket, watcher: str) -> None:
    """Show how far it is; a fragment of its own, so that clicks come through between two looks."""
    if not ticket.is_active or watcher not in ticket.watchers:
        st.rerun()
    MEASUREMENTS.ticket(ticket.key, watcher)  # says that somebody still waits
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("Cancel", "取消"),
            key=f"{name}_cancel",
            on_click=_leave,
            args=(name, ticket, watcher),
        )
        st.progress(ticket.fraction, _words(ticket))


def _ask(name: str, key: Hashable, start: Work, watcher: str) -> None:
    stop_warming_up()
    st.session_state.pop(f"{name}_left", None)
    st.session_state[f"{name}_ticket"] = MEASUREMENTS.submit(key, start, watcher)


def _leave(name: str, ticket: Ticket, watcher: str) -> None:
    MEASUREMENTS.leave(ticket, watcher)
    st.session_state[f"{name}_left"] = ticket.key


def age(kept: Kept) -> str:
    """Say how long ago a shared result was measured."""
    minutes = int(kept.age_seconds // 60)
    if minutes < 1:
        return t("measured just now", "刚刚测得")
    if minutes < 120:
        return t(f"measured {minutes} min ago", f"{minutes} 分钟前测得")
    return t(f"measured {minutes // 60} h ago", f"{minutes // 60} 小时前测得")


def _words(ticket: Ticket) -> str:
    ahead = MEASUREMENTS.position(ticket)
    if ticket.state == "waiting" and ahead:
        return t(
            f"Waiting: {ahead} before you. One measurement at a time keeps them honest.",
            f"排队中：前面还有 {ahead} 个。一次只测一个，结果才可信。",
        )
    return t(f"Measuring … {ticket.fraction:.0%}", f"测量中…… {ticket.fraction:.0%}")
