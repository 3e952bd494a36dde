"""What only the compiler refuses: operations without a rule for some types of numbers.

The real call compiles every operation. Shapes alone do not show that a complex argmax has no
lowering; lowering the operation once per combination of types does, and runs nothing.
"""

from __future__ import annotations

from typing import Any

import jax
from jax._src import core, dispatch  # which operations are compiled one by one

# Every operation has a rule for these.
USUAL = frozenset({"float32", "int32", "uint32", "bool", "int8", "uint8", "bfloat16", "float16"})
_lowered: set[Any] = set()


def needs_compiling(primitive: Any) -> bool:
    """Tell whether the real call compiles this operation by itself."""
    return getattr(primitive.impl, "func", None) is dispatch.apply_primitive


def check_rule(primitive: Any) -> None:
    """Raise what the real call raises for an operation that only exists inside compiled programs.

    Raises:
        NotImplementedError: there is no rule to run the operation by itself.
    """
    if getattr(primitive.impl, "__func__", None) is core.Primitive.impl:
        primitive.impl()


def check_lowering(primitive: Any, avals: list, params: dict) -> None:
    """Raise what compiling this operation would raise.

    Args:
        primitive: the operation.
        avals: types of its operands.
        params: its parameters.

    Raises:
        Exception: JAX's own, where there is no rule for these types.
    """
    _check(primitive, avals, params, compiled=needs_compiling(primitive))


def _check(primitive: Any, avals: list, params: dict, *, compiled: bool) -> None:
    inner = list(core.jaxprs_in_params(params))
    for jaxpr in inner:
        for equation in jaxpr.eqns:
            operands = [atom.aval for atom in equation.invars]
            _check(equation.primitive, operands, equation.params, compiled=True)
    if inner or not compiled or not all(isinstance(aval, core.ShapedArray) for aval in avals):
        return
    types = tuple(str(aval.dtype) for aval in avals)
    if USUAL.issuperset(types) or (primitive, types) in _lowered:
        return

    def alone(*operands: Any) -> Any:
        return primitive.bind(*operands, **params)

    specs = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in avals]
    with core.set_current_trace(core.eval_trace):
        jax.jit(alone).lower(*specs)
    _lowered.add((primitive, types))
