"""The Axes page: one call explained by the engine, run for real, one example followed through."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes import Level, explain
from playground.foundation.script import show_headlines, standalone
from playground.lessons.axes_call import AxesSettings, Call, call_of
from playground.lessons.gallery import Example
from playground.lessons.leaf_axes import leaf_axes

__all__ = ["AxesSettings", "compute", "headlines", "script"]


@dataclass(frozen=True)
class Board:
    """One array of the call: an argument's leaf or an output.

    Attributes:
        name: such as `params["w"]` or `out["sum"]`.
        shape: its shape with the batch axis.
        inside: its shape for one example, or None when the call did not get that far.
        axis: the batch axis, None when it is shared or does not vary, "?" when unknown.
        values: the numbers, or None for shapes alone.
        agrees: for outputs, whether example i equals the function of slice i; None if not checked.
    """

    name: str
    shape: tuple[int, ...]
    inside: tuple[int, ...] | None
    axis: int | str | None
    values: np.ndarray | None
    agrees: bool | None = None


@dataclass(frozen=True)
class AxesResult:
    """What the page shows of one call; plain data.

    Attributes:
        ok: whether JAX accepts the call.
        code: the call as one line of Python.
        batch_size: how many examples, or None.
        arguments: one board for each leaf.
        outputs: one board for each output; empty on refusal.
        example: which example is lit; clamped to the batch.
        refusal: (exception class, JAX's text), or None.
        is_small: whether numbers were computed, or shapes alone.
    """

    ok: bool
    code: str
    batch_size: int | None
    arguments: tuple[Board, ...]
    outputs: tuple[Board, ...]
    example: int
    refusal: tuple[str, str] | None
    is_small: bool


def compute(settings: AxesSettings) -> AxesResult:
    """Explain the call, run it, and compare example i with the function of slice i."""
    call = call_of(settings)
    report = explain(call.example.function, call.args, call.kwargs, levels=(call.level,))
    seen = report.levels[0]
    size = seen.batch_size
    lit = min(settings.example, size - 1) if size else 0
    inside = _inside_shapes(call, seen.inputs, seen.keyword_inputs)
    axes = leaf_axes(call)
    arguments = tuple(
        Board(name, shape, inner, axis, leaf if isinstance(leaf, np.ndarray) else None)
        for name, shape, inner, axis, leaf in zip(
            call.example.leaf_names(), call.shapes, inside, axes, call.leaves, strict=True
        )
    )
    refusal = None
    if report.error is not None:
        refusal = (report.error.exception, report.error.text)
    outputs = _outputs(call, report, axes, lit) if report.ok else ()
    return AxesResult(report.ok, report.code, size, arguments, outputs, lit, refusal, call.is_small)


def _inside_shapes(call: Call, inputs: Any, keywords: Any) -> list[tuple[int, ...] | None]:
    marked = call.example.arguments(list(range(len(call.shapes))))
    found: list[tuple[int, ...] | None] = [None] * len(call.shapes)
    if inputs is not None:
        everything = (*inputs, *(keywords or {}).values())
        for leaf, inner in zip(jax.tree.leaves(marked), jax.tree.leaves(everything), strict=True):
            found[leaf] = tuple(np.shape(inner))
    return found


def _outputs(call: Call, report: Any, axes: tuple[Any, ...], lit: int) -> tuple[Board, ...]:
    """Describe each output: where its batch axis landed, and whether example i is right."""
    shapes = jax.tree_util.tree_flatten_with_path(report.output)[0]
    inner = [tuple(leaf.shape) for leaf in jax.tree.leaves(report.levels[0].outputs)]
    out_axes = _spread(call.level.out_axes, report.output)
    values: list[Any] = [None] * len(shapes)
    alone: list[Any] = [None] * len(shapes)
    if call.is_small:
        run = jax.vmap(call.example.function, **vmap_options(call.level))
        values = [np.asarray(leaf) for leaf in jax.tree.leaves(run(*call.args, **call.kwargs))]
        if (
            call.level.axis_name is None
            and not call.level.sum_match
            and report.levels[0].batch_size
        ):
            alone = [np.asarray(leaf) for leaf in jax.tree.leaves(one_example(call, axes, lit))]
    boards = []
    for (path, leaf), inside, axis, value, single in zip(
        shapes, inner, out_axes, values, alone, strict=True
    ):
        place = None if axis is None else axis % max(len(leaf.shape), 1)
        agrees = None
        if value is not None and single is not None:
            lit_slice = value if place is None else np.take(value, lit, axis=place)
            agrees = lit_slice.shape == single.shape and np.allclose(lit_slice, single, rtol=1e-6)
        name = "out" + jax.tree_util.keystr(path).replace("'", '"')
        boards.append(Board(name, tuple(leaf.shape), inside, place, value, agrees))
    return tuple(boards)


def _spread(prefix: Any, output: Any) -> list[int | None]:
    spread = jax.tree.broadcast(prefix, output, is_leaf=lambda axis: axis is None)
    return jax.tree.leaves(spread, is_leaf=lambda axis: axis is None)


def one_example(call: Call, axes: tuple[Any, ...], i: int) -> Any:
    """Call the function for example i alone, without vmap.

    Args:
        call: the call.
        axes: the axis of each leaf, None where it is shared.
        i: which example.

    Returns:
        What the function returns.
    """
    slices = [
        jnp.asarray(leaf if axis is None else np.take(leaf, i, axis=axis))
        for leaf, axis in zip(call.leaves, axes, strict=True)
    ]
    return call.example.function(*call.example.arguments(slices))


def vmap_options(level: Level) -> dict[str, Any]:
    """Return the options of jax.vmap that differ from its defaults, and both axes."""
    options: dict[str, Any] = {"in_axes": level.in_axes, "out_axes": level.out_axes}
    if level.axis_size is not None:
        options["axis_size"] = level.axis_size
    if level.axis_name is not None:
        options["axis_name"] = level.axis_name
    if level.sum_match:
        options["sum_match"] = True
    return options


def shape_text(tree: Any) -> str:
    """Write the shapes of a pytree of arrays: (5, 3), or one for each output."""
    return str(jax.tree.map(lambda leaf: tuple(leaf.shape), tree))


def total(tree: Any) -> float:
    """Return the sum of all numbers of a pytree, as a fingerprint of its values."""
    return float(sum(np.asarray(leaf, np.float64).sum() for leaf in jax.tree.leaves(tree)))


def headlines(result: AxesResult) -> dict[str, Any]:
    """Return the numbers that the page and its script both show."""
    if result.refusal is not None:
        return {"refused with": result.refusal[0]}
    shown: dict[str, Any] = {"output shapes": str([board.shape for board in result.outputs])}
    if result.is_small:
        shown["sum of all numbers"] = total([board.values for board in result.outputs])
    return shown


def script(settings: AxesSettings) -> str:
    """Return the standalone script of the call."""
    call = call_of(settings)
    names = call.example.leaf_names()
    lines = [
        f"leaf_{i} = {_written(leaf)}  # {name}"
        for i, (leaf, name) in enumerate(zip(call.leaves, names, strict=True))
    ]
    leaves = [_Name(f"leaf_{i}") for i in range(len(names))]
    arguments = call.example.arguments(leaves)
    passed = [repr(a) for a in arguments[: len(call.args)]]
    passed += [f"{call.keyword}={arguments[-1]!r}"] if call.keyword else []
    options = ", ".join(f"{k}={v!r}" for k, v in vmap_options(call.level).items())
    batched = f"jax.vmap({call.example.function.__name__}, {options})"  # ty: ignore
    if call.is_small:
        lines.append(f"run = lambda: {batched}({', '.join(passed)})")
    else:
        lines.append(f"run = lambda: jax.eval_shape({batched}, {', '.join(passed)})")
    lines += [
        "try:",
        "    output = run()",
        "    shapes = str([leaf.shape for leaf in jax.tree.leaves(output)])",
        f"    show_headlines({{'output shapes': shapes{_total_entry(call)}}})",
        "except Exception as error:",
        "    show_headlines({'refused with': type(error).__name__})",
    ]
    functions: list[Any] = [call.example.function, show_headlines]
    functions += [total] if call.is_small else []
    title = f"jax.vmap of {call.example.function.__name__}: {call.example.says('en')}"  # ty: ignore
    return standalone(*functions, body="\n".join(lines), title=title)


def _total_entry(call: Call) -> str:
    return ", 'sum of all numbers': total(output)" if call.is_small else ""


class _Name(str):
    """A variable's name that writes itself without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _written(leaf: Any) -> str:
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return f"jax.ShapeDtypeStruct({leaf.shape}, jnp.float32)"
    numbers = [int(n) if n == int(n) else float(n) for n in leaf.ravel().tolist()]
    return f"jnp.array({numbers}, jnp.float32).reshape({leaf.shape})"


def example_of(settings: AxesSettings) -> Example:
    """Return the gallery's entry that is shown."""
    return call_of(settings).example
