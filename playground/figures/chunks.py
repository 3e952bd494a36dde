"""Figures of the Chunks page: memory and time against the chunk size, and one against the other."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.units import bytes_ticks, seconds_ticks, time_text
from playground.foundation.language import Language, pick
from playground.foundation.limits import readable_bytes
from playground.measure.advice import ChunkAdvice, ChunkRow


def memory_curve(advice: ChunkAdvice, language: Language) -> Drawing:
    """Draw what the compiler plans for each chunk size, with the budget as a line.

    Args:
        advice: rows that were tried, the budget, and the choice if there is one.
        language: of the titles.

    Returns:
        Bytes against chunk size on log-log; sizes over the budget are open marks.
    """
    rows, budget = advice.rows, advice.memory_budget_bytes
    sizes = [row.chunk_size for row in rows]
    figure = go.Figure()
    figure.add_scatter(
        x=sizes,
        y=[max(row.output_bytes, 1) for row in rows],
        name=pick(language, "outputs alone: no k shrinks them", "仅输出：任何 k 都减不小"),
        mode="lines",
        line={"color": palette.SHARED, "dash": "dash", "width": 2},
        hovertemplate="%{x}: %{text}",
        text=[readable_bytes(row.output_bytes) for row in rows],
    )
    _add_rows(
        figure,
        rows,
        [row.predicted_bytes for row in rows],
        [readable_bytes(row.predicted_bytes) for row in rows],
        budget,
        pick(language, "temporaries + outputs", "临时内存 + 输出"),
    )
    figure.add_scatter(
        x=[min(sizes), max(sizes)],
        y=[budget, budget],
        mode="lines",
        name=pick(language, f"budget {readable_bytes(budget)}", f"预算 {readable_bytes(budget)}"),
        line={"color": palette.FOUND, "width": 2.5},
        hoverinfo="skip",
    )
    _add_choice(figure, advice, [row.predicted_bytes for row in rows], language)
    styled(
        figure,
        x=pick(language, "Chunk size k (examples)", "分块大小 k（样本数）"),
        y=pick(language, "Memory (bytes)", "内存（字节）"),
    )
    values = [budget, *(row.predicted_bytes for row in rows), *(row.output_bytes for row in rows)]
    figure.update_yaxes(type="log", **bytes_ticks(values))
    _size_axis(figure, sizes)
    over = sum(row.predicted_bytes > budget for row in rows)
    return Drawing(figure, _memory_alt(advice, over, language), _table(rows))


def time_curve(advice: ChunkAdvice, language: Language) -> Drawing | None:
    """Draw the measured time for each chunk size that was run; None when none was."""
    rows = [row for row in advice.rows if row.was_run]
    if not rows:
        return None
    figure = go.Figure()
    _add_rows(
        figure,
        rows,
        [row.measured_seconds for row in rows],
        [time_text(row.measured_seconds) for row in rows],
        advice.memory_budget_bytes,
        pick(language, "median of one call", "单次调用的中位数"),
    )
    _add_choice(figure, advice, [row.measured_seconds for row in rows], language, rows)
    styled(
        figure,
        x=pick(language, "Chunk size k (examples)", "分块大小 k（样本数）"),
        y=pick(language, "Time for the whole batch", "处理整批的时间"),
    )
    figure.update_yaxes(type="log", **seconds_ticks([row.measured_seconds for row in rows]))
    _size_axis(figure, [row.chunk_size for row in rows])
    quick = min(rows, key=lambda row: row.measured_seconds)
    alt = pick(
        language,
        f"Time for the whole batch against chunk size: {time_text(rows[0].measured_seconds)} one "
        f"by one, fastest {time_text(quick.measured_seconds)} at k = {quick.chunk_size}, "
        f"{time_text(rows[-1].measured_seconds)} at k = {rows[-1].chunk_size}.",
        f"处理整批的时间随分块大小的变化：逐个处理 {time_text(rows[0].measured_seconds)}，"
        f"k = {quick.chunk_size} 时最快，为 {time_text(quick.measured_seconds)}，"
        f"k = {rows[-1].chunk_size} 时为 {time_text(rows[-1].measured_seconds)}。",
    )
    return Drawing(figure, alt, _table(rows))


def pareto(advice: ChunkAdvice, language: Language) -> Drawing | None:
    """Draw time against memory, with the sizes that no other one beats joined by a line."""
    rows = [row for row in advice.rows if row.was_run]
    if not rows:
        return None
    front, budget = advice.pareto, advice.memory_budget_bytes
    figure = go.Figure()
    figure.add_scatter(
        x=[row.predicted_bytes for row in front],
        y=[row.measured_seconds for row in front],
        mode="lines",
        line={"color": palette.ACCENT, "shape": "hv", "width": 1.5},
        name=pick(language, "Pareto front", "帕累托前沿"),
        hoverinfo="skip",
    )
    beaten = [row for row in rows if row not in front]
    for members, colour, words in (
        (beaten, palette.SHARED, pick(language, "another k beats it", "有其他 k 两项都更好")),
        (front, palette.ACCENT, pick(language, "no other k beats it", "没有其他 k 两项都更好")),
    ):
        figure.add_scatter(
            x=[row.predicted_bytes for row in members],
            y=[row.measured_seconds for row in members],
            mode="markers+text" if members is front else "markers",
            marker={"color": colour, "size": 10},
            text=[f"{row.chunk_size}" for row in members],
            textposition="middle left",
            cliponaxis=False,
            name=words,
            customdata=[
                f"{readable_bytes(r.predicted_bytes)}, {time_text(r.measured_seconds)}"
                for r in members
            ],
            hovertemplate="k = %{text}: %{customdata}",
        )
    figure.add_vline(x=budget, line={"color": palette.FOUND, "width": 2.5})
    styled(
        figure,
        x=pick(language, "Memory (bytes)", "内存（字节）"),
        y=pick(language, "Time for the whole batch", "处理整批的时间"),
    )
    figure.update_xaxes(type="log", **bytes_ticks([budget, *(r.predicted_bytes for r in rows)]))
    figure.update_yaxes(type="log", **seconds_ticks([row.measured_seconds for row in rows]))
    listed = ", ".join(str(row.chunk_size) for row in front)
    alt = pick(
        language,
        f"Time against memory of {len(rows)} chunk sizes; on the Pareto front: {listed}.",
        f"{len(rows)} 个分块大小的时间与内存；位于帕累托前沿上的有：{listed}。",
    )
    return Drawing(figure, alt, _table(rows))


def _add_rows(
    figure: go.Figure,
    rows: Sequence[ChunkRow],
    values: Sequence[float],
    words: Sequence[str],
    budget: float,
    name: str,
) -> None:
    figure.add_scatter(
        x=[row.chunk_size for row in rows],
        y=values,
        name=name,
        mode="lines+markers",
        line={"color": palette.ACCENT, "width": 2.5},
        marker={
            "color": palette.ACCENT,
            "size": 9,
            "symbol": [
                "circle" if row.predicted_bytes <= budget else "circle-open" for row in rows
            ],
        },
        text=words,
        hovertemplate="k = %{x}: %{text}",
    )


def _add_choice(
    figure: go.Figure,
    advice: ChunkAdvice,
    values: Sequence[float],
    language: Language,
    rows: Sequence[ChunkRow] | None = None,
) -> None:
    best = advice.best
    if best is None:
        return
    value = dict(zip(rows or advice.rows, values, strict=True))[best]
    figure.add_scatter(
        x=[best.chunk_size],
        y=[value],
        mode="markers",
        name=pick(language, f"recommended: k = {best.chunk_size}", f"推荐：k = {best.chunk_size}"),
        marker={"color": palette.GOOD, "size": 18, "symbol": "circle-open", "line": {"width": 3}},
        hoverinfo="skip",
    )


def _size_axis(figure: go.Figure, sizes: Sequence[int]) -> None:
    shown = [size for size in sizes if size & (size - 1) == 0 and size.bit_length() % 2] or [1]
    if sizes[-1] > 1.5 * shown[-1]:
        shown.append(sizes[-1])
    figure.update_xaxes(type="log", tickvals=shown, ticktext=[str(size) for size in shown])


def _memory_alt(advice: ChunkAdvice, over: int, language: Language) -> str:
    rows, budget = advice.rows, readable_bytes(advice.memory_budget_bytes)
    low, high = readable_bytes(rows[0].predicted_bytes), readable_bytes(rows[-1].predicted_bytes)
    return pick(
        language,
        f"Memory against chunk size: {low} at k = {rows[0].chunk_size}, {high} at "
        f"k = {rows[-1].chunk_size}; {over} of {len(rows)} sizes lie over the budget of {budget}.",
        f"内存随分块大小的变化：k = {rows[0].chunk_size} 时 {low}，k = {rows[-1].chunk_size} 时 "
        f"{high}；{len(rows)} 个分块大小中有 {over} 个超出预算 {budget}。",
    )


def _table(rows: Sequence[ChunkRow]) -> dict[str, np.ndarray]:
    return {
        "chunk_size": np.array([row.chunk_size for row in rows]),
        "temporary_bytes": np.array([row.temporary_bytes for row in rows]),
        "output_bytes": np.array([row.output_bytes for row in rows]),
        "argument_bytes": np.array([row.memory.argument_bytes for row in rows]),
        "median_seconds": np.array([row.measured_seconds for row in rows]),
        "samples": np.array([len(row.samples) for row in rows]),
    }
