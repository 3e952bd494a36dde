"""Why a call was refused: the kind, the level, the argument to blame and the numbers to name."""

from __future__ import annotations

import collections
import re
from dataclasses import dataclass, field
from typing import Any

import jax
from jax._src import api_util, dtypes  # the prefix rule of vmap; what a typed key is

from playground.axes.code import parameter_names
from playground.axes.kinds import Kind
from playground.axes.leaves import abstract, mapped_leaves
from playground.axes.levels import Level
from playground.axes.paths import Leaf, leaves_of, path_text
from playground.axes.prefixes import difference
from playground.axes.running import Run


@dataclass(frozen=True)
class Diagnosis:
    """The findings on one refusal.

    Attributes:
        kind: one of kinds.KINDS.
        level: index of the level that refuses, innermost 0; None without levels.
        argument: path of the leaf or argument to blame, such as `args[1]["w"]`, or "".
        facts: names and numbers for the sentences.
    """

    kind: Kind
    level: int | None
    argument: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


def refusing_level(run: Run) -> tuple[str, int | None]:
    """Find where a run ended.

    Args:
        run: a refused run.

    Returns:
        The phase ("build", "call", "function", "output") and the index of the level.
    """
    if run.unbuilt is not None:
        return "build", run.unbuilt
    for index in reversed(range(len(run.visits))):
        if not run.visits[index].entered:
            return "call", index
    for index, visit in enumerate(run.visits):
        if visit.returned and not (index + 1 < len(run.visits) and run.visits[index + 1].returned):
            return "output", index
        if not visit.returned:
            return "function", index
    return "function", None


def diagnose(
    function: Any, args: tuple, kwargs: dict, levels: tuple[Level, ...], run: Run
) -> Diagnosis:
    """Find out why a call was refused.

    Args:
        function: the per-example function.
        args: positional arguments.
        kwargs: keyword arguments.
        levels: the chain, innermost first.
        run: how the call went.

    Returns:
        The diagnosis.
    """
    phase, index = refusing_level(run)
    if phase == "function" or index is None:
        return _of_function(run.error, index, levels)
    level = levels[index]
    if phase == "build":
        return _of_building(run.error, index, level)
    if index + 1 < len(levels):
        visit = run.visits[index + 1]
        args, kwargs = visit.inputs or (), visit.keyword_inputs or {}
    if phase == "output":
        return _of_output(run, index, level)
    names = parameter_names(function, len(args))
    return _of_call(args, kwargs, names, level, index)


def _of_building(error: Any, index: int, level: Level) -> Diagnosis:
    text = str(error)
    if isinstance(error, NotImplementedError):
        return Diagnosis("unknown_option", index)
    if "out_axes" in text:
        return Diagnosis("out_axes_type", index, facts={"axes": repr(level.out_axes)})
    if "in_axes" in text:
        return Diagnosis("in_axes_type", index, facts={"axes": repr(level.in_axes)})
    return Diagnosis("not_a_function", index)


def _of_call(args: tuple, kwargs: dict, names: Any, level: Level, index: int) -> Diagnosis:
    in_axes = tuple(level.in_axes) if isinstance(level.in_axes, list) else level.in_axes
    if isinstance(in_axes, tuple) and len(in_axes) != len(args):
        kind: Kind = "keyword_arguments" if kwargs else "wrong_tuple_length"
        first = next(iter(kwargs), None)
        facts = {"given": len(in_axes), "needed": len(args), "keywords": list(kwargs)}
        return Diagnosis(kind, index, f'kwargs["{first}"]' if first else "", facts)
    for i, argument in enumerate(args):
        found = difference(in_axes[i], argument) if isinstance(in_axes, tuple) else None
        if found:
            facts = {"difference": found, "name": names[i]}
            return Diagnosis("in_axes_not_a_prefix", index, f"args[{i}]{found.path}", facts)
    leaves = leaves_of(args, kwargs, names)
    try:
        axes = mapped_leaves(jax.tree.structure((args, kwargs)), level)
    except ValueError:
        return Diagnosis("in_axes_not_a_prefix", index)
    mapped = [(leaf, axis) for leaf, axis in zip(leaves, axes, strict=True) if axis is not None]
    return _of_mapped(mapped, level, index)


def _of_mapped(mapped: list[tuple[Leaf, int]], level: Level, index: int) -> Diagnosis:
    for leaf, axis in mapped:
        if leaf.shape is None:
            facts = {"name": leaf.name, "type": type(leaf.value).__name__, "axis": axis}
            return Diagnosis("not_an_array", index, leaf.path, facts)
    shapes = [leaf.shape or () for leaf, _ in mapped]
    for (leaf, axis), shape in zip(mapped, shapes, strict=True):
        rank = len(shape)
        if not -rank <= axis < rank:
            facts = {
                "name": leaf.name,
                "axis": axis,
                "rank": rank,
                "shape": shape,
                "keyword": leaf.position is None,
            }
            dtype = getattr(leaf.aval, "dtype", None)
            if rank:
                return Diagnosis("axis_out_of_range", index, leaf.path, facts)
            is_key = dtype is not None and dtypes.issubdtype(dtype, dtypes.prng_key)
            return Diagnosis("key_mapped" if is_key else "scalar_mapped", index, leaf.path, facts)
    if level.axis_size is not None and not _is_size(level.axis_size):
        return Diagnosis("axis_size_invalid", index, facts={"axis_size": repr(level.axis_size)})
    if not mapped and level.axis_size is None:
        return Diagnosis("nothing_mapped", index)
    sizes = [shape[axis] for (_, axis), shape in zip(mapped, shapes, strict=True)]
    return _of_sizes([(*m, size) for m, size in zip(mapped, sizes, strict=True)], level, index)


def _is_size(size: Any) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and size >= 0


def _of_sizes(mapped: list[tuple[Leaf, int, int]], level: Level, index: int) -> Diagnosis:
    counts = collections.Counter(size for *_, size in mapped)
    if len(counts) == 1 and level.axis_size is not None:
        leaf, axis, size = mapped[0]
        facts = {"axis_size": level.axis_size, "name": leaf.name, "size": size, "axis": axis}
        if size != level.axis_size:
            return Diagnosis("axis_size_conflict", index, leaf.path, facts)
    if len(counts) < 2:
        return Diagnosis("other", index)
    usual = counts.most_common()[0][0]
    if 1 in counts and len(counts) == 2 and counts[1] <= counts[usual] == max(counts.values()):
        usual = next(size for size in counts if size != 1)
    odd = next(item for item in reversed(mapped) if item[2] != usual)
    reference = next(item for item in mapped if item[2] == usual)
    facts = {
        "name": odd[0].name,
        "axis": odd[1],
        "size": odd[2],
        "other": reference[0].name,
        "other_axis": reference[1],
        "other_size": usual,
        "sizes": [(leaf.name, axis, size) for leaf, axis, size in mapped],
    }
    return Diagnosis("sizes_differ", index, odd[0].path, facts)


_CONVERSIONS = {
    "TracerBoolConversionError": "bool",
    "ConcretizationTypeError": "number",
    "TracerIntegerConversionError": "index",
    "TracerArrayConversionError": "numpy",
}


def _of_function(error: Any, index: int | None, levels: tuple[Level, ...]) -> Diagnosis:
    name, text = type(error).__name__, str(error)
    facts: dict[str, Any] = {"text": text.strip().split("\n")[0], "exception": name}
    kind: Kind = "function_error"
    if name in _CONVERSIONS:
        kind, facts["conversion"] = "python_control_flow", _CONVERSIONS[name]
    elif name == "NonConcreteBooleanIndexError":
        kind = "boolean_mask"
    elif isinstance(error, NameError) and (bound := re.search(r"unbound axis name: (\S+)", text)):
        kind, facts["axis_name"] = "unbound_axis_name", bound.group(1).rstrip(".")
    elif "invalid PRNG key data" in text:
        kind = "key_data"
    elif "scalar-output functions" in text:
        kind = "grad_needs_scalar"
    elif text.startswith(("grad requires", "value_and_grad requires")):
        kind = "grad_needs_real"
    elif isinstance(error, TypeError) and re.search(
        r"\(\) (missing|takes|got an unexp|got mul|got some)", text
    ):
        kind = "function_signature"
    return Diagnosis(kind, index, facts=facts)


def _of_output(run: Run, index: int, level: Level) -> Diagnosis:
    outputs, text = run.visits[index].outputs, str(run.error)
    found = difference(level.out_axes, outputs)
    if found or "out_axes specification must be a tree prefix" in text:
        facts = {"difference": found, "output": outputs}
        return Diagnosis("out_axes_not_a_prefix", index, facts=facts)
    pairs, treedef = jax.tree_util.tree_flatten_with_path(outputs)
    for path, value in pairs:
        if abstract(value) is None:
            facts = {"path": path_text(path), "type": type(value).__name__, "value": repr(value)}
            return Diagnosis("output_not_an_array", index, facts=facts)
    if level.axis_size is not None and not _is_size(level.axis_size):
        return Diagnosis("axis_size_invalid", index, facts={"axis_size": repr(level.axis_size)})
    axes = _spread(level.out_axes, treedef)
    for i, ((path, value), axis) in enumerate(zip(pairs, axes, strict=True)):
        varies = i < len(run.visits[index].varies) and run.visits[index].varies[i]
        shape = tuple(getattr(value, "shape", ()))
        facts = {"path": path_text(path), "shape": shape, "axis": axis, "rank": len(shape) + 1}
        if axis is None and varies:
            return Diagnosis("output_varies", index, facts=facts)
        if axis is not None and not -len(shape) - 1 <= axis <= len(shape):
            return Diagnosis("out_axis_out_of_range", index, facts=facts)
    return Diagnosis("other", index)


def _spread(axes: Any, treedef: Any) -> list[Any]:
    return list(api_util.flatten_axes("out_axes", treedef, axes))
