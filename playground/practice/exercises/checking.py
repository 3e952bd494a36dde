"""`check`: user code in, verdict out. The code runs in the sandbox; the judge is here.

One run of the sandbox makes all calls, with arguments drawn anew each time. A second one, without
any code of the user, counts the operations of the programs that came back. The checks hold in
the order of `model.STAGES`, and the first that fails gives the verdict.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from playground.practice.exercises import comparing, growing, probes, reading_errors
from playground.practice.exercises.model import Case, Exercise, Finding, Property, Verdict
from playground.sandbox.asking import Answer, Answers, Call, ask

SECONDS = 20.0
_PLAIN = ("error", "values", "shape", "none")


def check_exercise(exercise: Exercise, code: str, *, session: str = "") -> Verdict:
    """Judge code against an exercise.

    Args:
        exercise: which.
        code: what the user wrote.
        session: who asks; sessions take turns in the sandbox.

    Returns:
        The verdict; never an exception of the user's code.
    """
    if not code.strip():
        nothing = ("There is no code yet.", "还没有代码。")
        return _verdict(Finding("runs", "empty", nothing))
    rng = np.random.default_rng()
    cases = list(exercise.cases(rng))
    growths, properties = list(exercise.growth(rng)), list(exercise.properties(rng))
    limits: dict[str, Any] = {"seconds": SECONDS, "session": session}
    fits = "def _fit():\n    return [" + ", ".join(
        f"_fits({name}, {len(parameters)})" for name, parameters in exercise.functions.items()
    )
    quick = "".join(
        f"def _call_{name}(*arguments):\n    return _quick({name}, arguments)\n"
        for name in exercise.functions
    )
    setup = f"{probes.source()}{exercise.setup}\n{fits}]\n{quick}"
    calls = [
        [Call("_fit", ())],
        [Call(f"_call_{case.function}", case.arguments) for case in cases],
        growing.export_calls(growths),
        [call for each in properties for call in each.calls],
    ]
    asked = ask(code, [call for group in calls for call in group], setup=setup, **limits)
    if not asked.outcome.ok:
        return _verdict(reading_errors.of_outcome(asked.outcome))
    rest = iter(asked.answers)
    (fit,), of_cases, of_growths, of_properties = (
        tuple(next(rest) for _ in group) for group in calls
    )
    left = iter(of_properties)
    judged = [(each, tuple(next(left) for _ in each.calls)) for each in properties]
    found = (
        _names(exercise, asked, fit)
        or _of_properties(exercise, judged, is_form=True)
        or _of_cases(exercise, cases, of_cases)
        or growing.find_growth(code, exercise.setup, growths, of_growths, **limits)
        or _of_properties(exercise, judged, is_form=False)
    )
    widest = max(
        zip(cases, of_cases, strict=True),
        key=lambda each: max(np.ndim(leaf) for _, leaf in comparing.leaves(each[0].expected)),
        default=None,
    )
    return _verdict(found, None if widest is None else _pictured(*widest))


def _names(exercise: Exercise, asked: Answers, fit: Answer) -> Finding | None:
    missing = [name for name in exercise.functions if name not in asked.functions]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        advice = (
            "Define the functions with exactly the names of the statement.",
            "请用题目中给出的名字来定义函数。",
        )
        says = (f"The code defines no {names}.", f"代码没有定义 {names}。")
        return Finding("names", "names", says, advice)
    fits = fit.value if isinstance(fit.value, list | tuple) else []
    for (name, parameters), good in zip(exercise.functions.items(), fits, strict=False):
        if good is not True:
            wanted = f"{name}({', '.join(parameters)})"
            mine = f"{name}({', '.join(asked.functions.get(name) or ['?'])})"
            return Finding(
                "names",
                "signature",
                (
                    f"The signature must be `{wanted}`; yours is `{mine}`.",
                    f"函数签名应当是 `{wanted}`，你的是 `{mine}`。",
                ),
                ("Same number of arguments, in this order.", "参数个数与次序要一致。"),
            )
    return None


def _of_cases(
    exercise: Exercise, cases: Sequence[Case], answers: Sequence[Answer]
) -> Finding | None:
    """Errors first, then shapes, dtypes and values of the random data, then the edges."""
    usual = [(c, a) for c, a in zip(cases, answers, strict=True) if c.stage == "values"]
    edges = [(c, a) for c, a in zip(cases, answers, strict=True) if c.stage != "values"]
    for case, answer in usual:
        if answer.error is not None:
            return reading_errors.of_call(answer.error, case.function, exercise.errors, "runs")
    differences = []
    for case, answer in usual:
        found = comparing.first_difference(
            answer.value, case.expected, is_whole=case.is_whole, stage=None
        )
        if found is not None:
            differences.append((found, case, answer))
    order = ("shape", "dtype", "values")
    differences.sort(key=lambda each: order.index(each[0].stage))
    if differences:
        found, case, answer = differences[0]
        return _named(exercise, found, case, answer, usual)
    for case, answer in edges:
        if answer.error is not None:
            found = reading_errors.of_call(answer.error, case.function, exercise.errors, "edge")
        else:
            found = comparing.first_difference(
                answer.value, case.expected, is_whole=case.is_whole, stage="edge"
            )
        if found is not None:
            found = _named(exercise, replace(found, says=_about(found, case)), case, answer, ())
            return replace(found, kind="edge") if found.kind in _PLAIN else found
    return None


def _about(found: Finding, case: Case) -> tuple[str, str]:
    english, chinese = found.says
    return f"for {case.about[0]}, {english}", f"{case.about[1]} 时，{chinese}"


def _named(
    exercise: Exercise,
    found: Finding,
    case: Case,
    answer: Answer,
    usual: Sequence[tuple[Case, Answer]],
) -> Finding:
    """Name the mistake behind a difference, if it is a known one."""
    details = {**_pictured(case, answer), **found.details}
    says = (f"`{case.function}`: {found.says[0]}", f"`{case.function}`：{found.says[1]}")
    found = replace(found, details=details, says=says)
    if found.kind in ("dtype", "nan"):
        return found
    alike = [(c, a) for c, a in usual if c.function == case.function] or [(case, answer)]
    with np.errstate(all="ignore"):
        for mistake in exercise.mistakes:
            if mistake.function == case.function and all(
                comparing.is_close(a.value, mistake.compute(*c.arguments)) for c, a in alike
            ):
                english, chinese = (
                    f"{a} {b}".strip() for a, b in zip(mistake.says, mistake.advice, strict=True)
                )
                return replace(found, kind=mistake.kind, advice=(english, chinese))
    same = [a.value for _, a in alike]
    if len(same) > 1 and all(comparing.is_close(same[0], other) for other in same[1:]):
        return replace(
            found,
            kind="hard_coded",
            advice=(
                "Different data gave the same answer: it is hard-coded (constant), not computed "
                "from the arguments.",
                "不同的数据得到了同一个答案：它是写死的常数，不是由参数算出来的。",
            ),
        )
    return found


def _of_properties(
    exercise: Exercise, judged: Iterable[tuple[Property, Sequence[Answer]]], *, is_form: bool
) -> Finding | None:
    for each, answers in judged:
        if each.is_form != is_form:
            continue
        for call, answer in zip(each.calls, answers, strict=True):
            if answer.error is not None:
                name = call.function
                if name.startswith("_"):  # a wrapper of ours around the user's function
                    name = next(reversed(exercise.functions))
                stage = "runs" if is_form else "properties"
                return reading_errors.of_call(answer.error, name, exercise.errors, stage)
        found = each.judge(answers)
        if found is not None:
            return found
    return None


def _pictured(case: Case, answer: Answer) -> dict[str, Any]:
    return {
        "function": case.function,
        "arguments": case.arguments,
        "target": case.expected,
        "yours": answer.value,
    }


def _verdict(found: Finding | None, shown: dict[str, Any] | None = None) -> Verdict:
    if found is None:
        says = (
            "Passed: shape, dtype, values on unseen data, edge sizes, vectorised, properties.",
            "通过：形状、dtype、未见过的数据上的数值、边界大小、向量化和各项性质都正确。",
        )
        return Verdict(True, "passed", "passed", says, shown or {})
    english = " ".join(_ended(part, ".") for part in (found.says[0], found.advice[0]) if part)
    chinese = "".join(_ended(part, "。") for part in (found.says[1], found.advice[1]) if part)
    return Verdict(False, found.kind, found.stage, (english, chinese), dict(found.details))


def _ended(sentence: str, stop: str) -> str:
    """Give a sentence its full stop; what JAX said may come without one, or with a colon."""
    sentence = sentence.strip().rstrip(":：")
    is_ended = sentence.endswith((".", "。", "?", "？", "!", "）", ".)"))
    return sentence if is_ended else sentence + stop
