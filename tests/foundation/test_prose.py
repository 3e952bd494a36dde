"""Texts leave to the code what the code knows better."""

import re

import pytest

from playground.foundation.language import LANGUAGES
from playground.foundation.prose import FOLDER, section, sections

PLACE = re.compile(r"\[([a-z_]+)\](?!\()")  # not the text of a link


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fact_takes_its_place(language):
    text = section("timing", language, "lies", examples=77, length=12345)
    assert "77" in text
    assert "12345" in text
    assert not PLACE.search(text)


def test_a_fact_without_a_place_is_an_error():
    with pytest.raises(KeyError, match=r"no .colour."):
        section("timing", "en", "rules", colour="red")


@pytest.mark.parametrize("page", sorted({path.name.split(".")[0] for path in FOLDER.glob("*.md")}))
def test_both_texts_of_a_page_leave_the_same_facts_to_the_code(page):
    places = [
        {name: set(PLACE.findall(text)) for name, text in sections(page, language).items()}
        for language in LANGUAGES
    ]
    assert places[0] == places[1]
