"""Honest runs: what comes back, what the code finds, who is refused, who has to wait."""

import threading

import numpy as np
import pytest

from playground.sandbox import policy, run, running
from playground.sandbox.places import Places

VALUES = {
    "a variable called value": ("value = 1; result = 2", 1),
    "a variable called result": ("result = (1, 2.5, None, True)", [1, 2.5, None, True]),
    "the last line": ("x = 3\nx * 2", 6),
    "a last line that is nothing to hand back": ("lambda: 0", None),
    "nothing": ("x = 3", None),
    "an empty text": ("", None),
    "an array of JAX": ("jnp.arange(6).reshape(2, 3)", [[0, 1, 2], [3, 4, 5]]),
    "an array of NumPy": ("np.eye(2, dtype=bool)", [[True, False], [False, True]]),
    "a scalar": ("value = np.float32(0.5)", 0.5),
    "complex numbers": ("value = np.array([1 + 2j])", [[1.0, 2.0]]),
    "bfloat16": ("value = jnp.ones(2, jnp.bfloat16)", [1.0, 1.0]),
    "a dictionary": ("value = {'a': {1: jnp.zeros(0)}}", {"a": {"1": []}}),
    "left early": ("value = 4\nexit()\nvalue = 5", 4),
    "lax": ("lax.add(1, 2)", 3),
}


@pytest.mark.usefixtures("jail")
@pytest.mark.parametrize(("code", "value"), VALUES.values(), ids=VALUES)
def test_code_hands_back_a_value(code: str, value: object):
    outcome = run(code)
    assert (outcome.status, outcome.error) == ("ok", None), outcome
    assert outcome.value == value


@pytest.mark.usefixtures("jail")
def test_code_finds_its_inputs():
    x = [[1.0, 2.0], [3.0, 4.0]]
    outcome = run("value = [jnp.asarray(x).sum(), inputs['n'], np is jnp]", inputs={"x": x, "n": 3})
    assert outcome.value == [10.0, 3, False]
    assert run("value = inputs", inputs=[1, "two"]).value == [1, "two"]
    assert run("value = np.pi", inputs={"np": 0}).value == np.pi


@pytest.mark.usefixtures("jail")
def test_an_error_names_its_line():
    outcome = run("x = jnp.ones(3)\ndef f(y):\n    return y @ jnp.ones(4)\nprint('so far')\nf(x)")
    assert outcome.status == "error"
    assert outcome.error.type == "TypeError"
    assert outcome.error.line == 3
    assert outcome.stdout == "so far\n"
    assert 'File "<your code>", line 5' in outcome.stderr
    assert "child.py" not in outcome.stderr
    assert run("x = 1\ny = (").error.line == 2


@pytest.mark.usefixtures("jail")
def test_the_warm_parent_does_not_grow():
    from playground.sandbox.keeper import keeper
    from playground.sandbox.watch import descendants, own_bytes

    def weight() -> int:
        return sum(own_bytes(pid) for pid in descendants(keeper("jail").process_id()))

    before = weight()
    for _ in range(5):
        assert run("value = float(np.ones(1 << 22).sum())").value == 1 << 22
    assert weight() < before + (8 << 20)


@pytest.fixture
def no_jail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "bubblewrap", lambda: None)
    monkeypatch.delenv("PLAYGROUND_USER_CODE", raising=False)
    monkeypatch.delenv("PLAYGROUND_SERVER_ADDRESS", raising=False)
    monkeypatch.setattr(policy, "_server_address", None)


@pytest.mark.usefixtures("no_jail")
@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.168.0.7", "example.org"])
def test_without_a_jail_a_server_others_can_reach_refuses(address: str | None):
    policy.tell_server_address(address)
    outcome = run("value = 1")
    assert outcome.status == "refused"
    assert outcome.error.type == "no_jail"
    assert "PLAYGROUND_USER_CODE=trusted" in outcome.error.message
    assert "bubblewrap" in outcome.error.message


@pytest.mark.parametrize(("setting", "reason"), [("off", "off"), ("yes", "unknown_setting")])
def test_switched_off_means_refused(monkeypatch, setting: str, reason: str):
    monkeypatch.setenv("PLAYGROUND_USER_CODE", setting)
    outcome = run("value = 1")
    assert (outcome.status, outcome.error.type) == ("refused", reason)


@pytest.mark.usefixtures("no_jail")
def test_a_jail_that_cannot_be_put_up_is_no_jail(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'no permission to create a namespace' >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(policy, "bubblewrap", lambda: str(broken))
    monkeypatch.setattr(running, "_broken", {})
    monkeypatch.setattr(running, "keeper", lambda walls: running_keeper(walls))
    outcome = run("value = 1")
    assert (outcome.status, outcome.error.type) == ("refused", "no_jail")
    assert "no permission to create a namespace" in outcome.error.message


def running_keeper(walls: policy.Walls):
    from playground.sandbox.keeper import Keeper

    return Keeper(walls)


@pytest.mark.usefixtures("jail")
def test_who_finds_no_place_is_told_busy(monkeypatch):
    monkeypatch.setattr(running, "_places", Places(1, 1, 1))
    monkeypatch.setattr(running, "PATIENCE_SECONDS", 60.0)
    outcomes = []

    def one() -> None:
        outcomes.append(run("import time; time.sleep(2)", seconds=60).status)

    threads = [threading.Thread(target=one) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["busy"] * 3 + ["ok"] * 2


def test_arguments_without_sense_are_the_callers_fault():
    with pytest.raises(TypeError):
        run(b"value = 1")
    with pytest.raises(TypeError):
        run("value = 1", inputs={"x": object()})
    with pytest.raises(ValueError, match="positive"):
        run("value = 1", seconds=0)


def test_code_that_is_too_long_is_not_run():
    assert run("#" * (running.LONGEST_CODE + 1)).error.type == "CodeTooLong"
