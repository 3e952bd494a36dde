"""Runs a script of our own in a process that is killed when its time is over.

Nothing in Python stops compiled code that loops for ever; ending its process does. This is no
sandbox: what users type belongs into `playground.sandbox`.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

STARTED = "started"
LONGEST_START_SECONDS = 60.0
LOOK_EVERY_SECONDS = 0.1
MOST_LINES = 200
PROCESSES_AT_ONCE = 2
# The kernel ends the child by itself if this process dies before it can.
WRAPPER = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
exec(compile(sys.argv[1], "script.py", "exec"), {"__name__": "__main__"})
"""

_places = threading.BoundedSemaphore(PROCESSES_AT_ONCE)


@dataclass(frozen=True)
class Outcome:
    """What became of a script.

    Attributes:
        output: what it printed after the line "started".
        error: the last line of its error output, "" when it ended well.
        seconds: how long it ran after that line.
        was_killed: whether its time was over.
    """

    output: str
    error: str
    seconds: float
    was_killed: bool


@dataclass
class _Run:
    """One run, shared by the thread that watches over it and whoever asked for it."""

    source: str
    seconds: float
    given_up: threading.Event = field(default_factory=threading.Event)
    fraction: float = 0.0
    outcome: Outcome | None = None


def run_killable(source: str, seconds: float) -> Generator[float, None, Outcome]:
    """Run a script; closing the generator kills it, and so does its time, read or not.

    Args:
        source: Python that prints the line "started" when its imports are done.
        seconds: how long it may run after that line.

    Yields:
        The share of the time that is over, 0 to 1.

    Returns:
        What became of it.
    """
    run = _Run(source, seconds)
    watcher = threading.Thread(target=_watch, args=(run,), daemon=True, name="killable")
    watcher.start()
    try:
        while run.outcome is None and watcher.is_alive():
            yield run.fraction
            time.sleep(LOOK_EVERY_SECONDS)
    finally:
        run.given_up.set()
        watcher.join(timeout=10)
    return run.outcome or Outcome("", "the process could not be started", 0.0, False)


def _watch(run: _Run) -> None:
    """Start the process, kill it in time, and say what became of it."""
    while not _places.acquire(timeout=LOOK_EVERY_SECONDS):
        if run.given_up.is_set():
            return
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", WRAPPER, run.source],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={"JAX_PLATFORMS": "cpu", "PATH": os.environ.get("PATH", "")},
        )
        run.outcome = _outcome(run, process)
    finally:
        _places.release()


def _outcome(run: _Run, process: subprocess.Popen) -> Outcome:
    printed: list[str] = []
    complaints: list[str] = []
    readers = [
        threading.Thread(target=_read, args=(stream, lines), daemon=True)
        for stream, lines in ((process.stdout, printed), (process.stderr, complaints))
    ]
    for reader in readers:
        reader.start()
    born, started, was_killed = time.monotonic(), 0.0, False
    while process.poll() is None and not was_killed:
        now = time.monotonic()
        if not started and any(line.strip() == STARTED for line in list(printed)):
            started = now
        run.fraction = min((now - started) / run.seconds, 1.0) if started else 0.0
        is_late = (now - started > run.seconds) if started else (now - born > LONGEST_START_SECONDS)
        if is_late or run.given_up.wait(LOOK_EVERY_SECONDS):
            os.killpg(process.pid, signal.SIGKILL)
            was_killed = True
    ended = time.monotonic()
    process.wait()
    for reader in readers:
        reader.join(timeout=5)
    failed = process.returncode != 0 and not was_killed
    output = "".join(line for line in printed if line.strip() != STARTED).strip()
    error = complaints[-1].strip() if failed and complaints else ""
    return Outcome(output, error, ended - (started or born), was_killed)


def _read(stream: Any, lines: list[str]) -> None:
    """Gather lines, not more than anybody reads, until the process ends."""
    with stream:
        for line in stream:
            if len(lines) < MOST_LINES:
                lines.append(line)
