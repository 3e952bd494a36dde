"""Runs a script in a process of its own that is killed when its time is over.

Nothing in Python stops compiled code that loops for ever; ending its process does.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass

STARTED = "started"
LONGEST_START_SECONDS = 60.0
LOOK_EVERY_SECONDS = 0.1
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
        threading.Thread(target=lines.extend, args=(stream,), daemon=True)
        for lines, stream in ((printed, process.stdout), (complaints, process.stderr))
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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for reader in readers:
        reader.join(timeout=5)
    failed = process.returncode != 0 and not was_killed
    output = "".join(line for line in printed if line.strip() != STARTED).strip()
    error = complaints[-1].strip() if failed and complaints else ""
    return Outcome(output, error, ended - (started or born), was_killed)
