"""One measurement at a time per server: a queue with positions, results shared by everybody.

Two measurements at once would disturb each other, so a single thread works them off; pages only
look at its tickets and never wait for it.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, field
from typing import Any, Literal

PATIENCE_SECONDS = 20.0
KEPT_RESULTS = 64

State = Literal["waiting", "running", "done", "failed", "cancelled"]
Work = Callable[[], Generator[float, None, Any]]


@dataclass(frozen=True)
class Kept:
    """A result that all sessions may show, and when it was measured (seconds since the epoch)."""

    result: Any
    measured_at: float

    @property
    def age_seconds(self) -> float:
        """How old it is now."""
        return max(time.time() - self.measured_at, 0.0)


@dataclass(eq=False)
class Ticket:
    """A place in the queue. `watchers` maps a session to when it last looked (monotonic)."""

    key: Hashable
    start: Work
    state: State = "waiting"
    fraction: float = 0.0
    error: Exception | None = None
    watchers: dict[str, float] = field(default_factory=dict)

    @property
    def is_active(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in ("waiting", "running")


class MeasurementQueue:
    """Works off measurements one by one in a thread that lives as long as there is work."""

    def __init__(self, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._patience = patience_seconds
        self._lock = threading.Lock()
        self._tickets: list[Ticket] = []
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._worker: threading.Thread | None = None

    def submit(self, key: Hashable, start: Work, watcher: str) -> Ticket:
        """Ask for a measurement; whoever asks for the same one shares its ticket.

        Args:
            key: what is measured, such as the settings.
            start: makes the generator that measures; it yields shares of 1 between its slices.
            watcher: name of the session that asks.

        Returns:
            The ticket, waiting or already running.
        """
        with self._lock:
            ticket = self._active(key)
            if ticket is None:
                ticket = Ticket(key, start)
                self._tickets.append(ticket)
            ticket.watchers[watcher] = time.monotonic()
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="measure", daemon=True)
                self._worker.start()
            return ticket

    def ticket(self, key: Hashable, watcher: str) -> Ticket | None:
        """Return the active ticket that this session watches, and keep it alive."""
        with self._lock:
            ticket = self._active(key)
            if ticket is None or watcher not in ticket.watchers:
                return None
            ticket.watchers[watcher] = time.monotonic()
            return ticket

    def position(self, ticket: Ticket) -> int:
        """Return how many measurements come before this one; 0 when it runs or is over."""
        with self._lock:
            return self._tickets.index(ticket) if ticket in self._tickets else 0

    @property
    def waiting(self) -> tuple[Hashable, ...]:
        """Keys of the measurements that wait for the running one."""
        with self._lock:
            return tuple(t.key for t in self._tickets if t.state == "waiting")

    def leave(self, ticket: Ticket, watcher: str) -> None:
        """Withdraw a session's wish; the measurement ends when nobody else waits for it."""
        with self._lock:
            ticket.watchers.pop(watcher, None)

    def kept(self, key: Hashable) -> Kept | None:
        """Return the newest finished result, whoever asked for it."""
        with self._lock:
            return self._kept.get(key)

    def _active(self, key: Hashable) -> Ticket | None:
        """Return the ticket that still leads to a result; one that is ending does not count."""
        return next((t for t in self._tickets if t.key == key and t.is_active), None)

    def _work(self) -> None:
        while True:
            with self._lock:
                ticket = self._tickets[0] if self._tickets else None
                if ticket is None:
                    self._worker = None
                    return
                ticket.state = "running"
            self._run(ticket)
            with self._lock:
                self._tickets.remove(ticket)

    def _run(self, ticket: Ticket) -> None:
        try:
            work = ticket.start()
            while self._wanted(ticket):
                ticket.fraction = min(max(next(work), 0.0), 1.0)
            work.close()
        except StopIteration as end:
            with self._lock:
                self._kept[ticket.key] = Kept(end.value, time.time())
                self._kept.move_to_end(ticket.key)
                while len(self._kept) > KEPT_RESULTS:
                    self._kept.popitem(last=False)
            ticket.state = "done"
        except Exception as error:
            ticket.error, ticket.state = error, "failed"

    def _wanted(self, ticket: Ticket) -> bool:
        """Tell whether somebody still waits; if not, whoever asks from now on gets a new ticket."""
        with self._lock:
            oldest = time.monotonic() - self._patience
            if any(seen >= oldest for seen in ticket.watchers.values()):
                return True
            ticket.state = "cancelled"
            return False


MEASUREMENTS = MeasurementQueue()
"""The queue of this server."""
