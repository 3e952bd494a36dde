"""What the page shows of a user's call, as plain data; lab_reading.py makes it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.axes.equations import EquationRow
from playground.foundation.language import Language, pick

if TYPE_CHECKING:
    from playground.practice.lab import LabSettings

Shape = tuple[int, ...]


@dataclass(frozen=True)
class LabBoard:
    """One array: an argument's leaf or an output; `axis` is that of the outermost level.

    Attributes:
        name: such as `params["w"]`.
        shape: as it is passed or comes out.
        dtype: its name.
        axis: the batch axis, None when shared, "?" when unknown.
        values: its numbers, or None.
        agrees: outputs: for each example that was followed, whether it equals the function of its
            slice; None where that is not known.
        python: arguments: how a Python value is written, "" for arrays.
        is_keyword: whether it is passed by keyword.
        axes: arguments: its axis at each level, innermost first.
        changed: arguments: the outermost in_axes for every axis that it could have.
    """

    name: str
    shape: Shape
    dtype: str
    axis: int | str | None
    values: np.ndarray | None
    agrees: tuple[bool | None, ...] = ()
    python: str = ""
    is_keyword: bool = False
    axes: tuple[int | str | None, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class LabSuggestion:
    """Another call, which was tried; `settings` is None where the page cannot show it."""

    words: tuple[str, str]
    code: str
    gives: str
    settings: "LabSettings | None"

    def description(self, language: Language) -> str:
        """Say what it changes."""
        return pick(language, *self.words)


@dataclass(frozen=True)
class LabRefusal:
    """Why JAX refuses the call, and in which line of the code (None when in none)."""

    exception: str
    text: str
    line: int | None
    words: tuple[str, str]
    repairs: tuple[LabSuggestion, ...]


@dataclass(frozen=True)
class LabLevel:
    """What the function below one vmap sees and returns; None where the call did not get there."""

    size: int | None
    seen: tuple[Shape | None, ...] | None
    outputs: tuple[Shape | None, ...] | None


@dataclass(frozen=True)
class LabProgram:
    """The program of one example beside that of the batch, and the two as JAX writes them."""

    rows: tuple[EquationRow, ...]
    largest: str
    largest_bytes: int
    outside_bytes: int
    texts: tuple[str, str]
    why_not: str

    @property
    def is_copied(self) -> bool:
        """Tell whether an intermediate is bigger than all inputs and outputs together."""
        return self.largest_bytes > self.outside_bytes


@dataclass(frozen=True)
class Explained:
    """What the engine says of a call; `function` is "" when the code defines none."""

    function: str
    parameters: tuple[str, ...] = ()
    ok: bool = False
    code: str = ""
    levels: tuple[LabLevel, ...] = ()
    leaves: tuple[LabBoard, ...] = ()
    outputs: tuple[LabBoard, ...] = ()
    refusal: LabRefusal | None = None
    surprise: LabSuggestion | None = None
    program: LabProgram | None = None
    failed: tuple[str, str, int | None] | None = None
    total: float | None = None
    choices: tuple[LabSuggestion, ...] | None = None
    is_complete: bool = True
    mistakes: tuple[str, ...] = ()
