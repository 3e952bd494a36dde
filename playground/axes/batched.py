"""How a function was batched: its equations beside those that vmap makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
from jax._src import api_util, core, source_info_util  # equations one by one, prefix rule
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes.equations import EquationRow, Line, Shaped, line_of, naming, with_largest
from playground.axes.leaves import mapped_leaves
from playground.axes.levels import Level
from playground.axes.operations import GROUPING
from playground.axes.programs import axis_names, chained
from playground.axes.sources import source_of

if TYPE_CHECKING:
    from playground.axes.report import Report


def flattened(jaxpr: Any) -> Any:
    """Inline the calls that only group other operations (jit and the like)."""

    def evaluate(program: Any, values: Any, site: Any) -> list:
        known = _known(program, values)
        for equation in program.eqns:
            operands = [_read(known, atom) for atom in equation.invars]
            inner = equation.params.get("jaxpr") or equation.params.get("call_jaxpr")
            # Inside JAX's own helpers no line is the user's: the line of the call stands for it.
            here = equation.source_info.traceback if source_of(equation.source_info) else site
            if equation.primitive.name in GROUPING and inner is not None:
                outs = evaluate(inner, operands, here)
            else:
                with source_info_util.user_context(here):
                    outs = _bind(equation, operands)
            known.update(zip(equation.outvars, outs, strict=True))
        return [_read(known, atom) for atom in program.outvars]

    specs = [_spec(aval) for aval in jaxpr.in_avals]
    return jax.make_jaxpr(lambda *values: evaluate(jaxpr, values, None))(*specs)


def _spec(aval: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)


def _known(program: Any, values: Any) -> dict:
    known = dict(zip(program.constvars, program.consts, strict=True))
    known.update(zip(program.invars, values, strict=True))
    return known


def _read(known: dict, atom: Any) -> Any:
    return atom.val if isinstance(atom, core.Literal) else known[atom]


def _bind(equation: Any, operands: list) -> list:
    params = equation.primitive.get_bind_params(equation.params)
    outs = equation.primitive.bind(*operands, **params)
    return list(outs) if equation.primitive.multiple_results else [outs]


def _marked(jaxpr: Any) -> Callable:
    """Make a function of a jaxpr whose operations carry the number of their equation."""

    def run(*values: Any) -> list:
        known = _known(jaxpr, values)
        for number, equation in enumerate(jaxpr.eqns):
            with jax.named_scope(f"equation{number}"):
                outs = _bind(equation, [_read(known, atom) for atom in equation.invars])
            known.update(zip(equation.outvars, outs, strict=True))
        return [_read(known, atom) for atom in jaxpr.outvars]

    return run


def _number(equation: Any) -> int | None:
    found = re.search(r"equation(\d+)", str(equation.source_info.name_stack))
    return int(found.group(1)) if found else None


def resized(specs: list, axes_by_level: list[list[int | None]], index: int, size: int) -> list:
    """Give the batch axis of one level another size.

    Args:
        specs: shapes of the arguments.
        axes_by_level: the axis of each argument at each level, innermost first.
        index: the level.
        size: the new batch size.

    Returns:
        The new shapes.
    """
    out = []
    for i, spec in enumerate(specs):
        places, shape = list(range(len(spec.shape))), list(spec.shape)
        for level in reversed(range(len(axes_by_level))):
            axis = axes_by_level[level][i]
            if axis is not None:
                place = places.pop(axis)
                shape[place] = size if level == index else shape[place]
        out.append(jax.ShapeDtypeStruct(tuple(shape), spec.dtype, weak_type=spec.weak_type))
    return out


def pair_equations(report: Report) -> tuple[EquationRow, ...]:
    """Pair each equation of the per-example function with those vmap makes of it.

    The batch axis of every value is found by tracing a second time with another batch size: the
    axes whose length follows it are the batch axes.

    Args:
        report: a call that goes through and whose jaxprs can be traced.

    Returns:
        The rows in order; empty where there is no jaxpr.
    """
    if not report.ok or report.jaxpr is None or report.batched_jaxpr is None:
        return ()
    names = axis_names(report.chain, report.run)
    with core.extend_axis_env_nd(names):
        single = flattened(report.jaxpr)
    specs, axes = _arguments(report)
    program = _batch_program(report, single, specs, axes)
    others = [_other_size(report, single, specs, axes, index) for index in range(len(report.chain))]
    return _rows(single, program, others)


def _arguments(report: Report) -> tuple[list, list]:
    """List the traced arguments of the batch and their axes at each level."""
    treedef = jax.tree.structure((report.args, report.kwargs), is_leaf=batching.is_vmappable)
    by_level = [mapped_leaves(treedef, level) for level in report.chain]
    specs = [_spec(aval) for aval in report.batched_jaxpr.in_avals]
    return specs, [[axes[i] for i in report.programs.traced] for axes in by_level]


def _batch_program(report: Report, single: Any, specs: list, axes: list, sizes: Any = None) -> Any:
    chain = []
    for index, (level, level_axes) in enumerate(zip(report.chain, axes, strict=True)):
        size = report.run.visits[index].batch_size if sizes is None else sizes[index]
        chain.append(
            Level(
                in_axes=tuple(level_axes),
                out_axes=_flat_out_axes(report, index),
                axis_size=size,
                axis_name=level.axis_name,
                sum_match=level.sum_match,
            )
        )
    return jax.make_jaxpr(chained(_marked(single), tuple(chain)))(*specs)


def _flat_out_axes(report: Report, index: int) -> list:
    treedef = jax.tree.structure(report.run.visits[index].outputs)
    axes = report.chain[index].out_axes
    return list(api_util.flatten_axes("out_axes", treedef, axes))


def _other_size(report: Report, single: Any, specs: list, axes: list, index: int) -> Any:
    sizes = [visit.batch_size or 0 for visit in report.run.visits]
    sizes[index] += 101
    try:
        return _batch_program(
            report, single, resized(specs, axes, index, sizes[index]), axes, sizes
        )
    except Exception:
        return None  # the function depends on the batch size: no axes to show


def _rows(single: Any, program: Any, others: list) -> tuple[EquationRow, ...]:
    alike = [o if o is not None and len(o.eqns) == len(program.eqns) else None for o in others]
    axes: dict[Any, tuple[int | None, ...]] = {}
    pairs = [(program.invars, [o and o.invars for o in alike])]
    pairs += [
        (equation.outvars, [o and o.eqns[i].outvars for o in alike])
        for i, equation in enumerate(program.eqns)
    ]
    for variables, counterparts in pairs:
        for position, variable in enumerate(variables):
            axes[variable] = tuple(
                other and _changed_axis(variable.aval, other[position].aval) if other else None
                for other in counterparts
            )
    context, batch_context = naming(single), naming(program)
    left = [line_of(equation, context, {}) for equation in single.eqns]
    right = [line_of(equation, batch_context, axes) for equation in program.eqns]
    left, right = with_largest(left), with_largest(right)
    groups: dict[int | None, list[Line]] = {}
    for equation, line in zip(program.eqns, right, strict=True):
        groups.setdefault(_number(equation), []).append(line)
    rows = [
        EquationRow(line, tuple(groups.get(i, ())), source_of(equation.source_info))
        for i, (equation, line) in enumerate(zip(single.eqns, left, strict=True))
    ]
    last = groups.get(None)
    return (*rows, EquationRow(None, tuple(last))) if last else tuple(rows)


def _changed_axis(one: Any, other: Any) -> int | None:
    for position, (a, b) in enumerate(zip(one.shape, other.shape, strict=False)):
        if a != b:
            return position
    return None


__all__ = ["EquationRow", "Line", "Shaped", "pair_equations"]
