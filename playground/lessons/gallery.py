"""Ready per-example functions for the Axes page, each with a call that shows one idea."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.foundation.language import Language, pick
from playground.lessons.example_functions import (
    add_scalar,
    centre_and_peak,
    centre_in_batch,
    gate,
    linear_layer,
    matvec,
    predict,
    relu_by_if,
    row_filter,
    scale_column,
    scaled_and_factor,
    sum_and_double,
)


@dataclass(frozen=True)
class Example:
    """One function of the gallery with its usual call.

    Attributes:
        function: for ONE example.
        shapes: shapes of the array leaves of the arguments, in order.
        in_axes: the call's in_axes.
        out_axes: its out_axes.
        tree: how arguments are made of the leaves; None means one leaf each.
        values: first values of the leaves, by position; others are counted up.
        axis_name: name of the batch axis when the function needs one.
        axis_size: size of the batch when nothing is mapped.
        idea: what the call shows, in both languages.
    """

    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    in_axes: Any
    idea: tuple[str, str]
    out_axes: Any = 0
    tree: Callable[[list[Any]], tuple[Any, ...]] | None = None
    values: tuple[tuple[float, ...] | None, ...] = ()
    axis_name: str = ""
    axis_size: int | None = None

    def says(self, language: Language) -> str:
        """Say what the call shows."""
        return pick(language, *self.idea)

    def arguments(self, leaves: list[Any]) -> tuple[Any, ...]:
        """Put the leaves together to the positional arguments."""
        return tuple(leaves) if self.tree is None else self.tree(leaves)

    def order(self) -> tuple[int, ...]:
        """Say which leaf stands where in the arguments, as JAX lists them (dicts by key)."""
        return tuple(jax.tree.leaves(self.arguments(list(range(len(self.shapes))))))

    def leaf_names(self) -> tuple[str, ...]:
        """Name the leaves as paths from the argument: `params["w"]`, `x`."""
        names = parameters(self.function)
        marked = self.arguments(list(range(len(self.shapes))))
        paths = jax.tree_util.tree_flatten_with_path(marked)[0]
        named = {leaf: _path(names, path) for path, leaf in paths}
        return tuple(named[i] for i in range(len(self.shapes)))


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's parameters, in order."""
    code = function.__code__  # ty: ignore[missing-attribute]
    return tuple(code.co_varnames[: code.co_argcount])


def _path(names: tuple[str, ...], path: tuple[Any, ...]) -> str:
    return names[path[0].idx] + jax.tree_util.keystr(path[1:]).replace("'", '"')


def leaf_values(
    example: Example, shapes: tuple[tuple[int, ...], ...], is_small: bool
) -> list[np.ndarray | jax.ShapeDtypeStruct]:
    """Make the leaves of the arguments: distinct values, or shapes alone when they are large.

    Args:
        example: an entry of the gallery.
        shapes: shapes of the leaves.
        is_small: whether to make arrays.

    Returns:
        float32 arrays or shapes, one for each leaf; first values are the example's own.
    """
    leaves: list[Any] = []
    for position, shape in enumerate(shapes):
        if not is_small:
            leaves.append(jax.ShapeDtypeStruct(shape, jnp.float32))
            continue
        size = int(np.prod(shape, dtype=int))
        counted = np.arange(1, size + 1, dtype=np.float32)
        own = example.values[position] if position < len(example.values) else None
        if own is not None:
            known = min(len(own), size)
            counted[:known] = own[:known]
            counted[known:] = np.arange(1, size - known + 1) + max(own)
        leaves.append(counted.reshape(shape))
    return leaves


GALLERY: dict[str, Example] = {
    "scale_column": Example(
        scale_column,
        ((3, 5), (5,)),
        (1, 0),
        (
            "Columns go in, and come back as rows: the output's batch axis is 0 unless said.",
            "传入的是列，返回时却成了行：不另行指定时，输出的批次轴是轴 0。",
        ),
        values=(None, (1, 10, 100, 1000, 10000, 2, 20, 200, 2000, 20000)),
    ),
    "add_scalar": Example(
        add_scalar,
        ((4, 3), ()),
        (0, None),
        ("Map the vectors, share the number.", "映射向量，共享标量。"),
        values=(None, (100,)),
    ),
    "row_filter": Example(
        row_filter,
        ((3, 4), (4,)),
        (0, None),
        ("One filter for every row.", "所有行共用一个滤波器。"),
        values=(None, (1, 0, 2, 10)),
    ),
    "linear_layer": Example(
        linear_layer,
        ((5, 3), (2, 3), (2,)),
        (0, None, None),
        ("A batch of examples, one set of weights.", "一批样本，共用一组权重。"),
        values=(None, None, (100, 200)),
    ),
    "dict_parameters": Example(
        predict,
        ((3,), (4,), (4, 3)),
        ({"w": None, "b": 0}, 0),
        (
            "in_axes may follow the argument's structure: shared weights, one bias an example.",
            "in_axes 可以沿用参数的结构：权重共享，每个样本各有一个偏置。",
        ),
        tree=lambda leaves: ({"w": leaves[0], "b": leaves[1]}, leaves[2]),
        values=((1, 2, 3), (0, 10, 20, 30), tuple(range(12))),
    ),
    "dict_outputs": Example(
        sum_and_double,
        ((4, 3),),
        (0,),
        (
            "A dict of outputs takes a dict of out_axes.",
            "输出是字典时，out_axes 也可以是字典。",
        ),
        out_axes={"sum": 0, "doubled": 1},
    ),
    "two_outputs": Example(
        centre_and_peak,
        ((4, 3),),
        (0,),
        (
            "Two outputs, each with its batch axis where you put it.",
            "两个输出，批次轴各放各的位置。",
        ),
        out_axes=(1, 0),
        values=((1, 2, 6, 4, 9, 5, 7, 8, 30, 2, 0, 1),),
    ),
    "matvec": Example(
        matvec,
        ((2, 3), (3, 5)),
        (None, -1),
        (
            "One matrix, vectors kept as columns: the last axis is mapped.",
            "一个矩阵，向量按列存放：映射的是最后一根轴。",
        ),
    ),
    "kept_factor": Example(
        scaled_and_factor,
        ((4, 3), ()),
        (0, None),
        (
            "out_axes=None hands back what does not vary over the batch.",
            "out_axes=None 原样返回不随批次变化的输出。",
        ),
        out_axes=(0, None),
        values=(None, (10,)),
    ),
    "centre": Example(
        centre_in_batch,
        ((4,),),
        (0,),
        (
            "A named batch axis lets one example see the mean of all.",
            "给批次轴命名后，单个样本就能看到整批的均值。",
        ),
        values=((0, 1, 2, 3),),
        axis_name="batch",
    ),
    "gate": Example(
        gate,
        ((5,), (5, 3), (3, 3)),
        (0, 0, None),
        (
            "A mapped condition runs both branches, and copies what they share.",
            "条件被映射后，两个分支都会执行，共享的矩阵也会被复制。",
        ),
        values=((1, -1, 1, -1, 1),),
    ),
    "python_if": Example(
        relu_by_if,
        ((4,), ()),
        (0, None),
        (
            "A Python if needs one truth value; a mapped value has one for each example.",
            "Python 的 if 需要一个真假值；被映射的值每个样本各有一个。",
        ),
        values=((-1, 2, 3, -4), (0,)),
    ),
}
