"""Long work: it ends with its result, is cut at the limit, and keeps what was done."""

import pytest
from streamlit.testing.v1 import AppTest

from playground.ui import work


def page() -> None:
    """Count to five, a moment each."""
    import time

    import streamlit as st

    from playground.ui.work import long_work

    def count():
        for number in range(1, 6):
            time.sleep(0.02)
            yield number
        return "finished"

    token = st.session_state.get("token", 0)
    result = long_work("count", count, fraction=lambda item: item / 5, label="Count", token=token)
    st.text(f"result: {result}")


def started(app: AppTest) -> AppTest:
    return app.run().button(key="count_start").click().run()


def test_nothing_is_computed_before_it_is_asked_for():
    assert AppTest.from_function(page).run().text[0].value == "result: None"


@pytest.mark.parametrize("slice_seconds", [0.0, 10.0])
def test_work_ends_with_its_result_in_one_slice_or_many(monkeypatch, slice_seconds):
    monkeypatch.setattr(work, "SLICE_SECONDS", slice_seconds)
    app = started(AppTest.from_function(page, default_timeout=30))
    assert app.text[0].value == "result: finished"
    assert not app.caption
    assert len(app.button) == 1


def test_work_is_cut_at_the_limit_and_keeps_what_was_done(monkeypatch):
    monkeypatch.setattr(work, "SLICE_SECONDS", 0.03)
    monkeypatch.setattr(work, "SECONDS", 0)
    app = started(AppTest.from_function(page, default_timeout=30))
    assert app.text[0].value in {f"result: {n}" for n in range(1, 6)}
    assert "limit" in app.caption[0].value


def test_a_result_is_forgotten_when_its_settings_change():
    app = started(AppTest.from_function(page, default_timeout=30))
    app.session_state["token"] = 1
    assert app.run().text[0].value == "result: None"
