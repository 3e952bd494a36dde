"""The warden of one run: forks the user's process, watches it, ends it, reports what it saw.

A warden is a fork of the warm parent that never runs user code. Where rooms of their own exist
(`namespaces`) it sees the run from outside; elsewhere it adopts every orphan of the run.
"""

import os
import selectors
import shutil
import signal
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playground.sandbox import child, linux, namespaces, watch, wire
from playground.sandbox.confine import BACKEND_BYTES, Limits, confine, processes_for
from playground.sandbox.outcome import OUTPUT_BYTES, VALUE_BYTES

_LOOK_SECONDS = 0.02
_PIPE_BYTES = 1 << 16


@dataclass(frozen=True)
class House:
    """What the warm parent found out about its walls, once.

    Attributes:
        rooms: every run gets namespaces of its own.
        jailed: the warm parent sits in a jail.
        hidden: directory of the sandbox's sources, covered in every room, or "".
        work: in a jail the working directory, covered by a new one in every room; else "".
        user_base: first of the unprivileged user numbers to hand out, or None to keep the user.
        others: processes and threads outside that count against a run's limit.
        baseline: bytes of memory the warm parent uses itself.
    """

    rooms: bool
    jailed: bool
    hidden: str
    work: str
    user_base: int | None
    others: int
    baseline: int


@dataclass
class _Stream:
    """One pipe out of the user's process: keeps the head, counts the rest."""

    reader: int
    keep: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def read(self) -> bool:
        """Take what is there; False at the end."""
        piece = os.read(self.reader, _PIPE_BYTES)
        room = self.keep - len(self.kept)
        self.kept += piece[:room]
        self.dropped += max(0, len(piece) - room)
        return bool(piece)


def supervise(line: socket.socket, house: House, number: int) -> None:
    """Carry out one run: read the request, run it, send the facts.

    Args:
        line: to the app; when the app hangs up, the run is ended.
        house: the walls.
        number: counts the runs of this warm parent, so that no two at once share a user.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    line.sendall(b"!")
    try:
        request = wire.receive(line)
    except wire.Broken:
        return
    work = house.work or tempfile.mkdtemp(prefix="playground-run-")
    try:
        user = None if house.user_base is None else house.user_base + number % 10_000
        if not house.work and user is not None:
            os.chown(work, user, user)
        limits = Limits(
            seconds=request["seconds"],
            memory_bytes=request["memory_bytes"],
            cores=request["cores"],
            processes=processes_for(request["cores"]),
            others=house.others,
            user_id=user,
            guard_signals=not house.rooms,
        )
        facts = _Run(line, house, limits, request, work).facts()
    finally:
        if not house.work:
            _remove(work)
    with suppress(OSError):
        wire.send(line, facts)


class _Run:
    """One run from fork to the last byte."""

    def __init__(
        self, line: socket.socket, house: House, limits: Limits, request: dict[str, Any], work: str
    ) -> None:
        self.line, self.house, self.limits = line, house, limits
        self.stopped = ""
        self.peak_bytes = 0
        pipes = [os.pipe() for _ in range(4)]
        writers = [writer for _, writer in pipes]
        self.started = time.monotonic()
        if house.rooms:
            namespaces.unshare_for_children()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _become_user(house, limits, request, work, writers)
            finally:
                os._exit(71)
        for writer in writers:
            os.close(writer)
        keep = (OUTPUT_BYTES, OUTPUT_BYTES, VALUE_BYTES, 64)
        self.streams = [_Stream(pipes[index][0], keep[index]) for index in range(4)]

    def facts(self) -> dict[str, Any]:
        """Watch until the end and say what was seen."""
        status = self._watch()
        seconds = time.monotonic() - self.started
        out, err, report, ending = self.streams
        ended = namespaces.how_it_ended(bytes(ending.kept))
        if self.house.rooms:
            status = ended[0] if ended else signal.SIGKILL
        if ended:
            self.peak_bytes = max(self.peak_bytes, ended[1] - self.house.baseline)
        return {
            "stopped": self.stopped,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
            "exit_code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1,
            "seconds": seconds,
            "peak_bytes": self.peak_bytes,
            "limit_seconds": self.limits.seconds,
            "limit_bytes": self.limits.memory_bytes,
            "stdout": bytes(out.kept),
            "stdout_dropped": out.dropped,
            "stderr": bytes(err.kept),
            "stderr_dropped": err.dropped,
            "report": bytes(report.kept),
            "report_dropped": report.dropped,
        }

    def _watch(self) -> int:
        """Pump the pipes until the run is over; return the wait status of its first process."""
        selector = selectors.DefaultSelector()
        for stream in self.streams:
            selector.register(stream.reader, selectors.EVENT_READ, stream)
        selector.register(self.line, selectors.EVENT_READ, None)
        status: int | None = None
        next_look = self.started
        drained_by = float("inf")
        while True:
            for key, _ in selector.select(_LOOK_SECONDS if status is None else 0.01):
                if key.data is None:
                    selector.unregister(self.line)
                    self._end("the app hung up")
                elif not key.data.read():
                    selector.unregister(key.fd)
            now = time.monotonic()
            open_pipes = len([key for key in selector.get_map().values() if key.data])
            if status is not None:
                if not open_pipes or now > drained_by:
                    return status
                continue
            pid, ended = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                status, drained_by = ended, now + 1.0
                if not self.house.rooms:
                    watch.kill_all_below(os.getpid())
            elif now - self.started > self.limits.seconds:
                self._end("timeout")
            elif now >= next_look:
                self._weigh()
                # Where the whole machine's /proc must be read, look less often.
                next_look = now + (_LOOK_SECONDS if self.house.jailed else 5 * _LOOK_SECONDS)

    def _weigh(self) -> None:
        pids = watch.descendants(os.getpid())
        allowed = self.limits.memory_bytes + BACKEND_BYTES
        used = watch.memory(pids, self.house.baseline, allowed)
        self.peak_bytes = max(self.peak_bytes, used)
        if used > allowed:
            self._end("memory")
        elif len(pids) > 2 * self.limits.processes:  # root, without a jail, is not bound
            self._end("it started too many processes")

    def _end(self, reason: str) -> None:
        self.stopped = self.stopped or reason
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def _become_user(
    house: House, limits: Limits, request: dict[str, Any], work: str, writers: list[int]
) -> None:
    def body() -> None:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (writers[0], 1), (writers[1], 2)):
            os.dup2(source, target)
        os.dup2(writers[2], 3, inheritable=False)
        os.closerange(4, 4096)
        os.chdir(work)
        confine(limits)
        child.execute(request, report=3, work=work)

    if house.rooms:
        namespaces.be_first_process(house.hidden, house.work, writers[3], body)
    body()


def _remove(work: str) -> None:
    """Remove a working directory, also folders that user code closed to everybody."""
    with suppress(OSError):
        os.chmod(work, 0o700)
    for folder, names, _ in os.walk(work):
        for path in (os.path.join(folder, name) for name in names):
            if not os.path.islink(path):
                with suppress(OSError):
                    os.chmod(path, 0o700)
    shutil.rmtree(work, ignore_errors=True)
