"""What the engine answers about a call, on any page: refusal, surprise, wanted shapes, program."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from playground.figures.equations import equations
from playground.foundation.limits import readable_bytes
from playground.foundation.settings import Settings
from playground.lessons.literals import LiteralError
from playground.ui.boards import literal_help, suggestion_buttons
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import prose
from playground.ui.view import view


def plain(text: str) -> str:
    """Keep what a function's author wrote from becoming a link, a picture or a formula."""
    return text.replace("](", "]\u200b(").replace("![", "!\u200b[").replace("$", "\\$")


def refusal(told: Any, kind: type[Settings], below: Callable[[], object] | None = None) -> None:
    """Say in plain words why JAX refuses, and offer what repairs it.

    Args:
        told: None, or has `.words` (a pair), `.exception`, `.text`, `.repairs`.
        kind: settings class of the page.
        below: shows more between the sentence and the repairs.
    """
    if told is None:
        return
    st.error(plain(t(*told.words)), icon=":material/block:")
    if below is not None:
        below()
    if told.repairs and view().answers == "on":
        st.caption(t("Repairs, each of them tried:", "修正方法（每一个都试运行过）："))
        suggestion_buttons(f"{kind.prefix}_repair", told.repairs, kind)
    with st.expander(t(f"JAX said: {told.exception}", f"JAX 的原话：{told.exception}")):
        st.code(told.text, language=None, wrap_lines=True)


def surprise(other: Any, kind: type[Settings]) -> None:
    """Name the shape that people expect, where it is not the one that comes out.

    Args:
        other: None, or the suggestion that gives that shape.
        kind: settings class of the page.
    """
    if other is not None and view().answers == "on":
        st.warning(
            t(
                f"**Expected {other.gives}?** The batch axis of the output is 0 unless you say "
                "otherwise, so what was mapped along another axis comes back along axis 0.",
                f"**以为会是 {other.gives}？** 不另行指定时，输出的批次轴是轴 0，"
                "所以沿别的轴映射的数据会沿轴 0 返回。",
            ),
            icon=":material/lightbulb:",
        )
        suggestion_buttons(f"{kind.prefix}_surprise", [other], kind)


def want[S: Settings](
    panel: Panel[S], find: Callable[[S], tuple[Iterable[Any], bool] | None]
) -> None:
    """Ask for a wanted output shape and show the calls that give it.

    Args:
        panel: of a page whose settings have a text `want`.
        find: gives the suggestions and whether all possibilities were looked at; None where there
            is nothing to show. It may raise LiteralError.
    """
    if view().answers == "off":
        return
    label = t("I want this output shape", "我想要的输出形状")
    panel.choose("want", label, help=literal_help("(3, 5)", t("nothing", "不查找")))
    settings: Any = panel.settings()
    if not settings.want.strip():
        return
    try:
        answer = find(settings)
    except LiteralError as error:
        st.warning(error.message(lang()))
        return
    if answer is None:
        return
    found, is_complete = list(answer[0]), answer[1]
    if not found:
        st.info(t("No axes give that shape.", "没有哪种轴能得到这个形状。"))
    suggestion_buttons(f"{panel.kind.prefix}_want", found, panel.kind)
    if not is_complete:
        st.caption(
            t("The search stopped early; there may be more.", "搜索提前停止，可能还有别的结果。")
        )


def how_it_was_batched(program: Any, below: Callable[[], object] | None = None) -> None:
    """Show the program of f beside that of vmap(f), and flag the biggest intermediate.

    Args:
        program: None, or has `.rows`, `.largest`, `.largest_bytes`, `.outside_bytes`, `.is_copied`,
            `.why_not`.
        below: shows more under the program.
    """
    if program is None or not (program.rows or program.why_not):
        return
    title = t("How it was batched", "它是怎样被批量化的")
    with st.expander(title, expanded=program.is_copied):
        if program.why_not:
            st.caption(t("This function has no jaxpr:", "这个函数没有 jaxpr："))
            st.code(program.why_not, language=None, wrap_lines=True)
            return
        prose("axes", "batched")
        flagged = program.largest_bytes if program.is_copied else 0
        st.html(equations(program.rows, flagged, lang()))
        big, outside = readable_bytes(program.largest_bytes), readable_bytes(program.outside_bytes)
        said = t(
            f"Biggest intermediate: `{program.largest}`, {big}; "
            f"inputs and outputs together {outside}.",
            f"最大的中间结果：`{program.largest}`，{big}；全部输入与输出共 {outside}。",
        )
        if program.is_copied:
            st.warning(said, icon=":material/content_copy:")
        else:
            st.caption(said)
        if below is not None:
            below()
