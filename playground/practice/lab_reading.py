"""Reads the answer about a user's call: it comes out of a process that ran user code.

What has not the form of an answer is refused; texts lose what would be a link in Markdown.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from playground.axes.equations import EquationRow, Line, Shaped
from playground.practice.lab_answer import (
    Explained,
    LabBoard,
    LabLevel,
    LabProgram,
    LabRefusal,
    LabSuggestion,
    Shape,
)

if TYPE_CHECKING:
    from playground.practice.lab import LabSettings


def tame(value: Any, longest: int = 400) -> str:
    """Turn what came back into text that makes no link and no picture in Markdown."""
    cut = "".join(c for c in str(value)[:longest] if c.isprintable() or c in "\n\t")
    return cut.replace("](", "]\u200b(").replace("![", "!\u200b[").replace("<", "‹")


def _size(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**62:
        raise ValueError("no size")
    return value


def _shape(value: Any) -> Shape:
    if not isinstance(value, list) or len(value) > 16:
        raise ValueError("no shape")
    return tuple(_size(size) for size in value)


def _axis(value: Any) -> int | str | None:
    if value is None or value == "?" or (type(value) is int and abs(value) < 1000):
        return value
    raise ValueError("no axis")


def _line(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None


def _numbers(given: dict[str, Any], shape: Shape) -> np.ndarray | None:
    values = given.get("values")
    if values is None:
        return None
    kind = {"b": bool, "i": np.int64, "u": np.uint64}.get(str(given["dtype"])[0], np.float64)
    array = np.asarray(values, dtype=kind)
    if array.size == 0:
        array = array.reshape(shape)
    if array.shape != shape or array.ndim > 3:
        raise ValueError("numbers of another shape")
    return array


def _board(given: dict[str, Any], changed: dict[str, str] | None = None) -> LabBoard:
    shape = _shape(given["shape"])
    axes = tuple(_axis(axis) for axis in given.get("axes", ()))
    return LabBoard(
        name=tame(given["name"], 80).replace("`", "'"),
        shape=shape,
        dtype=tame(given["dtype"], 30),
        axis=_axis(axes[-1] if axes else given["axis"]),
        values=_numbers(given, shape),
        agrees=tuple(one if type(one) is bool else None for one in given.get("agrees", ())),
        python=tame(given.get("python") or "", 80).replace("`", "'"),
        is_keyword=bool(given.get("keyword")),
        axes=axes,
        changed=tuple((str(k), str(v)) for k, v in (changed or {}).items()),
    )


def _suggestion(given: dict[str, Any], settings: "LabSettings") -> LabSuggestion:
    english, chinese = given["words"]
    words = tame(english), tame(chinese)
    changed = None
    if given["arguments"] is not None and given["levels"] is not None:
        changed = with_chain(settings, str(given["arguments"]), given["levels"])
    return LabSuggestion(words, tame(given["code"], 1000), tame(given["gives"]), changed)


def with_chain(
    settings: "LabSettings", arguments: str, levels: list[dict[str, Any]]
) -> "LabSettings | None":
    """Return the settings that show another call of the same code, None where they cannot."""
    if len(levels) != settings.levels:
        return None
    prefixes = ("inner_", "") if settings.levels == 2 else ("",)
    new: dict[str, Any] = {"arguments": arguments, "want": ""}
    for prefix, level in zip(prefixes, levels, strict=True):
        new |= {prefix + name: level[name] for name in settings.chain[0]}
    changed = replace(settings, **new)
    return changed if all(getattr(changed, name) == new[name] for name in new) else None


def _shaped(given: dict[str, Any]) -> Shaped:
    axes = tuple(None if axis is None else _size(axis) for axis in given["batch_axes"])
    return Shaped(tame(given["name"], 60), tame(given["dtype"], 20), _shape(given["shape"]), axes)


def _equation(given: dict[str, Any]) -> Line:
    return Line(
        text=tame(given["text"]),
        primitive=tame(given["primitive"], 60),
        operands=tuple(_shaped(value) for value in given["operands"]),
        results=tuple(_shaped(value) for value in given["results"]),
        bytes=_size(given["bytes"]),
        largest=bool(given["largest"]),
    )


def _program(given: dict[str, Any]) -> LabProgram:
    rows = tuple(
        EquationRow(
            None if row["example"] is None else _equation(row["example"]),
            tuple(_equation(line) for line in row["batched"]),
            tame(row["source"], 100),
        )
        for row in given["rows"]
    )
    one, batch = given["texts"]
    return LabProgram(
        rows,
        tame(given["largest"]),
        _size(given["bytes"]),
        _size(given["outside"]),
        (str(one), str(batch)),
        str(given["why_not"]),
    )


def _level(given: dict[str, Any]) -> LabLevel:
    def shapes(value: Any) -> tuple[Shape | None, ...] | None:
        return None if value is None else tuple(None if s is None else _shape(s) for s in value)

    size = given["size"]
    return LabLevel(
        None if size is None else _size(size), shapes(given["seen"]), shapes(given["outputs"])
    )


def _refusal(given: dict[str, Any] | None, settings: "LabSettings") -> LabRefusal | None:
    if given is None:
        return None
    english, chinese = given["words"]
    repairs = tuple(_suggestion(repair, settings) for repair in given["repairs"][:8])
    exception, text, line = given["exception"], str(given["text"]), _line(given["line"])
    words = tame(english, 1000), tame(chinese, 1000)
    return LabRefusal(tame(exception, 80), text, line, words, repairs)


def explained(given: dict[str, Any], settings: "LabSettings") -> Explained:
    """Check the answer of the driver.

    Args:
        given: JSON data, as `playground.axes.answering.answer` makes it.
        settings: what was asked; suggestions become other settings.

    Returns:
        The answer; its texts make no links in Markdown.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: it has another form.
    """
    if given["function"] is None:
        return Explained("")
    total, wanted = given.get("total"), given.get("wanted")
    failed = given.get("failed")
    surprise = given["surprise"]
    return Explained(
        function=tame(given["function"], 60),
        parameters=tuple(str(name) for name in given["parameters"]),
        ok=bool(given["ok"]),
        code=str(given["code"])[:4000],
        levels=tuple(_level(level) for level in given["levels"]),
        leaves=tuple(
            _board(leaf, given["changed"][i] if i < len(given["changed"]) else None)
            for i, leaf in enumerate(given["leaves"])
        ),
        outputs=tuple(_board(output) for output in given["outputs"]),
        refusal=_refusal(given["refusal"], settings),
        surprise=None if surprise is None else _suggestion(surprise, settings),
        program=_program(given["program"]),
        failed=None
        if failed is None
        else (tame(failed[0], 80), tame(failed[1], 1000), _line(failed[2])),
        total=float(total) if isinstance(total, float) and not math.isnan(total) else total,
        choices=None
        if wanted is None
        else tuple(_suggestion(choice, settings) for choice in wanted["choices"]),
        is_complete=bool(wanted["complete"]) if wanted else True,
        mistakes=tuple(tame(shape, 100) for shape in given["mistakes"][:6]),
    )
