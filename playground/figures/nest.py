"""Figures of the page Nest: heat maps of distances, errors against the offset, gradients."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.foundation.language import Language, pick
from playground.lessons.cancellation import Cancellation
from playground.lessons.nest import NestResult

SHOWN_COORDINATES = 3
SMALLEST_ERROR = 1e-9
"""Errors below this, 0 among them, are drawn here: a logarithmic axis has no 0."""


def value_name(metric: str, language: Language) -> str:
    """Name what the cells of a matrix hold."""
    english = {"dot": "inner product", "squared": "squared distance", "cosine": "1 - cos"}
    chinese = {"dot": "内积", "squared": "距离的平方", "cosine": "1 - cos"}
    return pick(language, english.get(metric, "distance"), chinese.get(metric, "距离"))


def point_label(name: str, point: np.ndarray) -> str:
    """Write a point as `x[3] = (0.12, -1.3, 0.4, …)`."""
    shown = ", ".join(f"{value:.3g}" for value in point[:SHOWN_COORDINATES])
    return f"{name} = ({shown}{', …' if len(point) > SHOWN_COORDINATES else ''})"


def heat_map(
    matrix: np.ndarray,
    down: list[str],
    across: list[str],
    names: tuple[str, str],
    value: str,
) -> go.Figure:
    """Draw a matrix with its first row on top; hover shows both points and the value.

    Args:
        matrix: shape (rows, columns), at most 200 a side.
        down: label of each row.
        across: label of each column.
        names: titles of the vertical and the horizontal axis.
        value: what a cell holds.
    """
    rows, columns = matrix.shape
    small = rows * columns <= 150
    # Numbers stand on the cells themselves: light cells and dark ink, whatever the theme.
    light = [[k / 2, colour] for k, (_, colour) in enumerate(palette.SEQUENTIAL[:3])]
    figure = go.Figure(
        go.Heatmap(
            z=matrix.astype(np.float32),
            x=across,
            y=down,
            colorscale=light if small else [list(stop) for stop in palette.SEQUENTIAL],
            colorbar={"title": {"text": value, "side": "right"}, "thickness": 12},
            texttemplate="%{z:.3g}" if small else None,
            textfont={"color": palette.SEQUENTIAL[-1][1]},
            showscale=not small,
            hovertemplate=f"%{{y}}<br>%{{x}}<br>{value}: %{{z:.6g}}<extra></extra>",
            xgap=1 if max(rows, columns) <= 40 else 0,
            ygap=1 if max(rows, columns) <= 40 else 0,
        )
    )
    styled(figure, x=names[1], y=names[0], height=400)
    for axis, labels in (("xaxis", across), ("yaxis", down)):
        ticks = np.unique(np.linspace(0, len(labels) - 1, min(len(labels), 8)).round().astype(int))
        short = [labels[k].partition(" =")[0] for k in ticks]
        figure.update_layout(
            {axis: {"type": "category", "tickvals": ticks, "ticktext": short, "showgrid": False}}
        )
    figure.update_yaxes(autorange="reversed", automargin=True)
    figure.update_xaxes(automargin=True)
    return figure


def distances(result: NestResult, language: Language, *, swapped: bool = False) -> Drawing:
    """Draw the distance matrix in the chosen order of nesting, or in the other one."""
    rows_first = (result.order == "rows") != swapped
    matrix = result.swapped if swapped else result.matrix
    x = [point_label(f"x[{k}]", p) for k, p in zip(result.row_at, result.X, strict=True)]
    y = [point_label(f"y[{k}]", p) for k, p in zip(result.column_at, result.Y, strict=True)]
    names = (pick(language, "x: axis {}", "x：轴 {}"), pick(language, "y: axis {}", "y：轴 {}"))
    first, second = (x, y) if rows_first else (y, x)
    titles = names if rows_first else names[::-1]
    value = value_name(result.metric, language)
    figure = heat_map(matrix, first, second, (titles[0].format(0), titles[1].format(1)), value)
    size = result.summary["shape with swapped levels" if swapped else "shape"]
    alt = pick(
        language,
        f"Heat map of the matrix of shape {size}: {value} of every x and every y, "
        f"from {matrix.min():.3g} to {matrix.max():.3g}; "
        f"axis 0 walks {'x' if rows_first else 'y'}.",
        f"形状为 {size} 的矩阵热图：每个 x 与每个 y 的{value}，从 {matrix.min():.3g} 到 "
        f"{matrix.max():.3g}；轴 0 对应 {'x' if rows_first else 'y'}。",
    )
    note = reduced_note(size, matrix.shape, language)
    table = long_table(matrix, *((result.row_at, result.column_at)[:: 1 if rows_first else -1]))
    return Drawing(figure, alt, table, note)


def reduced_note(whole: tuple[int, ...], drawn: tuple[int, ...], language: Language) -> str:
    """Say that only a part is drawn; empty when all is."""
    if tuple(whole) == tuple(drawn):
        return ""
    return pick(
        language,
        f"Drawn: {drawn[0]} x {drawn[1]} evenly spaced cells of {whole[0]} x {whole[1]}.",
        f"图中只画出 {whole[0]} × {whole[1]} 中等距抽取的 {drawn[0]} × {drawn[1]} 个格子。",
    )


def long_table(matrix: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> dict[str, np.ndarray]:
    """Write a matrix as three columns: axis 0, axis 1, value."""
    first, second = np.meshgrid(rows, columns, indexing="ij")
    return {"axis 0": first.ravel(), "axis 1": second.ravel(), "value": matrix.ravel()}


def formula_names(language: Language) -> dict[str, str]:
    """Return what each method of computing distances is called."""
    return {
        "nested": pick(language, "nested vmap of differences", "差值的嵌套 vmap"),
        "expansion": pick(language, "expansion", "展开式"),
        "centred": pick(language, "centred expansion", "中心化展开式"),
        "chosen": pick(language, "what pairwise_distances chose", "pairwise_distances 的选择"),
    }


def errors(found: Cancellation, offset: int, language: Language) -> Drawing:
    """Draw the largest relative error of each method against the offset, both logarithmic."""
    names = formula_names(language)
    dashes = {"nested": "dot", "expansion": "solid", "centred": "dash", "chosen": "solid"}
    figure = go.Figure()
    for (key, name), colour in zip(
        names.items(), (palette.SHARED, palette.BAD, palette.SECOND, palette.ACCENT), strict=True
    ):
        figure.add_scatter(
            x=found.offsets,
            y=np.maximum(found.errors[key], SMALLEST_ERROR),
            customdata=found.errors[key],
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dashes[key]},
            hovertemplate="%{x:,}: %{customdata:.2g}",
        )
    figure.add_vline(x=offset, line={"color": palette.FOUND, "width": 2})
    figure.add_hline(y=1e-4, line={"color": palette.SHARED, "dash": "dot", "width": 1})
    figure.update_xaxes(type="log", dtick=1)
    figure.update_yaxes(type="log", exponentformat="power", dtick=2)
    title = pick(language, "largest relative error (log)", "最大相对误差（对数）")
    styled(figure, x=pick(language, "offset added (log)", "加上的偏移量（对数）"), y=title)
    figure.update_layout(margin={"t": 70})
    at = int(np.flatnonzero(found.offsets == offset)[0])
    alt = pick(
        language,
        f"Error against offset. At {offset:,}: expansion {found.errors['expansion'][at]:.2g}, "
        f"centred {found.errors['centred'][at]:.2g}, nested {found.errors['nested'][at]:.2g}, "
        f"chosen {found.errors['chosen'][at]:.2g}.",
        f"误差随偏移量的变化。偏移 {offset:,} 时：展开式 {found.errors['expansion'][at]:.2g}，"
        f"中心化 {found.errors['centred'][at]:.2g}，嵌套 {found.errors['nested'][at]:.2g}，"
        f"自动选择 {found.errors['chosen'][at]:.2g}。",
    )
    table = {"offset": found.offsets} | {f"error {k}": v for k, v in found.errors.items()}
    note = pick(
        language,
        f"Errors of 0 are drawn at {SMALLEST_ERROR:g}; the dotted line is 1e-4.",
        f"误差为 0 时画在 {SMALLEST_ERROR:g} 处；水平虚线为 1e-4。",
    )
    return Drawing(figure, alt, table | {"negative squares": found.negatives}, note)


def gradients(found: Mapping[str, np.ndarray], language: Language) -> Drawing:
    """Draw the length of each point's gradient by formula; what is nan is marked in red."""
    lengths = {name: np.linalg.norm(value, axis=1) for name, value in found.items()}
    points = [f"x[{k}]" for k in range(len(next(iter(lengths.values()))))]
    grid = np.array(list(lengths.values()))
    bad = np.isnan(grid)
    names = [f"{name} " for name in lengths]
    figure = go.Figure(
        go.Heatmap(
            z=np.where(bad, 1.0, 0.0),
            x=points,
            y=names,
            text=[["nan" if np.isnan(v) else f"{v:.3g}" for v in row] for row in grid],
            texttemplate="%{text}",
            textfont={"color": "#ffffff", "size": 14},
            colorscale=[[0.0, palette.ACCENT], [1.0, palette.BAD]],
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{y}: %{x}<br>|gradient| = %{text}<extra></extra>",
        )
    )
    styled(figure, x=pick(language, "point of X", "X 中的点"), height=260)
    figure.update_yaxes(autorange="reversed", automargin=True)
    broken = ", ".join(f"{n}: {int(b.sum())}" for n, b in zip(lengths, bad, strict=True))
    alt = pick(
        language,
        f"Length of the gradient of {len(points)} points by four formulas. "
        f"Points with nan: {broken}.",
        f"{len(points)} 个点按四种公式计算的梯度长度。出现 nan 的点数：{broken}。",
    )
    return Drawing(figure, alt, {"point": np.array(points)} | dict(lengths))
