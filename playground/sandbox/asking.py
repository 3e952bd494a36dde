"""Asking user code for values, so that they can be judged where user code has no say.

What is guaranteed. The user's process gets the code and the arguments, never the answers
expected; it hands back values as data (`trees`); the judge runs here. So patched libraries,
caught exceptions, an early exit or invented output can spoil the answers but not the verdict: to
pass, the right values for arguments drawn after the code was written must come back.

What is not. Code and driver share one interpreter. `Answer.primitives` is that interpreter's own
word, good for explaining and not proof. Proof comes from `Answer.program`: the user's function
as a StableHLO program, which `execute` runs in a fresh process without any code of the user; what
is judged then - its values on other arguments, its number of operations - is the program itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playground.sandbox.outcome import CodeError, Outcome, failed
from playground.sandbox.running import run_driver
from playground.sandbox.trees import MalformedError, from_tree, to_tree

_ANSWER = "playground.sandbox.answering:answer"
_EXECUTE = "playground.sandbox.answering:execute"
_COUNT = "playground.sandbox.answering:count"
_BAD_FORM = (MalformedError, TypeError, KeyError, ValueError, AttributeError, OverflowError)


@dataclass(frozen=True)
class Call:
    """A call of a function the user's code defines.

    Attributes:
        function: its name.
        arguments: positional arguments: arrays, numbers, `trees.KeyData`, containers of these.
        numpy: hand arrays over as NumPy arrays (float64 stays float64); else as JAX arrays.
        trace: also count the operations of the traced program.
        export: also hand over the program, compiled for the arguments' shapes.
        run: whether to call at all; False is for calls that only trace or export.
    """

    function: str
    arguments: tuple[Any, ...] = ()
    numpy: bool = False
    trace: bool = False
    export: bool = False
    run: bool = True


@dataclass(frozen=True, eq=False)
class Answer:
    """What came of one call.

    Attributes:
        value: what the function returned, arrays as NumPy arrays; None after an error.
        error: the exception it raised, if it did.
        primitives: operations of the traced program by name, when they were asked for.
        program: base64 of the exported program, when it was asked for.
    """

    value: Any = None
    error: CodeError | None = None
    primitives: dict[str, int] = field(default_factory=dict)
    program: str = ""


@dataclass(frozen=True, eq=False)
class Answers:
    """What came of all calls.

    Attributes:
        outcome: of the run; unless it is ok, there are no answers.
        functions: parameter names of the functions the code defines, None where not known.
        answers: one for each call, in order.
    """

    outcome: Outcome
    functions: dict[str, list[str] | None] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()


def ask(code: str, calls: Sequence[Call], *, setup: str = "", **limits: Any) -> Answers:
    """Run user code in the sandbox, call functions it defines, and fetch the values.

    Args:
        code: the user's code.
        calls: what to call; the user's code can come to see the arguments, so draw them anew.
        setup: code of ours that runs after the user's, with its names: functions to call that
            call the user's, names beginning with an underscore.
        **limits: `seconds`, `memory_bytes`, `session`, `inputs` as in `running.run`.

    Returns:
        The answers, complete and well formed, or none and an outcome that is not ok.
    """
    question = {
        "calls": [vars(call) | {"arguments": to_tree(list(call.arguments))} for call in calls],
        "setup": setup,
    }
    outcome = run_driver(code, _ANSWER, question, **limits)
    if not outcome.ok:
        return Answers(outcome)
    try:
        answers = tuple(_answer(answer) for answer in outcome.value["answers"])
        functions = {
            str(name): None if parameters is None else [str(each) for each in parameters]
            for name, parameters in outcome.value["functions"].items()
        }
        if len(answers) != len(calls):
            raise MalformedError(f"{len(answers)} answers to {len(calls)} calls")
    except _BAD_FORM as error:
        return _malformed(error)
    return Answers(outcome, functions, answers)


def execute(program: str, arguments: Sequence[tuple[Any, ...]], **limits: Any) -> Answers:
    """Run an exported program on arguments, where no code of the user has run.

    Args:
        program: from `Answer.program`.
        arguments: tuples of positional arguments of the shapes and dtypes it was exported for.
        **limits: as in `ask`.

    Returns:
        One answer for each tuple; `primitives` of each is `{"operations": count}`.
    """
    question = {"program": program, "arguments": [to_tree(list(each)) for each in arguments]}
    outcome = run_driver("", _EXECUTE, question, **limits)
    if not outcome.ok:
        return Answers(outcome)
    try:
        count = {"operations": int(outcome.value["operations"])}
        values = [from_tree(tree) for tree in outcome.value["values"]]
    except _BAD_FORM as error:
        return _malformed(error)
    return Answers(outcome, {}, tuple(Answer(value, None, count) for value in values))


def count_operations(programs: Sequence[str], **limits: Any) -> tuple[int, ...] | None:
    """Count the operations of exported programs, where no code of the user has run.

    Args:
        programs: each from `Answer.program`.
        **limits: as in `ask`.

    Returns:
        One number for each program, or None when they cannot be read.
    """
    outcome = run_driver("", _COUNT, list(programs), **limits)
    try:
        counts = tuple(int(number) for number in outcome.value)
    except _BAD_FORM:
        return None
    return counts if len(counts) == len(programs) else None


def _malformed(error: Exception) -> Answers:
    return Answers(failed("crashed", "Malformed", f"no well-formed answer came back: {error}"))


def _answer(answer: dict[str, Any]) -> Answer:
    if "error" in answer:
        kind, message, line = answer["error"]
        known = isinstance(line, int) and line > 0
        return Answer(
            error=CodeError(str(kind)[:100], str(message)[:4_000], line if known else None)
        )
    primitives = {str(name): int(count) for name, count in answer.get("primitives", {}).items()}
    program = answer.get("program", "")
    if not isinstance(program, str):
        raise MalformedError("no program")
    return Answer(from_tree(answer["value"]), None, primitives, program)
