"""The cheat sheet: which rows are shown, their results as of now, and the script behind them."""

from dataclasses import dataclass
from functools import lru_cache

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, one_of, text
from playground.lessons.cheat_rows import COMMON, Row, Topic, outcome, outcomes
from playground.lessons.cheat_rows_axes import AXES
from playground.lessons.cheat_rows_compose import COMPOSE
from playground.lessons.cheat_rows_control import CONTROL
from playground.lessons.cheat_rows_gradients import GRADIENTS
from playground.lessons.cheat_rows_measure import MEMORY, TIME
from playground.lessons.cheat_rows_nest import NEST
from playground.lessons.cheat_rows_random import RANDOM
from playground.lessons.cheat_rows_vectorize import VECTORIZE

TOPICS = {
    topic.name: topic
    for topic in (VECTORIZE, AXES, NEST, CONTROL, COMPOSE, GRADIENTS, RANDOM, TIME, MEMORY)
}
ALL = "all"


@dataclass(frozen=True)
class CheatSheetSettings(Settings, prefix="cheat"):
    """Which rows are shown.

    Attributes:
        topic: one of `TOPICS`, or "all".
        search: words that a row must contain, all of them; "" shows every row.
    """

    topic: str = one_of("vectorize", (*TOPICS, ALL))
    search: str = text("", longest=80)

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics that are shown, in the order of the sheet."""
        return tuple(TOPICS.values()) if self.topic == ALL else (TOPICS[self.topic],)

    @property
    def elsewhere(self) -> int:
        """How many rows of the other topics contain the words, their results left aside."""
        others = [topic for topic in TOPICS.values() if topic not in self.topics]
        words = self.search.casefold().split()
        return sum(_has(words, topic, row) for topic in others for row in topic.rows)


@dataclass(frozen=True)
class Found:
    """One row that is shown, and what its call gives."""

    row: Row
    result: str


@dataclass(frozen=True)
class CheatSheetResult:
    """The rows that are shown, by topic; topics without a match are left out."""

    found: dict[str, tuple[Found, ...]]

    @property
    def count(self) -> int:
        """How many rows are shown."""
        return sum(len(rows) for rows in self.found.values())


@lru_cache(maxsize=len(TOPICS))
def results(topic: str) -> tuple[str, ...]:
    """Run the calls of a topic, once for each process: they never change.

    Returns:
        One line for each row of the topic.
    """
    return outcomes(TOPICS[topic])


def matching(topic: Topic, search: str) -> tuple[Found, ...]:
    """Return the rows of a topic that contain all words of a search.

    Args:
        topic: whose rows.
        search: words, in either language; they may stand in the topic, the call, what it is for
            or its result. Capital letters do not matter.
    """
    words = search.casefold().split()
    return tuple(
        Found(row, result)
        for row, result in zip(topic.rows, results(topic.name), strict=True)
        if _has(words, topic, row, result)
    )


def _has(words: list[str], topic: Topic, row: Row, result: str = "") -> bool:
    parts = (topic.name, topic.english, topic.chinese, row.code, row.english, row.chinese, result)
    text = "\n".join(parts).casefold()
    return all(word in text for word in words)


def compute(settings: CheatSheetSettings) -> CheatSheetResult:
    """Run the calls of the topics and keep the rows that match."""
    found = {topic.name: matching(topic, settings.search) for topic in settings.topics}
    return CheatSheetResult({name: rows for name, rows in found.items() if rows})


def headlines(result: CheatSheetResult) -> dict[str, str]:
    """Return the results by topic and call."""
    return {
        f"{topic} | {one.row.code}": one.result
        for topic, rows in result.found.items()
        for one in rows
    }


def run(topic: str, names: dict, *calls: str) -> None:
    """Print one line for each call of a topic."""
    show_headlines({f"{topic} | {call}": outcome(call, names) for call in calls})


def script(settings: CheatSheetSettings) -> str:
    """Return a standalone script of the rows that are shown; it prints their results."""
    parts = [f"# What all calls use.\n{COMMON}"]
    for name, rows in compute(settings).found.items():
        topic = TOPICS[name]
        calls = "".join(f"    {one.row.code!r},  # {one.row.english}\n" for one in rows)
        parts.append(f"# {topic.english}\n{topic.setup}")
        parts.append(f"run(\n    {name!r},\n    globals(),\n{calls})")
    title = "The calls of the cheat sheet, and what each gives."
    return standalone(run, show_headlines, body="\n".join(parts), title=title)
