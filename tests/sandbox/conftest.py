"""What the tests of the sandbox share: an honest run, and the count of what a run left behind."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.sandbox import Outcome, policy, run, watch
from playground.sandbox.keeper import keeper

HONEST = "value = jax.vmap(lambda row: row @ row)(jnp.arange(15.0).reshape(5, 3))"
HONEST_VALUE = [5.0, 50.0, 149.0, 302.0, 509.0]


def below(pid: int | None) -> set[int]:
    """The processes below one, without those that only wait to be reaped."""
    found = set()
    for each in watch.descendants(pid or 0):
        try:
            state = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.add(each)
    return found


def files_left() -> set[str]:
    return {entry.name for entry in Path("/tmp").iterdir() if entry.name.startswith("playground-")}


def settled(condition: Callable[[], bool]) -> bool:
    """Wait a little for what must come to be so: the last warden is reaped."""
    for _ in range(1_000):
        if condition():
            return True
        time.sleep(0.01)
    return condition()


@pytest.fixture(scope="session")
def jail() -> set[int]:
    """A warm parent in a jail, started by one honest run: its processes."""
    if policy.bubblewrap() is None:
        pytest.skip("no bubblewrap on this machine")
    outcome = run(HONEST, seconds=60)
    assert outcome.status == "ok", outcome
    time.sleep(1)
    return below(keeper("jail").process_id())


@pytest.fixture
def hostile(jail: set[int]) -> Callable[..., Outcome]:
    """Run a hostile program; afterwards nothing is left and an honest run works."""
    holder = keeper("jail")

    def attack(code: str, **limits: object) -> Outcome:
        files, parent = files_left(), holder.process_id()
        outcome = run(code, **limits)
        assert settled(lambda: below(parent) <= jail), "processes are left"
        assert below(parent) == jail, "the warm parent did not survive"
        assert files_left() == files
        # JAX itself again after what could have harmed it; the light run elsewhere saves minutes.
        harmless = outcome.status in ("ok", "error")
        code, value = (
            ("value = float(np.ones(3).sum())", 3.0) if harmless else (HONEST, HONEST_VALUE)
        )
        honest = run(code, seconds=60)
        assert (honest.status, honest.value) == ("ok", value), honest
        assert holder.process_id() == parent
        return outcome

    return attack
