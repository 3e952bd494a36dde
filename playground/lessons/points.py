"""Points from a user's CSV: whatever is uploaded, either points come out or a reason.

Nothing is trusted: size, encoding, separator, header, missing and broken values are all found
out, and every row that is left out is named by its line.
"""

from dataclasses import dataclass

import numpy as np

from playground.foundation.language import Language, pick
from playground.foundation.limits import readable_bytes
from playground.lessons.cells import cut_lines, decoded, parsed_number, shortened
from playground.lessons.distance_input import PointsRefused

MOST_BYTES = 5 << 20
MOST_ROWS = 4096
MOST_COLUMNS = 1024


@dataclass(frozen=True)
class Problem:
    """Why one row was left out.

    Attributes:
        line: line in the file, counted from 1.
        column: name of the column, or "" when it is about the whole row.
        given: what stood there, shortened.
        kind: "missing", "text", "range" or "cells".
    """

    line: int
    column: str
    given: str
    kind: str

    def message(self, language: Language) -> str:
        """Say which line, which column, what stood there and what is needed."""
        told = {
            "missing": ("no value in “{c}”", "“{c}” 列缺少数值"),
            "text": ("“{g}” in “{c}” is not a number", "“{c}” 列中的“{g}”不是数字"),
            "range": ("{g} in “{c}” is not a finite number", "“{c}” 列中的 {g} 不是有限数"),
            "cells": (
                "{g} cells, the others have more or fewer",
                "有 {g} 个单元格，与其他行不一致",
            ),
        }[self.kind]
        words = pick(language, *told).format(c=self.column, g=self.given)
        return pick(language, f"line {self.line}: {words}", f"第 {self.line} 行：{words}")


@dataclass(frozen=True)
class PointTable:
    """What a file held.

    Attributes:
        names: names of the numeric columns.
        values: float64, shape (rows, columns of `names`); nan where `problems` names a cell.
        lines: line in the file of each row, int, shape (rows,).
        faults: problem of each bad row by its position in `values`.
        broken: rows that could not be cut into cells; they are not in `values`.
        skipped: names of columns that are not numeric.
        separator: what the cells were divided by.
    """

    names: tuple[str, ...]
    values: np.ndarray
    lines: np.ndarray
    faults: tuple[tuple[int, Problem], ...]
    broken: tuple[Problem, ...]
    skipped: tuple[str, ...]
    separator: str


@dataclass(frozen=True)
class ChosenPoints:
    """Points of the chosen columns.

    Attributes:
        points: float64, shape (points, columns), all finite.
        lines: line in the file of each point, int, shape (points,).
        names: names of the columns.
        problems: one for each row that was left out, in order of line.
    """

    points: np.ndarray
    lines: np.ndarray
    names: tuple[str, ...]
    problems: tuple[Problem, ...]


def read_points(data: bytes) -> PointTable:
    """Read a table of numbers from the bytes of a file.

    Args:
        data: a text file with one point per line; separator, header and encoding are found out.

    Returns:
        Its numeric columns, and what is wrong with which line.

    Raises:
        PointsRefused: too large, not text, or without numeric columns; says what is allowed.
    """
    if len(data) > MOST_BYTES:
        raise PointsRefused(
            f"The file has {readable_bytes(len(data))}; allowed are {readable_bytes(MOST_BYTES)}.",
            f"文件大小为 {readable_bytes(len(data))}，上限为 {readable_bytes(MOST_BYTES)}。",
        )
    separator, rows, odd = cut_lines(decoded(data))
    broken = [Problem(line, "", str(count), "cells") for line, count in odd]
    if not rows:
        raise PointsRefused("The file holds no lines with values.", "文件中没有任何数据行。")
    width = len(rows[0][1])
    if width > MOST_COLUMNS:
        raise PointsRefused(
            f"The file has {width} columns; allowed are {MOST_COLUMNS}.",
            f"文件有 {width} 列，上限为 {MOST_COLUMNS} 列。",
        )
    parsed = [[parsed_number(cell, separator) for cell in cells] for _, cells in rows]
    has_header = len(rows) > 1 and _is_header(parsed)
    names = _names(rows[0][1] if has_header else [""] * width)
    rows, parsed = rows[has_header:], parsed[has_header:]
    if len(rows) > MOST_ROWS:
        raise PointsRefused(
            f"The file has {len(rows)} rows; allowed are {MOST_ROWS} (their distances are "
            f"{len(rows)} x {len(rows)} numbers). Keep a sample of the rows.",
            f"文件有 {len(rows)} 行，上限为 {MOST_ROWS} 行（距离矩阵有 {len(rows)} × {len(rows)} "
            "个数）。请只保留部分行。",
        )
    numeric = [k for k in range(width) if _is_numeric([row[k] for row in parsed])]
    if not numeric:
        raise PointsRefused(
            f"No column holds numbers (columns: {', '.join(names[:8])}). Needed is one point per "
            "line, its coordinates in columns.",
            f"没有数值列（现有列：{', '.join(names[:8])}）。需要每行一个点，每列一个坐标。",
        )
    values = np.array([[row[k][0] for k in numeric] for row in parsed], np.float64)
    faults = [
        (at, Problem(rows[at][0], names[k], shortened(rows[at][1][k]), row[k][1]))
        for at, row in enumerate(parsed)
        for k in numeric
        if row[k][1]
    ]
    return PointTable(
        tuple(names[k] for k in numeric),
        values,
        np.array([line for line, _ in rows]),
        tuple(faults),
        tuple(broken),
        tuple(names[k] for k in range(width) if k not in numeric),
        separator,
    )


def choose_columns(table: PointTable, names: tuple[str, ...] = ()) -> ChosenPoints:
    """Take the points of some columns; rows with a fault in one of them are left out.

    Args:
        table: from `read_points`.
        names: columns to use; empty or unknown names mean all numeric columns.

    Returns:
        Finite points, their lines, and one problem for each row that was left out.

    Raises:
        PointsRefused: no row is complete.
    """
    taken = [k for k, name in enumerate(table.names) if name in names]
    taken = taken or list(range(len(table.names)))
    chosen = tuple(table.names[k] for k in taken)
    faults: dict[int, Problem] = {}
    for at, problem in table.faults:
        if problem.column in chosen:
            faults.setdefault(at, problem)
    kept = np.array([at for at in range(len(table.values)) if at not in faults], int)
    problems = sorted((*faults.values(), *table.broken), key=lambda problem: problem.line)
    if not len(kept):
        first = problems[0]
        raise PointsRefused(
            f"No row is complete; the first problem is in {first.message('en')}.",
            f"没有一行是完整的；第一个问题：{first.message('zh')}。",
        )
    return ChosenPoints(table.values[kept][:, taken], table.lines[kept], chosen, tuple(problems))


def _is_header(parsed: list[list[tuple[float, str]]]) -> bool:
    """The first line is a header when it has text where the lines below mostly have numbers."""
    first = [wrong for _, wrong in parsed[0]]
    over_numbers = [
        wrong for k, wrong in enumerate(first) if _is_numeric([row[k] for row in parsed[1:]])
    ]
    return all(wrong == "text" for wrong in first) or over_numbers.count(
        "text"
    ) > over_numbers.count("")


def _is_numeric(column: list[tuple[float, str]]) -> bool:
    good = sum(not wrong for _, wrong in column)
    return good > 0 and good >= sum(wrong == "text" for _, wrong in column)


def _names(cells: list[str]) -> list[str]:
    """Make names that are not empty and all different."""
    names: list[str] = []
    for k, cell in enumerate(cells, start=1):
        name = shortened(cell) or f"column {k}"
        names.append(name if name not in names else f"{name} ({k})")
    return names
