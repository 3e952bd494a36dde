"""The report on one call: what `explain` returns.

    report.ok                   True when the real call goes through
    report.output               pytree of jax.ShapeDtypeStruct, or None on refusal
    report.levels[i]            innermost first: .level (the Level), .batch_size, .inputs (tuple of
                                pytrees, one per positional argument), .keyword_inputs (dict),
                                .outputs (pytree); what the function at that level sees and
                                returns, None where the call did not get that far. Leaves are
                                jax.ShapeDtypeStruct; a Python number that is passed through is a
                                PythonScalar (a ShapeDtypeStruct with .value); strings and other
                                objects stay
    report.operations           tuple of Operation (see operations.py), in order
    report.largest              the biggest intermediate (see largest.py), None without operations
    report.jaxpr                jaxpr of the per-example function, None if it cannot be traced
    report.batched_jaxpr        jaxpr of the whole chain, None if it cannot be traced
    report.why_no_jaxpr         the reason of None, JAX's text
    report.error                None, or a Refusal (see refusal.py): .exception, .text, .kind,
                                .argument, .level, .summary("en"), .repairs
    report.assumed              values Python asked for that were too large or too slow to compute
                                and were taken to be ones, one line each; almost always ()
    report.code                 the call as one line of Python
    report.function, .args, .kwargs     as given
Everything that costs a further trace is computed when it is first read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playground.axes import code
from playground.axes.largest import Largest, largest_in
from playground.axes.leaves import output_of
from playground.axes.levels import Level
from playground.axes.operations import Operation, operations_of
from playground.axes.programs import Programs, jaxprs_of
from playground.axes.refusal import Refusal, refusal_of
from playground.axes.running import Run
from playground.axes.sizes import tree_bytes


@dataclass(frozen=True)
class LevelReport:
    """What the function at one level sees and returns, per example of that level."""

    level: Level
    batch_size: int | None
    inputs: tuple | None
    keyword_inputs: dict | None
    outputs: Any


@dataclass(frozen=True, eq=False)
class Report:
    """What jax.vmap does with one call; the attributes are listed at the top of the module."""

    function: Callable
    args: tuple
    kwargs: dict
    chain: tuple[Level, ...]
    run: Run

    @property
    def ok(self) -> bool:
        """Tell whether the real call goes through."""
        return self.run.ok

    @property
    def assumed(self) -> tuple[str, ...]:
        """Values that were taken to be ones because computing them would take too long."""
        return tuple(self.run.notes)

    @cached_property
    def output(self) -> Any:
        """Shapes and dtypes of the result, or None on refusal."""
        return output_of(self.run.result) if self.ok else None

    @cached_property
    def levels(self) -> tuple[LevelReport, ...]:
        """What each level sees and returns, innermost first."""
        return tuple(
            LevelReport(level, v.batch_size, v.inputs, v.keyword_inputs, v.outputs)
            for level, v in zip(self.chain, self.run.visits, strict=True)
        )

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """The operations in order, each with its batch axes and its cost."""
        try:
            return operations_of(self.function, self.args, self.kwargs, self.chain)
        except Exception:  # the recorder must never take a report down
            return ()

    @cached_property
    def largest(self) -> Largest | None:
        """The biggest intermediate result, None where there is none or the call is refused."""
        if not self.ok:
            return None
        ends = tree_bytes((self.args, self.kwargs)) + tree_bytes(self.output)
        return largest_in(self.batched_jaxpr, self.operations, ends)

    @cached_property
    def programs(self) -> Programs:
        """Both jaxprs, the reason if one is missing, and which leaves are their arguments."""
        return jaxprs_of(self.function, self.args, self.kwargs, self.chain, self.run)

    @property
    def jaxpr(self) -> Any:
        """The jaxpr of the per-example function, None if it cannot be traced."""
        return self.programs.single

    @property
    def batched_jaxpr(self) -> Any:
        """The jaxpr of the whole chain, None if it cannot be traced."""
        return self.programs.batched

    @property
    def why_no_jaxpr(self) -> str:
        """JAX's text where a jaxpr is None, else ""."""
        return self.programs.reason

    @cached_property
    def code(self) -> str:
        """The call as one line of Python."""
        return code.call(
            self.function,
            code.argument_expressions(self.function, self.args),
            code.keyword_expressions(self.kwargs),
            self.chain,
        )

    @cached_property
    def error(self) -> Refusal | None:
        """Why the call is refused and what to change, None when it goes through."""
        return None if self.ok else refusal_of(self)
