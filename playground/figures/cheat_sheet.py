"""The cheat sheet as HTML tables, as CSV and as Markdown."""

import csv
import html
import io
from collections.abc import Callable

from playground.foundation.language import Language, pick
from playground.lessons.cheat_rows import COMMON
from playground.lessons.cheat_sheet import TOPICS, CheatSheetResult, Found

Link = Callable[[str, str], tuple[str, str]]
"""(topic, row) -> (address, title of the page)."""


def heads(language: Language) -> tuple[str, str, str, str]:
    """Return the titles of the columns."""
    if language == "zh":
        return "调用", "用途", "现在的结果", "页面"
    return "Call", "For", "Result now", "Page"


def sheet(topic: str, rows: tuple[Found, ...], link: Link, language: Language) -> str:
    """Draw the rows of one topic.

    Args:
        topic: key of the topic.
        rows: its rows that are shown.
        link: where a row leads.
        language: of what is said.

    Returns:
        HTML of one table; where there is little room its rows become cards.
    """
    titles = "".join(f'<th scope="col">{title}</th>' for title in heads(language))
    body = "".join(_row(topic, one, link, language) for one in rows)
    return (
        f'<div class="cheat"><table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )


def _row(topic: str, one: Found, link: Link, language: Language) -> str:
    address, page = link(topic, one.row.name)
    says = html.escape(one.row.says(language))
    more = html.escape(pick(language, f"{page}: {one.row.english}", f"{page}：{one.row.chinese}"))
    kind = "error" if is_error(one.result) else "value"
    return (
        f"<tr><td><code>{html.escape(one.row.code)}</code></td><td>{says}</td>"
        f'<td><code class="{kind}">{html.escape(one.result)}</code></td>'
        f'<td><a href="{html.escape(address, quote=True)}" target="_self" aria-label="{more}">'
        f"{html.escape(page)}&nbsp;→</a></td></tr>"
    )


def is_error(result: str) -> bool:
    """Tell whether a result names an exception."""
    return result.split(":")[0].endswith("Error")


def to_csv(result: CheatSheetResult, link: Link, language: Language) -> bytes:
    """Write the rows as CSV, in UTF-8 that spreadsheets recognise."""
    out = io.StringIO()
    writer = csv.writer(out)
    call, purpose, now, page = heads(language)
    writer.writerow((pick(language, "Topic", "主题"), call, purpose, now, page))
    for topic, rows in result.found.items():
        for one in rows:
            address = link(topic, one.row.name)[0]
            name = TOPICS[topic].title(language)
            writer.writerow((name, one.row.code, one.row.says(language), one.result, address))
    return out.getvalue().encode("utf-8-sig")


def to_markdown(result: CheatSheetResult, link: Link, language: Language) -> bytes:
    """Write the rows as Markdown with the lines that they need."""
    parts = [f"```python\n{COMMON}```\n"]
    for topic, rows in result.found.items():
        parts.append(f"\n## {TOPICS[topic].title(language)}\n")
        if TOPICS[topic].setup:
            parts.append(f"\n```python\n{TOPICS[topic].setup}```\n")
        parts.append("\n| " + " | ".join(heads(language)) + " |\n|---|---|---|---|\n")
        for one in rows:
            address, page = link(topic, one.row.name)
            cells = (_code(one.row.code), one.row.says(language), _code(one.result))
            parts.append("| " + " | ".join(cells) + f" | [{page}]({address}) |\n")
    return "".join(parts).encode()


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"
