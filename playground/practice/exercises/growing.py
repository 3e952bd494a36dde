"""Whether a function is really vectorised: what is traced must not grow with the batch.

The user's functions are exported for a small and a large batch, and the operations of the two
programs are counted in a process without any code of the user. A loop in Python writes its body
once for each example; vmap, broadcasting and einsum write it once. `lax.map`, `scan` and
`fori_loop` over examples write it once too and pass: they are slower, not wrong.

Code that computes with NumPy cannot be exported. Then the steps that Python takes in the user's
own lines are counted instead, which is the word of the user's process.
"""

from collections.abc import Sequence
from typing import Any

from playground.practice.exercises.model import Finding, Growth
from playground.practice.exercises.probes import source
from playground.sandbox.asking import Answer, Call, ask, count_operations

_STEPS_OF_A_LOOP = 4


def export_calls(growths: Sequence[Growth]) -> list[Call]:
    """Return the calls that export each function for both sizes."""
    return [
        Call(growth.function, arguments, export=True, run=False)
        for growth in growths
        for arguments in (growth.small, growth.large)
    ]


def find_growth(
    code: str, setup: str, growths: Sequence[Growth], answers: Sequence[Answer], **limits: Any
) -> Finding | None:
    """Judge the answers to `export_calls`.

    Args:
        code: the user's code, for the case that it must be asked again.
        setup: the exercise's own.
        growths: what was asked.
        answers: two for each.
        **limits: of the sandbox.
    """
    programs = [answer.program for answer in answers]
    counts = count_operations([p for p in programs if p], **limits) if any(programs) else ()
    if counts is None:
        counts = ()
    known = iter(counts)
    found = [next(known, None) if program else None for program in programs]
    for place, growth in enumerate(growths):
        small, large = found[2 * place : 2 * place + 2]
        least = growth.added
        if small is None or large is None:
            small, large = _steps(code, setup, growth, limits)
            least = growth.added * _STEPS_OF_A_LOOP
        if large - small >= least:
            return _finding(growth, small, large)
    return None


def _steps(code: str, setup: str, growth: Growth, limits: dict[str, Any]) -> tuple[int, int]:
    """Ask for the steps of Python; the first two calls only warm up what is compiled once."""
    own = f"\ndef _steps_of(*arguments):\n    return _steps({growth.function}, arguments)\n"
    calls = [
        Call("_steps_of", arguments)
        for arguments in (growth.small, growth.large, growth.small, growth.large)
    ]
    answers = ask(code, calls, setup=source() + setup + own, **limits).answers
    steps = [answer.value for answer in answers if isinstance(answer.value, int)]
    return (steps[2], steps[3]) if len(steps) == len(calls) else (0, 0)


def _finding(growth: Growth, small: int, large: int) -> Finding:
    return Finding(
        "vectorised",
        "python_loop",
        (
            f"The values are right, but a Python loop over {growth.over[0]} is unrolled: "
            f"{growth.added} more {growth.over[0]} make {large - small} more operations.",
            f"数值正确，但对{growth.over[1]}的 Python 循环被展开了："
            f"多 {growth.added} 个{growth.over[1]}，就多 {large - small} 个操作。",
        ),
        (
            "Write the function for one example and let vmap (or a whole-array operation) do "
            "the rest.",
            "请写出单个样本的函数，其余交给 vmap（或整个数组的运算）。",
        ),
        {"operations": (small, large)},
    )
