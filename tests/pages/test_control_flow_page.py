"""Every part of the page Control flow opens in both languages; the endless loop is killed."""

import pytest

from playground.lessons.control_flow import OF_PART
from tests.pages.test_all_pages import opened
from tests.pages.test_vectorize_page import words


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", OF_PART)
def test_a_part_opens(part, language):
    app = opened("control_flow", lang=language, control_flow_part=part)
    assert not app.exception
    assert not app.error
    for chart in app.get("plotly_chart"):
        assert chart.proto.alt
        assert len(chart.proto.spec) < 1_000_000


def test_the_range_of_the_link_is_filmed():
    query = {"part": "lanes", "inputs": "range", "largest": "5", "chunk": "2", "sorted": "true"}
    app = opened("control_flow", **{f"control_flow_{k}": v for k, v in query.items()})
    assert not app.exception
    assert any("Utilisation" in metric.label for metric in app.metric)


def test_rounds_are_predicted_before_the_film_is_shown():
    app = opened("control_flow", control_flow_part="lanes", predict="true")
    assert not app.metric or "Utilisation" not in [m.label for m in app.metric]
    question = next(b for b in app.get("button_group") if b.key.startswith("predict_lanes"))
    question.set_value("111").run()
    assert "Utilisation" in [m.label for m in app.metric]


@pytest.mark.slow
def test_the_endless_call_is_killed_and_the_page_says_so():
    app = opened("control_flow", control_flow_part="endless")
    app.button(key="control_flow_endless_start").click().run(timeout=90)
    assert any("killed" in message.value for message in app.error)
    assert "repaired" in words(app)
