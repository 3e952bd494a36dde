"""What the tests of the sandbox share: an honest run, and the count of what a run left behind."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.sandbox import Outcome, policy, run, watch

HONEST = "value = jax.vmap(lambda row: row @ row)(jnp.arange(15.0).reshape(5, 3))"
HONEST_VALUE = [5.0, 50.0, 149.0, 302.0, 509.0]

needs_jail = pytest.mark.skipif(
    policy.bubblewrap() is None, reason="no bubblewrap on this machine"
)
on_linux = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")


def living() -> set[int]:
    """The processes below the tests' own, without those that only wait to be reaped."""
    found = set()
    for pid in watch.descendants(os.getpid()):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.add(pid)
    return found


def files_left() -> set[str]:
    return {entry.name for entry in Path("/tmp").iterdir() if entry.name.startswith("playground-")}


def settled(condition: Callable[[], bool]) -> bool:
    """Wait a little for the last warden to be reaped."""
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return condition()


@pytest.fixture(scope="session")
def jail() -> set[int]:
    """A warm parent in a jail, started by one honest run: its processes."""
    if policy.bubblewrap() is None:
        pytest.skip("no bubblewrap on this machine")
    before = living()
    outcome = run(HONEST, seconds=60)
    assert outcome.status == "ok", outcome
    time.sleep(1)
    return living() - before


@pytest.fixture
def hostile(jail: set[int]) -> Callable[..., Outcome]:
    """Run a hostile program; afterwards nothing is left and an honest run works."""

    def attack(code: str, **limits: object) -> Outcome:
        files = files_left()
        outcome = run(code, **limits)
        assert settled(lambda: living() <= jail), "processes are left"
        assert jail <= living(), "the warm parent did not survive"
        assert files_left() == files
        honest = run(HONEST, seconds=60)
        assert (honest.status, honest.value) == ("ok", HONEST_VALUE), honest
        return outcome

    return attack
