"""From a key press on a slider to the new picture, in a real browser on this machine, warm.

Ours is the time of a real page; the peer is an empty page of the same server with one slider, which
is the floor that Streamlit and the browser set.
"""

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.harness import Row
from tests.browser.conftest import FLAGS, find_chromium, start_server

ROUNDS = 9
PAGES = {
    "axes": ("axes?lang=en", "Example i"),
    "nest": ("nest?lang=en", "Points x"),
    "walks": ("walks?lang=en", "Walkers"),
}
EMPTY = """import streamlit as st
value = st.slider("n", 0, 100, 50)
st.title("floor")
st.html(f"<p id='shown'>{value}</p>")
"""
FINGERPRINT = """() => [...document.querySelectorAll(
  '[data-testid=stPlotlyChart] svg, [data-testid=stHtml], [data-testid=stMetric]')]
  .map(e => e.innerHTML.length + ':' + e.textContent).join('|')"""


def milliseconds(page: Page, label: str) -> float:
    """Press arrow keys on a slider and wait for another picture each time; the median."""
    slider = page.get_by_role("slider", name=label).first
    slider.focus()
    times = []
    for number in range(ROUNDS + 4):
        before = page.evaluate(FINGERPRINT)
        start = time.perf_counter()
        page.keyboard.press("ArrowLeft" if number % 2 else "ArrowRight")
        page.wait_for_function(
            f"before => ({FINGERPRINT})() !== before", arg=before, polling=10, timeout=60_000
        )
        times.append(1000 * (time.perf_counter() - start))
        page.wait_for_timeout(700)
    return statistics.median(times[4:])


def rows() -> list[Row]:
    """Measure every page beside the floor."""
    found = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        empty = Path(folder) / "floor.py"
        empty.write_text(EMPTY)
        browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        medians = {}
        for script, pages in ((str(empty), {"floor": ("", "n")}), ("streamlit_app.py", PAGES)):
            process, base = start_server(script)
            try:
                for name, (path, label) in pages.items():
                    page = browser.new_page(viewport={"width": 1280, "height": 1000})
                    page.goto(f"{base}/{path}")
                    page.get_by_role("slider", name=label).first.wait_for(timeout=60_000)
                    page.wait_for_timeout(4000)
                    medians[name] = milliseconds(page, label)
                    page.close()
            finally:
                process.terminate()
                process.wait(10)
        browser.close()
    for name in PAGES:
        row = Row(
            f"slider on {name}",
            "key to picture",
            medians[name],
            "empty page",
            medians["floor"],
            0,
            0,
        )
        found.append(row)
    return found


def bars_reached(found: list[Row]) -> list[tuple[str, bool]]:
    """Well under a second on every page."""
    return [(f"{row.name}: new picture within 700 ms", row.ours_ms <= 700) for row in found]
