"""Every row of the cheat sheet leads to a page that exists, in exactly the state that is meant."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from playground.lessons.axes_call import AxesSettings
from playground.lessons.cheat_sheet import TOPICS
from playground.ui.cheat_sheet_links import LINKS, PAGE_OF, USUAL, at, destination
from playground.ui.links import address
from playground.ui.navigation import ENTRIES
from tests.pages.test_all_pages import opened
from tests.pages.test_measure import measured

ROWS = [(topic.name, row.name) for topic in TOPICS.values() for row in topic.rows]
STATES = list(dict.fromkeys(destination(*row) for row in ROWS))
PAGES = tuple(dict.fromkeys(page for page, _ in STATES))
WITHOUT_CONTROL = {"errors_guess"}


def test_links_are_about_rows_and_pages_that_exist():
    assert set(LINKS) <= {f"{topic}.{name}" for topic, name in ROWS}
    assert set(USUAL) == set(TOPICS)
    assert set(PAGES) <= {entry.name for entry in ENTRIES}
    assert set(PAGES) == set(PAGE_OF.values()), "a page is not linked at all"


@pytest.mark.parametrize("row", ROWS, ids=".".join)
def test_the_address_of_a_row_restores_its_settings(row):
    page, settings = destination(*row)
    link = urlsplit(address(page, settings, lang="zh"))
    query = dict(parse_qsl(link.query))
    assert link.path == ("/" if page == "home" else f"/{page}")
    assert query["lang"] == "zh"
    assert type(settings).from_query(query) == (settings, ())


def test_a_link_to_a_state_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="function"):
        at(AxesSettings, function="no such function")


def shown(app: AppTest, key: str) -> object:
    """Return what a control says, whichever way its page keeps it."""
    for name in (key, f"{key}_chosen"):
        if name in app.session_state:
            return app.session_state[name]
    return None


# covers: X
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_link_opens_the_stated_state(page):
    for settings in (settings for other, settings in STATES if other == page):
        query = settings.to_query()
        app = opened(page, **query, lang="en")
        assert not app.exception, query
        said = [element.value for element in (*app.error, *app.warning)]
        assert not any("cannot be" in words or "Something went wrong" in words for words in said)
        measured(app)  # what a part measures by itself must not outlive the test
        for key in query:
            field = key.removeprefix(f"{settings.prefix}_")
            if key not in WITHOUT_CONTROL:
                assert shown(app, key) == getattr(settings, field), (query, key)
        if page == "errors":
            assert app.radio or app.error
