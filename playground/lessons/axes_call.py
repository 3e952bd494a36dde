"""From the settings of the Axes page to one call: function, arguments, axes; all of it literal."""

from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from playground.axes import Level
from playground.foundation.settings import Settings, flag, one_of, text, whole
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
        in_axes: such as "(1, 0)".
        out_axes: such as "0".
        axis_size: size of the batch axis when given; -1 leaves it out.
        axis_name: "usual", "off" or "batch".
        sum_match: whether unmapped outputs are summed over the batch.
        keyword: whether the last argument is passed by keyword.
        example: which example is lit.
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
    want: str = text("", longest=200)
    leading: str = one_of("3, 4", ("none", "5", "3, 4", "2, 3, 4"))


@dataclass(frozen=True)
class Call:
    """One call of a function of the gallery.

    Attributes:
        example: the entry of the gallery.
        shapes: shapes of the leaves.
        leaves: arrays or shapes, as `leaf_values` makes them.
        level: the axes.
        keyword: name of the argument passed by keyword, or "".
        is_small: whether the leaves are arrays.
        unreadable: what could not be read from the settings.
    """

    example: Example
    shapes: tuple[tuple[int, ...], ...]
    leaves: tuple[Any, ...]
    level: Level
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


def call_of(settings: AxesSettings) -> Call:
    """Read the call that the settings describe; what cannot be read falls back to the usual call.

    Args:
        settings: the page's settings.

    Returns:
        The call, with every complaint about what could not be read.
    """
    example = GALLERY[settings.function]
    unreadable: list[LiteralError] = []

    def read(written: str, usual: Any, reader: Any = read_literal) -> Any:
        try:
            return reader(written) if written.strip() else usual
        except LiteralError as error:
            unreadable.append(error)
            return usual

    shapes = read(settings.shapes, example.shapes, read_shapes)
    if len(shapes) != len(example.shapes):
        names = ", ".join(example.leaf_names())
        unreadable.append(
            LiteralError(
                f"{len(shapes)} shapes were given; this function takes {len(example.shapes)}: "
                f"{names}.",
                f"给出了 {len(shapes)} 个形状；这个函数需要 {len(example.shapes)} 个：{names}。",
            )
        )
        shapes = example.shapes
    if any(np.prod([float(n) for n in shape]) > LARGEST_LEAF for shape in shapes):
        unreadable.append(
            LiteralError(
                f"An array may have at most {LARGEST_LEAF:,} numbers here.",
                f"这里的数组最多可有 {LARGEST_LEAF:,} 个数。",
            )
        )
        shapes = example.shapes
    is_small = all(int(np.prod(shape, dtype=int)) <= SMALL_LEAF for shape in shapes)
    usual_in = example.in_axes[:-1] if settings.keyword else example.in_axes
    name = {"usual": example.axis_name, "off": "", "batch": "batch"}[settings.axis_name]
    level = Level(
        in_axes=read(settings.in_axes, usual_in if usual_in != () else 0),
        out_axes=read(settings.out_axes, example.out_axes),
        axis_size=None if settings.axis_size < 0 else settings.axis_size,
        axis_name=name or None,
        sum_match=settings.sum_match,
    )
    return Call(
        example,
        shapes,
        tuple(leaf_values(example, shapes, is_small)),
        level,
        parameters(example.function)[-1] if settings.keyword else "",
        is_small,
        tuple(unreadable),
    )


def settings_for(
    settings: AxesSettings, args: tuple[Any, ...], kwargs: dict[str, Any], level: Level
) -> AxesSettings | None:
    """Return the settings that describe another call of the same function.

    Args:
        settings: the settings now.
        args: positional arguments of the other call.
        kwargs: its keyword arguments.
        level: its axes.

    Returns:
        The settings, or None when the page cannot describe that call.
    """
    example = GALLERY[settings.function]
    names = parameters(example.function)
    if len(args) + len(kwargs) != len(names) or set(kwargs) - {names[-1]}:
        return None
    everything = (*args, *kwargs.values())
    usual = example.arguments(list(example.shapes))
    is_leaf = {"is_leaf": lambda leaf: isinstance(leaf, tuple) and leaf in example.shapes}
    if jax.tree.structure(everything) != jax.tree.structure(usual, **is_leaf):
        return None
    ordered = _in_order(example, everything)
    if ordered is None:
        return None
    changed = replace(
        settings,
        shapes="" if ordered == example.shapes else repr(ordered),
        in_axes=repr(level.in_axes),
        out_axes=repr(level.out_axes),
        axis_size=-1 if level.axis_size is None else level.axis_size,
        axis_name="batch" if level.axis_name == "batch" else "off",
        sum_match=bool(level.sum_match),
        keyword=bool(kwargs),
        want="",
    )
    usual_name = "batch" if example.axis_name else "off"
    if changed.axis_name == usual_name:
        changed = replace(changed, axis_name="usual")
    described = call_of(changed)
    is_same = described.level == level and described.shapes == ordered
    return changed if is_same and not described.unreadable else None


def _in_order(example: Example, everything: tuple[Any, ...]) -> tuple[tuple[int, ...], ...] | None:
    """Return the shapes of the leaves in the gallery's order."""
    marked = jax.tree.leaves(example.arguments(list(range(len(example.shapes)))))
    shapes = [getattr(leaf, "shape", None) for leaf in jax.tree.leaves(everything)]
    if None in shapes or len(shapes) != len(marked):
        return None
    by_leaf = dict(zip(marked, shapes, strict=True))
    return tuple(tuple(by_leaf[i]) for i in range(len(marked)))  # ty: ignore[invalid-argument-type]
