"""What only a real browser shows: deep links, foreign requests, languages, a slider that moves."""

import pytest

from tests.browser.conftest import settle, start_server
from tests.pages.catalogue import PAGES

pytestmark = pytest.mark.browser


def path(page: str) -> str:
    return "" if page == "home" else page


def text_of(page) -> str:
    return page.inner_text("[data-testid=stApp]")


def test_the_first_request_after_a_start_may_be_a_deep_link(visit):
    process, base = start_server()
    try:
        page = visit(f"{base}/axes?lang=zh&axes_function=row_filter")
        assert page.inner_text("h1") == "轴"
        assert "row_filter" in text_of(page)
        assert "axes_function=row_filter" in page.url
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("zh", "dark")])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_and_nothing_is_cut_off_on_a_phone(server, visit, name, language, theme):
    page = visit(f"{server}/{path(name)}?lang={language}", theme=theme)
    shown = text_of(page)
    assert "Traceback" not in shown
    assert "Something went wrong" not in shown
    assert "计算本页时出了问题" not in shown
    assert page.foreign == []
    assert page.complaints == []
    assert page.locator("[data-testid=stException]").count() == 0
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(
        "document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )


@pytest.mark.parametrize(("locale", "heading"), [("zh-CN", "首页"), ("en-US", "Home")])
def test_the_browser_chooses_the_first_language(server, visit, locale, heading):
    assert visit(server, locale=locale).inner_text("h1") == heading


def test_the_language_switch_writes_the_link(server, visit):
    page = visit(server)
    page.get_by_text("中文", exact=True).click()
    page.wait_for_function("document.querySelector('h1').innerText === '首页'")
    page.wait_for_function("location.search.includes('lang=zh')")


def test_a_slider_writes_the_link_and_the_link_restores_it(server, visit):
    page = visit(server)
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('home_example=2')")
    settle(page)
    again = visit(page.url)
    assert again.get_by_role("slider").first.input_value() == "2"
    assert "f([7.0, 8.0, 9.0]) = 194" in text_of(again)
