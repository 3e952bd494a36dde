"""One exhibit of the error museum: a call that somebody wrote, and what cures it."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import jax
import numpy as np

from playground.axes import Level, Report, explain
from playground.foundation.language import Language, pick
from playground.practice.outcomes import outcome_of


@dataclass(frozen=True)
class Cure:
    """The call that does what was wanted.

    Attributes:
        words: what is changed, in both languages; empty where one of the engine's repairs does it.
        function: the function to use; None keeps the exhibit's.
        arguments: makes the arguments; None keeps the exhibit's.
        levels: the chain, innermost first; None keeps the exhibit's.
        keywords: names of arguments passed by keyword.
    """

    words: tuple[str, str] = ("", "")
    function: FunctionType | None = None
    arguments: FunctionType | None = None
    levels: tuple[Level, ...] | None = None
    keywords: tuple[str, ...] = ()

    def says(self, language: Language) -> str:
        """Say what is changed."""
        return pick(language, *self.words)


@dataclass(frozen=True)
class Exhibit:
    """A call that does not do what its writer wanted.

    Attributes:
        title: a few words, in both languages.
        wish: what the writer wanted, in both languages.
        function: the per-example function.
        arguments: makes the arguments under the names that the function uses.
        others: wrong predictions, as outcomes.
        cure: the call that does what was wanted.
        levels: the chain, innermost first; none means a plain call.
        keywords: names of arguments passed by keyword.
        why: what went wrong where JAX says nothing, in both languages.
        observe: reads an outcome from the numbers where the shape does not show the fault.
    """

    title: tuple[str, str]
    wish: tuple[str, str]
    function: FunctionType
    arguments: FunctionType
    others: tuple[str, ...]
    cure: Cure
    levels: tuple[Level, ...] = (Level(),)
    keywords: tuple[str, ...] = ()
    why: tuple[str, str] = ("", "")
    observe: Callable[[Any], str] | None = None

    def cured(self) -> "Exhibit":
        """Return the cured call as an exhibit of its own."""
        return replace(
            self,
            function=self.cure.function or self.function,
            arguments=self.cure.arguments or self.arguments,
            levels=self.levels if self.cure.levels is None else self.cure.levels,
            keywords=self.cure.keywords,
            observe=None,
        )

    def split(self) -> tuple[tuple, dict[str, Any]]:
        """Return the positional and the keyword arguments."""
        args = self.arguments()
        names = parameter_names(self.function)[: len(args)]
        positional = tuple(a for n, a in zip(names, args, strict=True) if n not in self.keywords)
        named = {n: a for n, a in zip(names, args, strict=True) if n in self.keywords}
        return positional, named

    def report(self) -> Report:
        """Ask the engine."""
        args, kwargs = self.split()
        return explain(self.function, args, kwargs, levels=self.levels)

    def outcome(self) -> str:
        """Return what really happens: the call is made."""
        report = self.report()
        if self.observe is None or not report.ok:
            return outcome_of(report)
        return self.observe(run(report.code, self))

    def setup(self) -> str:
        """Write how the arguments are made: the lines of the function that made them."""
        source = textwrap.dedent(inspect.getsource(self.arguments))
        body = ast.parse(source).body[0].body[1:-1]  # ty: ignore[missing-attribute]
        return "\n".join(ast.get_source_segment(source, statement) or "" for statement in body)


def parameter_names(function: FunctionType) -> tuple[str, ...]:
    """Return the names of a function's parameters, in order."""
    return tuple(inspect.signature(function).parameters)


def run(code: str, exhibit: Exhibit) -> Any:
    """Run one line of code below the lines that make an exhibit's arguments.

    Args:
        code: a call that the engine wrote, or one like it.
        exhibit: whose function and arguments the code names.

    Returns:
        What the call returns; all its errors pass through.
    """
    args, kwargs = exhibit.split()
    names = parameter_names(exhibit.function)
    positional = [name for name in names if name not in kwargs]
    space: dict[str, Any] = {"jax": jax, "jnp": jax.numpy, "functools": functools}
    space |= {exhibit.function.__name__: exhibit.function, **kwargs}
    return eval(code, space | dict(zip(positional, args, strict=False)))


def all_equal(output: Any) -> str:
    """Tell whether all numbers are equal."""
    return "all_equal" if len(np.unique(np.asarray(output))) == 1 else "all_different"


def has_nan(output: Any) -> str:
    """Tell whether there is a nan."""
    return "has_nan" if np.isnan(np.asarray(output)).any() else "all_finite"
