"""The page Exercises: a verdict, hints in steps, attempts that stay, answers left out."""

import pytest

from playground.practice.exercises import EXERCISES
from playground.sandbox import policy
from tests.pages.test_all_pages import opened

ANSWER = EXERCISES["E1"].answer


@pytest.mark.skipif(policy.bubblewrap() is None, reason="no bubblewrap here")
def test_a_check_tells_the_mistake_and_the_attempt_stays():
    app = opened("exercises", lang="en")
    app.text_area[0].set_value(ANSWER.replace("jnp.sqrt(jnp.sum((p1 - p2) ** 2))", "p1 - p2"))
    app.button(key="exercises_ask").click().run()
    assert any("shape" in error.value for error in app.error)
    attempt = app.text_area[0].value
    app.switch_page("pages/axes.py").run()
    app.switch_page("pages/exercises.py").run()
    assert app.text_area[0].value == attempt
    app.text_area[0].set_value(ANSWER)
    app.button(key="exercises_ask").click().run()
    assert not app.error
    assert any("Passed" in success.value for success in app.success)


def test_hints_come_one_by_one():
    app = opened("exercises", lang="en", exercises_task="E4")
    for count in (1, 2, 3):
        app.button(key="exercises_hint").click().run()
        assert sum("/3**" in info.value for info in app.info) == count
    assert not [button for button in app.button if button.key == "exercises_hint"]


def test_the_answer_is_shown_on_request_but_not_when_the_link_leaves_it_out():
    app = opened("exercises", lang="en", exercises_task="E2")
    app.toggle(key="exercises_answer_E2").set_value(True).run()
    assert any(code.value.strip() == EXERCISES["E2"].answer.strip() for code in app.code)
    hidden = opened("exercises", lang="en", exercises_task="E2", answers="off")
    assert not [
        toggle
        for toggle in hidden.toggle
        if "exercises_answer" in str(toggle.key) and "share" not in toggle.key
    ]


def test_a_server_that_runs_no_code_says_so(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_USER_CODE", "off")
    app = opened("exercises", lang="zh")
    assert any("PLAYGROUND_USER_CODE" in warning.value for warning in app.warning)
