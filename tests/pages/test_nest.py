"""The page Nest in process: every closer look, every metric, both languages, links."""

import subprocess
import sys

import pytest

from playground.foundation.prose import section
from playground.foundation.script import format_headline
from playground.lessons import nest
from tests.pages.test_all_pages import failures, opened


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("section", nest.SECTIONS)
def test_every_closer_look_opens(section, language):
    app = opened("nest", lang=language, nest_section=section)
    assert not failures(app)
    assert len(app.get("plotly_chart")) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("section", ["gradient", "matmul", "hand"])
def test_the_script_of_every_closer_look_prints_its_numbers(section, tmp_path):
    settings = nest.NestSettings(section=section, order="columns", metric="cosine", rows=8)
    path = tmp_path / "nest.py"
    path.write_text(nest.script(settings))
    command = [sys.executable, "-I", path]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    result = nest.headlines(nest.compute(settings))
    assert run.stdout.splitlines() == [f"{k}: {format_headline(v)}" for k, v in result.items()]


def test_sizes_and_order_in_the_link_reach_the_cards():
    app = opened("nest", nest_rows="3", nest_columns="8", nest_order="columns", lang="en")
    shown = " ".join(element.value for element in app.markdown)
    assert "`(8, 3)`" in shown
    assert "`(3, 8)`" in shown


def test_the_sizes_of_a_crafted_link_are_moved_to_legal_ones():
    app = opened("nest", nest_rows="100000000", nest_dimension="-5", lang="en")
    assert not app.exception
    assert any("1024" in warning.value for warning in app.warning)


def test_a_large_comparison_runs_on_request():
    app = opened("nest", nest_section="large", nest_large="4096", lang="en")  # several blocks
    app.button(key="nest_large_start").click().run()
    assert not failures(app)
    assert len(app.get("plotly_chart")) == 4


def test_a_prediction_comes_before_the_matrix():
    app = opened("nest", predict="true", lang="en")
    assert not app.get("plotly_chart")
    key = "predict_nest_rows_5_7_3"
    app.segmented_control(key=key).set_value("(7, 5)").run()
    assert len(app.get("plotly_chart")) >= 2
    assert any("That would need `jax.vmap" in warning.value for warning in app.warning)


@pytest.mark.parametrize("part", ["accuracy", "gradient", "matmul", "hand"])
def test_a_closer_look_is_predicted_before_it_explains(part):
    app = opened("nest", predict="true", nest_section=part, lang="en")
    app.segmented_control(key="predict_nest_rows_5_7_3").set_value("(5, 7)").run()
    charts, tables = len(app.get("plotly_chart")), len(app.get("html"))
    question = next(
        one for one in app.segmented_control if str(one.key).startswith(f"predict_nest_{part}")
    )
    assert len(question.options) >= 3
    question.set_value(question.options[0] if part != "accuracy" else "nested").run()
    assert not failures(app)
    told = [one.value for one in (*app.success, *app.warning)]
    assert sum("Right." in words or "You chose" in words for words in told) == 2
    assert (len(app.get("plotly_chart")), len(app.get("html"))) > (charts, tables)


@pytest.mark.parametrize("part", ["accuracy", "gradient"])
def test_without_answers_a_closer_look_shows_its_plot_alone(part):
    explained = section("nest", "en", part)
    app = opened("nest", answers="off", nest_section=part, lang="en")
    assert explained not in [one.value for one in app.markdown]
    assert len(app.get("plotly_chart")) == 3
    assert not app.metric
    assert not app.info
    assert explained in [one.value for one in opened("nest", nest_section=part, lang="en").markdown]
