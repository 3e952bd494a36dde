"""Equations as data: what is shown of one line of a program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from jax._src import core  # equations are named and printed as JAX does it

from playground.axes.sizes import bytes_of


@dataclass(frozen=True)
class Shaped:
    """One value in an equation.

    Attributes:
        name: its name in the program, or the number itself.
        dtype: JAX's short name of its dtype, such as "f32".
        shape: its shape.
        batch_axes: for each level, innermost first, the position of its batch axis in `shape`, or
            None where the value does not have it.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    batch_axes: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Line:
    """One equation.

    Attributes:
        text: JAX's own rendering of it.
        primitive: the operation.
        operands: what goes in.
        results: what comes out.
        bytes: bytes of the results, those inside loops and branches included if they are bigger.
        largest: the biggest of the program, of its side.
    """

    text: str
    primitive: str
    operands: tuple[Shaped, ...]
    results: tuple[Shaped, ...]
    bytes: int
    largest: bool = False


@dataclass(frozen=True)
class EquationRow:
    """One equation of the per-example function and what vmap made of it.

    Attributes:
        example: the equation for one example; None for the last row, which moves the batch axes of
            the outputs to where out_axes wants them.
        batched: the equations for the batch; empty where the result does not change.
        source: the user's source line, "" where unknown.
    """

    example: Line | None
    batched: tuple[Line, ...]
    source: str = ""


def naming(jaxpr: Any) -> Any:
    """Name the arguments of a program first, as JAX's own rendering does."""
    context = core.JaxprPpContext()
    for variable in (*jaxpr.constvars, *jaxpr.invars):
        core.pp_var(variable, context)
    return context


def with_largest(lines: list[Line]) -> list[Line]:
    """Mark the biggest lines of a program."""
    most = max((line.bytes for line in lines), default=0)
    return [replace(line, largest=line.bytes == most) for line in lines]


def line_of(equation: Any, context: Any, axes: dict) -> Line:
    """Describe an equation; `axes` holds the batch axes of its values."""
    settings = core.JaxprPpSettings()
    text = str(core.pp_eqn(equation, context, settings).format(width=100))
    results = tuple(_shaped(var, context, axes) for var in equation.outvars)
    operands = tuple(_shaped(atom, context, axes) for atom in equation.invars)
    return Line(text, equation.primitive.name, operands, results, equation_bytes(equation))


def equation_bytes(equation: Any) -> int:
    """Return the bytes of the results, or of the biggest equation inside if that is more."""
    own = sum(
        bytes_of(var.aval.shape, var.aval.dtype)
        for var in equation.outvars
        if hasattr(var.aval, "dtype")
    )
    inner = [
        equation_bytes(inner)
        for jaxpr in core.jaxprs_in_params(equation.params)
        for inner in jaxpr.eqns
    ]
    return max([own, *inner])


def _shaped(atom: Any, context: Any, axes: dict) -> Shaped:
    name = str(atom.val) if isinstance(atom, core.Literal) else str(core.pp_var(atom, context))
    short = atom.aval.str_short(short_dtypes=True)
    shape = tuple(getattr(atom.aval, "shape", ()))
    known = () if isinstance(atom, core.Literal) else axes.get(atom, ())
    return Shaped(name, short.split("[")[0], shape, known)
