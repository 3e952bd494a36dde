"""The lesson plan: every link of both workshops opens the stated page in the stated state."""

from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

import pytest

from playground.foundation.language import LANGUAGES
from playground.foundation.prose import sections
from playground.practice import plan
from playground.ui.navigation import ENTRIES
from playground.ui.plan_steps import MODULES, STEPS
from tests.pages.test_all_pages import failures, opened

TITLES = {entry.name: (entry.english, entry.chinese) for entry in ENTRIES}


def links(**query):
    """Return the links of the steps as they stand on the page: (page, query)."""
    app = opened("plan", **query)
    assert not failures(app)
    urls = [urlsplit(button.proto.url) for button in app.get("link_button")]
    return [(url.path.strip("/") or "home", dict(parse_qsl(url.query))) for url in urls][:-1]


@pytest.mark.parametrize("minutes", plan.LENGTHS)
def test_a_workshop_lasts_as_long_as_it_says(minutes):
    timed = plan.timetable(STEPS, minutes)
    assert timed[0].start == 0
    assert timed[-1].end == minutes
    assert all(one.end == other.start for one, other in pairwise(timed))


def test_the_long_workshop_holds_the_short_one_and_more():
    short, long = (
        {one.step.name for one in plan.timetable(STEPS, minutes)} for minutes in plan.LENGTHS
    )
    assert short < long == {step.name for step in STEPS}


def test_every_step_has_questions_and_answers_in_both_languages():
    wanted = [""] + [name for step in STEPS for name in (step.name, f"{step.name} answer")]
    for language in LANGUAGES:
        assert list(sections("plan", language)) == wanted
        for step in STEPS[:-1]:
            asked = sections("plan", language)[step.name]
            assert asked.count("？" if language == "zh" else "?") >= 2


@pytest.mark.parametrize("minutes", plan.LENGTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_links_stand_on_the_page_in_order(minutes, language):
    steps = [one.step for one in plan.timetable(STEPS, minutes)]
    made = links(lang=language, plan_minutes=str(minutes))
    assert [page for page, _ in made] == [step.page for step in steps]
    for (_, query), step in zip(made, steps, strict=True):
        assert query["lang"] == language
        restored, complaints = type(step.settings).from_query(query)
        assert restored == step.settings
        assert not complaints
        assert {k: v for k, v in query.items() if k in step.view} == step.view


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_link_opens_the_stated_state(step):
    language = LANGUAGES[STEPS.index(step) % 2]  # by turns: these pages compute a lot
    made = dict(zip([s.name for s in STEPS], links(lang=language, plan_minutes="90"), strict=True))
    page, query = made[step.name]
    app = opened(page, **query)
    assert not failures(app)
    assert app.title[0].value == TITLES[page][LANGUAGES.index(language)]
    asked = [one for one in app.get("button_group") if (one.key or "").startswith("predict_")]
    asked += [one for one in app.segmented_control if (one.key or "").startswith("predict_")]
    assert bool(asked) == (step.view.get("predict") == "true")
    assert all(not one.value for one in asked)
    hidden = [name for name in step.view.get("hide", "").split(",") if name]
    keys = {
        element.key or ""
        for kind in ("selectbox", "number_input", "radio", "slider", "segmented_control")
        for element in getattr(app, kind)
    }
    for name in hidden:
        key = step.settings.key(name)
        assert key not in keys
        assert f"{key}_chosen" not in keys


def test_the_state_of_each_kind_of_step_is_really_seen():
    """One thing a learner sees first, for the steps that do not ask for a prediction."""
    made = dict(links(lang="en", plan_minutes="90"))
    home = opened("home", **made["home"])
    assert home.slider or home.select_slider
    assert any(slider.value == 2 for slider in (*home.slider, *home.select_slider))
    errors = opened("errors", **made["errors"])
    assert not errors.error  # nothing is told before the prediction
    assert errors.radio[0].value is None
    assert any("centre_and_scale" in block.value for block in errors.code)
    quiz = opened("quiz", **made["quiz"])
    assert quiz.radio[0].value is None
    quiz.radio[0].set_value(1).run()
    assert not quiz.success
    assert not quiz.warning


def test_answers_come_with_what_this_machine_computes():
    app = opened("plan", lang="en")
    assert not any("output shapes" in block.value for block in app.code)
    app.session_state["plan_fold_columns"] = True
    app.run()
    assert not failures(app)
    assert any("output shapes: [(5, 3)]" in block.value for block in app.code)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_has_numbers_of_its_page(step):
    module = MODULES[step.page]
    assert module.headlines(module.compute(step.settings))


def test_without_answers_the_plan_shows_none():
    app = opened("plan", lang="en", answers="off")
    assert not failures(app)
    assert not [one for one in app.expander if one.label == "Answers"]
    shown = " ".join(block.value for block in app.markdown)
    assert sections("plan", "en")["columns answer"] not in shown
    assert sections("plan", "en")["columns"] in shown
