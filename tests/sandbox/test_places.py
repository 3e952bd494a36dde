"""Places are bounded, and sessions take turns."""

import threading
import time

import pytest

from playground.sandbox.places import Busy, Places


def waiting(places: Places) -> int:
    return sum(len(queue) for queue in places._queues.values())


def queue_up(places: Places, sessions: str) -> list[str]:
    """Let the sessions ask in this order while the only place is taken; return who came when."""
    order: list[str] = []
    threads = []

    def ask(session: str) -> None:
        with places.place(session, 30):
            order.append(session)

    with places.place("first", 30):
        for session in sessions:
            before = waiting(places)
            threads.append(threading.Thread(target=ask, args=(session,)))
            threads[-1].start()
            while waiting(places) == before:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    return order


def test_sessions_take_turns():
    assert queue_up(Places(1, 10, 10), "aaaabc") == list("abcaaa")


def test_a_full_queue_is_busy_at_once():
    places = Places(1, 0, 5)
    with places.place("a", 30), pytest.raises(Busy), places.place("b", 30):
        pass
    with places.place("b", 30):
        pass


def test_one_session_cannot_fill_the_queue():
    places = Places(1, 10, 1)
    held = threading.Event()
    with places.place("a", 30):
        thread = threading.Thread(target=lambda: places.place("a", 30).__enter__() and held.set())
        thread.start()
        while not waiting(places):
            time.sleep(0.001)
        with pytest.raises(Busy), places.place("a", 30):
            pass
        with pytest.raises(Busy), places.place("b", 0.05):  # may wait, but not for ever
            pass
        assert waiting(places) == 1
    thread.join()


def test_places_come_back_after_failures():
    places = Places(2, 0, 0)
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), places.place("a", 1):
            _ = 1 / 0
    with places.place("a", 1), places.place("b", 1):
        pass
