"""Showing results: figures with their data, prose, headline numbers, checks, the Code panel."""

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import pandas as pd
import streamlit as st

from playground.figures.drawing import Drawing
from playground.foundation.prose import section
from playground.foundation.script import format_headline
from playground.foundation.settings import Settings
from playground.ui.language import lang, t
from playground.ui.links import share

PLOT_CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d"],
    "toImageButtonOptions": {"scale": 2},
}


def prose(page: str, name: str, **facts: object) -> None:
    """Show one section of a page's prose, with the facts that it leaves to the code."""
    st.markdown(section(page, lang(), name, **facts))


def plot(drawing: Drawing, key: str, *, download: bool = True) -> None:
    """Show a figure with its text alternative, what was left out, and its data as CSV.

    Args:
        drawing: figure, text alternative, table, note.
        key: a name that is unique in the app; also the name of the CSV file.
        download: whether to offer the table.
    """
    st.plotly_chart(drawing.figure, width="stretch", key=key, config=PLOT_CONFIG, alt=drawing.alt)
    if drawing.note:
        st.caption(drawing.note)
    if download and drawing.table:
        st.download_button(
            t("Data as CSV", "下载数据（CSV）"),
            lambda: pd.DataFrame(dict(drawing.table)).to_csv(index=False).encode(),
            file_name=f"{key}.csv",
            mime="text/csv",
            key=f"csv_{key}",
            type="tertiary",
            icon=":material/download:",
            on_click="ignore",
        )


def headline_row(items: Iterable[tuple[str, Any] | tuple[str, Any, str]]) -> None:
    """Show headline numbers side by side: (label, value) or (label, value, help)."""
    with st.container(horizontal=True, key=None):
        for label, value, *more in items:
            st.metric(label, format_headline(value), help=more[0] if more else None, border=True)


def checks(items: Iterable[tuple[bool, str]]) -> None:
    """Show computed verdicts, a line each: whether it holds, and what was compared."""
    lines = (
        f'<li class="{"good" if holds else "bad"}"><span aria-hidden="true">'
        f"{'✓' if holds else '✗'}</span> <span class='sr'>"
        f"{t('holds', '成立') if holds else t('fails', '不成立')}: </span>{html.escape(words)}</li>"
        for holds, words in items
    )
    st.html(f'<ul class="checks">{"".join(lines)}</ul>')


def verdict(example: str, agrees: Sequence[bool], function: str = "f") -> None:
    """Say whether an example of every output equals the function of that example.

    Args:
        example: which one, such as "1" or "(1, 2)".
        agrees: for each output that was compared; nothing is said where none was.
        function: what was called for one example.
    """
    if not agrees:
        return
    words = t(f"example {example} of the output", f"输出中的样本 {example}")
    equals = t(f"equals {function}(example {example})", f"等于 {function}(样本 {example})")
    differs = t(f"differs from {function}(example {example})", f"不等于 {function}(样本 {example})")
    kind, said = ("good", f"✓ {words} {equals}") if all(agrees) else ("bad", f"✗ {words} {differs}")
    st.html(f'<div class="below {kind}">{said}</div>')


def strip(stages: Sequence[tuple[str, str, str]]) -> None:
    """Show cards from left to right: (label, shape as HTML, one line below).

    The shape may mark the batch axis with `<b>`; the other two are plain text.
    """
    cards = "".join(
        f'<div class="card"><div class="lab">{html.escape(label)}</div>'
        f'<div class="big">{shape}</div><div class="below">{html.escape(below)}</div></div>'
        for label, shape, below in stages
    )
    st.html(f'<div class="strip">{cards}</div>')


def finish(
    page: str,
    settings: Settings,
    script: Callable[[Any], str] | None = None,
    extra: Mapping[str, bytes] | None = None,
) -> None:
    """End a page: the script that ran, further downloads, and the link to this view.

    Args:
        page: the page's name.
        settings: its settings now.
        script: makes the standalone script from the settings.
        extra: further files to download, by name.
    """
    if script is not None:
        source = script(settings)
        with st.expander(
            t("Code: the script behind this page", "代码：本页背后的脚本"), icon=":material/code:"
        ):
            st.caption(
                t(
                    "Runs by itself with Python, JAX and NumPy, and prints the page's numbers.",
                    "只需 Python、JAX 和 NumPy 即可单独运行，会打印出本页的数值。",
                )
            )
            st.code(source, language="python")
    with st.container(horizontal=True):
        share(page, settings, tuple(item.name for item in fields(settings)))
        if script is not None:
            st.download_button(
                t("Script as .py", "下载脚本（.py）"),
                source,
                file_name=f"{page}.py",
                mime="text/x-python",
                key=f"script_{page}",
                icon=":material/download:",
                on_click="ignore",
            )
        for name, content in (extra or {}).items():
            st.download_button(
                name,
                content,
                file_name=name,
                key=f"file_{name}",
                on_click="ignore",
                icon=":material/download:",
            )
