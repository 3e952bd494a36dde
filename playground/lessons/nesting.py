"""The two levels of the nesting as the axes engine sees them: shapes from outside to inside."""

from dataclasses import dataclass

import jax

from playground.axes import Level, Report, explain, find_axes
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


def nesting(
    order: str, X: jax.ShapeDtypeStruct, Y: jax.ShapeDtypeStruct, metric: distances.Metric
) -> Report:
    """Ask the axes engine what the two levels do with these shapes; nothing is computed."""
    inner, outer = ((None, 0), (0, None))[:: 1 if order == "rows" else -1]
    return explain(metric, (X, Y), levels=(Level(in_axes=inner), Level(in_axes=outer)))


def stages_of(report: Report) -> tuple[Stage, ...]:
    """Return the shapes at each level, from outside to inside."""
    outputs = [report.output] + [level.outputs for level in reversed(report.levels)]
    inputs = [report.args] + [level.inputs for level in reversed(report.levels)]
    walked = [level.level.in_axes for level in reversed(report.levels)] + [None]
    return tuple(
        Stage(tuple(point.shape for point in points or ()), output.shape, in_axes)
        for points, output, in_axes in zip(inputs, outputs, walked, strict=True)
    )


def predictions(report: Report) -> tuple[tuple[str, ...], str]:
    """Offer shapes that people expect of the matrix.

    Returns:
        Different shapes as text, and the right one: the other order, one level only, the
        coordinates kept, and what the engine says.
    """
    (rows, dimension), (columns, _) = (points.shape for points in report.args)
    guesses = ((rows, columns), (columns, rows), (rows,), (rows, columns, dimension))
    right = report.output.shape
    options = dict.fromkeys(str(shape) for shape in (*guesses, right))
    return tuple(options), str(right)


def code_for(report: Report, shape: str) -> str:
    """Return a call that gives a shape that was predicted; "" when there is none."""
    wanted = tuple(int(size) for size in shape.strip("()").split(",") if size.strip())
    for depth in (1, 2):
        found = find_axes(report.function, report.args, wanted, depth=depth)
        if found.choices:
            return found.choices[0].code
    return ""
