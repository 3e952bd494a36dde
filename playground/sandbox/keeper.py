"""The app's side of a warm parent: starts it when first needed, replaces it when it dies."""

import atexit
import os
import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from typing import Any

from playground.sandbox import jail, wire
from playground.sandbox.policy import Walls

_START_SECONDS = 120.0
_GRACE_SECONDS = 15.0


class WallsFailed(Exception):  # noqa: N818 - a finding about this machine
    """The walls could not be put up here; the text says what the system answered."""


class Lost(Exception):  # noqa: N818 - a finding about one run
    """The warm parent or the warden ended without a report."""


class _Parent:
    """One warm parent process and the thread that started it and waits for it."""

    def __init__(self, walls: Walls, rooms: bool) -> None:
        self.control, theirs = socket.socketpair()
        self.process: subprocess.Popen[bytes] | None = None
        self.ended = threading.Event()
        self._started = threading.Event()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        # `--die-with-parent` means the parent THREAD: this one lives as long as the process.
        threading.Thread(target=self._keep, args=(walls, rooms, theirs), daemon=True).start()
        self._started.wait()
        self.control.settimeout(_START_SECONDS)
        try:
            self.facts = wire.receive(self.control)
        except wire.Broken as error:
            self.close(keep_log=True)
            with self._log:
                self._log.seek(0)
                words = self._log.read(4_000).decode("utf-8", "replace").strip()
            raise WallsFailed(words or str(error)) from None
        if self.facts["threads"] != 1:
            self.close()
            raise WallsFailed(f"importing JAX started {self.facts['threads'] - 1} threads")

    def _keep(self, walls: Walls, rooms: bool, theirs: socket.socket) -> None:
        try:
            command = jail.command(walls, theirs.fileno(), rooms)
            self.process = subprocess.Popen(
                command.arguments,
                env=command.environment,
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            self._log.write(str(error).encode())
        finally:
            theirs.close()
            self._started.set()
        if self.process is not None:
            self.process.wait()
        self.ended.set()

    def close(self, keep_log: bool = False) -> None:
        """End the process; killing it where it does not follow the closed socket."""
        self.control.close()
        if not self.ended.wait(3) and self.process is not None:
            self.process.kill()
            self.ended.wait(3)
        if not keep_log:
            self._log.close()


class Keeper:
    """Keeps one warm parent for one kind of walls.

    Args:
        walls: "jail" or "bare".
        rooms: see `jail.command`.
    """

    def __init__(self, walls: Walls, rooms: bool = True) -> None:
        self.walls: Walls = walls
        self._rooms = rooms
        self._lock = threading.Lock()
        self._parent: _Parent | None = None

    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        """Have one run carried out.

        Args:
            request: see `warden.supervise`; `seconds` is also the patience of this call.

        Returns:
            The warden's facts.

        Raises:
            WallsFailed: no warm parent could be started.
            Lost: it ended before the run did.
        """
        for attempt in (1, 2):
            parent, line = self._connect()
            with line:
                if not self._accepted(line):
                    self._discard(parent)
                    if attempt == 1:
                        continue
                    break
                try:
                    wire.send(line, request)
                    line.settimeout(request["seconds"] + _GRACE_SECONDS)
                    return wire.receive(line)
                except (OSError, wire.Broken) as error:
                    stuck = isinstance(error.__cause__, TimeoutError)
                    if attempt == 1 and not stuck and parent.ended.wait(1.0):
                        continue  # somebody killed the parent: begin again with a new one
                    if stuck:
                        self._discard(parent)
                    raise Lost(str(error)) from error
                finally:
                    if not parent.facts["rooms"] and self.walls == "jail":
                        self._discard(parent)  # without rooms of their own: a jail for each run
        raise Lost("the warm parent does not answer")

    @staticmethod
    def _accepted(line: socket.socket) -> bool:
        line.settimeout(_GRACE_SECONDS)
        try:
            return line.recv(1) == b"!"
        except OSError:
            return False

    def _living(self) -> _Parent:
        """Return a parent that lives; the lock must be held."""
        if self._parent is not None and self._parent.ended.is_set():
            self._parent.close()
            self._parent = None
        if self._parent is None:
            self._parent = _Parent(self.walls, self._rooms)
        return self._parent

    def _connect(self) -> tuple[_Parent, socket.socket]:
        with self._lock:
            parent = self._living()
            ours, theirs = socket.socketpair()
            with theirs, suppress(OSError):
                socket.send_fds(parent.control, [b"r"], [theirs.fileno()])
            return parent, ours

    def _discard(self, parent: _Parent) -> None:
        with self._lock:
            if self._parent is parent:
                self._parent = None
        parent.close()

    def process_id(self) -> int | None:
        """Return the process that holds the warm parent, or None when there is none."""
        parent = self._parent
        return None if parent is None or parent.process is None else parent.process.pid

    def warm_up(self) -> None:
        """Start the warm parent now.

        Raises:
            WallsFailed: it could not be started.
        """
        with self._lock:
            self._living()

    def close(self) -> None:
        """End the warm parent; the next run starts a new one."""
        parent = self._parent
        if parent is not None:
            self._discard(parent)


_keepers: dict[Walls, Keeper] = {}
_keepers_lock = threading.Lock()


def keeper(walls: Walls) -> Keeper:
    """Return this process's keeper for a kind of walls."""
    with _keepers_lock:
        return _keepers.setdefault(walls, Keeper(walls))


def close_all() -> None:
    """End every warm parent of this process."""
    with _keepers_lock:
        keepers = list(_keepers.values())
    for each in keepers:
        each.close()


def _forget() -> None:
    """A fork of the app must not use, or end, what belongs to its parent."""
    global _keepers_lock
    _keepers.clear()
    _keepers_lock = threading.Lock()


atexit.register(close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
