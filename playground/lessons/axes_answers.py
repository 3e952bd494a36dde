"""Answers around one call of the Axes page: repairs, the surprise, wanted shapes, predictions."""

from dataclasses import dataclass, replace
from typing import Any

import jax

from playground.axes import explain, find_axes
from playground.axes.batched import EquationRow, pair_equations
from playground.foundation.language import Language, pick
from playground.lessons.axes import shape_text
from playground.lessons.axes_call import AxesSettings, Call, call_of, settings_for
from playground.lessons.leaf_axes import leaf_axes
from playground.lessons.literals import read_want

MOST_CHOICES = 6


@dataclass(frozen=True)
class Suggestion:
    """Another call to try, which was tried.

    Attributes:
        english: what it changes.
        chinese: the same in Chinese.
        code: the call to write.
        gives: the output's shapes, as text.
        settings: the page's settings that show it; None when the page cannot.
    """

    english: str
    chinese: str
    code: str
    gives: str
    settings: AxesSettings | None

    def description(self, language: Language) -> str:
        """Say what it changes."""
        return pick(language, self.english, self.chinese)


@dataclass(frozen=True)
class Refused:
    """A refusal in plain words.

    Attributes:
        exception: class name of JAX's exception.
        text: JAX's own text.
        kind: one of the engine's kinds.
        argument: who is to blame, or "".
        english: one or two plain sentences.
        chinese: the same in Chinese.
        repairs: what to change, simplest first.
    """

    exception: str
    text: str
    kind: str
    argument: str
    english: str
    chinese: str
    repairs: tuple[Suggestion, ...]

    def summary(self, language: Language) -> str:
        """Say why JAX refuses."""
        return pick(language, self.english, self.chinese)


def refused(settings: AxesSettings) -> Refused | None:
    """Say why the call is refused and what repairs it; None when it is accepted."""
    call = call_of(settings)
    report = explain(call.example.function, call.args, call.kwargs, levels=(call.level,))
    error = report.error
    if error is None:
        return None
    repairs = tuple(
        Suggestion(
            repair.description("en"),
            repair.description("zh"),
            repair.code,
            shape_text(repair.output),
            settings_for(settings, repair.args, repair.kwargs, repair.levels[0]),
        )
        for repair in error.repairs
    )
    return Refused(
        error.exception,
        error.text,
        error.kind,
        error.argument or "",
        error.summary("en"),
        error.summary("zh"),
        repairs,
    )


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
    call = call_of(settings)
    report = explain(call.example.function, call.args, call.kwargs, levels=(call.level,))
    if not report.ok or report.batched_jaxpr is None:
        return Batched((), "", 0, 0, report.why_no_jaxpr or "")
    big = report.largest
    named = "" if big is None else f"{big.primitive} {big.dtype}{list(big.shape)}"
    sizes = (0, 0) if big is None else (big.bytes, big.inputs_and_outputs)
    return Batched(pair_equations(report), named, *sizes, "")


def surprise(settings: AxesSettings) -> Suggestion | None:
    """Name the shape that people expect when the batch axis does not come back where it was.

    Returns:
        The out_axes that give an output of the mapped argument's own shape; None when the call is
        refused, has several outputs, or gives that shape already.
    """
    call = call_of(settings)
    report = explain(call.example.function, call.args, call.kwargs, levels=(call.level,))
    if not report.ok or len(jax.tree.leaves(report.output)) != 1:
        return None
    shape = tuple(jax.tree.leaves(report.output)[0].shape)
    for leaf_shape, axis in zip(call.shapes, leaf_axes(call), strict=True):
        if not isinstance(axis, int) or leaf_shape == shape or len(leaf_shape) < 2:
            continue
        level = replace(call.level, out_axes=axis)
        other = explain(call.example.function, call.args, call.kwargs, levels=(level,))
        if other.ok and tuple(jax.tree.leaves(other.output)[0].shape) == leaf_shape:
            return Suggestion(
                f"out_axes={axis}",
                f"out_axes={axis}",
                other.code,
                str(leaf_shape),
                settings_for(settings, call.args, call.kwargs, level),
            )
    return None


def choices_for(settings: AxesSettings, want: Any) -> tuple[tuple[Suggestion, ...], bool]:
    """Find the axes that give a wanted output.

    Args:
        settings: the page's settings.
        want: a shape, or a pytree of shapes.

    Returns:
        Calls that give it, simplest first, and whether all possibilities were looked at.
    """
    call = call_of(settings)
    found = find_axes(call.example.function, call.all_arguments, want)
    chosen = tuple(
        Suggestion(
            f"in_axes={choice.in_axes}, out_axes={choice.out_axes}",
            f"in_axes={choice.in_axes}, out_axes={choice.out_axes}",
            choice.code,
            shape_text(choice.output),
            settings_for(settings, call.all_arguments, {}, choice.levels[0]),
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
    call = call_of(settings)
    report = explain(call.example.function, call.args, call.kwargs, levels=(call.level,))
    right = shape_text(report.output) if report.ok else "error"
    options = {right, "error", *_mistakes(call)}
    ordered = [right, *sorted(options - {right})][:5]
    if "error" not in ordered:
        ordered[-1] = "error"
    return tuple(sorted(ordered, key=lambda option: (option == "error", option))), right


def _mistakes(call: Call) -> list[str]:
    texts = []
    for out_axes in (0, 1, -1):
        level = replace(call.level, out_axes=out_axes)
        other = explain(call.example.function, call.args, call.kwargs, levels=(level,))
        if other.ok:
            texts.append(shape_text(other.output))
            texts.append(shape_text(other.levels[0].outputs))
    try:
        whole = jax.eval_shape(call.example.function, *call.args, **call.kwargs)
        texts.append(shape_text(whole))
    except Exception:  # the whole arrays need not fit the function at all
        texts.append(str(call.shapes[0]))
    return texts
