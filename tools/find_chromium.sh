#!/bin/sh
# Prints the path of a Chromium for the browser tests; installs one when that is possible.
# Order: CHROMIUM=, one on the PATH, Debian's package (as root), Playwright's own download.
if [ -n "${CHROMIUM:-}" ] && [ -x "$CHROMIUM" ]; then echo "$CHROMIUM"; exit 0; fi
look() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" && exit 0
    done
}
look
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update && apt-get install -y --no-install-recommends chromium fonts-noto-cjk; } >&2
    look
fi
"$1" -m playwright install chromium >&2 2>/dev/null || true
"$1" - <<'PY'
from pathlib import Path
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    path = playwright.chromium.executable_path
if Path(path).exists():
    print(path)
PY
