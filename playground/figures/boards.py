"""Small arrays as boards of cells in HTML: the batch axis coloured, what is shared grey.

One example can be lit. The numbers are those of the array; nothing is computed here.
"""

import html

import numpy as np

MOST_CELLS_A_SIDE = 12


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
    """Draw an array of up to three axes.

    Args:
        array: numbers, shape () to (p, r, c); larger sides are cut, with an ellipsis.
        axis: the batch axis, or None when there is none.
        lit: index of the example that is lit along the batch axis.
        caption: what a screen reader says first.
        is_shared: whether all examples get the whole array.
        differs: Boolean, shape of `array`: entries that are not what they should be.

    Returns:
        HTML: one table for each plane of the first of three axes.
    """
    array = np.asarray(array)
    planes = array.reshape((1,) * (3 - array.ndim) + array.shape) if array.ndim < 3 else array
    wrong = None if differs is None else np.asarray(differs).reshape(planes.shape)
    offset = 3 - array.ndim
    place = None if axis is None else axis % max(array.ndim, 1) + offset
    tables = [
        _table(planes[plane], plane, place, lit, caption, is_shared, planes.shape, wrong)
        for plane in range(min(planes.shape[0], MOST_CELLS_A_SIDE))
    ]
    return f'<div class="planes">{"".join(tables)}</div>'


def _table(
    plane: np.ndarray,
    index: int,
    place: int | None,
    lit: int | None,
    caption: str,
    is_shared: bool,
    shape: tuple[int, ...],
    wrong: np.ndarray | None,
) -> str:
    rows = []
    for r in range(min(plane.shape[0], MOST_CELLS_A_SIDE)):
        cells = []
        for c in range(min(plane.shape[1], MOST_CELLS_A_SIDE)):
            position = (index, r, c)
            example = None if place is None else position[place]
            if wrong is not None and wrong[position]:
                cells.append(f'<td class="differs">{html.escape(number(plane[r, c]))}</td>')
                continue
            cells.append(_cell(plane[r, c], example, lit, is_shared, shape, place))
        if plane.shape[1] > MOST_CELLS_A_SIDE:
            cells.append("<td>…</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    if plane.shape[0] > MOST_CELLS_A_SIDE:
        rows.append("<tr><td>…</td></tr>")
    if not rows or plane.size == 0:
        rows = ["<tr><td>∅</td></tr>"]
    spoken = f'<caption class="sr">{html.escape(caption)}</caption>' if caption else ""
    return f'<table class="board">{spoken}{"".join(rows)}</table>'


def _cell(
    value: object,
    example: int | None,
    lit: int | None,
    is_shared: bool,
    shape: tuple[int, ...],
    place: int | None,
) -> str:
    text = html.escape(number(value))
    if is_shared:
        return f'<td class="shared">{text}</td>'
    if example is None or place is None:
        return f"<td>{text}</td>"
    if example == lit:
        return f'<td class="lit">{text}</td>'
    share = round(34 - 26 * example / max(shape[place] - 1, 1))
    shade = f"background:color-mix(in srgb, var(--batch) {share}%, var(--cell))"
    return f'<td class="batch" style="{shade}">{text}</td>'


def shape_html(shape: tuple[int, ...], axis: int | None = None, is_shared: bool = False) -> str:
    """Write a shape with its batch axis marked: (3, <b>5</b>); a shared one is muted."""
    parts = [f"<b>{size}</b>" if i == axis else str(size) for i, size in enumerate(shape)]
    text = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return f"<i>{text}</i>" if is_shared else text
