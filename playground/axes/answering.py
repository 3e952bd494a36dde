"""A driver for the sandbox: explains one call of a user's function, as JSON data.

It runs in the user's own process; whoever shows the answer checks its form.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from playground.axes.batched import pair_equations
from playground.axes.explain import explain
from playground.axes.leaf_entries import axes_of_leaves, in_axes_changed
from playground.axes.own_call import OwnCall, call_from, write_levels
from playground.axes.own_code import line_in_code
from playground.axes.own_text import read_wanted, write_axes
from playground.axes.real_run import real_run
from playground.axes.report import Report
from playground.axes.search import find_axes

MOST_CHOICES, MOST_ROWS, LONGEST_PROGRAM = 6, 150, 12_000
SEARCH_SECONDS = 4.0


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
        "refusal": _refusal(call, report),
        "surprise": _surprise(call, report),
        "mistakes": _mistakes(call, report),
        "program": _program(report),
    }
    if call.is_small:
        real_run(call, report, told)
    if question["want"].strip():
        told["wanted"] = _wanted(call, question["want"])
    return told


def _parameters(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def shape_text(tree: Any) -> str:
    """Write the shapes of a pytree of arrays."""
    return str(jax.tree.map(lambda leaf: tuple(leaf.shape), tree))


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


def _suggestion(
    call: OwnCall, words: tuple[str, str], found: Any, args: Any, kwargs: Any
) -> dict[str, Any]:
    same = getattr(found, "function", call.function) is call.function
    text = call.described(tuple(args), kwargs) if same else None
    levels = write_levels(tuple(found.levels))
    return {
        "words": list(words),
        "code": found.code,
        "gives": shape_text(found.output),
        "arguments": text,
        "levels": None if text is None else levels,
    }


def _refusal(call: OwnCall, report: Report) -> dict[str, Any] | None:
    error = report.error
    if error is None:
        return None
    return {
        "exception": error.exception,
        "text": error.text[:4000],
        "kind": error.kind,
        "line": line_in_code(report.run.error),
        "words": [error.summary("en"), error.summary("zh")],
        "repairs": [
            _suggestion(call, repair.words, repair, repair.args, repair.kwargs)
            for repair in error.repairs
        ],
    }


def _surprise(call: OwnCall, report: Report) -> dict[str, Any] | None:
    """Find the out_axes that give an output of a mapped argument's own shape."""
    if not report.ok or len(call.levels) > 1 or len(jax.tree.leaves(report.output)) != 1:
        return None
    level, shape = call.levels[0], jax.tree.leaves(report.output)[0].shape
    leaves = jax.tree.leaves(call.args)
    for leaf, axis in zip(leaves, axes_of_leaves(call.args, level.in_axes), strict=True):
        own = np.shape(leaf)
        if not isinstance(axis, int) or own == tuple(shape) or len(own) < 2:
            continue
        changed = replace(level, out_axes=axis)
        other = explain(call.function, call.args, call.kwargs, levels=(changed,))
        if other.ok and jax.tree.leaves(other.output)[0].shape == own:
            words = f"out_axes={axis}"
            found = _Found((changed,), other.code, other.output)
            return _suggestion(call, (words, words), found, call.args, call.kwargs)
    return None


@dataclasses.dataclass(frozen=True)
class _Found:
    levels: tuple[Any, ...]
    code: str
    output: Any


def _wanted(call: OwnCall, want: str) -> dict[str, Any]:
    found = find_axes(
        call.function,
        call.args,
        read_wanted(want),
        depth=len(call.levels),
        kwargs=call.kwargs,
        seconds=SEARCH_SECONDS,
    )
    choices = []
    for choice in found[:MOST_CHOICES]:
        words = _chain_words(choice.levels)
        choices.append(_suggestion(call, words, choice, call.args, call.kwargs))
    return {"choices": choices, "complete": found.complete}


def _mistakes(call: OwnCall, report: Report) -> list[str]:
    """List other shapes that people expect: another place of the batch axis, or none at all."""
    shapes = []
    if report.ok:
        shapes.append(shape_text(report.levels[0].outputs))
        for out_axes in (0, 1):
            chain = (*call.levels[:-1], replace(call.levels[-1], out_axes=out_axes))
            other = explain(call.function, call.args, call.kwargs, levels=chain)
            shapes += [shape_text(other.output)] if other.ok else []
    shapes += [str(np.shape(leaf)) for leaf in jax.tree.leaves(call.args)[:2]]
    return shapes


def _chain_words(levels: tuple[Any, ...]) -> tuple[str, str]:
    axes = [f"in_axes={level.in_axes}, out_axes={level.out_axes}" for level in levels]
    if len(axes) == 1:
        return axes[0], axes[0]
    inner, outer = axes[0], axes[-1]
    return f"inner {inner}; outer {outer}", f"内层 {inner}；外层 {outer}"


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
