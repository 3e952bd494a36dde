"""Small tables of words and numbers as Markdown."""

from collections.abc import Iterable, Sequence

import streamlit as st


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Show a table; cells may hold Markdown.

    Args:
        head: the titles of the columns.
        rows: one sequence of cells for each row.
    """
    lines = [_line(head), _line(["---"] * len(head)), *(_line(row) for row in rows)]
    st.markdown("\n".join(lines))


def _line(cells: Iterable[object]) -> str:
    words = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(words)} |"
