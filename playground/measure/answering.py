"""A driver for the sandbox: memory and chunk sizes of one call of a user's function, as JSON data.

The outermost level is what is cut into chunks; levels below it belong to the function.
"""

import math
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from playground.axes.own_call import OwnCall, build, call_from
from playground.foundation.limits import MIB
from playground.measure.advice import ChunkRow
from playground.measure.batched_call import batched_call, is_array
from playground.measure.memory import Memory, memory_of
from playground.measure.recommend import survey
from playground.measure.stopwatch import finish

MOST_ARGUMENT_BYTES = 256 * MIB
MOST_RUN_BYTES = 1024 * MIB
MOST_SAMPLES = 25


def memory_and_chunks(names: Mapping[str, Any], question: dict[str, Any]) -> dict[str, Any]:
    """Ask the compiler for the memory of a call, and the clock for its chunk sizes.

    Args:
        names: the names that the user's code left.
        question: `arguments`, `levels` as for `playground.axes.answering`, `seconds` to measure.

    Returns:
        `whole`: bytes of one jit(vmap(f)) as (temporary, output, argument); `batch_size`; `rows`:
        chunk sizes as [k, temporary, output, argument, samples]; `why_not`: why there are none:
        "", "named_axis", "argument_bytes", "out_axes".
    """
    call = call_from(names, question)
    if call is None:
        return {"whole": None, "batch_size": 0, "rows": [], "why_not": "no_function"}
    whole = _whole(call)
    told: dict[str, Any] = {"whole": _three(whole), "batch_size": 0, "rows": [], "why_not": ""}
    outer = call.levels[-1]
    if outer.axis_name is not None or outer.sum_match or outer.axis_size is not None:
        return told | {"why_not": "named_axis"}
    if any(axis != 0 for axis in jax.tree.leaves(outer.out_axes, is_leaf=lambda a: a is None)):
        return told | {"why_not": "out_axes"}
    if whole.argument_bytes > MOST_ARGUMENT_BYTES:
        return told | {"why_not": "argument_bytes"}
    rows, size = _rows(call, question["seconds"])
    return told | {"batch_size": size, "rows": [_row(row) for row in rows]}


def _whole(call: OwnCall) -> Memory:
    """Compile one jit(vmap(f)) for the shapes alone; Python values stay Python values."""
    leaves, treedef = jax.tree.flatten((call.args, call.kwargs))
    arrays = [leaf for leaf in leaves if is_array(leaf)]

    def program(*traced: Any) -> Any:
        values = iter(traced)
        full = [next(values) if is_array(leaf) else leaf for leaf in leaves]
        args, kwargs = jax.tree.unflatten(treedef, full)
        chain = call.function
        for level in call.levels:
            chain = level.apply(chain)
        return chain(*args, **kwargs)

    return memory_of(program, *arrays)


def _rows(call: OwnCall, seconds: float) -> tuple[tuple[ChunkRow, ...], int]:
    args, kwargs = (
        build(part, is_real=True) for part in (call.arguments.args, call.arguments.kwargs)
    )
    inner = call.function
    for level in call.levels[:-1]:
        inner = level.apply(inner)
    in_axes = call.levels[-1].in_axes
    if kwargs:  # mapped along axis 0, as one more argument
        entries = in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args)
        taken = batched_call(
            lambda *values: inner(*values[:-1], **values[-1]), (*args, kwargs), (*entries, 0)
        )
    else:
        taken = batched_call(inner, args, in_axes)
    rows = finish(survey(taken, None, MOST_RUN_BYTES, seconds))
    return rows, taken.batch_size


def _three(memory: Memory) -> list[int]:
    return [memory.temporary_bytes, memory.output_bytes, memory.argument_bytes]


def _row(row: ChunkRow) -> list[Any]:
    samples = [float(sample) for sample in row.samples[:MOST_SAMPLES] if math.isfinite(sample)]
    return [int(row.chunk_size), *_three(row.memory), samples]


def rows_from(told: Any) -> tuple[ChunkRow, ...]:
    """Read the rows of an answer; what is no row is refused.

    Args:
        told: `rows` of `memory_and_chunks`, which came out of a process that ran user code.

    Raises:
        ValueError, TypeError: it has another form.
    """
    rows = []
    for size, temporary, output, argument, samples in told:
        memory = Memory(*(_whole_number(value) for value in (temporary, output, argument)))
        times = tuple(float(sample) for sample in np.asarray(samples, float).reshape(-1))
        if not all(math.isfinite(time) and time > 0 for time in times):
            raise ValueError("a time that is no time")
        rows.append(ChunkRow(max(_whole_number(size), 1), memory, times))
    return tuple(sorted(rows, key=lambda row: row.chunk_size))


def _whole_number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**60:
        raise ValueError(f"{value!r:.40} is no number of bytes or examples")
    return value
