"""Lesson plan: a workshop of 60 or 90 minutes, with links, questions and answers."""

from playground.practice import plan
from playground.ui import Panel, begin, enter, finish, lesson, plan_page, t
from playground.ui.plan_steps import STEPS

enter()
begin("plan")


@lesson
def workshop() -> None:
    """The steps in order."""
    panel = Panel(plan.PlanSettings)
    panel.choose("minutes", t("Length (minutes)", "时长（分钟）"), style="radio")
    settings = panel.settings()
    timed = plan.timetable(STEPS, settings.minutes)
    for one in timed:
        plan_page.step_of(one)
    finish("plan", settings, extra={f"vmap_{settings.minutes}.md": plan_page.as_markdown(timed)})


workshop()
