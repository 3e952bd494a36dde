"""A field for Python code: coloured, with indentation; or a plain text area, whoever prefers it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from playground.ui.language import t

HTML = """<div class="editor"><div class="numbers" aria-hidden="true"></div><div class="field">
<pre aria-hidden="true"></pre><textarea spellcheck="false" autocapitalize="off" autocomplete="off"
 autocorrect="off" wrap="off"></textarea></div></div><div class="hint"></div>"""
PLAIN = "lab_plain"

_HERE = Path(__file__).parent
_field = st.components.v2.component(
    "playground_code_editor",
    html=HTML,
    css=(_HERE / "editor.css").read_text(encoding="utf-8"),
    js=(_HERE / "editor.js").read_text(encoding="utf-8"),
)


def code_editor(
    label: str,
    key: str,
    *,
    help: str | None = None,  # noqa: A002 - Streamlit's own word
    longest: int,
    on_change: Callable[..., None],
    args: tuple[Any, ...] = (),
) -> str:
    """Show a field for code; the code itself is `st.session_state[key]`.

    Args:
        label: what the field is called, also to screen readers.
        key: where the code is kept; it belongs to no widget and outlives the page.
        help: one sentence.
        longest: most characters that are taken.
        on_change: called with `args` when the user has changed the code, before the page runs.
        args: its arguments.

    Returns:
        The code.
    """

    def take(code: str) -> None:
        st.session_state[key] = code[:longest]
        on_change(*args)

    place = st.container()
    is_plain = st.toggle(
        t("Plain text field", "纯文本输入框"),
        key=PLAIN,
        help=t(
            "For screen readers, or where the coloured field does not work.",
            "适合屏幕阅读器，或彩色输入框无法使用时。",
        ),
        bind="query-params",
    )
    with place:
        if is_plain:
            _plain_field(label, key, help, longest, take)
        else:
            _coloured_field(label, key, help, take)
    return st.session_state[key]


def _plain_field(
    label: str,
    key: str,
    help: str | None,  # noqa: A002
    longest: int,
    take: Callable[[str], None],
) -> None:
    shown = f"{key}_plain"
    st.session_state[shown] = st.session_state[key]
    st.text_area(
        label,
        key=shown,
        help=help,
        max_chars=longest,
        height="content",
        on_change=lambda: take(st.session_state[shown]),
    )


def _coloured_field(
    label: str,
    key: str,
    help: str | None,  # noqa: A002
    take: Callable[[str], None],
) -> None:
    shown = f"{key}_coloured"
    hint = t(
        "Tab indents · Escape, then Tab leaves the field · Ctrl+Enter runs",
        "Tab 缩进 · 先按 Escape 再按 Tab 离开输入框 · Ctrl+Enter 运行",
    )
    st.markdown(label, help=help)
    _field(
        key=shown,
        data={"code": st.session_state[key], "label": label, "hint": hint},
        on_code_change=lambda: take(str(st.session_state[shown].get("code") or "")),
    )
