"""Settings of all tests: property tests have no clock, and repeat themselves in CI."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "house",
    deadline=None,
    max_examples=30,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")

os.environ["PLAYGROUND_WARM_UP"] = "off"  # pages and servers of the tests compute what they show
ROOT = Path(__file__).parent
SLOW = (ROOT / "slow.txt").read_text(encoding="utf-8").split()
FILES = list(dict.fromkeys(name.partition("::")[0] for name in SLOW))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make slow` found to be slow, and let the files that take longest come first."""
    slow, place = frozenset(SLOW), {name: i for i, name in enumerate(FILES)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(FILES)))
    for item in items:
        if item.nodeid.partition("[")[0] in slow:
            item.add_marker(pytest.mark.slow)
        if {"browser", "sandbox"} & set(item.path.relative_to(ROOT).parts):
            item.add_marker(pytest.mark.flaky(reruns=1))  # real clocks: a second try is reported
