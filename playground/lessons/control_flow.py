"""The page Control flow: branches, their edges, lanes of a loop, endless loops, dependent steps.

The settings name a part of the page; what each part computes is in a module of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, flag, number, one_of, text, whole
from playground.lessons.branch_edges import GUARDED, EdgeResult, edge_headlines, run_edges
from playground.lessons.branches import BranchResult, branch_headlines, run_branches
from playground.lessons.dependent_steps import EXAMPLES, StepsResult, run_steps, steps_headlines
from playground.lessons.endless import (
    CALLS,
    EndlessResult,
    endless_headlines,
    guarded,
    repaired,
    run_endless,
)
from playground.lessons.lanes import (
    FACT_INPUTS,
    LaneResult,
    by_steps,
    collatz_steps,
    lane_headlines,
    rounds_of,
    run_lanes,
)
from playground.lessons.python_flow import read_values

OF_PART = {
    "branches": ("batch_size", "size", "positive"),
    "edges": ("guard", "values"),
    "lanes": ("inputs", "largest", "chunk", "sorted"),
    "endless": (),
    "steps": ("low", "high", "steps"),
}
"""Which settings each part depends on."""


@dataclass(frozen=True)
class ControlFlowSettings(Settings, prefix="control_flow"):
    """What the page shows.

    Attributes:
        part: which part is open.
        batch_size: examples of the branches.
        size: rows and columns of the shared matrix.
        positive: lanes of the picture whose predicate is positive.
        program: the program whose intermediates are shown.
        guard: the guarded function at its edge.
        values: numbers at which its gradient is taken, separated by commas.
        inputs: which numbers the loop gets.
        largest: the largest of them when they are 1 to N.
        chunk: examples that run together; 0 means all.
        sorted: sort them by their steps first.
        way: how the endless function is called.
        low: smallest growth rate of the dependent steps.
        high: largest growth rate.
        steps: how many steps.
    """

    part: str = one_of("branches", tuple(OF_PART))
    batch_size: int = one_of(512, (8, 32, 128, 512))
    size: int = one_of(256, (16, 64, 128, 256))
    positive: int = whole(3, low=0, high=8)
    program: str = one_of("mapped", ("mapped", "shared", "where"))
    guard: str = one_of("log", tuple(GUARDED))
    values: str = text("-1, 0, 2", longest=120)
    inputs: str = one_of("chosen", ("chosen", "range"))
    largest: int = whole(12, low=2, high=40)
    chunk: int = one_of(0, (0, 1, 2, 4, 8))
    sorted: bool = flag(False)
    way: str = one_of("vmap", tuple(CALLS))
    low: float = number(2.5, low=0.5, high=4.0)
    high: float = number(3.5, low=0.5, high=4.0)
    steps: int = one_of(40, (10, 20, 40, 80))

    def of_part(self) -> "ControlFlowSettings":
        """Return these settings with all that the open part does not use at its default."""
        used = {"part", *OF_PART[self.part]}
        rest = {item.name: item.default for item in fields(self) if item.name not in used}
        return replace(self, **rest)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The inputs of the loop."""
        all_numbers = FACT_INPUTS if self.inputs == "chosen" else range(1, self.largest + 1)
        return by_steps(tuple(all_numbers)) if self.sorted else tuple(all_numbers)


type PartResult = BranchResult | EdgeResult | LaneResult | EndlessResult | StepsResult


def compute(settings: ControlFlowSettings) -> PartResult:
    """Compute the open part."""
    return _PARTS[settings.part][0](settings)


def branches(settings: ControlFlowSettings) -> BranchResult:
    """Compute the part about cond and where."""
    return run_branches(settings.batch_size, settings.size, settings.positive)


def edges(settings: ControlFlowSettings) -> EdgeResult:
    """Compute the part about gradients at the edge."""
    return run_edges(settings.guard, read_values(settings.values))


def lanes(settings: ControlFlowSettings) -> LaneResult:
    """Compute the film of the loop."""
    return run_lanes(settings.numbers, settings.chunk)


def endless(settings: ControlFlowSettings) -> EndlessResult:
    """Compute what ends of the part about endless loops."""
    del settings
    return run_endless()


def steps(settings: ControlFlowSettings) -> StepsResult:
    """Compute the part about dependent steps."""
    return run_steps(settings.low, settings.high, settings.steps)


def headlines(result: PartResult) -> dict[str, Any]:
    """Return the numbers that the page and its script both show."""
    return dict(result.summary)


def script(settings: ControlFlowSettings) -> str:
    """Return the standalone script of the open part."""
    functions, body = _PARTS[settings.part][1](settings)
    title = "Control flow under jax.vmap."
    return standalone(*functions, show_headlines, body=body, title=title)


def _branches_script(settings: ControlFlowSettings) -> tuple[tuple, str]:
    sizes = f"{settings.batch_size}, {settings.size}"
    return (branch_headlines,), f"show_headlines(branch_headlines({sizes}))"


def _edges_script(settings: ControlFlowSettings) -> tuple[tuple, str]:
    guards = GUARDED[settings.guard]
    names = ", ".join(guard.__name__ for guard in guards)
    body = f"""
    xs = jnp.array({read_values(settings.values)!r}, jnp.float32)
    show_headlines(edge_headlines(({names}), xs))
    """
    return (*guards, edge_headlines), body


def _lanes_script(settings: ControlFlowSettings) -> tuple[tuple, str]:
    body = f"""
    steps, rounds = rounds_of(jnp.array({settings.numbers!r}), {settings.chunk})
    show_headlines(lane_headlines(steps, rounds))
    """
    return (collatz_steps, rounds_of, lane_headlines), body


def _endless_script(settings: ControlFlowSettings) -> tuple[tuple, str]:
    del settings
    body = "show_headlines(endless_headlines(jnp.array([1.0, -1.0])))"
    return (guarded, repaired, endless_headlines), body


def _steps_script(settings: ControlFlowSettings) -> tuple[tuple, str]:
    given = f"{settings.low}, {settings.high}, {EXAMPLES}, {settings.steps}"
    return (steps_headlines,), f"show_headlines(steps_headlines({given}))"


_PARTS: dict[str, tuple[Callable[[Any], PartResult], Callable[[Any], tuple[tuple, str]]]] = {
    "branches": (branches, _branches_script),
    "edges": (edges, _edges_script),
    "lanes": (lanes, _lanes_script),
    "endless": (endless, _endless_script),
    "steps": (steps, _steps_script),
}
