"""Small tables of words, code and numbers; on a phone their rows become cards."""

import html
import re
from collections.abc import Iterable, Sequence

import streamlit as st


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, stacks: bool = True) -> None:
    """Show a table.

    Args:
        head: the titles of the columns.
        rows: one sequence of cells for each row; `code` in a cell is set as code, **words** as
            a warning.
        stacks: whether the cells of a row stand below each other where there is little room.
    """
    st.html(table_html(head, rows, stacks=stacks))


def table_html(
    head: Sequence[str], rows: Iterable[Sequence[object]], *, stacks: bool = True
) -> str:
    """Return the table as HTML; see `table`."""
    titles = "".join(f"<th>{_cell(title)}</th>" for title in head)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-of="{html.escape(title.replace("`", ""), quote=True)}">{_cell(cell)}</td>'
            for title, cell in zip(head, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    kind = "rows stacks" if stacks else "rows"
    return (
        f'<div class="{kind}"><table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )


def _cell(cell: object) -> str:
    text = html.escape(str(cell))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
