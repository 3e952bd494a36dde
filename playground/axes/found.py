"""What `find_axes` returns, and how a wish for an output is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from playground.axes.levels import Level
from playground.axes.static import entry_cost


@dataclass(frozen=True)
class Choice:
    """Axes that give the wanted output.

    Unpacks as `in_axes, out_axes` for one level and as the levels (innermost first) for more.

    Attributes:
        levels: the chain to call with, innermost first.
        output: pytree of ShapeDtypeStruct that comes out.
        code: the call to write.
    """

    levels: tuple[Level, ...]
    output: Any
    code: str

    @property
    def in_axes(self) -> Any:
        """in_axes of the one level; a tuple of them, innermost first, where there are more."""
        all_axes = tuple(level.in_axes for level in self.levels)
        return all_axes[0] if len(all_axes) == 1 else all_axes

    @property
    def out_axes(self) -> Any:
        """out_axes of the one level; a tuple of them, innermost first, where there are more."""
        all_axes = tuple(level.out_axes for level in self.levels)
        return all_axes[0] if len(all_axes) == 1 else all_axes

    def __iter__(self) -> Iterator[Any]:
        return iter((self.in_axes, self.out_axes) if len(self.levels) == 1 else self.levels)


@dataclass(frozen=True)
class Found(Sequence):
    """The choices found, simplest first.

    Attributes:
        choices: the choices.
        complete: True when every possibility was looked at.
        reason: "" when complete, else "evaluations" or "seconds": the limit that was reached.
        evaluations: how many calls were judged.
    """

    choices: tuple[Choice, ...] = ()
    complete: bool = True
    reason: str = ""
    evaluations: int = 0

    @property
    def stopped_early(self) -> bool:
        """Tell whether a limit ended the search."""
        return not self.complete

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, index: Any) -> Any:
        return self.choices[index]


def _is_shape(want: Any) -> bool:
    return (
        isinstance(want, tuple | list)
        and not hasattr(want, "_fields")
        and all(isinstance(size, int) and not isinstance(size, bool) for size in want)
    )


def wanted_shapes(want: Any) -> tuple[Any, list]:
    """Read a wish for an output.

    Args:
        want: a shape (tuple of ints, `()` for a scalar), an array or ShapeDtypeStruct, or a pytree
            of these; None in a pytree stands for an output None.

    Returns:
        The tree structure and the shapes of its leaves.
    """
    leaves, treedef = jax.tree.flatten(want, is_leaf=_is_shape)
    return treedef, [tuple(w) if _is_shape(w) else tuple(w.shape) for w in leaves]


def simplicity(choice: Choice) -> tuple:
    """Rate a choice: fewer unusual axes first, then unusual outputs, then later axes."""
    entries = [entry for level in choice.levels for entry in level.in_axes]
    costs = [entry_cost(entry) for entry in entries]
    outs = [entry_cost(level.out_axes) for level in choice.levels]
    return (
        sum(cost for cost, _ in costs + outs),
        sum(cost for cost, _ in outs),
        sum(depth for _, depth in costs + outs),
    )


def axes_words(levels: Sequence[Level]) -> tuple[str, str]:
    """Name the axes of a chain, in English and in Chinese; levels are named when there are two."""
    return _by_level([f"in_axes={level.in_axes}, out_axes={level.out_axes}" for level in levels])


def out_axes_words(levels: Sequence[Level]) -> tuple[str, str]:
    """Name the out_axes of a chain, in English and in Chinese."""
    return _by_level([f"out_axes={level.out_axes}" for level in levels])


def _by_level(words: list[str]) -> tuple[str, str]:
    if len(words) == 1:
        return words[0], words[0]
    inner, outer = words[0], words[-1]
    return f"inner {inner}; outer {outer}", f"内层 {inner}；外层 {outer}"
