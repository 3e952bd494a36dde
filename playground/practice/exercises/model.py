"""What an exercise is made of: functions to write, cases to judge them by, mistakes by name.

Everything here is data of the trusted process; the user's process never sees an expected value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from playground.foundation.language import Language, pick
from playground.sandbox.asking import Answer, Call
from playground.sandbox.trees import KeyData

Pair = tuple[str, str]
"""One sentence in English and in Chinese."""

Stage = Literal[
    "runs", "names", "shape", "dtype", "values", "edge", "vectorised", "properties", "passed"
]
STAGES: tuple[Stage, ...] = (
    "runs",
    "names",
    "shape",
    "dtype",
    "values",
    "edge",
    "vectorised",
    "properties",
)


@dataclass(frozen=True)
class Finding:
    """One mistake that was found.

    Attributes:
        stage: which check found it.
        kind: its name, such as "transposed".
        says: what is wrong.
        advice: what to do.
        details: what was compared, for the page.
    """

    stage: Stage
    kind: str
    says: Pair
    advice: Pair = ("", "")
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """What came of one check.

    Attributes:
        passed: whether every check held.
        kind: "passed", or the name of the mistake.
        stage: the check that ended it.
        says: the verdict in both languages.
        details: `function`, `arguments`, `target`, `yours`, `line`, where there are such.
    """

    passed: bool
    kind: str
    stage: Stage
    says: Pair
    details: dict[str, Any] = field(default_factory=dict)

    def message(self, lang: Language) -> str:
        """Say the verdict and what to do in one language."""
        return pick(lang, *self.says)


@dataclass(frozen=True, eq=False)
class Case:
    """One call with the value it must give.

    Attributes:
        function: whom to call.
        arguments: positional, as `sandbox.asking.Call` takes them.
        expected: float64 arrays, in tuples and dictionaries as they must come back.
        stage: "values", or "edge" for sizes 1 and 0 and the like.
        about: what is special about an edge, in both languages.
        is_whole: whether whole numbers are as good as floats.
    """

    function: str
    arguments: tuple[Any, ...]
    expected: Any
    stage: Stage = "values"
    about: Pair = ("", "")
    is_whole: bool = False


@dataclass(frozen=True)
class Mistake:
    """A known mistake: what the function would return if it were made.

    Attributes:
        function: which function makes it.
        kind: its name.
        compute: from the call's arguments to the wrong value, in NumPy.
        says: what is wrong.
        advice: what to do.
    """

    function: str
    kind: str
    compute: Callable[..., Any]
    says: Pair
    advice: Pair = ("", "")


@dataclass(frozen=True, eq=False)
class Growth:
    """A function traced for two sizes of its batch: its program must not grow.

    Attributes:
        function: whom to trace (of the user or of the exercise's `setup`).
        small: arguments for the small batch.
        large: arguments for the large one.
        added: how many more examples there are.
        over: what is counted, in both languages.
    """

    function: str
    small: tuple[Any, ...]
    large: tuple[Any, ...]
    added: int
    over: Pair = ("examples", "样本")


@dataclass(frozen=True)
class Property:
    """Calls whose answers must stand in a relation.

    Attributes:
        calls: what to call.
        judge: gets the answers, none of them an error; a finding or None.
        is_form: whether it is about shape and dtype and comes before all other checks of values.
    """

    calls: Sequence[Call]
    judge: Callable[[Sequence[Answer]], Finding | None]
    is_form: bool = False


@dataclass(frozen=True)
class ErrorHint:
    """What an error of JAX means in this exercise.

    Attributes:
        pattern: regular expression for "Type: message".
        kind: the mistake's name.
        says: what it means here.
    """

    pattern: str
    kind: str
    says: Pair


def _none(_: np.random.Generator) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        id: "E1" ...
        title: in both languages.
        functions: name -> names of its parameters; all must be defined.
        starter: code to begin with.
        answer: a reference answer; the tests check it too.
        hints: in the order they are shown.
        cases: draws new calls with the values they must give.
        shown: the same call that the statement shows, where there is one.
        growth: draws what must not grow.
        properties: draws what else must hold.
        mistakes: known mistakes, the likeliest first.
        errors: what errors mean here.
        setup: trusted code run after the user's: wrappers that calls may name.
        page: the page that explains it.
    """

    id: str
    title: Pair
    functions: dict[str, tuple[str, ...]]
    starter: str
    answer: str
    hints: tuple[Pair, ...]
    cases: Callable[[np.random.Generator], Sequence[Case]]
    growth: Callable[[np.random.Generator], Sequence[Growth]] = _none
    properties: Callable[[np.random.Generator], Sequence[Property]] = _none
    mistakes: tuple[Mistake, ...] = ()
    errors: tuple[ErrorHint, ...] = ()
    setup: str = ""
    page: str = "axes"


def random_array(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Draw standard normal float32 numbers.

    Args:
        rng: where from.
        shape: of the result.
    """
    return rng.normal(size=shape).astype(np.float32)


def random_keys(rng: np.random.Generator, *shape: int) -> KeyData:
    """Draw typed random keys; any two words are a key of threefry.

    Args:
        rng: where from.
        shape: of the array of keys; none for a single key.
    """
    return KeyData(rng.integers(2**32, size=(*shape, 2), dtype=np.uint32))


def different_sizes(rng: np.random.Generator, count: int, low: int = 2, high: int = 9) -> list[int]:
    """Draw sizes that are all different, so that a wrong axis shows.

    Args:
        rng: where from.
        count: how many.
        low: the smallest allowed.
        high: the largest allowed.
    """
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]
