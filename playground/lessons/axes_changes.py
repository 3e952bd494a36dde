"""From the call that the Axes page shows to the settings of another: repaired, nested, changed."""

from dataclasses import fields, replace
from typing import Any

import jax

from playground.axes import Level
from playground.axes.leaf_entries import in_axes_changed
from playground.lessons.axes_call import AxesSettings, Call, call_of
from playground.lessons.axes_outer import Shapes, inner_shapes, outer_call
from playground.lessons.gallery import GALLERY, Example, parameters


def settings_for(
    settings: AxesSettings, args: tuple[Any, ...], kwargs: dict[str, Any], levels: tuple[Level, ...]
) -> AxesSettings | None:
    """Return the settings that describe another call of the same function.

    Args:
        settings: the settings now.
        args: positional arguments of the other call.
        kwargs: its keyword arguments.
        levels: its axes, innermost first.

    Returns:
        The settings, or None when the page cannot describe that call.
    """
    example = GALLERY[settings.function]
    names = parameters(example.function)
    if len(args) + len(kwargs) != len(names) or set(kwargs) - {names[-1]} or len(levels) > 2:
        return None
    everything = (*args, *kwargs.values())
    usual = example.arguments(list(example.shapes))
    is_leaf = {"is_leaf": lambda leaf: isinstance(leaf, tuple) and leaf in example.shapes}
    if jax.tree.structure(everything) != jax.tree.structure(usual, **is_leaf):
        return None
    ordered = _in_order(example, everything)
    if ordered is None:
        return None
    inner, outer = levels[0], levels[1] if len(levels) == 2 else Level()
    changed = replace(
        settings,
        shapes=repr(ordered),
        in_axes=repr(inner.in_axes),
        out_axes=repr(inner.out_axes),
        axis_size=-1 if inner.axis_size is None else inner.axis_size,
        axis_name="batch" if inner.axis_name == "batch" else "off",
        sum_match=bool(inner.sum_match),
        outer=len(levels) == 2,
        outer_in_axes=repr(outer.in_axes) if len(levels) == 2 else "",
        outer_out_axes=repr(outer.out_axes) if len(levels) == 2 else "",
        outer_axis_size=-1 if outer.axis_size is None else outer.axis_size,
        outer_axis_name="batch" if outer.axis_name == "batch" else "off",
        outer_sum_match=bool(outer.sum_match),
        keyword=bool(kwargs),
        want="",
    )
    usual_name = "batch" if example.axis_name else "off"
    if changed.axis_name == usual_name:
        changed = replace(changed, axis_name="usual")
    described = call_of(changed)
    is_same = described.levels == tuple(levels) and described.shapes == ordered
    return _short(changed, "shapes") if is_same and not described.unreadable else None


def _in_order(example: Example, everything: tuple[Any, ...]) -> Shapes | None:
    """Return the shapes of the leaves in the gallery's order."""
    order = example.order()
    shapes = [getattr(leaf, "shape", None) for leaf in jax.tree.leaves(everything)]
    if None in shapes or len(shapes) != len(order):
        return None
    by_leaf = dict(zip(order, shapes, strict=True))
    return tuple(tuple(by_leaf[i]) for i in range(len(order)))  # ty: ignore[invalid-argument-type]


def _short(settings: AxesSettings, *names: str) -> AxesSettings:
    """Leave out the texts that say what the usual call says."""
    for name in names:
        shorter, now = call_of(blank := replace(settings, **{name: ""})), call_of(settings)
        if (shorter.shapes, shorter.levels) == (now.shapes, now.levels):
            settings = blank
    return settings


def _single(settings: AxesSettings) -> AxesSettings:
    """Leave out all that is about the outer vmap."""
    names = [item.name for item in fields(settings) if item.name.startswith("outer")]
    return replace(settings, **{name: AxesSettings.default(name) for name in names})


def in_axes_with(call: Call, leaf: int, axis: int | None, level: int = 0) -> str:
    """Write the in_axes that map one leaf differently and leave all others as they are.

    Args:
        call: the call now.
        leaf: position of the leaf.
        axis: its new axis, None to share it.
        level: of which vmap, the innermost is 0.

    Returns:
        A literal such as "(1, None)", with plain entries where a whole argument agrees.
    """
    position = call.example.order().index(leaf)
    return repr(in_axes_changed(call.args, call.levels[level].in_axes, position, axis))


def with_outer(settings: AxesSettings) -> AxesSettings:
    """Put a second vmap around the call; see `outer_call` for what it maps."""
    settings = replace(settings, outer=False)
    call = call_of(settings)
    shapes, in_axes = outer_call(
        call.example, call.shapes, call.axes[0], is_keyword=bool(call.keyword)
    )
    nested = replace(
        _single(settings),
        outer=True,
        shapes=repr(shapes),
        outer_in_axes=repr(in_axes),
        want="",
    )
    return _short(nested, "shapes", "outer_in_axes")


def without_outer(settings: AxesSettings) -> AxesSettings:
    """Take the second vmap away, and from each array the axis that it mapped.

    A call that was refused inside stays as it is; where the outer vmap was wrong and what is left
    is no call that works, it is the function's usual call.
    """
    call = call_of(replace(settings, outer=True))
    shapes = repr(inner_shapes(call.shapes, call.axes[1]))
    single = _short(replace(_single(settings), shapes=shapes, want=""), "shapes")
    alone = call_of(single)
    if alone.unreadable or not (alone.report().ok or _is_refused_inside(call)):
        return AxesSettings(function=settings.function)
    return single


def _is_refused_inside(call: Call) -> bool:
    error = call.report().error
    return error is not None and error.level == 0
