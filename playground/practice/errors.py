"""The error museum: calls that people write, raised live, explained and repaired."""

import functools
import traceback
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from playground.foundation.language import Language, pick
from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, one_of, whole
from playground.practice import exhibits_axes, exhibits_code
from playground.practice.exhibit import Exhibit, parameter_names, run
from playground.practice.outcomes import attempt, is_shape, shapes

EXHIBITS: dict[str, Exhibit] = {**exhibits_axes.EXHIBITS, **exhibits_code.EXHIBITS}
NAMES = tuple(EXHIBITS)
SHOWN = 9  # the guess of somebody who does not want to guess


@dataclass(frozen=True)
class ErrorsSettings(Settings, prefix="errors"):
    """Which exhibit is shown, what was predicted, and which repair is applied.

    Attributes:
        exhibit: name of the exhibit.
        guess: number of the predicted outcome, from 1; 0 before, 9 to see it without.
        repair: number of the repair that is applied, from 1; 0 for none.
    """

    exhibit: str = one_of(NAMES[0], NAMES)
    guess: int = whole(0, low=0, high=SHOWN)
    repair: int = whole(0, low=0, high=9)


@dataclass(frozen=True)
class Attempt:
    """A changed call, and what it gave when it ran.

    Attributes:
        words: what is changed, in both languages.
        is_cure: whether it uses the function and the arguments of the exhibit's cure.
        code: the call.
        gives: shapes of the output.
        values: the output as text, cut where it is long.
        is_wanted: whether this is what the writer of the call wanted.
    """

    words: tuple[str, str]
    is_cure: bool
    code: str
    gives: str
    values: str
    is_wanted: bool

    def says(self, language: Language) -> str:
        """Say what is changed."""
        return pick(language, *self.words)


@dataclass(frozen=True)
class ErrorsResult:
    """One exhibit, run.

    Attributes:
        name: the exhibit's name.
        setup: lines that make the arguments.
        code: the broken call.
        options: the outcomes to choose from.
        outcome: what really happens.
        exception: class name of the error that was raised; "" when none was.
        text: JAX's own text.
        summary: what it means, in both languages.
        values: the output as text when nothing was raised.
        attempts: repairs that run, simplest first; the cure last.
    """

    name: str
    setup: str
    code: str
    options: tuple[str, ...]
    outcome: str
    exception: str
    text: str
    summary: tuple[str, str]
    values: str
    attempts: tuple[Attempt, ...]


def written(output: Any) -> str:
    """Write an output as Python prints it, in at most twelve lines."""
    plain = jax.tree.map(np.asarray, output)
    text = np.array_str(plain, precision=4, suppress_small=True) if hasattr(plain, "shape") else ""
    lines = (text or str(jax.tree.map(lambda leaf: leaf.round(4).tolist(), plain))).splitlines()
    return "\n".join(lines[:12] + ["..."] * (len(lines) > 12))


def compute(settings: ErrorsSettings) -> ErrorsResult:
    """Raise the error of an exhibit and try what repairs it.

    Args:
        settings: which exhibit.

    Returns:
        What happened; nothing of it is written down beforehand.
    """
    exhibit = EXHIBITS[settings.exhibit]
    report = exhibit.report()
    exception = text = values = ""
    try:
        values = written(run(report.code, exhibit))
    except Exception as error:
        exception = type(error).__name__
        text = "".join(traceback.format_exception_only(error)).partition(": ")[2].strip()
    outcome = exhibit.outcome()
    told = report.error
    summary = exhibit.why if told is None else (told.summary("en"), told.summary("zh"))
    options = sorted({outcome, *exhibit.others}, key=lambda one: (not is_shape(one), one))
    return ErrorsResult(
        settings.exhibit,
        exhibit.setup(),
        report.code,
        tuple(options),
        outcome,
        exception,
        told.text if told is not None else text,
        summary,
        values,
        _attempts(settings.exhibit),
    )


@functools.lru_cache(maxsize=len(NAMES))
def _attempts(name: str) -> tuple[Attempt, ...]:
    """Run every repair of an exhibit, and its cure where no repair does it."""
    exhibit = EXHIBITS[name]
    cured = exhibit.cured()
    cure = cured.report().code
    wanted = run(cure, cured)
    told = exhibit.report().error
    attempts = []
    for repair in () if told is None else told.repairs:
        try:
            output = run(repair.code, exhibit)
        except Exception:  # a repair that needs other data than the exhibit's is not offered
            continue
        words = (repair.description("en"), repair.description("zh"))
        is_wanted = _same(output, wanted)
        attempts.append(
            Attempt(words, False, repair.code, shapes(output), written(output), is_wanted)
        )
    if exhibit.cure.words[0]:
        attempts.append(
            Attempt(exhibit.cure.words, True, cure, shapes(wanted), written(wanted), True)
        )
    return tuple(attempts)


def _same(one: Any, other: Any) -> bool:
    if jax.tree.structure(one) != jax.tree.structure(other):
        return False
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(a.shape == b.shape and np.allclose(a, b, equal_nan=True) for a, b in pairs)


def chosen(result: ErrorsResult, settings: ErrorsSettings) -> Attempt | None:
    """Return the repair that is applied, None for none."""
    number = settings.repair
    return result.attempts[number - 1] if 1 <= number <= len(result.attempts) else None


def headlines(result: ErrorsResult) -> dict[str, str]:
    """Return what the broken call gave, and what each repair gave."""
    exhibit = EXHIBITS[result.name]
    cured = exhibit.cured()
    named = {"broken": attempt(lambda: run(result.code, exhibit))}
    for number, one in enumerate(result.attempts, 1):
        base = cured if one.is_cure else exhibit
        named[f"repair_{number}"] = attempt(lambda one=one, base=base: run(one.code, base))
    return named


def script(settings: ErrorsSettings) -> str:
    """Compose the script that raises the error and applies each repair."""
    result = compute(settings)
    exhibit = EXHIBITS[settings.exhibit]
    cured = exhibit.cured()
    calls = [_definition("broken", exhibit, result.code)]
    names = ["broken"]
    for number, one in enumerate(result.attempts, 1):
        names.append(f"repair_{number}")
        calls.append(_definition(names[-1], cured if one.is_cure else exhibit, one.code))
    shown = ", ".join(f'"{name}": attempt({name})' for name in names)
    used = [exhibit.function, exhibit.arguments, cured.function, cured.arguments]
    used = list(dict.fromkeys(used))
    if "functools" in "".join(calls):
        used.append(functools)
    return standalone(
        attempt,
        show_headlines,
        *used,
        body="\n\n".join([*calls, f"show_headlines({{{shown}}})"]),
        title=exhibit.title[0],
    )


def _definition(name: str, exhibit: Exhibit, code: str) -> str:
    values = exhibit.arguments()
    names = ", ".join(parameter_names(exhibit.function)[: len(values)])
    comma = "," if len(values) == 1 else ""
    return (
        f"def {name}():\n    {names}{comma} = {exhibit.arguments.__name__}()\n    return {code}\n"
    )
