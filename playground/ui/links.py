"""Links that restore a view: the page, the language, every control, and what a teacher adds."""

from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from playground.foundation.settings import Settings
from playground.ui.language import lang, t
from playground.ui.view import View


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
    """Show the button that opens the link to this view, with what a teacher may add to it."""
    with st.popover(
        t("Link to this view", "当前视图的链接"), icon=":material/link:", key=f"share_{page}"
    ):
        st.caption(
            t(
                "Opens this page with the same settings. The options below are for teachers.",
                "打开后页面与设置都和现在一样。下面的选项供教师使用。",
            )
        )
        more: dict[str, Any] = {"lang": lang()}
        if controls:
            hidden = st.multiselect(
                t("Leave out these controls", "隐藏这些控件"),
                controls,
                key=f"share_hide_{page}",
                placeholder=t("none", "无"),
            )
            more["hide"] = ",".join(hidden)
        if st.toggle(t("Predict first", "先预测"), key=f"share_predict_{page}"):
            more["predict"] = "true"
        if st.toggle(t("Without answers", "不显示答案"), key=f"share_answers_{page}"):
            more["answers"] = "off"
        if st.toggle(t("Large type for a projector", "投影用大字号"), key=f"share_size_{page}"):
            more["size"] = "large"
        parameters = {name: value for name, value in more.items() if value}
        extra = {**View.from_query(parameters)[0].to_query(), "lang": parameters["lang"]}
        st.code(address(page, settings, **extra), language=None, wrap_lines=True)


def link_to(page: str, label: str, settings: Settings | None = None) -> None:
    """Show a link to another page of the app, in a given state; pages not built are passed over.

    Args:
        page: the page's name.
        label: what the link says, in the view's language.
        settings: the state to open; None means the page's defaults.
    """
    from playground.ui.navigation import ENTRIES

    if page in {entry.name for entry in ENTRIES}:
        query = {"lang": lang(), **({} if settings is None else settings.to_query())}
        st.page_link(f"pages/{page}.py", label=label, query_params=query, icon=":material/east:")
