"""Figures of the page Control flow: branches that ran, bytes, gradients at an edge, trajectories.

The film of a loop is in `lanes.py`.
"""

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.units import bytes_ticks
from playground.foundation.language import Language, pick
from playground.foundation.limits import readable_bytes
from playground.lessons.branch_edges import WAYS, EdgeResult
from playground.lessons.branches import LANES, BranchProgram, BranchResult
from playground.lessons.dependent_steps import StepsResult

BRANCHES = ("positive", "other")


def branches_that_ran(result: BranchResult, which: str, language: Language) -> Drawing:
    """Draw which branch ran for which example, and whose result was thrown away.

    Args:
        result: the page's result.
        which: "mapped" or "shared", the predicate.
        language: of the titles.
    """
    wanted = [
        "positive" if p > 0 else "other"
        for p in (result.predicates if which == "mapped" else result.predicates[:1] * LANES)
    ]
    rows = {
        "positive": pick(language, "p > 0: W @ x", "p > 0：W @ x"),
        "other": pick(language, "else: x", "否则：x"),
    }
    used = [(b, lane) for b, lane in result.ran[which] if wanted[lane] == b]
    wasted = [(b, lane) for b, lane in result.ran[which] if wanted[lane] != b]
    idle = [
        (b, lane) for b in BRANCHES for lane in range(LANES) if (b, lane) not in result.ran[which]
    ]
    outline = {"color": "rgba(0,0,0,0)", "line": {"width": 1, "color": "rgba(127,137,152,0.6)"}}
    figure = go.Figure()
    for cells, name, marker in (
        (used, pick(language, "ran, result used", "执行了，结果被采用"), _solid(palette.ACCENT)),
        (wasted, pick(language, "ran, thrown away", "执行了，结果被丢弃"), _hatched()),
        (idle, pick(language, "did not run", "没有执行"), outline),
    ):
        figure.add_bar(
            y=[rows[branch] for branch, _ in cells],
            x=[1.0] * len(cells),
            base=[lane - 0.5 for _, lane in cells],
            orientation="h",
            name=name,
            marker=marker,
            hovertemplate="%{y}<extra></extra>",
        )
    styled(figure, x=pick(language, "example", "样本"), height=190)
    figure.update_layout(barmode="overlay", bargap=0.25)
    figure.update_xaxes(range=[-0.55, LANES - 0.45], dtick=1, showgrid=False)
    figure.update_yaxes(categoryorder="array", categoryarray=[rows[b] for b in reversed(BRANCHES)])
    alt = pick(
        language,
        f"{len(used)} branch runs were used, {len(wasted)} were thrown away.",
        f"采用了 {len(used)} 次分支执行的结果，丢弃了 {len(wasted)} 次。",
    )
    table = {
        "branch": np.array([branch for branch, _ in result.ran[which]]),
        "example": np.array([lane for _, lane in result.ran[which]]),
        "used": np.array([wanted[lane] == b for b, lane in result.ran[which]]),
    }
    return Drawing(figure, alt, table)


def _solid(colour: str) -> dict:
    return {"color": colour, "line": {"width": 2, "color": "rgba(127,137,152,0.35)"}}


def _hatched() -> dict:
    pattern = {"shape": palette.WASTED_PATTERN, "fillmode": "overlay", "size": 7, "solidity": 0.35}
    return {"color": palette.SHARED, "opacity": 0.75, "pattern": pattern}


def intermediates(program: BranchProgram, language: Language) -> Drawing:
    """Draw the bytes of every intermediate result of a program; copies of the matrix stand out."""
    items = program.intermediates
    sizes = np.array([max(item.bytes, 1) for item in items])
    names = [f"{item.name} {list(item.shape)}" for item in items]
    copied = np.array([item.is_copied_matrix for item in items], bool)
    figure = go.Figure()
    for mask, colour, label in (
        (~copied, palette.ACCENT, pick(language, "per example", "每个样本自己的")),
        (
            copied,
            palette.FOUND,
            pick(language, "the matrix, once per example", "矩阵，每个样本一份"),
        ),
    ):
        if mask.any():
            figure.add_bar(
                y=[n for n, chosen in zip(names, mask, strict=True) if chosen],
                x=sizes[mask],
                orientation="h",
                name=label,
                marker={"color": colour},
                text=[readable_bytes(size) for size in sizes[mask]],
                textposition="auto",
                hovertemplate="%{y}: %{text}<extra></extra>",
            )
    styled(
        figure,
        x=pick(language, "bytes, log scale", "字节数（对数刻度）"),
        height=130 + 24 * len(items),
    )
    figure.update_xaxes(type="log", **bytes_ticks(sizes))
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1])
    figure.update_layout(bargap=0.2)
    alt = pick(
        language,
        f"{len(items)} intermediates; {int(copied.sum())} hold the matrix once per example, "
        f"the largest takes {readable_bytes(sizes.max() if sizes.size else 0)}.",
        f"共 {len(items)} 个中间结果；其中 {int(copied.sum())} 个为每个样本各存了一份矩阵，"
        f"最大的占 {readable_bytes(sizes.max() if sizes.size else 0)}。",
    )
    table = {"intermediate": np.array(names), "bytes": sizes, "copied_matrix": copied}
    return Drawing(figure, alt, table)


def edge_gradients(result: EdgeResult, language: Language) -> Drawing:
    """Draw the gradient of each guard against x; nan is marked on the axis."""
    figure = go.Figure()
    dashes = ("solid", "dash", "dot")
    colours = (palette.ACCENT, palette.FOUND, palette.GOOD)
    widths = (5, 3, 2)
    for i, way in enumerate(WAYS):
        line = {"color": colours[i], "dash": dashes[i], "width": widths[i]}
        figure.add_scatter(x=result.curve_x, y=result.curves[i], name=way, mode="lines", line=line)
    lost = np.isnan(result.curves[1])
    figure.add_scatter(
        x=result.curve_x[lost],
        y=np.zeros(int(lost.sum())),
        mode="markers",
        name=pick(language, "where: nan", "where：nan"),
        marker={"symbol": "x", "size": 9, "color": palette.BAD},
    )
    styled(figure, x="x", y=pick(language, "gradient", "梯度"), height=330)
    low, high = np.nanmin(result.curves), np.nanmax(np.abs(result.curves))
    if high > 8:
        figure.update_yaxes(range=[max(float(low), -8.0) - 0.5, 8.0])
    alt = pick(
        language,
        f"The gradient by where is nan at {int(lost.sum())} of {lost.size} points; "
        "cond and the double where are finite everywhere.",
        f"where 的梯度在 {lost.size} 个点中有 {int(lost.sum())} 个是 nan；"
        "cond 和双重 where 处处有限。",
    )
    table = {"x": result.curve_x} | {
        f"gradient_{way.replace(' ', '_')}": result.curves[i] for i, way in enumerate(WAYS)
    }
    return Drawing(figure, alt, table)


def trajectories(result: StepsResult, language: Language, wrong: bool = False) -> Drawing:
    """Draw the path of each example over the steps.

    Args:
        result: the page's result.
        language: of the titles.
        wrong: draw what mapping over the steps gives.
    """
    paths = result.mapped_steps if wrong else result.paths
    steps = np.arange(1, paths.shape[1] + 1)
    figure = go.Figure()
    for i, path in enumerate(paths):
        figure.add_scatter(
            x=steps,
            y=path,
            mode="lines+markers",
            marker={"size": 4},
            line={"color": palette.SERIES[i % len(palette.SERIES)], "width": 1.5},
            name=f"r = {result.rates[i]:.3g}",
        )
    styled(figure, x=pick(language, "step", "步"), y="x", height=300)
    figure.update_yaxes(range=[-0.02, 1.02])
    alt = pick(
        language,
        f"Paths of {len(paths)} logistic maps over {steps[-1]} steps.",
        f"{len(paths)} 个逻辑斯谛映射在 {steps[-1]} 步内的轨迹。",
    )
    table = {"step": steps} | {f"r_{result.rates[i]:.3g}": p for i, p in enumerate(paths)}
    return Drawing(figure, alt, table)
