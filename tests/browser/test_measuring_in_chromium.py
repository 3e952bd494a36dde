"""Timing and Chunks as people use them: a long measurement shows how far it is and is cancelled."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def begin_and_cancel(page) -> None:
    """Start to measure, see how far it is, and leave it."""
    cancel = page.get_by_role("button", name="Cancel")
    page.get_by_role("button", name="Measure here").click()
    expect(page.get_by_text(re.compile(r"^Measuring … \d+%$"))).to_be_visible(timeout=30_000)
    cancel.click()
    expect(cancel).to_be_hidden(timeout=30_000)
    settle(page)
    assert not page.get_by_text("measured just now").count()


def test_a_long_sweep_is_cancelled_and_another_measurement_runs_to_its_end(server, visit):
    page = visit(f"{server}/timing?lang=en&timing_largest=4096")
    begin_and_cancel(page)
    page.get_by_text("recompilation", exact=True).click()  # this part measures at once
    expect(page.get_by_text("measured just now")).to_be_visible(timeout=60_000)
    for ending in ("csv", "json"):
        expect(page.get_by_role("button", name=f"timing_recompile.{ending}")).to_be_visible()
    assert not page.get_by_text("Something went wrong").count()
    assert not page.complaints


def test_chunk_sizes_are_cancelled_and_measured_again(server, visit):
    page = visit(f"{server}/chunks?lang=en&chunks_workload=attention&chunks_length=512")
    begin_and_cancel(page)
    begin_and_cancel(page)  # "Measuring", not "Waiting": the first has left the queue
    assert not page.get_by_text("Something went wrong").count()
    assert not page.complaints
