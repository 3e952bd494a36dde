"""A driver for the sandbox: explains one call of a user's function, as JSON data.

It runs in the user's own process; whoever shows the answer checks its form.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from playground.axes.batched import pair_equations
from playground.axes.expectations import mistakes
from playground.axes.explain import explain
from playground.axes.leaf_entries import axes_of_leaves, in_axes_changed
from playground.axes.own_call import OwnCall, call_from
from playground.axes.own_suggestions import refusal, surprise, wanted
from playground.axes.own_text import write_axes
from playground.axes.real_run import real_run
from playground.axes.report import Report

MOST_ROWS, LONGEST_PROGRAM = 150, 12_000


def answer(names: Mapping[str, Any], question: dict[str, Any]) -> dict[str, Any]:
    """Explain the call that a question describes.

    Args:
        names: the names that the user's code left.
        question: `arguments` (text), `levels` (see `read_levels`), `want` (a wanted output
            shape, "" for none).

    Returns:
        JSON data; `{"function": None}` when the code defines no function.
    """
    call = call_from(names, question)
    if call is None:
        return {"function": None}
    report = explain(call.function, call.args, call.kwargs, levels=call.levels)
    told: dict[str, Any] = {
        "function": getattr(call.function, "__name__", "f"),
        "parameters": _parameters(call.function),
        "ok": report.ok,
        "code": report.code,
        "levels": [_level(level) for level in report.levels],
        "leaves": _leaves(call),
        "changed": _changed_axes(call),
        "outputs": _outputs(call, report),
        "refusal": refusal(call, report),
        "surprise": surprise(call, report),
        "mistakes": mistakes(report),
        "program": _program(report),
    }
    if call.is_small:
        real_run(call, report, told)
    if question["want"].strip():
        told["wanted"] = wanted(call, question["want"])
    return told


def _parameters(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _shape(leaf: Any) -> list[int] | None:
    return list(leaf.shape) if hasattr(leaf, "shape") else None


def _level(level: Any) -> dict[str, Any]:
    seen = None
    if level.inputs is not None:
        keywords = level.keyword_inputs or {}
        leaves = jax.tree.leaves((level.inputs, keywords))
        seen = [_shape(leaf) for leaf in leaves]
    outputs = None
    if level.outputs is not None:
        outputs = [_shape(leaf) for leaf in jax.tree.leaves(level.outputs)]
    size = level.batch_size
    return {"size": None if size is None else int(size), "seen": seen, "outputs": outputs}


def _leaves(call: OwnCall) -> list[dict[str, Any]]:
    """Describe every leaf that is passed: name, shape, dtype, its axis at each level."""
    extra = len(jax.tree.leaves(call.kwargs))
    by_level = [(*axes_of_leaves(call.args, level.in_axes), *[0] * extra) for level in call.levels]
    leaves = jax.tree.leaves((call.args, call.kwargs))
    described = []
    for i, (name, leaf) in enumerate(zip(call.names, leaves, strict=True)):
        is_array = hasattr(leaf, "dtype")
        described.append(
            {
                "name": name,
                "shape": list(np.shape(leaf)) if is_array else [],
                "dtype": str(leaf.dtype) if is_array else f"Python {type(leaf).__name__}",
                "python": None if is_array else repr(leaf)[:80],
                "axes": [axes[i] for axes in by_level],
                "keyword": i >= len(leaves) - extra,
            }
        )
    return described


def _changed_axes(call: OwnCall) -> list[dict[str, str]]:
    """For each positional leaf: the outermost in_axes for every axis that it could have."""
    outer = call.levels[-1].in_axes
    out = []
    for i, leaf in enumerate(jax.tree.leaves(call.args)):
        texts = {}
        for axis in [*range(len(np.shape(leaf))), None]:
            text = write_axes(in_axes_changed(call.args, outer, i, axis))
            if text is not None:
                texts[str(axis)] = text
        out.append(texts)
    return out


def _outputs(call: OwnCall, report: Report) -> list[dict[str, Any]]:
    if not report.ok:
        return []
    paths = jax.tree_util.tree_flatten_with_path(report.output)[0]
    outer = call.levels[-1].out_axes
    spread = jax.tree.broadcast(outer, report.output, is_leaf=lambda axis: axis is None)
    axes = jax.tree.leaves(spread, is_leaf=lambda axis: axis is None)
    return [
        {
            "name": "out" + jax.tree_util.keystr(path).replace("'", '"'),
            "shape": list(leaf.shape),
            "dtype": str(leaf.dtype),
            "axis": None if axis is None else axis % max(len(leaf.shape), 1),
        }
        for (path, leaf), axis in zip(paths, axes, strict=True)
    ]


def _program(report: Report) -> dict[str, Any]:
    nothing = {"rows": [], "largest": "", "bytes": 0, "outside": 0, "texts": ["", ""]}
    if not report.ok or report.batched_jaxpr is None:
        return nothing | {"why_not": (report.why_no_jaxpr or "")[:2000]}
    big = report.largest
    rows = [dataclasses.asdict(row) for row in pair_equations(report)]
    return {
        "rows": rows[:MOST_ROWS],
        "largest": "" if big is None else f"{big.primitive} {big.dtype}{list(big.shape)}",
        "bytes": 0 if big is None else int(big.bytes),
        "outside": 0 if big is None else int(big.inputs_and_outputs),
        "texts": [
            str(program)[:LONGEST_PROGRAM] for program in (report.jaxpr, report.batched_jaxpr)
        ],
        "why_not": "",
    }
