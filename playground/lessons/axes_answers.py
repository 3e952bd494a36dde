"""Answers around one call of the Axes page: repairs, the surprise, wanted shapes, predictions."""

from dataclasses import dataclass
from typing import Any

from playground.axes import expectations, find_axes
from playground.axes.batched import EquationRow, pair_equations
from playground.axes.expectations import mistakes, shape_text
from playground.axes.found import axes_words, out_axes_words
from playground.foundation.language import Language, pick
from playground.lessons.axes_call import AxesSettings, call_of
from playground.lessons.axes_changes import settings_for
from playground.lessons.literals import read_want

MOST_CHOICES = 6
SEARCH_SECONDS = 4.0


@dataclass(frozen=True)
class Suggestion:
    """Another call to try, which was tried.

    Attributes:
        words: what it changes, in English and in Chinese.
        code: the call to write.
        gives: the output's shapes, as text.
        settings: the page's settings that show it; None when the page cannot.
    """

    words: tuple[str, str]
    code: str
    gives: str
    settings: AxesSettings | None

    def description(self, language: Language) -> str:
        """Say what it changes."""
        return pick(language, *self.words)


@dataclass(frozen=True)
class Refused:
    """A refusal in plain words.

    Attributes:
        exception: class name of JAX's exception.
        text: JAX's own text.
        kind: one of the engine's kinds.
        words: one or two plain sentences, in English and in Chinese.
        repairs: what to change, simplest first.
    """

    exception: str
    text: str
    kind: str
    words: tuple[str, str]
    repairs: tuple[Suggestion, ...]

    def summary(self, language: Language) -> str:
        """Say why JAX refuses."""
        return pick(language, *self.words)


def refused(settings: AxesSettings) -> Refused | None:
    """Say why the call is refused and what repairs it; None when it is accepted."""
    error = call_of(settings).report().error
    if error is None:
        return None
    repairs = tuple(
        Suggestion(
            repair.words,
            repair.code,
            shape_text(repair.output),
            settings_for(settings, repair.args, repair.kwargs, repair.levels),
        )
        for repair in error.repairs
    )
    words = error.summary("en"), error.summary("zh")
    return Refused(error.exception, error.text, error.kind, words, repairs)


@dataclass(frozen=True)
class Batched:
    """The program before and after vmap.

    Attributes:
        rows: equations of one example with those of the batch.
        largest: what the biggest intermediate is, with its shape; "" without operations.
        largest_bytes: its size.
        outside_bytes: bytes of all inputs and outputs together.
        why_not: why there is no program, JAX's text; "" when there is one.
    """

    rows: tuple[EquationRow, ...]
    largest: str
    largest_bytes: int
    outside_bytes: int
    why_not: str

    @property
    def is_copied(self) -> bool:
        """Tell whether an intermediate is bigger than all inputs and outputs together."""
        return self.largest_bytes > self.outside_bytes


def batched(settings: AxesSettings) -> Batched:
    """Lay the program of one example beside the program of the batch."""
    report = call_of(settings).report()
    if not report.ok or report.batched_jaxpr is None:
        return Batched((), "", 0, 0, report.why_no_jaxpr or "")
    big = report.largest
    named = "" if big is None else f"{big.primitive} {big.dtype}{list(big.shape)}"
    sizes = (0, 0) if big is None else (big.bytes, big.inputs_and_outputs)
    return Batched(pair_equations(report), named, *sizes, "")


def surprise(settings: AxesSettings) -> Suggestion | None:
    """Name the shape that people expect when the batch axis does not come back where it was.

    Returns:
        The out_axes that give an output of a mapped argument's own shape; None when the call is
        refused, has several outputs, or gives that shape already.
    """
    call = call_of(settings)
    other = expectations.surprise(call.report())
    if other is None:
        return None
    words, gives = out_axes_words(other.chain), shape_text(other.output)
    shown = settings_for(settings, call.args, call.kwargs, other.chain)
    return Suggestion(words, other.code, gives, shown)


def choices_for(settings: AxesSettings, want: Any) -> tuple[tuple[Suggestion, ...], bool]:
    """Find the axes that give a wanted output, with as many vmaps as there are.

    Args:
        settings: the page's settings.
        want: a shape, or a pytree of shapes.

    Returns:
        Calls that give it, simplest first, and whether all possibilities were looked at.
    """
    call = call_of(settings)
    function, depth = call.example.function, len(call.levels)
    found = find_axes(function, call.all_arguments, want, depth, seconds=SEARCH_SECONDS)
    chosen = tuple(
        Suggestion(
            axes_words(choice.levels),
            choice.code,
            shape_text(choice.output),
            settings_for(settings, call.all_arguments, {}, choice.levels),
        )
        for choice in found[:MOST_CHOICES]
    )
    return chosen, found.complete


def wanted(settings: AxesSettings) -> tuple[tuple[Suggestion, ...], bool]:
    """Find the axes for the wanted shape that the settings name.

    Raises:
        LiteralError: the wanted shape cannot be read.
    """
    return choices_for(settings, read_want(settings.want))


def predictions(settings: AxesSettings) -> tuple[tuple[str, ...], str]:
    """Offer plausible answers to "what comes out?", all made by the engine.

    Returns:
        Up to five different options in a fixed order, and the right one. Wrong ones are the
        classic mistakes: another place of the batch axis, the function of the whole arrays, no
        batch axis at all, an error.
    """
    report = call_of(settings).report()
    right = shape_text(report.output) if report.ok else "error"
    options = {right, "error", *mistakes(report)}
    ordered = [right, *sorted(options - {right})][:5]
    if "error" not in ordered:
        ordered[-1] = "error"
    return tuple(sorted(ordered, key=lambda option: (option == "error", option))), right
