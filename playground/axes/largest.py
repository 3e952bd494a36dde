"""The biggest intermediate result of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jax._src import core  # programs inside the parameters of an operation

from playground.axes.operations import GROUPING, Operation
from playground.axes.sizes import bytes_of
from playground.axes.sources import source_of


def programs_of(jaxpr: Any) -> list[Any]:
    """List a jaxpr and all jaxprs inside it."""
    programs = [jaxpr]
    for equation in jaxpr.eqns:
        for inner in core.jaxprs_in_params(equation.params):
            programs += programs_of(inner)
    return programs


@dataclass(frozen=True)
class Largest:
    """The biggest intermediate result of a call.

    Attributes:
        shape: its shape with all batch axes.
        dtype: name of its dtype.
        bytes: its size.
        primitive: the operation that makes it.
        source: the user's source line, "" where unknown.
        inputs_and_outputs: bytes of the arguments and the output together.
    """

    shape: tuple[int, ...]
    dtype: str
    bytes: int
    primitive: str
    source: str
    inputs_and_outputs: int

    @property
    def exceeds(self) -> bool:
        """Tell whether it is bigger than inputs and outputs together."""
        return self.bytes > self.inputs_and_outputs


def largest_in(
    jaxpr: Any, operations: tuple[Operation, ...], inputs_and_outputs: int
) -> Largest | None:
    """Find the biggest intermediate in what batching produces.

    Args:
        jaxpr: the batched jaxpr, walked with all jaxprs inside; None if it could not be traced.
        operations: the recorded operations, looked at as well.
        inputs_and_outputs: bytes to compare with.

    Returns:
        The biggest intermediate, or None where there is none.
    """
    candidates = [
        (value.bytes, value.batched_shape, value.dtype, op.primitive, op.source)
        for op in operations
        for value in op.results
    ]
    for program in programs_of(jaxpr) if jaxpr is not None else ():
        for equation in program.eqns:
            if equation.primitive.name in GROUPING:
                continue
            source = source_of(equation.source_info)
            candidates += [
                (bytes_of(aval.shape, aval.dtype), aval.shape, str(aval.dtype), name, source)
                for aval in (var.aval for var in equation.outvars)
                if isinstance(aval, core.ShapedArray)
                for name in (equation.primitive.name,)
            ]
    if not candidates:
        return None
    size, shape, dtype, primitive, source = max(candidates, key=lambda c: c[0])
    return Largest(tuple(shape), dtype, size, primitive, source, inputs_and_outputs)
