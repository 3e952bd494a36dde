"""A real server and a real Chromium for the few tests that need them."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-extensions",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


def start_server(
    script: str = "streamlit_app.py", **environment: str
) -> tuple[subprocess.Popen, str]:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = f"http://127.0.0.1:{port}"
    for _ in range(240):
        try:
            with urllib.request.urlopen(f"{base}/_stcore/health", timeout=2) as answer:
                if answer.read() == b"ok":
                    return process, base
        except OSError:
            time.sleep(0.25)
    process.kill()
    raise RuntimeError("the server did not start")


@pytest.fixture(scope="session")
def server() -> Generator[str]:
    process, base = start_server()
    yield base
    process.terminate()
    process.wait(10)


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium()
    if not path:
        message = "no Chromium found: browser tests did not run (tools/find_chromium.sh)"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Tabs:
    """Tabs of one browser that are used again: what pages load and compile, they keep."""

    def __init__(self, browser) -> None:
        self.browser, self.free, self.taken = browser, {}, []

    def take(self, locale: str, theme: str):
        """Return a tab, with `.foreign` (requests elsewhere) and `.complaints`, both empty."""
        free = self.free.setdefault((locale, theme), [])
        page = free.pop() if free else self._new(locale, theme)
        page.foreign, page.complaints = [], []
        self.taken.append((free, page))
        return page

    def _new(self, locale: str, theme: str):
        context = self.browser.new_context(
            locale=locale, color_scheme=theme, reduced_motion="reduce"
        )
        page = context.new_page()

        def note(request):
            if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
                page.foreign.append(request.url)

        page.on("request", note)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        return page

    def give_back(self) -> None:
        """Leave the app in all tabs that were taken, and forget what it stored."""
        while self.taken:
            free, page = self.taken.pop()
            for opened in page.context.pages:
                if opened is not page:
                    opened.close()
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            page.goto("about:blank")
            free.append(page)


@pytest.fixture(scope="session")
def tabs(chromium) -> Tabs:
    return Tabs(chromium)


@pytest.fixture
def visit(tabs) -> Generator[Callable]:
    """Open an address in a tab of its own, and wait until the app is idle."""

    def go(address: str, *, locale: str = "en-US", theme: str = "light", width: int = 1280):
        page = tabs.take(locale, theme)
        page.set_viewport_size({"width": width, "height": 1000})
        page.goto(address)
        settle(page)
        return page

    yield go
    tabs.give_back()


def settle(page) -> None:
    """Wait until the app has drawn its title and is idle."""
    page.wait_for_selector("h1", timeout=60_000)
    idle = "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
    for _ in range(2):  # a page may pause between its own run and that of a fragment
        page.wait_for_function(idle, timeout=120_000)
        page.wait_for_timeout(300)
