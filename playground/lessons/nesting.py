"""The two levels of the nesting as the axes engine sees them: shapes from outside to inside."""

from dataclasses import dataclass

import jax
from jaxtyping import Array

from playground.axes import Level, Report, explain
from playground.lessons import distances


@dataclass(frozen=True)
class Stage:
    """What one level of the nesting receives and gives back.

    Attributes:
        inputs: shapes of x and y at this level.
        output: shape of the result at this level.
        in_axes: which axis of each the level walks; None for the function of one pair.
    """

    inputs: tuple[tuple[int, ...], ...]
    output: tuple[int, ...]
    in_axes: tuple[int | None, int | None] | None


def nesting(order: str, X: Array, Y: Array, metric: distances.Metric) -> Report:
    """Ask the axes engine what the two levels do with these shapes; nothing is computed."""
    inner, outer = ((None, 0), (0, None))[:: 1 if order == "rows" else -1]
    shapes = tuple(jax.ShapeDtypeStruct(points.shape, points.dtype) for points in (X, Y))
    return explain(metric, shapes, levels=(Level(in_axes=inner), Level(in_axes=outer)))


def stages_of(report: Report) -> tuple[Stage, ...]:
    """Return the shapes at each level, from outside to inside."""
    outputs = [report.output] + [level.outputs for level in reversed(report.levels)]
    inputs = [report.args] + [level.inputs for level in reversed(report.levels)]
    walked = [level.level.in_axes for level in reversed(report.levels)] + [None]
    return tuple(
        Stage(tuple(point.shape for point in points or ()), output.shape, in_axes)
        for points, output, in_axes in zip(inputs, outputs, walked, strict=True)
    )
