"""Cuts the text of an unknown table into cells and reads numbers from them; nothing else."""

import csv
import math
import re

from playground.lessons.distance_input import LARGEST_INPUT, PointsRefused

LONGEST_CELL = 200
LINES_LOOKED_AT = 60
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "?", "."})
SEPARATORS = (",", ";", "\t", "|", " ")
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
LINE_END = re.compile(r"\r\n|\r|\n")


def decoded(data: bytes) -> str:
    """Turn the bytes of a file into text: UTF-8, UTF-16 with its mark, else Latin-1.

    Raises:
        PointsRefused: the bytes are not text.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    start = text[:4096]
    strange = sum(not (c.isprintable() or c in "\r\n\t\f") for c in start)
    if "\0" in text or strange > len(start) // 50:
        raise PointsRefused(
            "This is not a text file. Save the table as CSV (UTF-8) and upload that.",
            "这不是文本文件。请把表格另存为 CSV（UTF-8）后再上传。",
        )
    return text


def cut_lines(text: str) -> tuple[str, list[tuple[int, list[str]]], list[tuple[int, int]]]:
    """Cut a text into lines and cells; the separator is found out.

    Returns:
        The separator; line number (from 1) and cells of every line with the usual number of
        cells; line number and number of cells of every other line. Empty lines are passed over.
    """
    numbered = [
        (number, line) for number, line in enumerate(LINE_END.split(text), start=1) if line.strip()
    ]
    lines = [line for _, line in numbered]
    separator = _separator(lines[:LINES_LOOKED_AT])
    cells = [_cut(line, separator) for line in lines]
    usual = _usual([len(row) for row in cells])
    rows = [(n, row) for (n, _), row in zip(numbered, cells, strict=True) if len(row) == usual]
    odd = [(n, len(row)) for (n, _), row in zip(numbered, cells, strict=True) if len(row) != usual]
    return separator, rows, odd


def parsed_number(cell: str, separator: str) -> tuple[float, str]:
    """Read the number in a cell.

    Args:
        cell: what stands there.
        separator: of the table; where it is not a comma, "1,5" is one and a half.

    Returns:
        The value, and what is wrong: "" (nothing), "missing", "text" or "range"; nan if wrong.
    """
    text = cell.strip()
    if text.lower() in MISSING:
        return math.nan, "missing"
    if separator != "," and DECIMAL_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if text.lower().lstrip("+-") in ("inf", "infinity"):
        return math.nan, "range"
    if len(text) > LONGEST_CELL or not NUMBER.fullmatch(text):
        return math.nan, "text"
    value = float(text)
    return (value, "") if abs(value) <= LARGEST_INPUT else (math.nan, "range")


def shortened(text: str) -> str:
    """Keep what can be printed, at most 40 characters."""
    printable = "".join(c for c in text if c.isprintable()).strip()
    return printable if len(printable) <= 40 else printable[:40] + "…"


def _separator(lines: list[str]) -> str:
    """Choose the separator that gives equal rows, then the one that gives most numbers."""

    def fitness(separator: str) -> tuple[float, float, int]:
        rows = [_cut(line, separator) for line in lines]
        usual = _usual([len(row) for row in rows])
        if usual < 2:
            return 0.0, 0.0, 0
        alike = [row for row in rows if len(row) == usual]
        numbers = [not parsed_number(cell, separator)[1] for row in alike for cell in row]
        return round(len(alike) / len(rows), 1), sum(numbers) / len(numbers), usual

    best = max(SEPARATORS, key=fitness)
    return best if fitness(best)[0] > 0 else ","


def _cut(line: str, separator: str) -> list[str]:
    """Cut one line; a quote never reaches over the end of its line."""
    if separator == " ":
        return line.split()
    try:
        cells = next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        cells = line.split(separator)
    return [cell.strip() for cell in cells]


def _usual(counts: list[int]) -> int:
    return max(set(counts), key=lambda n: (counts.count(n), n), default=0)
