"""Other calls to try, for a user's own function: repairs, the surprise, wanted shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playground.axes import expectations
from playground.axes.expectations import shape_text
from playground.axes.found import axes_words, out_axes_words
from playground.axes.own_call import OwnCall, write_levels
from playground.axes.own_code import line_in_code
from playground.axes.own_text import read_wanted
from playground.axes.report import Report
from playground.axes.search import find_axes

MOST_CHOICES = 6
SEARCH_SECONDS = 4.0


def _suggestion(
    call: OwnCall, words: tuple[str, str], found: Any, args: Any, kwargs: Any
) -> dict[str, Any]:
    same = getattr(found, "function", call.function) is call.function
    text = call.described(tuple(args), kwargs) if same else None
    levels = write_levels(tuple(found.levels))
    return {
        "words": list(words),
        "code": found.code,
        "gives": shape_text(found.output),
        "arguments": text,
        "levels": None if text is None else levels,
    }


def refusal(call: OwnCall, report: Report) -> dict[str, Any] | None:
    """Say why a call is refused, in which line of the code, and which changes repair it."""
    error = report.error
    if error is None:
        return None
    return {
        "exception": error.exception,
        "text": error.text[:4000],
        "kind": error.kind,
        "line": line_in_code(report.run.error),
        "words": [error.summary("en"), error.summary("zh")],
        "repairs": [
            _suggestion(call, repair.words, repair, repair.args, repair.kwargs)
            for repair in error.repairs
        ],
    }


def surprise(call: OwnCall, report: Report) -> dict[str, Any] | None:
    """Find the out_axes that give an output of a mapped argument's own shape."""
    other = expectations.surprise(report)
    if other is None:
        return None
    words = out_axes_words(other.chain)
    found = _Found(other.chain, other.code, other.output)
    return _suggestion(call, words, found, call.args, call.kwargs)


@dataclass(frozen=True)
class _Found:
    levels: tuple[Any, ...]
    code: str
    output: Any


def wanted(call: OwnCall, want: str) -> dict[str, Any]:
    """Find the axes that give a wanted output; says whether all possibilities were looked at."""
    found = find_axes(
        call.function,
        call.args,
        read_wanted(want),
        depth=len(call.levels),
        kwargs=call.kwargs,
        seconds=SEARCH_SECONDS,
    )
    choices = []
    for choice in found[:MOST_CHOICES]:
        words = axes_words(choice.levels)
        choices.append(_suggestion(call, words, choice, call.args, call.kwargs))
    return {"choices": choices, "complete": found.complete}
