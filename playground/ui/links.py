"""Links that restore a view: the page, the language, every control, and what a teacher adds."""

from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from playground.foundation.language import LANGUAGES
from playground.foundation.settings import Settings
from playground.ui.language import NAMES, lang, t
from playground.ui.view import View, view


def address(page: str, settings: Settings | None, **more: str) -> str:
    """Return the address of a page in a given state.

    Args:
        page: the page's name, such as "walks"; "home" lives at the root.
        settings: what the controls say; None leaves them at their defaults.
        more: further parameters, such as lang="zh".

    Returns:
        An absolute address on this server when it is known, else a relative one.
    """
    query = {**({} if settings is None else settings.to_query()), **more}
    page = "" if page == "home" else page
    here = urlsplit(st.context.url or "")
    path = f"/{page}"
    if here.path and here.netloc:
        base = here.path.rstrip("/").rpartition("/")[0] if _is_page(here.path) else here.path
        path = f"{base.rstrip('/')}/{page}"
    return urlunsplit((here.scheme, here.netloc, path, urlencode(query), ""))


def _is_page(path: str) -> bool:
    from playground.ui.navigation import ENTRIES

    return path.rstrip("/").rpartition("/")[2] in {entry.name for entry in ENTRIES}


def share(page: str, settings: Settings | None, controls: tuple[str, ...] = ()) -> None:
    """Show the button that opens the link to this view, with what a teacher may add to it.

    How the page is looked at now (its type size, what is hidden) is where the choices start.

    Args:
        page: the page's name.
        settings: what its controls say now.
        controls: names of the controls that can be left out.
    """
    now = view()
    with st.popover(
        t("Link to this view", "当前视图的链接"), icon=":material/link:", key=f"share_{page}"
    ):
        st.caption(
            t(
                "Opens this page with the same settings. The options below are for teachers.",
                "打开后页面与设置都和现在一样。下面的选项供教师使用。",
            )
        )
        more: dict[str, Any] = {}
        if controls:
            kind = type(settings) if settings is not None else View
            hidden = st.multiselect(
                t("Leave out these controls", "隐藏这些控件"),
                controls,
                [name for name in controls if now.hides(kind.key(name))],
                key=f"share_hide_{page}",
                placeholder=t("none", "无"),
            )
            more["hide"] = ",".join(hidden)
        languages = st.segmented_control(
            t("Language of the link", "链接的语言"),
            LANGUAGES,
            default=lang(),
            format_func=lambda one: NAMES[one],
            required=True,
            key=f"share_language_{page}_{lang()}",
        )
        offered = (
            ("predict", t("Predict first", "先预测"), "true", now.predict),
            ("answers", t("Without answers", "不显示答案"), "off", now.answers == "off"),
            ("size", t("Large type for a projector", "投影用大字号"), "large", now.size == "large"),
        )
        more |= {
            name: value
            for name, label, value, is_on in offered
            if st.toggle(label, is_on, key=f"share_{name}_{page}")
        }
        extra = {**View.from_query(more)[0].to_query(), "lang": languages or lang()}
        made = address(page, settings, **extra)
        st.code(made, language=None, wrap_lines=True)
        st.link_button(
            t("Open in a new tab", "在新标签页打开"), made, icon=":material/open_in_new:"
        )


def link_to(page: str, label: str, settings: Settings | None = None, **more: str) -> None:
    """Show a link to another page of the app, in a given state; pages not built are passed over.

    Args:
        page: the page's name.
        label: what the link says, in the view's language.
        settings: the state to open; None means the page's defaults.
        more: further parameters, such as predict="true".
    """
    from playground.ui.navigation import ENTRIES

    if page in {entry.name for entry in ENTRIES}:
        query = {"lang": lang(), **({} if settings is None else settings.to_query()), **more}
        st.page_link(f"pages/{page}.py", label=label, query_params=query, icon=":material/east:")
