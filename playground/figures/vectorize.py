"""Figures of the page Vectorize: programs that grow with the batch, loops that are unrolled."""

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.foundation.language import Language, pick
from playground.lessons.python_flow import PythonFlowResult
from playground.lessons.tracing import ProgramResult


def program_sizes(result: ProgramResult, language: Language) -> Drawing:
    """Draw the number of operations against the batch size, for vmap and for the Python loop."""
    loop = pick(language, "Python loop", "Python 循环")
    figure = _two_lines(
        result.sizes,
        (loop, result.looped_operations, palette.FOUND),
        ("vmap", result.mapped_operations, palette.ACCENT),
    )
    styled(
        figure,
        x=pick(language, "batch size (examples)", "批大小（样本数）"),
        y=pick(language, "operations in the program", "程序中的运算个数"),
        height=260,
    )
    first, last = result.looped_operations[[0, -1]]
    same = result.mapped_operations[-1]
    alt = pick(
        language,
        f"The loop's program grows from {first} to {last} operations; vmap's has {same} always.",
        f"循环的程序从 {first} 个运算增长到 {last} 个；vmap 的程序始终只有 {same} 个。",
    )
    table = {
        "batch_size": result.sizes,
        "vmap_operations": result.mapped_operations,
        "loop_operations": result.looped_operations,
    }
    return Drawing(figure, alt, table)


def unrolled(result: PythonFlowResult, language: Language) -> Drawing:
    """Draw the size of the program against the count: a Python for, and fori_loop."""
    python = pick(language, "Python for: unrolled", "Python for：被展开")
    figure = _two_lines(
        result.rounds,
        (python, result.unrolled_operations, palette.FOUND),
        ("lax.fori_loop", result.looped_operations, palette.ACCENT),
    )
    styled(
        figure,
        x=pick(language, "rounds", "循环次数"),
        y=pick(language, "operations in the program", "程序中的运算个数"),
        height=260,
    )
    most, same = result.unrolled_operations[-1], result.looped_operations[-1]
    alt = pick(
        language,
        f"A Python for of {result.rounds[-1]} rounds makes {most} operations; "
        f"fori_loop makes {same} for any count.",
        f"循环 {result.rounds[-1]} 次的 Python for 产生 {most} 个运算；"
        f"fori_loop 无论多少次都是 {same} 个。",
    )
    table = {
        "rounds": result.rounds,
        "python_for_operations": result.unrolled_operations,
        "fori_loop_operations": result.looped_operations,
    }
    return Drawing(figure, alt, table)


def _two_lines(x: np.ndarray, *lines: tuple[str, np.ndarray, str]) -> go.Figure:
    figure = go.Figure()
    for name, y, colour in lines:
        figure.add_scatter(x=x, y=y, name=name, mode="lines+markers", line={"color": colour})
    figure.update_yaxes(rangemode="tozero")
    return figure
