"""Reads solutions/<id>.txt: `### right: name` or `### wrong kind: name`, then the code."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "solutions"


@dataclass(frozen=True)
class Solution:
    exercise: str
    kind: str
    name: str
    code: str


def solutions(exercise: str) -> list[Solution]:
    source = (FOLDER / f"{exercise}.txt").read_text(encoding="utf-8")
    parts = re.split(r"^### (right|wrong \w+): (.+)$", source, flags=re.MULTILINE)
    return [
        Solution(exercise, head.removeprefix("wrong ").replace("right", "passed"), name, code)
        for head, name, code in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    ]
