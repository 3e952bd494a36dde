"""The link maker stands on every page and writes what a teacher chooses."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from playground.foundation.language import LANGUAGES
from tests.pages.catalogue import PAGES, settings_class
from tests.pages.test_all_pages import opened


def made(app):
    """Return the link in the popover: (path, query)."""
    links = [urlsplit(block.value) for block in app.code if "lang=" in block.value]
    return links[-1].path, dict(parse_qsl(links[-1].query))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_makes_links_with_all_that_a_teacher_may_add(page):
    app = opened(page, lang="en")
    assert not app.exception
    kind = settings_class(page)
    keys = {f"share_{name}_{page}" for name in ("predict", "answers", "size")}
    assert keys <= {toggle.key for toggle in app.toggle}
    hidden = app.multiselect(key=f"share_hide_{page}")
    assert kind is not None
    hidden.set_value(list(hidden.options)[:2])
    for key in keys:
        app.toggle(key=key).set_value(True)
    app.segmented_control(key=f"share_language_{page}_en").set_value("zh")
    app.run()
    path, query = made(app)
    assert path.strip("/") == ("" if page == "home" else page)
    assert query["predict"] == "true"
    assert query["answers"] == "off"
    assert query["size"] == "large"
    assert query["lang"] == "zh"
    assert query["hide"] == ",".join(list(hidden.options)[:2])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_holds_the_state_and_how_the_page_is_looked_at_now(language):
    app = opened(
        "drill",
        lang=language,
        drill_level="3",
        drill_number="7",
        size="large",
        answers="off",
        hide="seed",
    )
    assert made(app)[1] == {
        "drill_level": "3",
        "drill_number": "7",
        "size": "large",
        "answers": "off",
        "hide": "seed",
        "lang": language,
    }


def test_a_link_without_wishes_holds_nothing_more_than_the_state():
    assert made(opened("axes", lang="en", axes_function="matvec"))[1] == {
        "axes_function": "matvec",
        "lang": "en",
    }


def test_a_bad_value_is_named_once_on_a_page_of_several_parts():
    app = opened("walks", lang="en", walk_many_steps="abc", walk_draws="-3", walk_walkers="many")
    for key in ("walk_many_steps", "walk_draws", "walk_walkers"):
        assert sum(f"`{key}`" in warning.value for warning in app.warning) == 1, key
    again = opened("walks", lang="en", walk_many_steps="abc", hide="many_steps")
    for _ in range(2):  # also when the page runs again
        assert sum("`walk_many_steps`" in warning.value for warning in again.warning) == 1
        again.run()
