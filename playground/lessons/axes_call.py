"""From the settings of the Axes page to one call: function, arguments, axes; all of it literal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.axes import Level, explain
from playground.axes.leaf_entries import axes_of_leaves
from playground.axes.report import Report
from playground.foundation.settings import Settings, flag, one_of, text, whole
from playground.lessons.axes_outer import Shapes, outer_call
from playground.lessons.gallery import GALLERY, Example, leaf_values, parameters
from playground.lessons.literals import LiteralError, read_literal, read_shapes

SMALL_LEAF = 64
"""Leaves with at most so many numbers are real arrays; of larger ones only shapes are used."""

LARGEST_LEAF = 10**12


@dataclass(frozen=True)
class AxesSettings(Settings, prefix="axes"):
    """What the Axes page shows; texts are Python literals, "" means the function's usual call.

    Attributes:
        function: key of the gallery.
        shapes: shapes of the leaves, such as "((3, 5), (5,))".
        in_axes: such as "(1, 0)"; of the inner vmap where there are two.
        out_axes: such as "0".
        axis_size: size of the batch axis when given; -1 leaves it out.
        axis_name: "usual", "off" or "batch".
        sum_match: whether unmapped outputs are summed over the batch.
        keyword: whether the last argument is passed by keyword.
        example: which example is lit.
        outer: whether a second vmap is around the first; the next five are its own.
        outer_in_axes: such as "(0, None)".
        outer_out_axes: such as "0".
        outer_axis_size: size of its batch axis when given; -1 leaves it out.
        outer_axis_name: "off" or "batch".
        outer_sum_match: whether it sums unmapped outputs.
        outer_example: which of its examples is lit.
        want: a wanted output shape, such as "(3, 5)"; "" asks for nothing.
        leading: leading dimensions for `jnp.vectorize`.
    """

    function: str = one_of("scale_column", tuple(GALLERY))
    shapes: str = text("", longest=200)
    in_axes: str = text("", longest=200)
    out_axes: str = text("", longest=200)
    axis_size: int = whole(-1, low=-1, high=10**6)
    axis_name: str = one_of("usual", ("usual", "off", "batch"))
    sum_match: bool = flag(False)
    keyword: bool = flag(False)
    example: int = whole(1, low=0, high=999_999)
    outer: bool = flag(False)
    outer_in_axes: str = text("", longest=200)
    outer_out_axes: str = text("", longest=200)
    outer_axis_size: int = whole(-1, low=-1, high=10**6)
    outer_axis_name: str = one_of("off", ("off", "batch"))
    outer_sum_match: bool = flag(False)
    outer_example: int = whole(1, low=0, high=999_999)
    want: str = text("", longest=200)
    leading: str = one_of("3, 4", ("none", "5", "3, 4", "2, 3, 4"))


@dataclass(frozen=True)
class Call:
    """One call of a function of the gallery.

    Attributes:
        example: the entry of the gallery.
        shapes: shapes of the leaves.
        leaves: arrays or shapes, as `leaf_values` makes them.
        levels: the axes of one vmap or two, innermost first.
        keyword: name of the argument passed by keyword, or "".
        is_small: whether the leaves are arrays.
        unreadable: what could not be read from the settings.
    """

    example: Example
    shapes: Shapes
    leaves: tuple[Any, ...]
    levels: tuple[Level, ...]
    keyword: str
    is_small: bool
    unreadable: tuple[LiteralError, ...]

    @property
    def all_arguments(self) -> tuple[Any, ...]:
        """All arguments in the function's order, whether passed by keyword or not."""
        return self.example.arguments(list(self.leaves))

    @property
    def args(self) -> tuple[Any, ...]:
        """The positional arguments."""
        return self.all_arguments[:-1] if self.keyword else self.all_arguments

    @property
    def kwargs(self) -> dict[str, Any]:
        """The keyword arguments."""
        return {self.keyword: self.all_arguments[-1]} if self.keyword else {}

    @property
    def axes(self) -> tuple[tuple[int | str | None, ...], ...]:
        """The axis of each leaf by level, None where it is shared, "?" where nothing is said."""
        return tuple(
            _leaf_axes(self.example, level.in_axes, is_keyword=bool(self.keyword))
            for level in self.levels
        )

    def report(self) -> Report:
        """Return what the engine says of the call."""
        return explain(self.example.function, self.args, self.kwargs, levels=self.levels)


def _leaf_axes(example: Example, in_axes: Any, *, is_keyword: bool) -> tuple[int | str | None, ...]:
    """Return the axis of each leaf in the gallery's order; keyword arguments have axis 0."""
    marked = example.arguments(list(range(len(example.shapes))))
    found = axes_of_leaves(marked[:-1] if is_keyword else marked, in_axes)
    order = example.order()
    spread: list[Any] = [0] * len(order)
    for leaf, axis in zip(order, found, strict=False):
        spread[leaf] = axis
    return tuple(spread)


def call_of(settings: AxesSettings) -> Call:
    """Read the call that the settings describe; what cannot be read falls back to the usual call.

    Args:
        settings: the page's settings.

    Returns:
        The call, with every complaint about what could not be read.
    """
    example = GALLERY[settings.function]
    unreadable: list[LiteralError] = []

    def read(written: str, usual: Any, reader: Callable[[str], Any] = read_literal) -> Any:
        try:
            return reader(written) if written.strip() else usual
        except LiteralError as error:
            unreadable.append(error)
            return usual

    usual_in = example.in_axes[:-1] if settings.keyword else example.in_axes
    usual_in = usual_in if usual_in != () else 0
    usual_shapes, usual_outer = example.shapes, None
    if settings.outer:
        axes = _leaf_axes(example, usual_in, is_keyword=settings.keyword)
        usual_shapes, usual_outer = outer_call(
            example, example.shapes, axes, is_keyword=settings.keyword
        )
    shapes = read(settings.shapes, usual_shapes, _read_shapes(example, settings.outer))
    is_small = all(int(np.prod(shape, dtype=int)) <= SMALL_LEAF for shape in shapes)
    name = {"usual": example.axis_name, "off": "", "batch": "batch"}[settings.axis_name]
    levels = [
        Level(
            in_axes=read(settings.in_axes, usual_in),
            out_axes=read(settings.out_axes, example.out_axes),
            axis_size=None if settings.axis_size < 0 else settings.axis_size,
            axis_name=name or None,
            sum_match=settings.sum_match,
        )
    ]
    if settings.outer:
        outer = Level(
            in_axes=read(settings.outer_in_axes, usual_outer),
            out_axes=read(settings.outer_out_axes, 0),
            axis_size=None if settings.outer_axis_size < 0 else settings.outer_axis_size,
            axis_name="batch" if settings.outer_axis_name == "batch" else None,
            sum_match=settings.outer_sum_match,
        )
        levels.append(outer)
    return Call(
        example,
        shapes,
        tuple(leaf_values(example, shapes, is_small)),
        tuple(levels),
        parameters(example.function)[-1] if settings.keyword else "",
        is_small,
        tuple(unreadable),
    )


def _read_shapes(example: Example, has_outer: bool) -> Callable[[str], Shapes]:
    """Make a reader of the shapes of a function's leaves; a second vmap allows one axis more."""

    def read(written: str) -> Shapes:
        shapes = read_shapes(written, 5 if has_outer else 4)
        if len(shapes) != len(example.shapes):
            names = ", ".join(example.leaf_names())
            raise LiteralError(
                f"{len(shapes)} shapes were given; this function takes {len(example.shapes)}: "
                f"{names}.",
                f"给出了 {len(shapes)} 个形状；这个函数需要 {len(example.shapes)} 个：{names}。",
            )
        if any(np.prod([float(n) for n in shape]) > LARGEST_LEAF for shape in shapes):
            raise LiteralError(
                f"An array may have at most {LARGEST_LEAF:,} numbers here.",
                f"这里的数组最多可有 {LARGEST_LEAF:,} 个数。",
            )
        return shapes

    return read
