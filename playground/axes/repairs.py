"""Repairs of a refused call: proposals are tried one by one, the simplest first."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from playground.axes.alternatives import other_axes
from playground.axes.changes import Change, as_change, description, simplicity
from playground.axes.code import parameter_names
from playground.axes.diagnosis import diagnose
from playground.axes.judging import judge
from playground.axes.leaves import output_of
from playground.axes.levels import Level
from playground.axes.remedies import remedies
from playground.foundation.language import Language, pick

if TYPE_CHECKING:
    from playground.axes.report import Report

MOST_REPAIRS = 6
MOST_TRIALS = 120
MOST_SECONDS = 3.0
MOST_STEPS = 3
# With something to offer, the search for more ends sooner.
PATIENCE = 24
# A repair that changes much more than the simplest one is not offered beside it.
MOST_APART = 1.0


@dataclass(frozen=True, eq=False)
class Repair:
    """A changed call that goes through.

    Attributes:
        function: the per-example function; another one than the original's only where a keyword
            argument had to be bound with functools.partial.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.
        output: pytree of ShapeDtypeStruct that comes out.
        code: the call to write.
        words: what changes, in English and in Chinese.
    """

    function: Callable
    args: tuple
    kwargs: dict
    levels: tuple[Level, ...]
    output: Any
    code: str
    words: tuple[str, str]

    def description(self, language: Language = "en") -> str:
        """Say in one sentence what changes."""
        return pick(language, *self.words)


def repairs_of(report: Report) -> tuple[Repair, ...]:
    """Find changes of axes, shapes or call with which a refused call goes through.

    Args:
        report: a refused call.

    Returns:
        Up to six repairs, each of them tried; the simplest first.
    """
    blamed = report.error.argument if report.error else ""
    position = int(blamed[5 : blamed.index("]")]) if blamed.startswith("args[") else None
    start = as_change(report.function, report.args, report.kwargs, report.chain)
    return _Trials(start, report.chain, position).run(report.run)


class _Trials:
    def __init__(self, start: Change, original: tuple[Level, ...], blamed: int | None):
        self.start, self.original, self.blamed = start, original, blamed
        self.queue: list[tuple[float, int, Change]] = []
        self.order = itertools.count()
        self.seen = {start.key}

    def _propose(self, changes: Iterable[Change], steps: int) -> None:
        for change in changes:
            key = change.key
            if key not in self.seen:
                self.seen.add(key)
                rating = simplicity(self.original, change, self.blamed)
                entry = (rating, next(self.order), replace(change, steps=steps))
                heapq.heappush(self.queue, entry)

    def run(self, first_run: Any) -> tuple[Repair, ...]:
        self._expand(self.start, first_run, 0)
        found: list[Repair] = []
        best = 0.0
        deadline, trials, since = time.monotonic() + MOST_SECONDS, 0, 0
        while self.queue and len(found) < MOST_REPAIRS:
            rating, _, change = heapq.heappop(self.queue)
            best = min(best, rating) if found else rating
            if found and rating > best + MOST_APART:
                break
            if trials >= MOST_TRIALS or time.monotonic() > deadline:
                break
            if found and since >= PATIENCE:
                break
            trials, since = trials + 1, since + 1
            run = judge(change.function, change.args, change.kwargs, change.levels)
            if run.ok:
                found.append(self._repair(change, run))
                since = 0
            elif change.steps < MOST_STEPS:
                self._expand(change, run, change.steps)
        return tuple(found)

    def _expand(self, change: Change, run: Any, steps: int) -> None:
        diagnosis = diagnose(change.function, change.args, change.kwargs, change.levels, run)
        self._propose(remedies(change, diagnosis, run), steps + 1)
        if steps == 0:
            self._propose(other_axes(change, diagnosis.level), 1)

    def _repair(self, change: Change, run: Any) -> Repair:
        names = parameter_names(change.function, len(change.args))
        return Repair(
            change.function,
            change.args,
            change.kwargs,
            change.levels,
            output_of(run.result),
            change.code,
            description(self.original, change, names),
        )
