"""Widgets made from a settings dataclass: the link fills them, they write the link.

A browser's bounds do not bind a crafted client: whatever arrives becomes legal in the dataclass.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import streamlit as st

from playground.foundation.settings import Between, Flag, OneOf, Settings, Text, written
from playground.ui.language import lang
from playground.ui.view import view

MOST_SEGMENTS = 6


class Panel[S: Settings]:
    """The controls of one page.

    Args:
        kind: the settings class of the page.
    """

    def __init__(self, kind: type[S]) -> None:
        self.kind = kind
        self.linked, complaints = kind.from_query(st.query_params.to_dict())
        self._values: dict[str, Any] = {}
        for complaint in complaints:
            if complaint.key not in st.session_state:
                st.warning(complaint.message(lang()), icon=":material/warning:")

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
    ) -> Any:
        """Show the widget of one field and return its value.

        Args:
            name: the field's name.
            label: what the control is called, in the view's language.
            help: one sentence that says what it does.
            labels: how to write each option; the link keeps the option itself.
            options: a part of the field's options, when not all make sense now.
            unit: appended to numbers of a slider, such as "MiB".
            step: step of a slider for numbers.
            style: "select" or "radio" in place of buttons.

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
        self._follow_link(key, getattr(self.linked, name), options)
        bound: dict[str, Any] = {"key": key, "help": help}
        if labels is None:
            bound["bind"] = "query-params"
        else:
            bound |= {"on_change": _write_link, "args": (key, self.kind.default(name))}
        match rule:
            case OneOf():
                value = _one_of(label, tuple(options or rule.options), labels, bound, style, unit)
            case Between():
                value = _number(label, rule, step, unit, bound)
            case Flag():
                value = st.toggle(label, **bound)
            case Text():
                value = st.text_input(label, max_chars=rule.longest, **bound)
            case _:
                raise TypeError(rule)
        self._values[name] = rule.legal(value, self.kind.default(name))
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
    def _follow_link(key: str, linked: Any, options: Sequence[Any] | None) -> None:
        """Give the widget the link's value when the link is new or has changed."""
        in_link, last = st.query_params.get(key), f"link_{key}"
        is_new = key not in st.session_state
        if is_new or (in_link is not None and in_link != st.session_state.get(last, in_link)):
            st.session_state[key] = linked
        if options is not None and st.session_state[key] not in options:
            st.session_state[key] = options[0]
        st.session_state[last] = in_link


def _write_link(key: str, default: Any) -> None:
    value = st.session_state[key]
    if value == default:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = written(value)
    st.session_state[f"link_{key}"] = st.query_params.get(key)


def _one_of(
    label: str,
    options: tuple[Any, ...],
    labels: Callable[[Any], str] | None,
    bound: dict[str, Any],
    style: str,
    unit: str,
) -> Any:
    if labels is not None:
        bound = bound | {"format_func": labels}
    if all(isinstance(option, int | float) for option in options) and not style:
        if len(options) == 1:
            return options[0]
        name = f"{label} ({unit})" if unit else label
        return st.select_slider(name, options, **bound)
    if style == "radio":
        return st.radio(label, options, horizontal=True, **bound)
    if style == "select" or len(options) > MOST_SEGMENTS:
        return st.selectbox(label, options, **bound)
    return st.segmented_control(label, options, required=True, **bound)


def _number(
    label: str, rule: Between, step: float | None, unit: str, bound: dict[str, Any]
) -> float:
    name = f"{label} ({unit})" if unit else label
    if rule.is_whole:
        low, high = int(rule.low), int(rule.high)
        if high - low > 200:
            return st.number_input(name, low, high, step=int(step or 1), **bound)
        return st.slider(name, low, high, step=int(step or 1), **bound)
    return st.slider(name, float(rule.low), float(rule.high), step=step, **bound)
