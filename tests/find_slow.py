"""Writes tests/slow.txt: the tests that take longer than most, longest files first."""

import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

LONGEST_SECONDS = 0.06
LIST = Path(__file__).parent / "slow.txt"


def slow_tests(report: Path) -> list[str]:
    """Return the slow tests of a report by their names without parameters, file by file."""
    longest: dict[str, float] = defaultdict(float)
    of_file: dict[str, float] = defaultdict(float)
    for case in ET.parse(report).iter("testcase"):
        path = case.attrib["classname"].replace(".", "/") + ".py"
        name, seconds = case.attrib["name"].partition("[")[0], float(case.attrib["time"])
        longest[f"{path}::{name}"] = max(longest[f"{path}::{name}"], seconds)
        of_file[path] += seconds
    slow = [name for name, seconds in longest.items() if seconds > LONGEST_SECONDS]
    return sorted(slow, key=lambda name: (-of_file[name.partition("::")[0]], name))


if __name__ == "__main__":
    names = slow_tests(Path(sys.argv[1]))
    LIST.write_text("\n".join(names) + "\n", encoding="utf-8")
    print(f"{len(names)} slow tests")
