"""Widgets made from a settings dataclass: the link fills them, they write the link.

A browser's bounds do not bind a crafted client: whatever arrives becomes legal in the dataclass.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import streamlit as st

from playground.foundation.settings import (
    LONGEST_VALUE,
    Between,
    Flag,
    OneOf,
    Settings,
    Text,
    written,
)
from playground.ui.editor import code_editor
from playground.ui.language import lang
from playground.ui.view import view

MOST_SEGMENTS = 6
BY_HAND = "keys_linked_by_hand"
EPOCH = "epoch"
TOLD = "complaints_told"


def epoch() -> int:
    """Count how often controls were set by a button.

    A widget whose key carries it is made anew then: a browser keeps the old value of a widget that
    it does not show at the moment, such as one in a closed popover.
    """
    return st.session_state.get(EPOCH, 0)


def forget_complaints() -> None:
    """Begin a run of the page: each bad value of the link is named once, by the first panel."""
    st.session_state[TOLD] = set()


class Panel[S: Settings]:
    """The controls of one page, or of one part of it.

    Args:
        kind: the settings class of the page.
    """

    def __init__(self, kind: type[S]) -> None:
        self.kind = kind
        self.linked, complaints = kind.from_query(st.query_params.to_dict())
        self._values: dict[str, Any] = {}
        told = st.session_state.setdefault(TOLD, set())
        for complaint in complaints:
            if complaint.key not in st.session_state and complaint not in told:
                st.warning(complaint.message(lang()), icon=":material/warning:")
                told.add(complaint)

    def choose(
        self,
        name: str,
        label: str,
        *,
        help: str | None = None,  # noqa: A002 - Streamlit's own word
        labels: Callable[[Any], str] | None = None,
        options: Sequence[Any] | None = None,
        unit: str = "",
        step: float | None = None,
        style: str = "",
        on_change: Callable[[], None] | None = None,
    ) -> Any:
        """Show the widget of one field and return its value.

        Args:
            name: the field's name.
            label: what the control is called, in the view's language.
            help: one sentence that says what it does.
            labels: how to write each option; the link keeps the option itself.
            options: a part of what the field allows, when not all makes sense now.
            unit: appended to numbers of a slider, such as "MiB".
            step: step of a slider for numbers.
            style: "select" or "radio" in place of buttons; "area" is text of several lines,
                "code" is Python.
            on_change: called when the user changes it (not together with `labels`).

        Returns:
            The value: legal, and the link's own when the link hides this control.
        """
        key, rule = self.kind.key(name), self.kind.rule(name)
        if view().hides(key):
            value = st.session_state.get(f"hidden_{key}", getattr(self.linked, name))
            if key in st.query_params:
                value = getattr(self.linked, name)
            self._values[name] = st.session_state[f"hidden_{key}"] = value
            return value
        default = self.kind.default(name)
        is_by_hand = labels is not None or style in ("area", "code")
        self._follow_link(key, getattr(self.linked, name), default, options, is_by_hand)
        bound: dict[str, Any] = {"key": key, "help": help}
        if not is_by_hand:
            bound |= {"bind": "query-params", "on_change": on_change or "rerun"}
        else:
            st.session_state.setdefault(BY_HAND, set()).add(key)
            bound |= {"on_change": _write_link, "args": (key, default, on_change)}
        match rule:
            case OneOf():
                shown = tuple(options or rule.options)
                value = _one_of(label, shown, default, labels, bound, style, unit)
            case Between() if options is not None:
                value = _one_of(label, tuple(options), default, labels, bound, style, unit)
            case Between():
                value = _number(label, rule, default, step, unit, bound)
            case Flag():
                value = st.toggle(label, default, **bound)
            case Text() if style == "area":
                st.session_state.setdefault(key, getattr(self.linked, name))
                value = st.text_area(label, max_chars=rule.longest, height="content", **bound)
            case Text() if style == "code":
                st.session_state.setdefault(key, getattr(self.linked, name))
                value = code_editor(label, longest=rule.longest, **bound)
            case Text():
                value = st.text_input(label, default, max_chars=rule.longest, **bound)
            case _:
                raise TypeError(rule)
        self._values[name] = rule.legal(value, default)
        return self._values[name]

    def settings(self, **fixed: Any) -> S:
        """Return legal settings: chosen, the link's where there is no widget, and `fixed`."""
        untouched = {
            item.name: getattr(self.linked, item.name)
            for item in fields(self.kind)
            if item.name not in self._values
        }
        return self.kind(**{**untouched, **self._values, **fixed})

    @staticmethod
    def put(kind: type[Settings], settings: Settings, *, by_widget: bool = False) -> None:
        """Set all controls to other settings (called by buttons, before the page runs again).

        Args:
            kind: settings class of the page.
            settings: what the controls shall say.
            by_widget: whether a widget that shows a part of them was changed by the user; all
                others of its kind are made anew (see `epoch`).
        """
        if not by_widget:
            st.session_state[EPOCH] = epoch() + 1
        query = settings.to_query()
        for item in fields(kind):
            key, value = kind.key(item.name), getattr(settings, item.name)
            is_hidden, is_shown = view().hides(key), key in st.session_state
            st.session_state[f"hidden_{key}" if is_hidden else key] = value
            if not is_hidden and is_shown and key not in st.session_state.get(BY_HAND, ()):
                continue  # a bound widget that is there writes its own link
            if key in query:
                st.query_params[key] = query[key]
            else:
                st.query_params.pop(key, None)
            st.session_state[f"link_{key}"] = st.query_params.get(key)

    @staticmethod
    def _follow_link(
        key: str, linked: Any, default: Any, options: Sequence[Any] | None, is_by_hand: bool
    ) -> None:
        """Give the widget the link's value when the link is new or has changed.

        A bound widget follows later changes of the link by itself.
        """
        in_link, last = st.query_params.get(key), f"link_{key}"
        is_changed = in_link is not None and in_link != st.session_state.get(last, in_link)
        if (key not in st.session_state and linked != default) or (is_by_hand and is_changed):
            st.session_state[key] = linked
        if options is not None:  # a widget whose options change keeps its value this way
            value = st.session_state.get(key, linked)
            st.session_state[key] = value if value in options else options[-1]
        st.session_state[last] = in_link


def _write_link(key: str, default: Any, then: Callable[[], None] | None = None) -> None:
    value = st.session_state[key]
    if then is not None:
        then()
    if value == default or len(str(value)) > LONGEST_VALUE:  # a longer one stays in the session
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = written(value)
    st.session_state[f"link_{key}"] = st.query_params.get(key)


def _one_of(
    label: str,
    options: tuple[Any, ...],
    default: Any,
    labels: Callable[[Any], str] | None,
    bound: dict[str, Any],
    style: str,
    unit: str,
) -> Any:
    if labels is not None:
        bound = bound | {"format_func": labels}
    first = options.index(default) if default in options else 0
    if all(isinstance(option, int | float) for option in options) and not style:
        if len(options) == 1:
            return options[0]
        name = f"{label} ({unit})" if unit else label
        return st.select_slider(name, options, options[first], **bound)
    if style == "radio":
        return st.radio(label, options, first, horizontal=True, **bound)
    if style == "select" or len(options) > MOST_SEGMENTS:
        return st.selectbox(label, options, first, **bound)
    return st.segmented_control(label, options, default=options[first], required=True, **bound)


def _number(
    label: str, rule: Between, default: Any, step: float | None, unit: str, bound: dict[str, Any]
) -> float:
    name = f"{label} ({unit})" if unit else label
    if rule.is_whole:
        low, high = int(rule.low), int(rule.high)
        if high - low > 200:
            return st.number_input(name, low, high, default, step=int(step or 1), **bound)
        return st.slider(name, low, high, default, step=int(step or 1), **bound)
    return st.slider(name, float(rule.low), float(rule.high), default, step=step, **bound)
