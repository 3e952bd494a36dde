"""Runs a script in a process of its own that is killed when its time is over.

Nothing in Python stops compiled code that loops for ever; ending its process does.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

STARTED = "started"
LONGEST_START_SECONDS = 60.0
LOOK_EVERY_SECONDS = 0.1
MOST_LINES = 200
_places = threading.BoundedSemaphore(2)
# The kernel ends the child by itself if this process dies before it can.
WRAPPER = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
exec(compile(sys.argv[1], "script.py", "exec"), {"__name__": "__main__"})
"""


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


def run_killable(source: str, seconds: float) -> Generator[float, None, Outcome]:
    """Run a script; closing the generator kills it too.

    Args:
        source: Python that prints the line "started" when its imports are done.
        seconds: how long it may run after that line.

    Yields:
        The share of the time that is over, 0 to 1.

    Returns:
        What became of it.
    """
    while not _places.acquire(blocking=False):
        yield 0.0
        time.sleep(LOOK_EVERY_SECONDS)
    try:
        return (yield from _run(source, seconds))
    finally:
        _places.release()


def _run(source: str, seconds: float) -> Generator[float, None, Outcome]:
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", WRAPPER, source],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={"JAX_PLATFORMS": "cpu", "PATH": os.environ.get("PATH", "")},
    )
    printed: list[str] = []
    complaints: list[str] = []
    readers = [
        threading.Thread(target=_read, args=(stream, lines), daemon=True)
        for stream, lines in ((process.stdout, printed), (process.stderr, complaints))
    ]
    for reader in readers:
        reader.start()
    born, started, was_killed = time.monotonic(), 0.0, False
    try:
        while process.poll() is None:
            now = time.monotonic()
            if not started and any(line.strip() == STARTED for line in list(printed)):
                started = now
            if (now - started > seconds) if started else (now - born > LONGEST_START_SECONDS):
                was_killed = True
                break
            yield min((now - started) / seconds, 1.0) if started else 0.0
            time.sleep(LOOK_EVERY_SECONDS)
    finally:
        ended = time.monotonic()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
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
