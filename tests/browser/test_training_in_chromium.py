"""Training that is watched can be stopped, which only a real browser shows."""

import re

import pytest

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def test_a_live_run_stops_when_it_is_cancelled(server, visit):
    page = visit(f"{server}/training?lang=en&train_batch_size=64")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text(re.compile(r"Working … [1-9]\d*%")).wait_for(timeout=60_000)
    page.get_by_role("button", name="Cancel").click()
    settle(page)
    done = page.get_by_text("of 200 steps.").inner_text()
    assert 0 < int(done.split()[0]) < 200


def test_moving_the_clip_norm_redraws_the_line_and_writes_the_link(server, visit):
    page = visit(f"{server}/gradients?lang=en")
    page.get_by_role("slider", name="Clip norm C").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('grad_clip_norm=10.5')")
    page.wait_for_function("document.body.innerText.includes('C = 10.5')")
