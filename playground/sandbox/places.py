"""Places for runs: so many at once, a bounded queue, taken in turns by the sessions."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Generator
from contextlib import contextmanager


class Busy(Exception):  # noqa: N818 - a state, not a fault
    """No place is free and the queue is full, or the wait was too long."""


class Places:
    """Hands out places, one session after the other.

    Args:
        at_once: places.
        waiting: how many may wait in all.
        waiting_per_session: how many of one session may wait.
    """

    def __init__(self, at_once: int, waiting: int, waiting_per_session: int) -> None:
        self._free = at_once
        self._waiting, self._waiting_per_session = waiting, waiting_per_session
        self._queues: OrderedDict[str, deque[object]] = OrderedDict()
        self._granted: set[object] = set()
        self._changed = threading.Condition()

    @contextmanager
    def place(self, session: str, patience: float) -> Generator[None]:
        """Hold a place.

        Args:
            session: who asks; sessions that wait are served in turns.
            patience: seconds to wait at most.

        Raises:
            Busy: there was none.
        """
        self._take(session, patience)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._serve()

    def _take(self, session: str, patience: float) -> None:
        ticket = object()
        end = time.monotonic() + patience
        with self._changed:
            own = self._queues.get(session, ())
            waiting = sum(len(queue) for queue in self._queues.values())
            taken = self._free == 0 or waiting > 0
            if taken and (waiting >= self._waiting or len(own) >= self._waiting_per_session):
                raise Busy
            self._queues.setdefault(session, deque()).append(ticket)
            self._serve()
            while ticket not in self._granted:
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    if ticket in self._granted:
                        break
                    self._leave(session, ticket)
                    raise Busy
            self._granted.discard(ticket)

    def _leave(self, session: str, ticket: object) -> None:
        queue = self._queues[session]
        queue.remove(ticket)
        if not queue:
            del self._queues[session]

    def _serve(self) -> None:
        """Give free places to the sessions in turn; the one served goes to the end."""
        while self._free > 0 and self._queues:
            session, queue = self._queues.popitem(last=False)
            self._granted.add(queue.popleft())
            self._free -= 1
            if queue:
                self._queues[session] = queue
        self._changed.notify_all()
