"""What the Axes page shows of one call, as plain data; axes.py makes it."""

from dataclasses import dataclass

import numpy as np

from playground.lessons.axes_outer import Axes, places

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """One array of the call: an argument's leaf or an output.

    Attributes:
        name: such as `params["w"]` or `out["sum"]`.
        shape: its shape with all batch axes.
        axes: its batch axis at each level, innermost first, each counted on the array that the
            level has before it; None when it is shared or does not vary, "?" when unknown.
        values: the numbers, or None for shapes alone.
        agrees: for outputs, whether the example that is lit equals the function of its slice; None
            if not checked.
    """

    name: str
    shape: Shape
    axes: Axes
    values: np.ndarray | None
    agrees: bool | None = None

    @property
    def axis(self) -> int | str | None:
        """Its batch axis at the outermost level."""
        return self.axes[-1]

    @property
    def places(self) -> tuple[int | None, ...]:
        """Where the batch axis of each level stands in the shape, innermost first."""
        return places(len(self.shape), self.axes)


@dataclass(frozen=True)
class LevelResult:
    """What one vmap gets and gives, and what the function below it sees and returns.

    Attributes:
        batch_size: how many examples, or None.
        example: which example is lit; clamped to the batch.
        is_refusing: whether JAX refuses the call here.
        seen: shapes that the function below sees, by leaf; None where the call did not get there.
        returned: shapes that the function below returns, by output; None as above.
    """

    batch_size: int | None
    example: int
    is_refusing: bool
    seen: tuple[Shape | None, ...]
    returned: tuple[Shape, ...] | None


@dataclass(frozen=True)
class AxesResult:
    """What the page shows of one call; plain data.

    Attributes:
        ok: whether JAX accepts the call.
        code: the call as one line of Python.
        levels: what happens at each vmap, innermost first.
        arguments: one board for each leaf.
        outputs: one board for each output; empty on refusal.
        refusal: (exception class, JAX's text), or None.
        is_small: whether numbers were computed, or shapes alone.
    """

    ok: bool
    code: str
    levels: tuple[LevelResult, ...]
    arguments: tuple[Board, ...]
    outputs: tuple[Board, ...]
    refusal: tuple[str, str] | None
    is_small: bool

    @property
    def lit(self) -> tuple[int, ...]:
        """The example that is lit at each level, innermost first."""
        return tuple(level.example for level in self.levels)
