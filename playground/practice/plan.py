"""The lesson plan: how long the workshop is, and what one step of it consists of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from playground.foundation.language import Language, pick
from playground.foundation.settings import Settings, one_of

LENGTHS = (60, 90)


@dataclass(frozen=True)
class PlanSettings(Settings, prefix="plan"):
    """Which workshop is shown.

    Attributes:
        minutes: its length.
    """

    minutes: int = one_of(60, LENGTHS)


@dataclass(frozen=True)
class Step:
    """One step of the workshop: a page in a given state.

    Attributes:
        name: name of its prose; its answers are the section `<name> answer`.
        title: in both languages.
        minutes: how long it takes in the short and in the long workshop; 0 leaves it out.
        page: name of the page that its link opens.
        settings: the state of that page.
        view: what the link adds: predict, answers, hide, size.
    """

    name: str
    title: tuple[str, str]
    minutes: tuple[int, int]
    page: str
    settings: Settings | None = None
    view: dict[str, str] = field(default_factory=dict)

    def says(self, language: Language) -> str:
        """Return its title."""
        return pick(language, *self.title)


@dataclass(frozen=True)
class Timed:
    """A step with the minute at which it starts and the one at which it ends."""

    step: Step
    start: int
    end: int


def timetable(steps: Sequence[Step], minutes: int) -> tuple[Timed, ...]:
    """Lay the steps of one workshop one after the other.

    Args:
        steps: all steps in order.
        minutes: one of `LENGTHS`.

    Returns:
        The steps that belong to it, with their times.
    """
    variant, now, timed = LENGTHS.index(minutes), 0, []
    for step in steps:
        length = step.minutes[variant]
        if length:
            timed.append(Timed(step, now, now + length))
        now += length
    return tuple(timed)
