"""The two languages of the playground and the choice between a pair of labels."""

from typing import Literal, get_args

Language = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = get_args(Language)


def pick(language: Language, english: str, chinese: str) -> str:
    """Choose one label of a pair.

    Args:
        language: "en" or "zh".
        english: the label in English.
        chinese: the label in Chinese.

    Returns:
        The label in the language asked for.
    """
    return chinese if language == "zh" else english


def language_from(asked: str | None, browser: str | None) -> Language:
    """Choose the language of a view: the link decides, then the browser.

    Args:
        asked: value of `lang` in the link, or None; anything unknown is passed over.
        browser: the browser's preferred locale, such as "zh-CN", or None.

    Returns:
        A language the playground speaks; English when nothing matches.
    """
    for wish in (asked, browser):
        for language in LANGUAGES:
            if wish and wish.lower().replace("_", "-").split("-")[0] == language:
                return language
    return "en"
