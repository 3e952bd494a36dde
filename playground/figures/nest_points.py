"""Figures of many points on the page Nest: a user's own, and more than can be kept."""

import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.nest import heat_map, long_table, point_label, reduced_note, value_name
from playground.foundation.language import Language, pick
from playground.lessons.large import LargeResult
from playground.lessons.own_points import OwnResult


def own(result: OwnResult, language: Language) -> Drawing:
    """Draw the distances of a user's points, each named by its line in the file."""
    labels = [
        point_label(pick(language, f"line {line}", f"第 {line} 行"), point)
        for line, point in zip(result.lines, result.points, strict=True)
    ]
    value = value_name(result.metric, language)
    axis = pick(language, "line in the file", "文件中的行")
    figure = heat_map(result.matrix, labels, labels, (axis, axis), value)
    count = result.count
    alt = pick(
        language,
        f"Heat map of the {value} of {count} points with each other, "
        f"largest {result.matrix.max():.3g}.",
        f"{count} 个点两两之间{value}的热图，最大值 {result.matrix.max():.3g}。",
    )
    note = reduced_note((count, count), result.matrix.shape, language)
    return Drawing(figure, alt, long_table(result.matrix, result.lines, result.lines), note)


def counts(result: LargeResult, metric: str, language: Language) -> Drawing:
    """Draw how often each value occurs among all pairs so far."""
    centres = (result.edges[:-1] + result.edges[1:]) / 2
    figure = go.Figure(
        go.Bar(
            x=centres,
            y=result.counts,
            marker={"color": palette.ACCENT},
            hovertemplate="%{x:.4g}: %{y:,}<extra></extra>",
        )
    )
    value = value_name(metric, language)
    styled(figure, x=value, y=pick(language, "pairs", "点对数"), height=300)
    total = int(result.counts.sum())
    alt = pick(
        language,
        f"Histogram of {total:,} values ({value}), from {result.smallest:.3g} to "
        f"{result.largest:.3g}.",
        f"{total:,} 个{value}的直方图，从 {result.smallest:.3g} 到 {result.largest:.3g}。",
    )
    return Drawing(figure, alt, {"centre": centres, "pairs": result.counts})


def drawn(result: LargeResult, metric: str, language: Language) -> Drawing:
    """Draw the rows known so far of evenly spaced points."""
    columns = [f"y[{k}]" for k in result.drawn_at]
    rows = [f"x[{k}]" for k in result.drawn_at[: len(result.drawn)]]
    value = value_name(metric, language)
    figure = heat_map(result.drawn, rows, columns, ("x", "y"), value)
    figure.update_layout(height=300)
    alt = pick(
        language,
        f"Heat map of {len(rows)} x {len(columns)} of the values ({value}).",
        f"{value}中 {len(rows)} × {len(columns)} 个值的热图。",
    )
    note = reduced_note((result.points, result.points), result.drawn.shape, language)
    at = result.drawn_at
    return Drawing(figure, alt, long_table(result.drawn, at[: len(rows)], at), note)
