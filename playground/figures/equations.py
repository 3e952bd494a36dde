"""A program before and after vmap, equation by equation, as an HTML table with coloured axes."""

import html
from collections.abc import Iterable

from playground.axes.batched import EquationRow, Line, Shaped
from playground.foundation.language import Language, pick
from playground.foundation.limits import readable_bytes


def equations(rows: Iterable[EquationRow], flagged_bytes: int, language: Language) -> str:
    """Draw the equations of one example beside those of the batch.

    Args:
        rows: pairs, as the engine makes them.
        flagged_bytes: equations whose results have at least so many bytes are flagged; 0 flags
            nothing.
        language: of the headings.

    Returns:
        HTML of one table; the batch axis of every value is marked.
    """
    heads = (
        pick(language, "f, one example", "f：单个样本"),
        pick(language, "vmap(f), the whole batch", "vmap(f)：整批"),
    )
    body = "".join(_row(row, flagged_bytes, language) for row in rows)
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        f'<div class="card"><table class="equations"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(row: EquationRow, flagged_bytes: int, language: Language) -> str:
    if row.example is None:
        left = pick(language, "(axes of the outputs)", "（输出的轴）")
    else:
        left = _line(row.example, 0)
    nothing = pick(language, "(unchanged: nothing varies)", "（不变：不随批次变化）")
    right = "".join(_line(line, flagged_bytes) for line in row.batched) or nothing
    source = f' title="{html.escape(row.source)}"' if row.source else ""
    return f"<tr{source}><td>{left}</td><td>{right}</td></tr>"


def _line(line: Line, flagged_bytes: int) -> str:
    results = " ".join(_value(value) for value in line.results)
    operands = " ".join(_value(value, is_short=True) for value in line.operands)
    text = f"{results} = {html.escape(line.primitive)} {operands}"
    if flagged_bytes and line.bytes >= flagged_bytes:
        size = readable_bytes(line.bytes)
        return f'<div><mark class="flag">{text} <strong>← {size}</strong></mark></div>'
    return f"<div>{text}</div>"


def _value(value: Shaped, is_short: bool = False) -> str:
    axes = {axis for axis in value.batch_axes if axis is not None}
    sizes = ",".join(
        f'<mark class="batch">{size}</mark>' if i in axes else str(size)
        for i, size in enumerate(value.shape)
    )
    name = html.escape(value.name)
    if is_short and not value.shape:
        return name
    return f"{name}:{html.escape(value.dtype)}[{sizes}]"
