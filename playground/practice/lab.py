"""The Lab page: a call of the user's own function, asked of the engine inside the sandbox."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from playground.axes.own_arguments import ArgumentsError, read_arguments
from playground.axes.own_text import read_axes, read_wanted
from playground.foundation.settings import Settings, flag, one_of, text, whole
from playground.practice.lab_answer import Explained
from playground.practice.lab_examples import COLUMNS, EXAMPLES, LabExample
from playground.practice.lab_reading import explained
from playground.practice.lab_script import lab_script
from playground.sandbox import CodeError, Outcome, run_driver

__all__ = ["ask", "ask_memory", "compute", "headlines", "script"]

LONGEST_CODE = 50_000
LONGEST_CODE_IN_LINK = 2_000
LONGEST_LINK = 3_800
SECONDS, MEASURING_SECONDS = 15.0, 60.0
BUDGETS_MIB = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1024.0)


@dataclass(frozen=True)
class LabSettings(Settings, prefix="lab"):
    """What the Lab page shows; axes are Python literals.

    Attributes:
        code: Python that defines `f`.
        arguments: a line for each, see `playground.axes.own_arguments`.
        levels: how many vmaps.
        in_axes: of the outermost vmap; so are the next four.
        inner_in_axes: of the inner vmap where there are two; so are the next four.
        example: which example of the outermost level is lit.
        want: a wanted output shape, "" for none.
        budget_mib: memory budget for the chunk size.
    """

    code: str = text(COLUMNS.code, longest=LONGEST_CODE)
    arguments: str = text(COLUMNS.arguments, longest=1_500)
    levels: int = one_of(1, (1, 2))
    in_axes: str = text("(1, None, None)", longest=200)
    out_axes: str = text("0", longest=200)
    axis_size: int = whole(-1, low=-1, high=10**6)
    axis_name: str = text("", longest=30)
    sum_match: bool = flag(False)
    inner_in_axes: str = text("0", longest=200)
    inner_out_axes: str = text("0", longest=200)
    inner_axis_size: int = whole(-1, low=-1, high=10**6)
    inner_axis_name: str = text("", longest=30)
    inner_sum_match: bool = flag(False)
    example: int = whole(1, low=0, high=999_999)
    want: str = text("", longest=200)
    budget_mib: float = one_of(64.0, BUDGETS_MIB)

    @property
    def code_fits_link(self) -> bool:
        """Tell whether the code can travel in a link; longer code stays in the session."""
        everything = urlencode(super().to_query())
        return len(self.code) <= LONGEST_CODE_IN_LINK and len(everything) <= LONGEST_LINK

    def to_query(self) -> dict[str, str]:
        """Return the parameters of a link; code that is too long for one is left out."""
        query = super().to_query()
        if not self.code_fits_link:
            query.pop(self.key("code"), None)
        return query

    @property
    def chain(self) -> list[dict[str, Any]]:
        """The levels, innermost first, as the engine's driver reads them."""
        prefixes = ("inner_", "") if self.levels == 2 else ("",)
        names = ("in_axes", "out_axes", "axis_size", "axis_name", "sum_match")
        return [{name: getattr(self, prefix + name) for name in names} for prefix in prefixes]


@dataclass(frozen=True)
class LabAnswer:
    """What came of asking about a call.

    Attributes:
        outcome: of the run in the sandbox.
        told: the answer, None when there is none.
        unreadable: what could not be read before anything ran.
    """

    outcome: Outcome
    told: Explained | None = None
    unreadable: ArgumentsError | None = None


def example_settings(example: LabExample) -> LabSettings:
    """Return the settings that show an example."""
    usual: dict[str, Any] = {"in_axes": "0", **example.axes}
    return LabSettings(code=example.code, arguments=example.arguments, **usual)


def is_example(code: str) -> bool:
    """Tell whether a code is one of the examples, which anybody may run."""
    return any(code.strip() == example.code.strip() for example in EXAMPLES.values())


def _question(settings: LabSettings) -> dict[str, Any]:
    """Make the question for the driver; refuses what it could not read, before anything runs."""
    read_arguments(settings.arguments)
    for level in settings.chain:
        read_axes(level["in_axes"])
        read_axes(level["out_axes"])
    if settings.want.strip():
        read_wanted(settings.want)
    return {
        "arguments": settings.arguments,
        "levels": settings.chain,
        "want": settings.want,
    }


def ask(settings: LabSettings, session: str = "", *, jail_only: bool = False) -> LabAnswer:
    """Explain the call of the settings, in the sandbox.

    Args:
        settings: of the page.
        session: who asks; sessions take turns.
        jail_only: refuse to run the code where there is no jail.

    Returns:
        The answer; nothing that the user's code does comes out of here as an exception.
    """
    try:
        question = _question(settings)
    except ArgumentsError as error:
        failed = Outcome("error", error=CodeError("ArgumentsError", str(error), None))
        return LabAnswer(failed, None, error)
    driver = "playground.axes.answering:answer"
    outcome = run_driver(
        settings.code,
        driver,
        question,
        seconds=SECONDS,
        session=session,
        jail_only=jail_only,
    )
    if not outcome.ok:
        return LabAnswer(outcome)
    try:
        return LabAnswer(outcome, explained(outcome.value, settings))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return LabAnswer(replace(outcome, status="crashed", error=_NO_ANSWER))


_NO_ANSWER = CodeError("NoAnswer", "what came back is not an answer of the engine")


def ask_memory(settings: LabSettings, session: str = "", seconds: float = 2.0) -> Outcome:
    """Ask the compiler for the memory of the call, and the clock for its chunk sizes.

    Args:
        settings: of the page.
        session: who asks.
        seconds: how long to measure, compilations not counted.

    Returns:
        The outcome; `value` as `playground.measure.answering.memory_and_chunks` makes it.
    """
    try:
        question = _question(settings) | {"seconds": seconds}
    except ArgumentsError as error:
        return Outcome("error", error=CodeError("ArgumentsError", str(error), None))
    driver = "playground.measure.answering:memory_and_chunks"
    return run_driver(settings.code, driver, question, seconds=MEASURING_SECONDS, session=session)


def compute(settings: LabSettings) -> LabAnswer:
    """Explain the call of the settings; see `ask`."""
    return ask(settings)


def headlines(result: LabAnswer) -> dict[str, Any]:
    """Return the numbers that the page and its script both show."""
    told = result.told
    if told is None:
        return {}
    if told.refusal is not None:
        return {"refused with": told.refusal.exception}
    shown: dict[str, Any] = {"output shapes": str([board.shape for board in told.outputs])}
    if told.total is not None:
        shown["sum of all numbers"] = told.total
    return shown


def script(settings: LabSettings) -> str:
    """Return the standalone script: the user's code as it is, the arguments, the call."""
    return lab_script(settings.code, settings.arguments, settings.chain)
