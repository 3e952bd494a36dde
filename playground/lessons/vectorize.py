"""The page Vectorize: one batch three ways, traps by hand, tracing, Python's if and for.

The settings name a part of the page; what each part computes is in a module of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, flag, one_of, text, whole
from playground.lessons.hand_traps import (
    TRAPS,
    TrapResult,
    kind_of_arguments,
    run_trap,
    trap_arguments,
    trap_headlines,
)
from playground.lessons.one_batch import WAYS, WaysResult, arguments_of, compare_ways, run_ways
from playground.lessons.python_flow import (
    BRANCHES,
    PythonFlowResult,
    flow_headlines,
    read_values,
    run_python_flow,
)
from playground.lessons.tracing import (
    PROGRAMS,
    ProgramResult,
    count_lines,
    loop_of,
    printed_by,
    program_arguments,
    program_headlines,
    run_programs,
    square,
)

SIDES = (2, 3, 4, 5)
OF_PART = {
    "ways": ("function", "batch_size", "length", "seed"),
    "traps": ("trap", "examples", "features"),
    "tracing": ("program", "traced"),
    "python": ("branch", "values", "rounds"),
}
"""Which settings each part depends on."""


@dataclass(frozen=True)
class VectorizeSettings(Settings, prefix="vectorize"):
    """What the page shows.

    Attributes:
        part: which part is open.
        function: of the three ways.
        batch_size: examples of the three ways.
        length: features of an example there.
        seed: of the data there.
        trap: which trap of the gallery.
        examples: batch size of the trap.
        features: length of an example of the trap.
        program: the function that is traced.
        traced: its batch size.
        branch: the function with a Python if.
        values: the numbers it gets, separated by commas.
        rounds: static count of the Python for.
        looped: whether the program of the loop is shown.
    """

    part: str = one_of("ways", tuple(OF_PART))
    function: str = one_of("dot", tuple(WAYS))
    batch_size: int = one_of(1000, (10, 100, 1000, 4000))
    length: int = one_of(64, (3, 16, 64, 256))
    seed: int = whole(0, low=0, high=99)
    trap: str = one_of("normalize", tuple(TRAPS))
    examples: int = one_of(2, SIDES)
    features: int = one_of(3, SIDES)
    program: str = one_of("sum_of_squares", tuple(PROGRAMS))
    traced: int = one_of(3, (1, 2, 3, 5, 8))
    branch: str = one_of("relu", tuple(BRANCHES))
    values: str = text("-1, 2, 3", longest=120)
    rounds: int = whole(3, low=0, high=12)
    looped: bool = flag(True)

    def of_part(self) -> "VectorizeSettings":
        """Return these settings with all that the open part does not use at its default."""
        used = {"part", *OF_PART[self.part]}
        rest = {item.name: item.default for item in fields(self) if item.name not in used}
        return replace(self, **rest)


type PartResult = WaysResult | TrapResult | ProgramResult | PythonFlowResult


def compute(settings: VectorizeSettings) -> PartResult:
    """Compute the open part."""
    return _PARTS[settings.part][0](settings)


def ways(settings: VectorizeSettings) -> WaysResult:
    """Compute the part with three ways."""
    return run_ways(settings.function, settings.batch_size, settings.length, settings.seed)


def traps(settings: VectorizeSettings) -> TrapResult:
    """Compute the part with traps."""
    return run_trap(settings.trap, settings.examples, settings.features)


def tracing(settings: VectorizeSettings) -> ProgramResult:
    """Compute the part about tracing."""
    return run_programs(settings.program, settings.traced)


def python(settings: VectorizeSettings) -> PythonFlowResult:
    """Compute the part about Python's if and for."""
    return run_python_flow(settings.branch, read_values(settings.values), settings.rounds)


def headlines(result: PartResult) -> dict[str, Any]:
    """Return the numbers that the page and its script both show."""
    return dict(result.summary)


def script(settings: VectorizeSettings) -> str:
    """Return the standalone script of the open part."""
    functions, body = _PARTS[settings.part][1](settings)
    title = "jax.vmap: the function of one example, run on a batch."
    return standalone(*functions, show_headlines, body=body, title=title)


def _ways_script(settings: VectorizeSettings) -> tuple[tuple, str]:
    _, *ways = WAYS[settings.function]
    names = ", ".join(way.__name__ for way in ways)
    given = f"{settings.function!r}, {settings.batch_size}, {settings.length}, {settings.seed}"
    body = f"""
    arguments = arguments_of({given})
    show_headlines(compare_ways({names}, arguments))
    """
    return (*ways, arguments_of, compare_ways), body


def _trap_script(settings: VectorizeSettings) -> tuple[tuple, str]:
    trap = TRAPS[settings.trap]
    kind = kind_of_arguments(settings.trap)
    body = f"""
    arguments, in_axes = trap_arguments({kind!r}, {settings.examples}, {settings.features})
    show_headlines(trap_headlines({trap.function.__name__}, arguments, in_axes))
    """
    return (trap.function, trap_arguments, trap_headlines), body


def _tracing_script(settings: VectorizeSettings) -> tuple[tuple, str]:
    function, in_axes = PROGRAMS[settings.program]
    name = function.__name__
    body = f"""
    lines = printed_by(square, jnp.arange(1.0, {settings.traced + 1}))
    arguments = program_arguments({settings.program!r}, {settings.traced})
    in_axes = {in_axes!r}
    programs = program_headlines({name}, arguments, in_axes, loop_of({name}, in_axes))
    show_headlines(count_lines(lines) | programs)
    """
    functions = (square, printed_by, count_lines, function, loop_of)
    return (*functions, program_arguments, program_headlines), body


def _python_script(settings: VectorizeSettings) -> tuple[tuple, str]:
    functions = BRANCHES[settings.branch]
    names = ", ".join(function.__name__ for function in functions)
    body = f"""
    xs = jnp.array({read_values(settings.values)!r}, jnp.float32)
    show_headlines(flow_headlines({names}, xs, {settings.rounds}))
    """
    return (*functions, flow_headlines), body


_PARTS: dict[str, tuple[Callable[[Any], PartResult], Callable[[Any], tuple[tuple, str]]]] = {
    "ways": (ways, _ways_script),
    "traps": (traps, _trap_script),
    "tracing": (tracing, _tracing_script),
    "python": (python, _python_script),
}
