"""What the boards of the Lab page change: an axis of one array, a size of one array."""

from dataclasses import replace

import jax

from playground.axes.own_arguments import ArgumentsError, ArrayOf, KeyOf, read_arguments
from playground.axes.own_text import write_arguments
from playground.practice.lab import LabSettings
from playground.practice.lab_answer import LabBoard


def with_axis(settings: LabSettings, board: LabBoard, axis: int | None) -> LabSettings:
    """Return the settings in which one array is mapped along another axis of the outermost level.

    Args:
        settings: now.
        board: the array.
        axis: its new axis, None to share it.
    """
    text = dict(board.changed).get(str(axis))
    return settings if text is None else replace(settings, in_axes=text)


def resizable(settings: LabSettings) -> tuple[bool, ...]:
    """Tell for each leaf of the arguments whether its sizes can be changed."""
    try:
        given = read_arguments(settings.arguments)
    except ArgumentsError:
        return ()
    leaves = jax.tree.leaves((given.args, given.kwargs))
    return tuple(isinstance(leaf, ArrayOf) or bool(getattr(leaf, "shape", None)) for leaf in leaves)


def with_size(settings: LabSettings, leaf: int, axis: int, size: int) -> LabSettings:
    """Return the settings in which one array has another size along one axis.

    Args:
        settings: now.
        leaf: position of the array among all leaves.
        axis: which axis.
        size: its new size.
    """
    given = read_arguments(settings.arguments)
    leaves, structure = jax.tree.flatten((given.args, given.kwargs))
    one = leaves[leaf]
    if isinstance(one, ArrayOf | KeyOf) and one.shape and axis < len(one.shape):
        shape = (*one.shape[:axis], size, *one.shape[axis + 1 :])
        leaves[leaf] = replace(one, shape=shape)
    args, kwargs = jax.tree.unflatten(structure, leaves)
    return replace(settings, arguments=write_arguments(replace(given, args=args, kwargs=kwargs)))
