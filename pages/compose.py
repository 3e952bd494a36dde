"""Compose: grad, vmap, jit and the others on one function, in any order that JAX allows."""

from playground.lessons import compose
from playground.ui import Panel, begin, enter, finish, lesson, t
from playground.ui.compose_page import PARTS, part_names

enter()
begin("compose")


@lesson
def parts() -> None:
    """One part of the page at a time; the link names it."""
    panel = Panel(compose.ComposeSettings)
    part = panel.choose("part", t("Part", "内容"), labels=part_names)
    settings = PARTS[part](panel)
    finish("compose", settings, compose.script)


parts()
