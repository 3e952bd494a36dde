"""One level of a vmap chain: what is passed to `jax.vmap`, unchecked (JAX itself checks it)."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax

# The options are read from the installed JAX: one that it does not know is not passed on.
VMAP_OPTIONS = frozenset(inspect.signature(jax.vmap).parameters)


@dataclass(frozen=True)
class Level:
    """The arguments of one `jax.vmap`; a chain of them is written innermost first.

    Attributes:
        in_axes: int, None, or a tuple (or list) with one entry per positional argument; an entry
            is an int, None or a pytree prefix of the argument.
        out_axes: int, None, or a pytree prefix of the output.
        axis_size: the batch size where no argument says it.
        axis_name: the name collectives such as `jax.lax.pmean` use.
        sum_match: sum an output that varies over the batch where `out_axes` is None.
    """

    in_axes: Any = 0
    out_axes: Any = 0
    axis_size: int | None = None
    axis_name: Any = None
    sum_match: bool = False

    def settings(self) -> dict[str, Any]:
        """Return the keyword arguments of `jax.vmap` that differ from its defaults."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        usual = {"in_axes": 0, "out_axes": 0, "sum_match": False}
        return {
            name: value
            for name, value in given.items()
            if not (type(value) is type(usual.get(name)) and value == usual.get(name))
        }

    def apply(self, function: Callable) -> Callable:
        """Wrap a function in `jax.vmap` with these arguments.

        Args:
            function: the function at this level.

        Returns:
            The vectorized function.

        Raises:
            TypeError: JAX refuses the arguments when vmap is built.
            NotImplementedError: the installed JAX has no such option.
        """
        settings = self.settings()
        unknown = sorted(set(settings) - VMAP_OPTIONS)
        if unknown:
            raise NotImplementedError(f"jax.vmap of JAX {jax.__version__} has no {unknown[0]}")
        return jax.vmap(function, **settings)


def as_levels(levels: Any) -> tuple[Level, ...]:
    """Accept one level or a sequence of them.

    Args:
        levels: a Level or an iterable of Levels, innermost first.

    Returns:
        The levels as a tuple.

    Raises:
        TypeError: something else than a Level is among them.
    """
    chain = (levels,) if isinstance(levels, Level) else tuple(levels)
    for level in chain:
        if not isinstance(level, Level):
            raise TypeError(f"levels holds Level objects, innermost first; got {level!r}")
    return chain
