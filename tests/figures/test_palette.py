"""Colours are told from both backgrounds; boards show the array's own numbers."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from playground.figures import palette
from playground.figures.boards import board, number, shape_html
from playground.figures.palette import BACKGROUNDS, SERIES, contrast
from playground.ui.style import SHEET

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit/config.toml"


@pytest.mark.parametrize("colour", SERIES)
@pytest.mark.parametrize("background", BACKGROUNDS)
def test_data_is_told_from_the_background(colour, background):
    assert contrast(colour, background) >= 3


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast(palette.ACCENT, palette.ACCENT) == 1


def pairs_of_the_sheet() -> dict[str, tuple[str, str]]:
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", SHEET)
    return {name: (light, dark) for name, light, dark in found}


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize(
    ("text", "backgrounds"),
    [
        ("ink", ["card", "cell", "batch-soft", "shared", "note", "refuse"]),
        ("batch", ["card"]),
        ("on-batch", ["batch"]),
        ("mute", ["card"]),
        ("good", ["card"]),
        ("bad", ["card", "refuse"]),
    ],
)
def test_text_can_be_read(text, backgrounds, theme):
    colours = pairs_of_the_sheet()
    for background in backgrounds:
        assert contrast(colours[text][theme], colours[background][theme]) >= 4.5


def test_the_accent_can_be_read_on_both_themes():
    config = tomllib.loads(CONFIG.read_text())["theme"]
    for name, background in zip(("light", "dark"), BACKGROUNDS, strict=True):
        assert config[name]["backgroundColor"] == background
        assert contrast(config[name]["primaryColor"], background) >= 4.5
        assert contrast(config[name]["textColor"], background) >= 4.5
        assert contrast(config[name]["linkColor"], background) >= 4.5


def test_a_board_shows_every_number_and_lights_one_example():
    array = np.arange(15.0).reshape(3, 5)
    drawn = board(array, axis=1, lit=2, caption="column")
    assert re.findall(r"<td[^>]*>([^<]+)</td>", drawn) == [str(n) for n in range(15)]
    assert re.findall(r'<td class="lit">([^<]+)</td>', drawn) == ["2", "7", "12"]
    assert drawn.count('class="batch"') == 12


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 0), (2, 3, 4), (30, 30)])
def test_boards_of_any_shape(shape):
    for axis in [None, *range(len(shape))]:
        assert board(np.zeros(shape), axis=axis, lit=0).startswith("<div")


def test_a_board_escapes_what_it_shows():
    assert "<script>" not in board(np.zeros(2), axis=0, caption="<script>")


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (0.5, "0.5"), (1e4, "1e4"), (123456.7, "1.235e5"), (True, "True")],
)
def test_numbers_are_short(value, text):
    assert number(value) == text


def test_shapes_mark_the_batch_axis():
    assert shape_html((3, 5), 1) == "(3, <b>5</b>)"
    assert shape_html((5,), 0) == "(<b>5</b>,)"
    assert shape_html((), None) == "()"
