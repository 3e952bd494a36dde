"""The operations of a call one by one: how the batch axis travels and what each result costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jax._src import core  # the current trace
from jax._src.interpreters.batching import BatchTracer

from playground.axes.running import run_on_shapes
from playground.axes.sizes import bytes_of
from playground.axes.sources import current_source

# Calls that only group other operations: those inside are shown in their place.
GROUPING = frozenset({"jit", "pjit", "closed_call", "core_call", "custom_jvp_call"})


@dataclass(frozen=True)
class Value:
    """One operand or result of an operation.

    Attributes:
        example_shape: its shape for one example, as the function sees it.
        batched_shape: its shape with all batch axes.
        dtype: name of its dtype.
        batch_axes: the batch axis of each level, innermost first, as a position in
            `batched_shape`; None for a level over which the value does not vary.
        bytes: size of the batched value.
    """

    example_shape: tuple[int, ...]
    batched_shape: tuple[int, ...]
    dtype: str
    batch_axes: tuple[int | None, ...]
    bytes: int

    @property
    def batch_axis(self) -> int | None:
        """The batch axis of the innermost level, None where the value is shared."""
        return self.batch_axes[0] if self.batch_axes else None


@dataclass(frozen=True)
class Operation:
    """One operation of the per-example function as it runs on the batch.

    Attributes:
        primitive: JAX's name of it, such as "dot_general".
        source: the user's source line, such as "model.py:12 (predict)"; "" where unknown.
        operands: its operands.
        results: its results.
    """

    primitive: str
    source: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]

    @property
    def operand_axes(self) -> tuple[int | None, ...]:
        """The innermost batch axis of each operand."""
        return tuple(value.batch_axis for value in self.operands)

    @property
    def result_axes(self) -> tuple[int | None, ...]:
        """The innermost batch axis of each result."""
        return tuple(value.batch_axis for value in self.results)

    @property
    def example_shape(self) -> tuple[int, ...]:
        """Shape of the first result for one example."""
        return self.results[0].example_shape if self.results else ()

    @property
    def batched_shape(self) -> tuple[int, ...]:
        """Shape of the first result with all batch axes."""
        return self.results[0].batched_shape if self.results else ()

    @property
    def bytes(self) -> int:
        """Bytes of all results together."""
        return sum(value.bytes for value in self.results)


def value_of(tracer: Any, depth: int) -> Value:
    """Read the batch axes of a value off the tracers of the nested vmaps.

    Args:
        tracer: a tracer or a concrete value, as the function at the innermost level holds it.
        depth: the number of levels.

    Returns:
        The description.
    """
    aval = core.typeof(tracer)
    shape = tuple(getattr(aval, "shape", ()))
    found: list[tuple[Any, int]] = []
    inner = tracer
    while isinstance(inner, BatchTracer):
        found.append((inner._trace, inner.batch_dim))
        inner = inner.val
    batched = tuple(getattr(core.typeof(inner), "shape", ()))
    # A batch axis counted in the value of its own level moves right past the axes of outer levels.
    by_trace, outer = {}, []
    for trace, axis in reversed(found):
        position = axis
        for other in sorted(outer):
            position += other <= position
        by_trace[id(trace)] = position
        outer.append(position)
    chain = _batch_traces()
    axes = tuple(by_trace.get(id(trace)) for trace in chain)[:depth]
    axes += (None,) * (depth - len(axes))
    dtype = getattr(aval, "dtype", None)
    return Value(shape, batched, str(dtype), axes, bytes_of(batched, dtype))


def _batch_traces() -> list[Any]:
    trace, chain = core.trace_ctx.trace, []
    while trace is not None:
        if hasattr(trace, "axis_data"):
            chain.append(trace)
        trace = getattr(trace, "parent_trace", None)
    return chain


class RecordingTrace(core.Trace):
    """Passes each operation on to the innermost vmap and writes it down."""

    def __init__(self, parent: core.Trace, depth: int, record: list[Operation]):
        super().__init__()
        self.parent_trace, self.depth, self.record = parent, depth, record
        self.requires_low = parent.requires_low
        self.site = ""  # the source line of the grouping call we are in

    def stage_value(self, val: Any) -> Any:
        """Leave it to the parent."""
        return self.parent_trace.stage_value(val)

    def process_primitive(self, primitive: Any, args: Any, params: dict, /) -> Any:
        """Run one operation in the parent and record it, or step into a grouping call."""
        inner = params.get("jaxpr") or params.get("call_jaxpr")
        if primitive.name in GROUPING and inner is not None:
            outside, self.site = self.site, current_source() or self.site
            with core.set_current_trace(self):
                out = core.eval_jaxpr(inner, inner.consts, *args)
            self.site = outside
            return out
        avals = tuple(core.typeof(arg) for arg in args)
        out = primitive.bind_with_trace(self.parent_trace, tuple(args), avals, params)
        self._note(primitive, args, out if primitive.multiple_results else [out])
        return out

    def _note(self, primitive: Any, args: Any, outs: Any) -> None:
        with core.set_current_trace(self.parent_trace):
            operands = tuple(value_of(arg, self.depth) for arg in args)
            results = tuple(value_of(out, self.depth) for out in outs)
        source = current_source() or self.site
        self.record.append(Operation(primitive.name, source, operands, results))

    def process_custom_jvp_call(self, primitive: Any, fun: Any, jvp: Any, tracers: Any, /, **_):
        """Step into the function."""
        with core.set_current_trace(self):
            return fun.call_wrapped(*tracers)

    def process_custom_vjp_call(
        self, primitive: Any, fun: Any, fwd: Any, bwd: Any, tracers: Any, /, **_
    ):
        """Step into the function."""
        with core.set_current_trace(self):
            return fun.call_wrapped(*tracers)


def operations_of(
    function: Callable, args: tuple, kwargs: dict, levels: tuple
) -> tuple[Operation, ...]:
    """Record the operations of a call.

    Args:
        function: the per-example function.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.

    Returns:
        The operations in order; those before the refusal if the call is refused.
    """
    record: list[Operation] = []

    def innermost(inner: Callable, inner_args: tuple, inner_kwargs: dict) -> Any:
        with core.take_current_trace() as parent:
            recorder = RecordingTrace(parent, len(levels), record)
            with core.set_current_trace(recorder):
                out = inner(*inner_args, **inner_kwargs)
        return out

    run_on_shapes(function, args, kwargs, levels, innermost)
    return tuple(record)
