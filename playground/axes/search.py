"""`find_axes`: the axes that give a wanted output shape."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
from jax._src.interpreters import batching  # what vmap takes as one leaf

from playground.axes import code
from playground.axes.found import Choice, Found, simplicity, wanted_shapes
from playground.axes.judging import judge
from playground.axes.leaves import output_of
from playground.axes.levels import Level
from playground.axes.paths import leaves_of
from playground.axes.running import Run
from playground.axes.static import Shape, in_axes_choices, remaining_shapes

MOST_OUT_AXES = 256


class _LimitReachedError(Exception):
    pass


@dataclass
class _Budget:
    evaluations: int
    deadline: float
    used: int = 0

    def spend(self) -> None:
        if self.used >= self.evaluations:
            raise _LimitReachedError("evaluations")
        if time.monotonic() > self.deadline:
            raise _LimitReachedError("seconds")
        self.used += 1


@dataclass
class _Search:
    function: Callable
    args: tuple
    kwargs: dict
    wanted: tuple[Any, list]
    depth: int
    budget: _Budget
    found: list[Choice] = field(default_factory=list)

    def run(self) -> None:
        names = code.parameter_names(self.function, len(self.args))
        leaves = leaves_of(self.args, self.kwargs, names)
        _, in_tree = jax.tree.flatten((self.args, self.kwargs), is_leaf=batching.is_vmappable)
        shapes = [leaf.shape for leaf in leaves]
        for chain in self._chains(in_tree, shapes, leaves, self.depth):
            self.budget.spend()
            run = judge(self.function, self.args, self.kwargs, chain)
            # A refusal of the output alone (a string) is not helped by other out_axes.
            if run.ok:
                for out_axes in self._out_axes(run):
                    self._verify(chain, out_axes)

    def _chains(
        self, in_tree: Any, shapes: list[Shape], leaves: list, depth: int
    ) -> Iterator[tuple[Level, ...]]:
        grouped = [
            [s for s, leaf in zip(shapes, leaves, strict=True) if leaf.position == i]
            for i in range(len(self.args))
        ]
        outer_choices = [
            (level, rest[0])
            for in_axes in in_axes_choices(self.args, grouped)
            if (rest := remaining_shapes(in_tree, shapes, [level := Level(in_axes)]))
        ]
        for level, rest in outer_choices:
            if depth == 1:
                yield (level,)
            else:
                for inner in self._chains(in_tree, rest, leaves, depth - 1):
                    yield (*inner, level)

    def _out_axes(self, run: Run) -> Iterator[tuple]:
        """Deduce which out_axes per level give the wanted shapes."""
        outputs, treedef = jax.tree.flatten(run.visits[0].outputs)
        want_tree, want_leaves = self.wanted
        if treedef != want_tree:
            return
        per_leaf = []
        for i, (output, want) in enumerate(zip(outputs, want_leaves, strict=True)):
            # Shapes after each level, with the axes chosen so far.
            states: list[tuple[tuple, tuple]] = [(tuple(getattr(output, "shape", ())), ())]
            for visit in run.visits:
                size, varies = visit.batch_size, visit.varies[i]
                states = [
                    (shape if axis is None else (*shape[:axis], size, *shape[axis:]), (*axes, axis))
                    for shape, axes in states
                    for axis in [*range(len(shape) + 1), *([] if varies else [None])]
                ]
            per_leaf.append([axes for shape, axes in states if shape == want])
        for combination in itertools.islice(itertools.product(*per_leaf), MOST_OUT_AXES):
            by_level = zip(*combination, strict=True) if combination else [()] * self.depth
            yield tuple(
                axes[0]
                if axes and len(set(axes)) == 1
                else jax.tree.unflatten(treedef, axes)
                if axes
                else 0
                for axes in by_level
            )

    def _verify(self, chain: tuple[Level, ...], out_axes: tuple) -> None:
        levels = tuple(
            Level(level.in_axes, axes) for level, axes in zip(chain, out_axes, strict=True)
        )
        self.budget.spend()
        run = judge(self.function, self.args, self.kwargs, levels)
        if not run.ok:
            return
        output = output_of(run.result)
        shapes, treedef = jax.tree.flatten(output)
        if (treedef, [s.shape for s in shapes]) == self.wanted:
            line = code.call(
                self.function,
                code.argument_expressions(self.function, self.args),
                code.keyword_expressions(self.kwargs),
                levels,
            )
            self.found.append(Choice(levels, output, line))


def find_axes(
    fn: Callable,
    args: Sequence[Any],
    want: Any,
    depth: int = 1,
    *,
    kwargs: Mapping[str, Any] | None = None,
    most_evaluations: int = 2000,
    seconds: float = 10.0,
) -> Found:
    """Find all in_axes and out_axes that give a wanted output shape.

    Args:
        fn: the per-example function.
        args: positional arguments as `explain` takes them.
        want: a shape, or a pytree of shapes; see `wanted_shapes`.
        depth: how many vmaps to nest.
        kwargs: keyword arguments (mapped along axis 0).
        most_evaluations: how many calls to judge at most.
        seconds: how long to search at most.

    Returns:
        The choices, simplest first; non-negative axes only. Says when it stopped early.

    Raises:
        ValueError: depth is less than 1.
    """
    if depth < 1:
        raise ValueError(f"depth is the number of nested vmaps, at least 1; got {depth}")
    budget = _Budget(most_evaluations, time.monotonic() + seconds)
    search = _Search(fn, tuple(args), dict(kwargs or {}), wanted_shapes(want), depth, budget)
    reason = ""
    try:
        search.run()
    except _LimitReachedError as stop:
        reason = str(stop)
    choices = tuple(sorted(search.found, key=simplicity))
    return Found(choices, not reason, reason, budget.used)
