"""Vectorize: one function, a whole batch, and what goes wrong when it is rewritten by hand."""

from playground.lessons import vectorize
from playground.ui import Panel, begin, enter, finish, lesson, t
from playground.ui.vectorize_page import PARTS, part_names

enter()
begin("vectorize")


@lesson
def parts() -> None:
    """One part of the page at a time; the link names it."""
    panel = Panel(vectorize.VectorizeSettings)
    part = panel.choose("part", t("Part", "内容"), labels=part_names)
    settings = PARTS[part](panel)
    finish("vectorize", settings, vectorize.script)


parts()
