"""Small arrays as boards of cells in HTML: the batch axis coloured, what is shared grey.

One example can be lit. Two batch axes are named
as well, i and j. The numbers are those of the array; nothing is computed here.
"""

import html
import itertools
from dataclasses import dataclass

import numpy as np

MOST_CELLS_A_SIDE = 12
LEVELS = ("batch", "outer")
"""Classes and colours of the batch axis of the inner and of the outer vmap."""

INDEX = ("j", "i")
"""What their examples are called where there are two levels: out[i, j]."""


def number(value: object) -> str:
    """Write a number in few characters: 1000 -> "1000", 12345.6 -> "1.23e4", nan -> "nan"."""
    plain = np.asarray(value)
    if plain.dtype.kind in "biu":
        text = str(plain.item())
        return text if len(text) <= 6 else f"{float(plain):.2e}".replace("e+0", "e")
    if plain.dtype.kind not in "f":
        return str(plain.item())[:8]
    text = f"{float(plain):.4g}"
    return text.replace("e+0", "e").replace("e-0", "e-")


def board(
    array: np.ndarray,
    *,
    axis: int | None,
    lit: int | None = None,
    caption: str = "",
    is_shared: bool = False,
    differs: np.ndarray | None = None,
) -> str:
    """Draw an array with at most one batch axis.

    Args:
        array: numbers; larger sides are cut, with an ellipsis.
        axis: the batch axis, or None when there is none.
        lit: index of the example that is lit along the batch axis.
        caption: what a screen reader says first.
        is_shared: whether all examples get the whole array.
        differs: Boolean, shape of `array`: entries that are not what they should be.

    Returns:
        HTML: one table for each plane of the last two axes.
    """
    array = np.asarray(array)
    place = None if axis is None else axis % max(array.ndim, 1)
    return _planes(array, (place,), (lit,), caption, is_shared, differs)


def nested_board(
    array: np.ndarray,
    *,
    places: tuple[int | None, ...],
    lit: tuple[int, ...],
    caption: str = "",
) -> str:
    """Draw an array with the batch axes of an inner (j) and an outer vmap (i), both written out.

    Args:
        array: numbers; larger sides are cut, with an ellipsis.
        places: the batch axis of the inner and of the outer vmap, None where it has none.
        lit: index of the example that is lit, of the inner and of the outer vmap.
        caption: what a screen reader says first.

    Returns:
        HTML: one table for each plane of the last two axes.
    """
    is_shared = all(place is None for place in places)
    return _planes(np.asarray(array), places, lit, caption, is_shared, None)


def _planes(
    array: np.ndarray,
    places: tuple[int | None, ...],
    lit: tuple[int | None, ...],
    caption: str,
    is_shared: bool,
    differs: np.ndarray | None,
) -> str:
    lack = max(2 - array.ndim, 0)
    shape = (1,) * lack + array.shape
    values = array.reshape(shape)
    wrong = None if differs is None else np.asarray(differs).reshape(shape)
    marks = [
        _Mark(level, place + lack, shape[place + lack], i)
        for level, (place, i) in enumerate(zip(places, lit, strict=True))
        if place is not None
    ]
    has_names = len(places) > 1
    tables = []
    for plane in itertools.islice(np.ndindex(shape[:-2]), MOST_CELLS_A_SIDE):
        named = [m for m in marks if has_names and m.place < len(plane)]
        heading = "".join(m.name(plane[m.place], "span") for m in reversed(named))
        table = _table(values, plane, marks, caption, is_shared, has_names, wrong)
        tables.append(f"<div>{heading}{table}</div>" if heading else table)
    return f'<div class="planes">{"".join(tables)}</div>'


@dataclass(frozen=True)
class _Mark:
    """A batch axis of a board: of which level, where, how long, which example is lit."""

    level: int
    place: int
    size: int
    lit: int | None

    def name(self, index: int, tag: str) -> str:
        now = " now" if index == self.lit else ""
        return f'<{tag} class="index {LEVELS[self.level]}{now}">{INDEX[self.level]}={index}</{tag}>'


def _table(
    values: np.ndarray,
    plane: tuple[int, ...],
    marks: list[_Mark],
    caption: str,
    is_shared: bool,
    has_names: bool,
    wrong: np.ndarray | None,
) -> str:
    height, width = values.shape[-2:]
    shown = min(width, MOST_CELLS_A_SIDE)
    down = next((m for m in marks if has_names and m.place == values.ndim - 2), None)
    across = next((m for m in marks if has_names and m.place == values.ndim - 1), None)
    rows = []
    if across is not None:
        corner = "<th></th>" if down is not None else ""
        rows.append(f"<tr>{corner}{''.join(across.name(c, 'th') for c in range(shown))}</tr>")
    for r in range(min(height, MOST_CELLS_A_SIDE)):
        cells = [] if down is None else [down.name(r, "th")]
        for c in range(shown):
            position = (*plane, r, c)
            if wrong is not None and wrong[position]:
                cells.append(f'<td class="differs">{html.escape(number(values[position]))}</td>')
                continue
            cells.append(_cell(values[position], position, marks, is_shared))
        if width > MOST_CELLS_A_SIDE:
            cells.append("<td>…</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    if height > MOST_CELLS_A_SIDE:
        rows.append("<tr><td>…</td></tr>")
    if values.size == 0:
        rows = ["<tr><td>∅</td></tr>"]
    spoken = f'<caption class="sr">{html.escape(caption)}</caption>' if caption else ""
    return f'<table class="board">{spoken}{"".join(rows)}</table>'


def _cell(value: object, position: tuple[int, ...], marks: list[_Mark], is_shared: bool) -> str:
    text = html.escape(number(value))
    if is_shared:
        return f'<td class="shared">{text}</td>'
    if not marks:
        return f"<td>{text}</td>"
    if all(position[m.place] == m.lit for m in marks):
        return f'<td class="lit">{text}</td>'
    mark = marks[0]
    share = round(34 - 26 * position[mark.place] / max(mark.size - 1, 1))
    shade = f"background:color-mix(in srgb, var(--{LEVELS[mark.level]}) {share}%, var(--cell))"
    return f'<td class="batch" style="{shade}">{text}</td>'


def shape_html(shape: tuple[int, ...], axis: int | None = None, is_shared: bool = False) -> str:
    """Write a shape with its batch axis marked: (3, <b>5</b>); a shared one is muted."""
    return _shape(
        [f"<b>{size}</b>" if i == axis else str(size) for i, size in enumerate(shape)], is_shared
    )


def nested_shape_html(shape: tuple[int, ...], places: tuple[int | None, ...]) -> str:
    """Write a shape with the batch axes of both levels marked and named by their index.

    Args:
        shape: of an array.
        places: the batch axis of the inner and of the outer vmap, None where it has none.
    """
    parts = [str(size) for size in shape]
    for level, place in enumerate(places):
        if place is not None:
            name = f"<sub>{INDEX[level]}</sub>"
            parts[place] = f'<b class="{LEVELS[level]}">{shape[place]}{name}</b>'
    return _shape(parts, all(place is None for place in places))


def _shape(parts: list[str], is_shared: bool) -> str:
    text = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return f"<i>{text}</i>" if is_shared else text
