"""Reads the prose of a page: playground/text/<page>.<language>.md, cut at its `## ` headings."""

import re
from functools import lru_cache
from pathlib import Path

from playground.foundation.language import Language

_WIDE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"  # lines of Chinese join without a space
FOLDER = Path(__file__).resolve().parent.parent / "text"


@lru_cache(maxsize=256)
def sections(page: str, language: Language) -> dict[str, str]:
    """Read all sections of a page's prose.

    Args:
        page: stem of the page's file.
        language: which of the two texts.

    Returns:
        Markdown by section name, in the order of the file. The text before the first heading is
        the section "" and may be empty.

    Raises:
        FileNotFoundError: the page has no text in that language.
    """
    source = (FOLDER / f"{page}.{language}.md").read_text(encoding="utf-8")
    if language == "zh":
        source = re.sub(f"({_WIDE})\n(?={_WIDE})", r"\1", source)
    parts = re.split(r"^## +(.+?) *$", source, flags=re.MULTILINE)
    named = {"": parts[0].strip()}
    named.update({name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)})
    return named


def section(page: str, language: Language, name: str, **facts: object) -> str:
    """Read one section of a page's prose; see `sections`.

    Args:
        page: stem of the page's file.
        language: which of the texts.
        name: of the section.
        **facts: what the code knows better than a text: `[name]` in the text becomes its value.

    Raises:
        KeyError: the page has no section of that name, or the section has no place for a fact.
    """
    text = sections(page, language)[name]
    for fact, value in facts.items():
        if f"[{fact}]" not in text:
            raise KeyError(f"{page}.{language}.md, section {name}: no [{fact}]")
        text = text.replace(f"[{fact}]", str(value))
    return text
