"""Every part of the page Vectorize opens in both languages, and asks before it shows."""

import pytest

from playground.lessons.vectorize import OF_PART
from tests.pages.test_all_pages import opened


def words(app) -> str:
    shown = (*app.markdown, *app.caption, *app.code, *app.error, *app.subheader)
    return "\n".join(str(element.value) for element in shown)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", OF_PART)
def test_a_part_opens(part, language):
    app = opened("vectorize", lang=language, vectorize_part=part)
    assert not app.exception
    assert not any("Something went wrong" in e.value or "计算本页" in e.value for e in app.error)
    for chart in app.get("plotly_chart"):
        assert chart.proto.alt


@pytest.mark.parametrize("trap", ["normalize", "center", "total", "dot", "matvec", "transpose"])
def test_every_trap_opens(trap):
    app = opened("vectorize", vectorize_part="traps", vectorize_trap=trap)
    assert not app.exception
    assert bool(app.error) == (trap in ("dot", "matvec"))


def test_a_prediction_is_asked_before_the_trap_is_shown():
    app = opened("vectorize", vectorize_part="traps", predict="true")
    assert "What you got" not in words(app)
    question = next(b for b in app.get("button_group") if b.key.startswith("predict_trap"))
    question.set_value("()").run()
    assert "What you got" in words(app)
    assert any("it is (2, 3)" in warning.value for warning in app.warning)


def test_jax_raises_what_the_page_says():
    app = opened("vectorize", vectorize_part="python")
    assert "TracerBoolConversionError" in words(app)


def test_the_count_of_the_link_is_unrolled():
    app = opened("vectorize", vectorize_part="python", vectorize_rounds="5")
    program = next(code.value for code in app.code if "sin" in code.value and "let" in code.value)
    assert program.count("= sin ") == 5


def test_answers_can_be_left_out():
    query = {"vectorize_part": "traps", "vectorize_trap": "center"}
    assert "center_by_hand" in words(opened("vectorize", **query))
    assert "center_by_hand" not in words(opened("vectorize", **query, answers="off"))


@pytest.mark.parametrize(
    ("page", "key", "value"),
    [
        ("vectorize", "vectorize_values", "x, 1e400, -3"),
        ("control_flow", "control_flow_values", "nan, [, 0"),
        ("compose", "compose_chain", "grad, <b>, grad, grad, grad, grad"),
    ],
)
def test_nonsense_in_free_text_is_passed_over(page, key, value):
    part = {"vectorize": "python", "control_flow": "edges", "compose": "order"}[page]
    app = opened(page, **{f"{page}_part": part, key: value})
    assert not app.exception
    assert not any("went wrong" in e.value for e in app.error)


def test_a_hidden_control_keeps_the_value_of_the_link():
    query = {"compose_function": "wave", "compose_chain": "grad, grad", "hide": "chain"}
    app = opened("compose", **query)
    assert "grad(grad(wave))" in words(app)
    assert not [button for button in app.button if button.key.startswith("compose_swap")]
