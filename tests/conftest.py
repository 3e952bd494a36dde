"""Settings of all tests: property tests have no clock, and repeat themselves in CI."""

import functools
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner

ROOT = Path(__file__).parent
settings.register_profile(
    "house",
    deadline=None,
    max_examples=30,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")

os.environ["PLAYGROUND_WARM_UP"] = "off"  # pages and servers of the tests compute what they show
os.environ["JAX_TRACEBACK_FILTERING"] = "off"  # looking at every frame of a refusal takes long
# What one process of the tests has compiled, all others take from here, and the next run too.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT.parent / "build" / "compiled"))
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"
os.environ["STREAMLIT_RUNNER_POST_SCRIPT_GC"] = "false"  # a full collection after every run
# Every AppTest reads the metadata of all installed packages anew, for longer than a page runs.
manifest_scanner.scan_component_manifests = functools.cache(
    manifest_scanner.scan_component_manifests
)
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
