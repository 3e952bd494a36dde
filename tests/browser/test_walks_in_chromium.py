"""The page Walks as people use it: keys, play, very many walkers with cancel."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def test_another_way_of_making_keys_is_found_out(server, visit):
    page = visit(f"{server}/walks?lang=en")
    expect(page.get_by_text("The walkers look independent")).to_be_visible(timeout=30_000)
    page.get_by_role("combobox").click()
    page.get_by_text("one shared key").click()
    expect(page.get_by_text("The walkers are copies")).to_be_visible(timeout=30_000)
    assert "walk_keys=shared" in page.url
    assert not page.foreign


def test_the_plot_plays_in_the_browser_alone(server, visit):
    page = visit(f"{server}/walks?lang=zh&walk_view=motion")
    label = page.locator(".slider-group text").first
    expect(label).to_contain_text("100", timeout=30_000)
    page.get_by_text("▶ 播放").click()
    expect(label).not_to_contain_text("100", timeout=10_000)
    expect(label).to_contain_text("100", timeout=30_000)
    assert not page.complaints


def test_a_phone_shows_everything_without_scrolling_sideways(server, visit):
    page = visit(f"{server}/walks?lang=zh", width=390)
    settle(page)
    width = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert width <= 390


def test_very_many_walkers_can_be_cancelled(server, visit):
    page = visit(f"{server}/walks?lang=en&walk_many_walkers=100000000")
    page.get_by_role("button", name="Take 100,000,000,000 steps").click()
    page.get_by_role("button", name="Cancel").click(timeout=30_000)
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden(timeout=30_000)
    settle(page)
    assert not page.get_by_text("Something went wrong").count()
