"""The cheat sheet in Chromium: cards on a phone, a link that opens its state, the printed page."""

import re

import pytest

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def test_a_row_leads_to_the_page_in_its_state(server, visit):
    page = visit(f"{server}/cheat_sheet?lang=en&cheat_topic=nest&cheat_search=gradient+sum")
    link = page.locator(".cheat a").first
    assert "nest_section=gradient" in link.get_attribute("href")
    link.click()
    page.wait_for_url(re.compile("/nest"))
    settle(page)
    assert page.locator("h1").inner_text() == "Nest"
    assert not page.foreign
    assert not page.complaints


def test_rows_are_cards_on_a_phone(server, visit):
    page = visit(f"{server}/cheat_sheet?lang=zh", width=390)
    assert page.locator(".cheat thead").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_printed_page_has_rows_and_nothing_to_click(server, visit):
    page = visit(f"{server}/cheat_sheet?lang=en&cheat_topic=nest", theme="dark")
    page.emulate_media(media="print")
    for part in ("stHeader", "stExpander", "stTextInput", "stSelectbox", "stButtonGroup"):
        for element in page.get_by_test_id(part).all():
            assert element.is_hidden(), part
    assert not any(button.is_visible() for button in page.locator("button").all())
    assert page.locator(".cheat tbody tr").first.is_visible()
    white = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    assert page.evaluate(white) == "rgb(255, 255, 255)"
    setup = page.locator(".stCode").first.bounding_box()
    table = page.locator(".cheat").first.bounding_box()
    assert setup["y"] + setup["height"] <= table["y"]
    assert page.pdf(format="A4").startswith(b"%PDF")
