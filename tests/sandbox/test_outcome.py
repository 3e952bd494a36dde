"""An outcome follows from what the warden measured; the process's own report is weighed last."""

import json
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.sandbox.outcome import OUTPUT_BYTES, CodeError, Outcome, readable, settle
from playground.sandbox.policy import is_loopback
from playground.sandbox.sentences import explain, refusal

REPORT = {"status": "ok", "value": 42}


def facts(claim: object, **changes: object) -> dict:
    body = b"token" + json.dumps(claim).encode()
    return {
        "token": "token",
        "stopped": "",
        "signal": 0,
        "exit_code": 0,
        "seconds": 0.1,
        "peak_bytes": 0,
        "limit_seconds": 10.0,
        "limit_bytes": 1 << 30,
        "stdout": b"",
        "stdout_dropped": 0,
        "stderr": b"",
        "stderr_dropped": 0,
        "report": body,
        "report_dropped": 0,
    } | changes


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "ok"),
        ({"stopped": "timeout", "signal": signal.SIGKILL}, "timeout"),
        ({"signal": signal.SIGXCPU}, "timeout"),
        ({"stopped": "memory", "signal": signal.SIGKILL}, "memory"),
        ({"stopped": "it started too many processes"}, "crashed"),
        ({"report": b"", "signal": signal.SIGSEGV}, "crashed"),
        ({"report": b"", "exit_code": 1}, "crashed"),
        ({"report": b"", "signal": signal.SIGABRT, "stderr": b"std::bad_alloc"}, "memory"),
        ({"report": b"", "signal": signal.SIGKILL, "peak_bytes": 1 << 30}, "memory"),
        ({"report_dropped": 5}, "error"),
        ({"report": b'{"status": "ok"}'}, "crashed"),
        ({"report": b"token" + b"[" * 100_000}, "crashed"),
        ({"report": b'token{"status": "refused"}'}, "crashed"),
        ({"report": b'token{"status": "error", "error": 3}'}, "crashed"),
        ({"report": b'token{"status": "error", "error": ["A", "b", 3]}'}, "error"),
        ({"report": b'token{"status": "memory", "error": ["A", "b", null]}'}, "memory"),
        ({"report": b"token\xff"}, "crashed"),
    ],
)
def test_the_status_follows_from_the_facts(changes: dict, status: str):
    outcome = settle(facts(REPORT, **changes))
    assert outcome.status == status
    assert (outcome.error is None) == (status == "ok")
    assert outcome.value == (42 if status == "ok" else None)


def test_a_claimed_error_is_cut_to_size():
    claim = {"status": "error", "error": ["T" * 1_000, "m" * 100_000, True]}
    error = settle(facts(claim)).error
    assert error is not None
    assert (len(error.type), len(error.message), error.line) == (100, 4_000, None)


@given(st.binary(max_size=300), st.sampled_from([0, 1, 10**9]))
def test_any_bytes_become_text_of_bounded_size(output: bytes, dropped: int):
    text = readable(output, dropped)
    assert len(text.encode("utf-8")) <= OUTPUT_BYTES
    assert ("cut here" in text) == bool(dropped) or b"cut here" in output


def test_output_that_grows_by_decoding_is_cut_too():
    assert len(readable(b"\xff" * OUTPUT_BYTES, 0).encode("utf-8")) <= OUTPUT_BYTES
    assert readable(b"x" * OUTPUT_BYTES, 0) == "x" * OUTPUT_BYTES


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        (None, False),
        ("localhost.example.org", False),
        ("10.0.0.1", False),
    ],
)
def test_only_loopback_is_loopback(address: str | None, loopback: bool):
    assert is_loopback(address) is loopback


@pytest.mark.parametrize("status", ["error", "timeout", "memory", "crashed", "refused", "busy"])
def test_every_end_is_explained_in_both_languages(status):
    error = CodeError("no_jail" if status == "refused" else "Kind", "message", 7)
    outcome = Outcome(status, error=error)
    english, chinese = explain(outcome, "en"), explain(outcome, "zh")
    assert english.isascii()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in chinese)
    if status in ("error", "memory"):
        assert "line 7" in english
        assert "第 7 行" in chinese


def test_refusals_say_how_to_allow_it():
    for language in ("en", "zh"):
        assert "PLAYGROUND_USER_CODE=trusted" in refusal("no_jail", language)
        assert "127.0.0.1" in refusal("no_jail", language)
    assert explain(Outcome("ok"), "en") == ""
