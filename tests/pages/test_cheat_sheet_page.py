"""The cheat sheet in process: topics, search, links, downloads, both languages."""

import csv
import io
import re

import pytest

from playground.figures import cheat_sheet as figures
from playground.lessons import cheat_sheet
from playground.lessons.cheat_sheet import CheatSheetSettings
from playground.ui.cheat_sheet_page import PRINT
from tests.pages.test_all_pages import failures, opened


def tables(app) -> str:
    return "".join(element.proto.body for element in app.get("html"))


def calls(app) -> int:
    return tables(app).count("<tr><td>")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_first_view_shows_the_first_topic(language):
    app = opened("cheat_sheet", lang=language)
    assert not failures(app)
    first = next(iter(cheat_sheet.TOPICS.values()))
    assert calls(app) == len(first.rows)
    for row in first.rows:
        assert (row.english if language == "en" else row.chinese) in tables(app)
    assert f"lang={language}" in tables(app)


def test_a_search_in_the_link_is_answered_and_widened_by_a_button():
    app = opened("cheat_sheet", lang="en", cheat_search="pmean")
    assert calls(app) == 0
    app.button(key="cheat_everywhere").click().run(timeout=300)
    assert app.query_params["cheat_topic"] in ("all", ["all"])
    assert calls(app) == 1
    assert "/axes?axes_function=centre" in tables(app)
    assert not failures(app)


def test_words_that_no_call_contains_are_no_failure():
    app = opened("cheat_sheet", lang="en", cheat_search="<b>nothing</b>")
    assert calls(app) == 0
    assert any("fewer words" in caption.value for caption in app.caption)
    assert not failures(app)


def test_what_is_shown_is_escaped():
    row = cheat_sheet.Found(cheat_sheet.Row("x", "a < b", "<i>", "<i>"), "<b>")
    drawn = figures.sheet("axes", (row,), lambda topic, name: ('/x?"', "<u>"), "en")
    assert "a &lt; b" in drawn
    assert not re.search("<[iub]>", drawn)
    assert 'href="/x?&quot;"' in drawn


def test_files_hold_the_rows_that_are_shown():
    result = cheat_sheet.compute(CheatSheetSettings(topic="vectorize"))

    def link(topic, name):
        return f"/{topic}", "Page"

    lines = list(csv.reader(io.StringIO(figures.to_csv(result, link, "en").decode("utf-8-sig"))))
    rows = cheat_sheet.TOPICS["vectorize"].rows
    assert [line[1] for line in lines[1:]] == [row.code for row in rows]
    assert [line[3] for line in lines[1:]] == list(cheat_sheet.results("vectorize"))
    written = figures.to_markdown(result, link, "zh").decode()
    assert "## 向量化" in written
    assert written.count("[Page](/vectorize)") == len(rows)


def test_errors_are_told_from_values():
    assert figures.is_error("ValueError: no")
    assert not figures.is_error("(4,) [1, 2]")
    assert not figures.is_error("{b: 1}")


def test_the_printed_page_leaves_out_what_can_be_clicked():
    for part in ("stHeader", "stExpander", "stPopover", "stButton", "stDownloadButton"):
        assert part in PRINT
    assert "break-inside: avoid" in PRINT
