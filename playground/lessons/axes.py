"""The Axes page: one call explained by the engine, run for real, one example followed through."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from playground.axes import Level
from playground.foundation.script import show_headlines, standalone
from playground.lessons.axes_call import AxesSettings, Call, call_of
from playground.lessons.axes_outer import Axes
from playground.lessons.axes_result import AxesResult, Board, LevelResult, Shape

__all__ = ["AxesSettings", "compute", "headlines", "script"]


def compute(settings: AxesSettings) -> AxesResult:
    """Explain the call, run it, and compare the lit example with the function of its slice."""
    call = call_of(settings)
    report = call.report()
    error = report.error
    wanted = (settings.example, settings.outer_example)
    levels = tuple(
        LevelResult(
            level.batch_size,
            min(example, level.batch_size - 1) if level.batch_size else 0,
            error is not None and index == (error.level or 0),  # the function itself is inside
            _seen_shapes(call, level.inputs, level.keyword_inputs),
            None
            if level.outputs is None
            else tuple(tuple(np.shape(leaf)) for leaf in jax.tree.leaves(level.outputs)),
        )
        for index, (level, example) in enumerate(zip(report.levels, wanted, strict=False))
    )
    arguments = tuple(
        Board(name, shape, tuple(axes), leaf if isinstance(leaf, np.ndarray) else None)
        for name, shape, leaf, *axes in zip(
            call.example.leaf_names(), call.shapes, call.leaves, *call.axes, strict=True
        )
    )
    refusal = None if error is None else (error.exception, error.text)
    lit = tuple(level.example for level in levels)
    outputs = _outputs(call, report, lit) if report.ok else ()
    return AxesResult(report.ok, report.code, levels, arguments, outputs, refusal, call.is_small)


def _seen_shapes(call: Call, inputs: Any, keywords: Any) -> tuple[Shape | None, ...]:
    found: list[Shape | None] = [None] * len(call.shapes)
    if inputs is not None:
        everything = (*inputs, *(keywords or {}).values())
        for leaf, inner in zip(call.example.order(), jax.tree.leaves(everything), strict=True):
            found[leaf] = tuple(np.shape(inner))
    return tuple(found)


def _outputs(call: Call, report: Any, lit: tuple[int, ...]) -> tuple[Board, ...]:
    """Describe each output: where its batch axes landed, and whether the lit example is right."""
    shapes = jax.tree_util.tree_flatten_with_path(report.output)[0]
    out_axes = [_spread(level.out_axes, report.output) for level in call.levels]
    values: list[Any] = [None] * len(shapes)
    alone: list[Any] = [None] * len(shapes)
    if call.is_small:
        output = vmapped(call)(*call.args, **call.kwargs)
        values = [np.asarray(leaf) for leaf in jax.tree.leaves(output)]
        is_plain = all(level.axis_name is None and not level.sum_match for level in call.levels)
        if is_plain and all(level.batch_size for level in report.levels):
            alone = [np.asarray(leaf) for leaf in jax.tree.leaves(one_example(call, lit))]
    boards = []
    for (path, leaf), value, single, *axes in zip(shapes, values, alone, *out_axes, strict=True):
        name = "out" + jax.tree_util.keystr(path).replace("'", '"')
        landed = _counted(len(leaf.shape), axes)
        agrees = None
        if value is not None and single is not None:
            lit_slice = _taken(value, landed, lit)
            agrees = lit_slice.shape == single.shape and np.allclose(lit_slice, single, rtol=1e-6)
        boards.append(Board(name, tuple(leaf.shape), landed, value, agrees))
    return tuple(boards)


def _counted(rank: int, axes: Sequence[int | None]) -> Axes:
    """Count the batch axes of an output from 0, innermost level first."""
    found: list[int | None] = []
    for axis in reversed(axes):
        found.append(None if axis is None else axis % max(rank, 1))
        rank -= axis is not None
    return tuple(reversed(found))


def _taken(array: Any, axes: Axes, lit: tuple[int, ...]) -> np.ndarray:
    """Take one example at each level, the outermost first."""
    for axis, i in zip(reversed(axes), reversed(lit), strict=True):
        array = np.take(array, i, axis=axis) if isinstance(axis, int) else array
    return array


def _spread(prefix: Any, output: Any) -> list[int | None]:
    spread = jax.tree.broadcast(prefix, output, is_leaf=lambda axis: axis is None)
    return jax.tree.leaves(spread, is_leaf=lambda axis: axis is None)


def one_example(call: Call, lit: tuple[int, ...]) -> Any:
    """Call the function for one example alone, without vmap.

    Args:
        call: the call.
        lit: which example at each level, innermost first.

    Returns:
        What the function returns.
    """
    slices = [
        jnp.asarray(_taken(leaf, tuple(axes), lit))
        for leaf, *axes in zip(call.leaves, *call.axes, strict=True)
    ]
    return call.example.function(*call.example.arguments(slices))


def vmap_options(level: Level) -> dict[str, Any]:
    """Return the options of jax.vmap that differ from its defaults, and both axes."""
    return {"in_axes": level.in_axes, "out_axes": level.out_axes, **level.settings()}


def vmapped(call: Call) -> Callable[..., Any]:
    """Return the function of the call under all its vmaps."""
    batched = call.example.function
    for level in call.levels:
        batched = level.apply(batched)
    return batched


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
    batched = str(call.example.function.__name__)  # ty: ignore
    for level in call.levels:
        options = ", ".join(f"{k}={v!r}" for k, v in vmap_options(level).items())
        batched = f"jax.vmap({batched}, {options})"
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
