"""One measurement at a time; others wait, share results, leave, and are never blocked."""

import threading
import time

from playground.measure.queue import KEPT_RESULTS, MeasurementQueue


def until(condition, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


def gate(opened: threading.Event, result: str):
    def work():
        while not opened.is_set():
            yield 0.5
            time.sleep(0.002)
        return result

    return work


def test_measurements_run_one_after_the_other_and_results_are_shared():
    queue = MeasurementQueue()
    first_gate, second_gate = threading.Event(), threading.Event()
    first = queue.submit("a", gate(first_gate, "A"), "ann")
    second = queue.submit("b", gate(second_gate, "B"), "ben")
    same = queue.submit("a", gate(first_gate, "never"), "cleo")
    assert same is first
    assert until(lambda: first.state == "running" and first.fraction == 0.5)
    assert second.state == "waiting"
    assert queue.position(second) == 1
    assert queue.ticket("a", "nobody") is None
    second_gate.set()
    time.sleep(0.02)
    assert second.state == "waiting"
    first_gate.set()
    assert until(lambda: second.state == "done")
    kept = queue.kept("a")
    assert kept is not None
    assert kept.result == "A"
    assert 0 <= kept.age_seconds < 60
    assert queue.position(second) == 0


def test_a_measurement_ends_when_the_last_watcher_leaves():
    queue, closed = MeasurementQueue(), threading.Event()
    closed_by_work = []

    def work():
        try:
            while True:
                yield 0.1
                time.sleep(0.002)
        finally:
            closed_by_work.append(True)

    ticket = queue.submit("a", work, "ann")
    queue.submit("a", work, "ben")
    queue.leave(ticket, "ann")
    assert not until(lambda: not ticket.is_active, 0.05)
    queue.leave(ticket, "ben")
    assert until(lambda: ticket.state == "cancelled")
    assert until(lambda: closed_by_work == [True])
    assert queue.kept("a") is None
    assert not closed.is_set()


def test_who_asks_again_while_a_cancelled_measurement_ends_gets_a_new_one():
    queue, may_end = MeasurementQueue(), threading.Event()

    def slow_to_end():
        try:
            while True:
                yield 0.1
                time.sleep(0.002)
        finally:
            may_end.wait(5)

    ending = queue.submit("a", slow_to_end, "ann")
    queue.leave(ending, "ann")
    assert until(lambda: ending.state == "cancelled")
    opened = threading.Event()
    opened.set()
    again = queue.submit("a", gate(opened, "A"), "ann")
    assert again is not ending
    assert queue.ticket("a", "ann") is again
    may_end.set()
    assert until(lambda: again.state == "done")


def test_a_closed_tab_does_not_keep_the_server_busy():
    queue = MeasurementQueue(patience_seconds=0.05)
    ticket = queue.submit("a", gate(threading.Event(), "never"), "gone")
    assert until(lambda: ticket.state == "cancelled")


def test_a_failure_is_kept_with_its_ticket_and_the_queue_goes_on():
    queue = MeasurementQueue()

    def broken():
        yield 0.1
        raise ValueError("broken")

    failed = queue.submit("a", broken, "ann")
    assert until(lambda: failed.state == "failed")
    assert isinstance(failed.error, ValueError)
    opened = threading.Event()
    opened.set()
    good = queue.submit("b", gate(opened, "B"), "ann")
    assert until(lambda: good.state == "done")


def test_old_results_are_forgotten():
    queue, opened = MeasurementQueue(), threading.Event()
    opened.set()
    tickets = [queue.submit(key, gate(opened, str(key)), "ann") for key in range(KEPT_RESULTS + 3)]
    assert until(lambda: not any(ticket.is_active for ticket in tickets))
    assert queue.kept(0) is None
    assert queue.kept(KEPT_RESULTS + 2) is not None
