"""What is computed ahead is what the pages ask for first, and it is computed once."""

import gc
import threading

import pytest

from playground.ui import frame, warm_up, work
from tests.pages.test_all_pages import opened


@pytest.mark.slow
@pytest.mark.parametrize("sight", warm_up.FIRST_SIGHTS, ids=lambda sight: sight[0].__module__)
def test_the_page_asks_for_exactly_that(sight, monkeypatch):
    asked = []

    def recorded(module, name, settings, function):
        asked.append((function, settings))
        raise RuntimeError("asked for; there is no need to compute it")

    monkeypatch.setattr(work, "_cached", recorded)
    monkeypatch.setattr(frame._log, "exception", lambda *_: None)
    opened(sight[0].__module__.rpartition(".")[2])
    assert sight in asked


def test_all_is_computed_once_in_a_process(monkeypatch):
    done, ready = [], threading.Event()

    def computed(function, settings):
        done.append((function, settings))
        if len(done) == 2:
            raise RuntimeError("one page that fails does not stop the others")
        if len(done) == len(warm_up.FIRST_SIGHTS):
            ready.set()

    monkeypatch.delenv("PLAYGROUND_WARM_UP", raising=False)
    monkeypatch.setattr(warm_up, "compute", computed)
    monkeypatch.setattr(warm_up, "_start", threading.Lock())
    monkeypatch.setattr(warm_up, "_stopped", threading.Event())
    monkeypatch.setattr(warm_up._log, "exception", lambda *_: None)
    gc.unfreeze()
    warm_up.warm_up()
    warm_up.warm_up()
    assert ready.wait(20)
    assert tuple(done) == warm_up.FIRST_SIGHTS
    assert gc.get_freeze_count() > 100_000  # modules and programs: a click does not wait for them


def test_a_measurement_ends_it(monkeypatch):
    done = []
    monkeypatch.setattr(warm_up, "compute", lambda *_: done.append(1) or warm_up.stop_warming_up())
    monkeypatch.setattr(warm_up, "_stopped", threading.Event())
    thread = threading.Thread(target=warm_up._compute_all)
    thread.start()
    thread.join(20)
    assert done == [1]


def test_it_can_be_left_out(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_WARM_UP", "off")
    monkeypatch.setattr(warm_up, "_start", threading.Lock())
    warm_up.warm_up()
    assert not warm_up._start.locked()
