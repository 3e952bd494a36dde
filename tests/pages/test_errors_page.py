"""The error museum in process: predict, see, repair, and every state in the link."""

import pytest

from playground.practice import errors
from tests.pages.test_all_pages import failures, opened


def radio(app):
    return app.radio[0]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", errors.NAMES)
def test_every_exhibit_opens_with_its_answer_and_its_last_repair(name, language):
    result = errors.compute(errors.ErrorsSettings(exhibit=name))
    app = opened(
        "errors",
        lang=language,
        errors_exhibit=name,
        errors_guess="9",
        errors_repair=str(len(result.attempts)),
    )
    assert not app.exception
    shown = [block.value for block in app.code]
    assert any(result.attempts[-1].code in block for block in shown)
    if result.exception:
        assert any(result.exception in expander.label for expander in app.expander)
        assert len(app.error) == 1


def test_nothing_is_told_before_the_prediction():
    app = opened("errors", lang="en")
    assert not failures(app)
    assert not app.error
    assert any("jax.vmap(discount)(price, 0.2)" in block.value for block in app.code)


def test_a_prediction_goes_into_the_link_and_shows_the_error():
    app = opened("errors", lang="en")
    radio(app).set_value(1).run()
    assert app.query_params["errors_guess"] in ("1", ["1"])
    assert len(app.error) == 1
    assert any("Not this time" in warning.value for warning in app.warning)
    app.button(key="errors_repair_1").click().run()
    assert any("This does what was wanted" in success.value for success in app.success)


def test_another_exhibit_starts_without_an_answer():
    app = opened("errors", lang="en", errors_guess="9", errors_repair="1")
    app.button(key="errors_to_arrow_forward").click().run()
    assert not app.error
    assert radio(app).value is None


def test_without_answers_there_are_no_repairs_and_hidden_controls_are_gone():
    app = opened("errors", lang="en", errors_guess="9", answers="off", hide="exhibit")
    assert len(app.error) == 1
    assert not [b for b in app.button if (b.key or "").startswith("errors_repair")]
    assert not app.selectbox


def test_a_typed_repair_runs_in_the_sandbox_and_is_judged():
    app = opened("errors", lang="en", errors_guess="9")
    app.session_state["errors_hand_shared_number"] = True
    app.run()
    area = app.text_area(key="errors_code_shared_number")
    assert "jax.vmap(discount)(price, 0.2)" in area.value
    fixed = area.value.replace("jax.vmap(discount)", "jax.vmap(discount, in_axes=(0, None))")
    area.set_value(fixed)
    app.session_state["errors_hand_shared_number"] = True  # AppTest forgets what is open
    app.button(key="errors_run").click().run()
    assert not app.exception
    assert any("This does what was wanted" in success.value for success in app.success)
