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
