"""Every part of the page Compose opens in both languages; its buttons build chains."""

import pytest

from playground.lessons.compose import OF_PART
from tests.pages.test_all_pages import opened
from tests.pages.test_vectorize_page import words


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", OF_PART)
def test_a_part_opens(part, language):
    app = opened("compose", lang=language, compose_part=part)
    assert not app.exception
    assert not app.error
    for chart in app.get("plotly_chart"):
        assert chart.proto.alt


def test_buttons_add_exchange_and_take_away():
    app = opened("compose", compose_function="wave")
    app.button(key="compose_swap_1").click().run()
    assert app.text_input(key="compose_chain").value == "vmap, grad, jit"
    assert any("`grad` differentiates one number" in e.value for e in app.error)
    app.button(key="compose_drop_2").click().run()
    assert app.text_input(key="compose_chain").value == "vmap, grad"
    app.button(key="compose_swap_1").click().run()
    app.button(key="compose_add_vmap").click().run()
    assert app.text_input(key="compose_chain").value == "grad, vmap, vmap"
    assert "vmap(vmap(grad(wave)))" in words(app)
    assert not app.error


def test_shapes_are_predicted_first():
    app = opened("compose", predict="true")
    assert not any("other orders" in heading.value for heading in app.subheader)
    question = next(b for b in app.get("button_group") if b.key.startswith("predict_order"))
    question.set_value("(5, 3)").run()
    assert any(message.value == "Right." for message in app.success)


def test_training_goes_on_live():
    app = opened("compose", compose_part="train", compose_steps="60", compose_width="4")
    before = next(m.value for m in app.metric if m.label == "Loss now")
    app.button(key="compose_train_start").click().run(timeout=90)
    for _ in range(30):
        if not app.session_state["compose_train_running"]:
            break
        app.run(timeout=90)
    after = next(m.value for m in app.metric if m.label == "Loss now")
    assert float(after) < float(before)


def test_a_singular_hessian_is_said():
    assert any("singular" in w.value for w in opened("compose", compose_part="newton").warning)
    well = opened("compose", compose_part="newton", compose_problem="well")
    assert not well.warning
