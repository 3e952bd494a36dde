"""A repair that somebody typed: run in the sandbox and compared with what was wanted."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.practice.errors import EXHIBITS
from playground.practice.exhibit import run as run_here
from playground.sandbox import Outcome, run

SECONDS = 10
LONGEST = 4_000


@dataclass(frozen=True)
class OwnRepair:
    """What came of it.

    Attributes:
        outcome: of the run.
        shape: of what the last line gave, as text; "" when it did not run.
        is_wanted: whether the numbers are those that were wanted.
    """

    outcome: Outcome
    shape: str
    is_wanted: bool


def try_own(name: str, code: str) -> OwnRepair:
    """Run typed code and judge the value of its last line.

    Args:
        name: of the exhibit.
        code: Python; only the sandbox runs it.

    Returns:
        What came of it.
    """
    outcome = run(code[:LONGEST], seconds=SECONDS)
    if not outcome.ok:
        return OwnRepair(outcome, "", False)
    cured = EXHIBITS[name].cured()
    wanted = run_here(cured.report().code, cured)
    return OwnRepair(outcome, _shape(outcome.value), _agrees(outcome.value, wanted))


def _array(value: Any) -> np.ndarray | None:
    """Read nested lists of numbers; None for anything else, ragged lists included."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        return None


def _shape(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {_shape(one)}' for key, one in value.items()) + "}"
    array = _array(value)
    return "" if array is None else str(array.shape)


def _agrees(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        is_alike = isinstance(value, dict) and value.keys() == wanted.keys()
        return is_alike and all(_agrees(value[key], wanted[key]) for key in wanted)
    array = _array(value)
    if array is None or array.shape != np.shape(wanted):
        return False
    return bool(np.allclose(array, np.asarray(wanted, float), rtol=1e-4))
