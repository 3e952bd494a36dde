"""The page Walks in process: what it says about keys, its state in the link, its long work."""

import pytest

from playground.lessons.copies import finding
from playground.lessons.walk_settings import WalkSettings
from playground.lessons.walks import compute
from tests.pages.test_all_pages import failures, opened

SMALL = {"walk_walkers": "100", "walk_steps": "25"}


def test_independent_walkers_are_called_so_and_four_plots_are_there():
    page = opened("walks", lang="en", **SMALL)
    assert not failures(page)
    assert page.success[0].value == finding(
        compute(WalkSettings(walkers=100, steps=25)).copies, "en"
    )
    assert len(page.get("plotly_chart")) == 6


@pytest.mark.parametrize(
    ("keys", "words", "chinese"),
    [("shared", "are copies", "彼此是副本"), ("every_step", "one and the same step", "重复同一步")],
)
def test_copies_are_found_loudly_in_both_languages(keys, words, chinese):
    assert words in opened("walks", lang="en", walk_keys=keys, **SMALL).error[0].value
    assert chinese in opened("walks", lang="zh", walk_keys=keys, **SMALL).error[0].value


def test_choosing_other_keys_changes_the_finding_and_the_link():
    page = opened("walks", lang="en", **SMALL)
    page.selectbox(key="walk_keys").set_value("shared").run()
    assert "are copies" in page.error[0].value
    assert not page.exception


def test_motion_replaces_the_two_plots_at_rest():
    page = opened("walks", lang="en", walk_view="motion", walk_kind="gaussian", **SMALL)
    assert not failures(page)
    charts = page.get("plotly_chart")
    assert len(charts) == 4
    assert '"frames"' in charts[0].proto.spec


def test_very_many_walkers_run_to_the_end():
    page = opened("walks", lang="en", walk_many_walkers="10000", walk_many_steps="100", **SMALL)
    page.button(key="walk_many_start").click().run()
    assert not failures(page)
    assert {"10,000", "1,000,000"} <= {metric.value for metric in page.metric}


def test_predict_first_hides_the_plots_until_an_answer():
    page = opened("walks", lang="en", predict="true", **SMALL)
    assert not page.success
    assert not failures(page)
