"""What came of one run of user code, and how it is settled from the facts the warden reports."""

import json
import signal
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast, get_args

Status = Literal["ok", "error", "timeout", "memory", "crashed", "refused", "busy"]

OUTPUT_BYTES = 64 << 10
VALUE_BYTES = 1 << 20
LONGEST_MESSAGE = 4_000
_NOTE_BYTES = 100


class CodeError(NamedTuple):
    """What went wrong.

    Attributes:
        type: name of the exception or of the limit that was met ("ValueError", "Timeout").
        message: one or more sentences; cut when very long.
        line: line in the user's code, counted from 1, or None when no line is to blame.
    """

    type: str
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of one run.

    Attributes:
        status: "ok", or what ended the run instead.
        stdout: what the code printed, at most 64 kB of UTF-8, with a note where it was cut.
        stderr: the same for standard error; a traceback of the user's own frames stands here.
        value: what the code handed back, as JSON data (floats may be nan or infinite).
        error: None exactly when the status is "ok".
        seconds: wall-clock time of the user's process.
        peak_bytes: largest memory seen above the warm parent's own (sampled; 0 when not known).
    """

    status: Status
    stdout: str = ""
    stderr: str = ""
    value: Any = None
    error: CodeError | None = None
    seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def ok(self) -> bool:
        """Whether the code ran to its end."""
        return self.status == "ok"


def failed(status: Status, kind: str, message: str) -> Outcome:
    """Make the outcome of a run that never started or left no report."""
    return Outcome(status, error=CodeError(kind, message))


def readable(output: bytes, dropped: int) -> str:
    """Decode captured output, cut to 64 kB with a note.

    Args:
        output: the bytes that were kept; they need not be UTF-8.
        dropped: how many more bytes were written and thrown away.

    Returns:
        Text of at most `OUTPUT_BYTES` bytes in UTF-8; undecodable bytes become U+FFFD.
    """
    encoded = output.decode("utf-8", "replace").encode("utf-8")
    kept = (
        encoded[: OUTPUT_BYTES - _NOTE_BYTES] if dropped or len(encoded) > OUTPUT_BYTES else encoded
    )
    if kept == encoded and not dropped:
        return encoded.decode("utf-8")
    dropped += len(encoded) - len(kept)
    return (
        kept.decode("utf-8", "ignore") + f"\n[cut here: about {dropped} bytes more were written]\n"
    )


def settle(facts: dict[str, Any]) -> Outcome:
    """Settle a run's outcome.

    What the warden measured (`stopped`, `signal`, sizes, times) is trusted; `report`, written by
    the user's own process, is only believed in its form: it can claim "ok", never undo a kill.

    Args:
        facts: the warden's report, see `warden.supervise`, and the request's `token`.

    Returns:
        The outcome.
    """
    report = _report(facts)
    status, error, value = _verdict(facts, report)
    return Outcome(
        status=status,
        stdout=readable(facts["stdout"], facts["stdout_dropped"]),
        stderr=readable(facts["stderr"], facts["stderr_dropped"]),
        value=value,
        error=error,
        seconds=facts["seconds"],
        peak_bytes=facts["peak_bytes"],
    )


def _verdict(
    facts: dict[str, Any], report: dict[str, Any] | None
) -> tuple[Status, CodeError | None, Any]:
    if facts["stopped"] == "timeout" or facts["signal"] == signal.SIGXCPU:
        return "timeout", CodeError("Timeout", f"stopped after {facts['limit_seconds']:g} s"), None
    if facts["stopped"] == "memory":
        allowed = facts["limit_bytes"] / (1 << 20)
        return "memory", CodeError("MemoryLimit", f"used more than {allowed:.0f} MiB"), None
    if facts["stopped"]:
        return "crashed", CodeError("Stopped", facts["stopped"]), None
    if report is not None:
        if report["status"] == "ok":
            return "ok", None, report.get("value")
        return report["status"], report["error"], None
    if _died_of_memory(facts):
        return "memory", CodeError("MemoryLimit", "the process died when memory ran out"), None
    if facts["signal"]:
        return (
            "crashed",
            CodeError(_signal_name(facts["signal"]), "the process was killed by a signal"),
            None,
        )
    if facts["report_dropped"]:
        text = f"what the code hands back is larger than {VALUE_BYTES >> 20} MiB"
        return "error", CodeError("ValueTooLarge", text), None
    text = f"the process ended (exit code {facts['exit_code']}) without handing anything back"
    return "crashed", CodeError("ProcessEnded", text), None


def _report(facts: dict[str, Any]) -> dict[str, Any] | None:
    """Read the report of the user's process; anything malformed counts as none."""
    if facts["report_dropped"]:
        return None
    try:
        text = facts["report"]
        if not text.startswith(facts["token"].encode("ascii")):
            return None
        report = json.loads(text[len(facts["token"]) :])
        # Once around without escapes: halves of surrogate pairs, which no page could show, go.
        report = json.loads(json.dumps(report, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(report, dict) or report.get("status") not in ("ok", "error", "memory"):
        return None
    if report["status"] == "ok":
        return report
    error = report.get("error")
    if not isinstance(error, list) or len(error) != 3:
        return None
    kind, message, line = error
    known = isinstance(line, int) and not isinstance(line, bool) and line > 0
    report["error"] = CodeError(
        _clean(kind)[:100], _clean(message)[:LONGEST_MESSAGE], line if known else None
    )
    return report


def _clean(text: Any) -> str:
    return str(text).encode("utf-8", "replace").decode("utf-8")


def _died_of_memory(facts: dict[str, Any]) -> bool:
    """Tell a death by failed allocation from other crashes: the C++ runtimes say so and abort."""
    if facts["signal"] not in (signal.SIGABRT, signal.SIGKILL, signal.SIGSEGV, signal.SIGBUS):
        return False
    words = (b"bad_alloc", b"out of memory", b"Out of memory", b"RESOURCE_EXHAUSTED")
    # NumPy reading an array whose computation failed for want of memory aborts inside XLA.
    words += (b"buffer_.IsConcrete()",)
    said = any(word in facts["stderr"] for word in words)
    return said or facts["peak_bytes"] > 0.9 * facts["limit_bytes"]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def is_status(text: str) -> bool:
    """Whether a text is one of the statuses."""
    return text in get_args(Status)


def as_status(text: str) -> Status:
    """Take a text as a status.

    Raises:
        ValueError: it is none.
    """
    if not is_status(text):
        raise ValueError(f"{text!r} is not one of {', '.join(get_args(Status))}")
    return cast(Status, text)
