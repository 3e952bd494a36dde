"""The Lab in a browser: the coloured field by keyboard alone, Ctrl+Enter, a repair, a link."""

import pytest
from playwright.sync_api import expect

from playground.sandbox import policy
from tests.browser.conftest import settle

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(policy.bubblewrap() is None, reason="no bubblewrap here"),
]


def field(page):
    return page.get_by_role("textbox", name="Your code: define f for one example")


def test_code_is_written_run_and_linked_by_keyboard_alone(server, visit):
    page = visit(f"{server}/lab?lang=en")
    field(page).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("def f(x, W, b):\nif True:\nreturn W @ x - b")
    assert field(page).input_value() == ("def f(x, W, b):\n    if True:\n        return W @ x - b")
    page.keyboard.press("Shift+Tab")
    assert field(page).input_value().endswith("\n    return W @ x - b")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("location.search.includes('lab_code')")
    settle(page)
    expect(page.get_by_text("equals f(example 1)")).to_be_visible(timeout=60_000)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") != "TEXTAREA"
    assert not page.foreign
    assert not page.complaints
    again = visit(page.url)
    assert field(again).input_value() == field(page).input_value()
    expect(again.get_by_text("equals f(example 1)")).to_be_visible(timeout=60_000)


def test_an_example_is_refused_and_repaired_by_a_button(server, visit):
    page = visit(f"{server}/lab?lang=en")
    page.get_by_role("combobox", name="Start from an example").click()
    page.get_by_role("option", name="Refused: sizes").click()
    page.get_by_role("button", name="Map column along axis 1").click(timeout=60_000)
    expect(page.get_by_text("equals f(example 1)")).to_be_visible(timeout=60_000)
    assert "lab_in_axes=%281%2C+0%29" in page.url
    assert field(page).input_value().startswith("def f(column, scale)")


def test_the_plain_field_holds_the_same_code(server, visit):
    page = visit(f"{server}/lab?lang=en&lab_plain=true")
    assert "return W @ x + b" in field(page).input_value()
    field(page).fill("def f(x, W, b):\n    return x.nothing\n")
    field(page).press("Control+Enter")
    expect(page.get_by_text("Line 2 of your code")).to_be_visible(timeout=60_000)
    page.get_by_text("Plain text field").click()
    expect(page.get_by_text("Tab indents")).to_be_visible(timeout=30_000)
    assert "x.nothing" in field(page).input_value()
