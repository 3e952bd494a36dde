"""The link decides on the language, then the browser, else English."""

import pytest

from playground.foundation.language import language_from
from playground.foundation.prose import sections


@pytest.mark.parametrize(
    ("asked", "browser", "language"),
    [
        ("zh", "en-US", "zh"),
        ("en", "zh-CN", "en"),
        (None, "zh-TW", "zh"),
        (None, "zh_CN", "zh"),
        ("xx", "fr-FR", "en"),
        (None, None, "en"),
        ("x" * 10_000, "zh", "zh"),
    ],
)
def test_language_of_a_view(asked, browser, language):
    assert language_from(asked, browser) == language


def test_lines_of_chinese_join_without_a_space():
    for body in sections("home", "zh").values():
        for before, after in zip(body.splitlines(), body.splitlines()[1:], strict=False):
            is_wide = bool(before) and bool(after) and min(before[-1], after[0]) > "\u3000"
            assert not is_wide, (before, after)
