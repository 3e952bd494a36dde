"""The drill: endless questions about shapes, axes and refusals, made and judged by the engine."""

from dataclasses import dataclass
from typing import Any

import jax

from playground.axes import find_axes
from playground.axes.code import parameter_names
from playground.foundation.language import Language, pick
from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, one_of, whole
from playground.practice.drill_calls import TOPICS, Call
from playground.practice.drill_questions import Question, question
from playground.practice.outcomes import attempt, is_shape, shapes

LEVELS = (1, 2, 3, 4)
MOST_EVALUATIONS, MOST_SECONDS = 300, 1.0


@dataclass(frozen=True)
class DrillSettings(Settings, prefix="drill"):
    """Which question is asked, and the answer given.

    Attributes:
        level: how hard, 1 to 4.
        seed: chooses the series of questions.
        number: the place in the series, from 1.
        guess: number of the option chosen, from 1; 0 before.
    """

    level: int = one_of(1, LEVELS)
    seed: int = whole(0, low=0, high=9_999)
    number: int = whole(1, low=1, high=9_999)
    guess: int = whole(0, low=0, high=9)


@dataclass(frozen=True)
class DrillResult:
    """One question with what the engine says about each option.

    Attributes:
        form: "outcome" or "axes".
        topic: key of `TOPICS`.
        function: for ONE example.
        setup: lines that make the arguments.
        code: the call asked about; "" for "axes".
        want: the wanted shape for "axes", else "".
        options: outcomes, or calls as code.
        right: index of the right option.
        why: why the right option is right, in both languages.
        why_not: why each other option is wrong, in both languages; empty for the right one.
    """

    form: str
    topic: str
    function: Any
    setup: str
    code: str
    want: str
    options: tuple[str, ...]
    right: int
    why: tuple[str, str]
    why_not: tuple[tuple[str, str], ...]

    def says(self, option: int, language: Language) -> str:
        """Say why an option is wrong."""
        return pick(language, *self.why_not[option])


def setup(call: Call) -> str:
    """Write the lines that make the arguments: zeros of the right shapes."""
    names = parameter_names(call.function, len(call.args))
    given = [*zip(names, call.args, strict=True), *call.kwargs.items()]
    return "\n".join(f"{name} = {_expression(value)}" for name, value in given)


def _expression(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{k}": {_expression(v)}' for k, v in value.items()) + "}"
    return f"jnp.zeros({tuple(value.shape)})"


def compute(settings: DrillSettings) -> DrillResult:
    """Make a question and judge its options.

    Args:
        settings: level, seed and number.
    """
    asked = question(settings.seed, settings.level, settings.number)
    call = asked.call
    why_not = tuple(
        ("", "") if place == asked.right else _why_not(asked, place)
        for place in range(len(asked.options))
    )
    return DrillResult(
        asked.form,
        call.topic,
        call.function,
        setup(call),
        "" if asked.form == "axes" else call.report().code,
        asked.want,
        asked.options,
        asked.right,
        _why(call),
        why_not,
    )


def _why(call: Call) -> tuple[str, str]:
    """Say what the engine says about a call: level by level, or why it is refused."""
    report = call.report()
    if report.error is not None:
        return report.error.summary("en"), report.error.summary("zh")
    english, chinese = [], []
    for depth, level in enumerate(report.levels):
        seen = [f"`{shapes(one)}`" for one in (level.inputs or ())]
        seen += [f"`{k}` `{shapes(v)}`" for k, v in (level.keyword_inputs or {}).items()]
        gives, axes = shapes(level.outputs), level.level.out_axes
        inner = depth == 0 and len(report.levels) > 1
        start = ("Inside, a", "内层：批大小") if inner else ("A", "批大小")
        if depth:
            start = ("Around it, a", "外层：批大小")
        english.append(
            f"{start[0]} batch of {level.batch_size}: the function sees {', '.join(seen)} "
            f"and gives `{gives}`; out_axes={axes}."
        )
        chinese.append(
            f"{start[1]} {level.batch_size}，函数看到 {'、'.join(seen)}，得到 `{gives}`；"
            f"out_axes={axes}。"
        )
    whole_shape = shapes(report.output)
    return (
        f"{' '.join(english)} Together: `{whole_shape}`.",
        f"{''.join(chinese)}合起来是 `{whole_shape}`。",
    )


def _why_not(asked: Question, place: int) -> tuple[str, str]:
    if asked.form == "axes":
        report = asked.calls[place].report()
        if report.error is not None:
            return report.error.summary("en"), report.error.summary("zh")
        gives = shapes(report.output)
        return f"That call gives `{gives}`.", f"这个调用得到的是 `{gives}`。"
    option, call = asked.options[place], asked.call
    if not is_shape(option):
        return "JAX has no reason for that error here.", "这里没有理由报这个错。"
    if option.startswith(("{", "((")) or call.kwargs or len(call.levels) > 1:
        return "The batch axes end up elsewhere.", "批次轴落在了别处。"
    want = tuple(int(size) for size in option.strip("()").split(",") if size.strip())
    found = find_axes(
        call.function, call.args, want, most_evaluations=MOST_EVALUATIONS, seconds=MOST_SECONDS
    )
    if not found:
        return "No axes give that shape.", "没有哪种轴能得到这个形状。"
    return f"That would need `{found[0].code}`.", f"要得到它，需要写 `{found[0].code}`。"


def _calls(asked: Question) -> tuple[Call, ...]:
    return asked.calls or (asked.call,)


def headlines(result: DrillResult) -> dict[str, str]:
    """Return what each call of the question gives when it runs on zeros."""
    codes = result.options if result.form == "axes" else (result.code,)
    space: dict[str, Any] = {"jax": jax, "jnp": jax.numpy}
    exec(result.setup, space)
    space[result.function.__name__] = result.function
    names = [line.partition(" ")[0] for line in result.setup.splitlines()]
    named = {}
    for number, code in enumerate(codes, 1):
        whole_call = f"{code}({', '.join(names)})" if result.form == "axes" else code
        named[f"call_{number}"] = attempt(lambda code=whole_call: eval(code, space))
    return named


def script(settings: DrillSettings) -> str:
    """Compose the script that runs the question's calls on zeros."""
    asked = question(settings.seed, settings.level, settings.number)
    shown = ", ".join(
        f'"call_{number}": attempt(lambda: {call.report().code})'
        for number, call in enumerate(_calls(asked), 1)
    )
    return standalone(
        asked.call.function,
        attempt,
        show_headlines,
        body=f"{setup(asked.call)}\nshow_headlines({{{shown}}})",
        title=f"Drill: level {settings.level}, seed {settings.seed}, question {settings.number}",
    )


__all__ = [
    "LEVELS",
    "TOPICS",
    "DrillResult",
    "DrillSettings",
    "compute",
    "headlines",
    "script",
]
