"""The refusal of a call: JAX's own text, its kind, who is to blame, and repairs that were tried."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from playground.axes import sentences
from playground.axes.diagnosis import Diagnosis, diagnose
from playground.axes.kinds import Kind
from playground.axes.repairs import Repair, repairs_of
from playground.axes.sharing import blamed_leaf
from playground.foundation.language import Language

if TYPE_CHECKING:
    from playground.axes.report import Report


@dataclass(frozen=True)
class Refusal:
    """Why a call is refused.

    Attributes:
        report: the report it belongs to.
        found: the diagnosis.
    """

    report: Report
    found: Diagnosis

    @property
    def exception(self) -> str:
        """Class name of JAX's exception."""
        return type(self.report.run.error).__name__

    @cached_property
    def text(self) -> str:
        """JAX's own text; memory addresses and object numbers, which change, are left out."""
        text = re.sub(r" at 0x[0-9a-f]+", "", str(self.report.run.error))
        return re.sub(r" with object id \d+", "", text)

    @property
    def kind(self) -> Kind:
        """One of kinds.KINDS."""
        return self.found.kind

    @property
    def level(self) -> int | None:
        """Index of the level that refuses, innermost 0."""
        return self.found.level

    @cached_property
    def _blamed(self) -> Diagnosis:
        # Which mapped argument Python looks at shows only by sharing them one at a time.
        if self.found.kind not in ("python_control_flow", "boolean_mask", "key_data"):
            return self.found
        leaf = blamed_leaf(self.report)
        if leaf is None:
            return self.found
        facts = {**self.found.facts, "name": leaf.name}
        return replace(self.found, argument=leaf.path, facts=facts)

    @property
    def argument(self) -> str:
        """Path of the argument to blame, such as `args[1]["w"]`; "" when no single one is."""
        return self._blamed.argument

    def summary(self, language: Language = "en") -> str:
        """Say in one or two plain sentences why the call is refused."""
        return sentences.summary(self._blamed, len(self.report.chain), language)

    @cached_property
    def repairs(self) -> tuple[Repair, ...]:
        """Changes that were tried and run, simplest first."""
        return repairs_of(self.report)


def refusal_of(report: Report) -> Refusal:
    """Describe the refusal of a report."""
    found = diagnose(report.function, report.args, report.kwargs, report.chain, report.run)
    return Refusal(report, found)
