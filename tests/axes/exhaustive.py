"""Whether any axes at all make a call go through: brute force with the real jax.vmap."""

import itertools

import jax
import numpy as np

MOST = 3000


def leaf_options(leaf):
    if not hasattr(leaf, "shape") or isinstance(leaf, np.generic):
        return [None]
    return [None, *range(leaf.ndim)]


def argument_options(argument):
    leaves, treedef = jax.tree.flatten(argument)
    if len(leaves) > 3:
        common = set(leaf_options(leaves[0])).intersection(*map(leaf_options, leaves[1:]))
        return list(common)
    if not leaves:
        return [0]
    return [
        jax.tree.unflatten(treedef, axes) for axes in itertools.product(*map(leaf_options, leaves))
    ]


def sizes(args, kwargs, in_axes):
    """The batch sizes that in_axes asks for; kwargs are mapped along axis 0."""
    found = set()
    for argument, entry in zip(args, in_axes, strict=True):
        leaves, treedef = jax.tree.flatten(argument)
        axes = (
            treedef.flatten_up_to(entry)
            if not (entry is None or isinstance(entry, int))
            else ([entry] * len(leaves))
        )
        for leaf, axis in zip(leaves, axes, strict=True):
            if axis is not None:
                found.add(leaf.shape[axis])
    for leaf in jax.tree.leaves(kwargs):
        shape = np.shape(leaf) if not isinstance(leaf, jax.Array) else leaf.shape
        found.add(shape[0] if shape else "scalar")
    return found


def some_axes_work(call):
    """Whether other in_axes and out_axes of one level make the real call go through."""
    level = call.levels[0]
    try:
        options = [argument_options(argument) for argument in call.args]
    except Exception:
        return False
    for in_axes in itertools.islice(itertools.product(*options), MOST):
        asked = sizes(call.args, call.kwargs, in_axes)
        if level.axis_size is not None:
            asked.add(level.axis_size)
        if len(asked) != 1 or "scalar" in asked:
            continue
        for out_axes in (level.out_axes, 0):
            try:
                jax.vmap(
                    call.function,
                    in_axes=in_axes,
                    out_axes=out_axes,
                    axis_size=level.axis_size,
                    axis_name=level.axis_name,
                    sum_match=level.sum_match,
                )(*call.args, **call.kwargs)
            except Exception:
                continue
            return True
    return False


def runs(repair):
    """Whether a repair goes through in the real jax.vmap."""
    function = repair.function
    for level in repair.levels:
        function = level.apply(function)
    return function(*repair.args, **repair.kwargs)
