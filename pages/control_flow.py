"""Control flow: what cond, while and scan become when a batch runs through them."""

from playground.lessons import control_flow
from playground.ui import Panel, begin, enter, finish, lesson, t
from playground.ui.control_flow_page import PARTS, part_names

enter()
begin("control_flow")


@lesson
def parts() -> None:
    """One part of the page at a time; the link names it."""
    panel = Panel(control_flow.ControlFlowSettings)
    part = panel.choose("part", t("Part", "内容"), labels=part_names)
    settings = PARTS[part](panel)
    finish("control_flow", settings, control_flow.script)


parts()
