"""Links that teachers hand out, made on the page and opened by somebody else."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def made_link(page) -> str:
    """Return the link that stands in the open popover."""
    return page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text().strip()


def open_maker(page) -> None:
    page.get_by_test_id("stPopover").get_by_role("button", name="Link to this view").click()
    page.wait_for_selector("[data-testid=stPopoverBody]")


def switch(page, label: str) -> None:
    page.get_by_test_id("stPopoverBody").get_by_text(label, exact=True).click()
    settle(page)


def test_a_learner_sees_exactly_what_the_teacher_chose(server, visit):
    page = visit(f"{server}/axes?lang=en&axes_function=row_filter")
    open_maker(page)
    for label in ("Predict first", "Without answers", "Large type for a projector", "中文"):
        switch(page, label)
    page.get_by_test_id("stPopoverBody").get_by_role("combobox").fill("function")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "document.querySelector('[data-testid=stPopoverBody]').innerText.includes('hide=function')"
    )
    link = made_link(page)
    assert link.startswith(f"{server}/axes?")
    for part in (
        "axes_function=row_filter",
        "predict=true",
        "answers=off",
        "size=large",
        "lang=zh",
    ):
        assert part in link
    learner = visit(link, locale="en-US")
    assert learner.inner_text("h1") == "轴"
    expect(learner.get_by_text("先预测").first).to_be_visible()
    assert learner.get_by_text("批次轴为轴 0").count() == 0
    assert learner.get_by_test_id("stSelectbox").count() == 0
    size = "parseFloat(getComputedStyle(document.querySelector('.stApp')).fontSize)"
    assert learner.evaluate(size) > visit(f"{server}/axes?lang=en").evaluate(size)
    assert "row_filter" in learner.inner_text("[data-testid=stApp]")  # hidden, but it came along
    learner.get_by_text("(3, 4)", exact=True).first.click()
    expect(learner.get_by_text("批次轴为轴 0").first).to_be_visible(timeout=60_000)


def test_the_quiz_is_worked_through_by_keyboard_and_handed_in(server, visit):
    page = visit(f"{server}/quiz?lang=en&answers=off&hide=seed")
    page.get_by_test_id("stRadio").get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.wait_for_function("location.search.includes('quiz_given=')")
    settle(page)
    assert page.get_by_text("Right.").count() == 0
    assert page.get_by_role("spinbutton").count() == 0
    page.get_by_role("button", name="Next", exact=False).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('quiz_number=2')")
    handed_in = page.url
    teachers = handed_in.replace("answers=off", "answers=on")
    marked = visit(teachers.replace("quiz_number=2", "quiz_number=1"))
    alert = marked.get_by_test_id("stAlert").first
    expect(alert).to_contain_text(re.compile(r"Right\.|No\."), timeout=30_000)


def test_an_exhibit_is_predicted_repaired_and_its_link_restores_it(server, visit):
    page = visit(f"{server}/errors?lang=en&hide=exhibit")
    assert page.get_by_role("button", name="Previous").count() == 0
    page.get_by_text("Error: a value without axes is mapped").click()
    expect(page.get_by_text("You saw it coming.")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Share rate").click()
    expect(page.get_by_text("This does what was wanted.")).to_be_visible(timeout=30_000)
    again = visit(page.url)
    expect(again.get_by_text("This does what was wanted.")).to_be_visible(timeout=30_000)


def test_the_drill_goes_on_and_back_restores_the_question(server, visit):
    page = visit(f"{server}/drill?lang=en&drill_seed=4")
    first = page.get_by_test_id("stCode").first.inner_text()
    page.get_by_test_id("stRadio").get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Next question").click(timeout=30_000)
    page.wait_for_function("location.search.includes('drill_number=2')")
    settle(page)
    assert page.get_by_test_id("stCode").first.inner_text() != first
    assert (
        visit(f"{server}/drill?lang=en&drill_seed=4").get_by_test_id("stCode").first.inner_text()
        == first
    )


def test_a_link_of_the_plan_opens_in_a_new_tab(server, visit):
    page = visit(f"{server}/plan?lang=zh")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="在新标签页打开").nth(2).click()
    tab = opened.value
    settle(tab)
    assert tab.inner_text("h1") == "轴"
    expect(tab.get_by_text("先预测").first).to_be_visible()
    assert tab.get_by_test_id("stSelectbox").count() == 0
    settle(page)
    assert page.get_by_text("答案", exact=True).count() > 3  # nothing stuck to the teacher's tab
