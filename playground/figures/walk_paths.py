"""Plots of single walks: paths over time, paths in the plane, and both set in motion."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from playground.figures.drawing import Drawing, styled, thinned
from playground.figures.palette import ACCENT, FOUND, SHARED
from playground.figures.player import add_player
from playground.foundation.language import Language, pick
from playground.lessons.laws import normal_density
from playground.lessons.walking import even_times
from playground.lessons.walks import WalkResult

PATHS_DRAWN = 30
MOST_POINTS = 250
MOVING_PATHS = 15
MOVING_POINTS = 128


def paths(result: WalkResult, language: Language) -> Drawing:
    """Paths of the first walkers over time with envelopes, or in the plane."""
    count = min(PATHS_DRAWN, len(result.paths))
    keep = thinned(result.n_steps + 1, MOST_POINTS)
    shown = result.paths[:count, keep].astype(float)
    note = ""
    if len(result.paths) > count or len(keep) < result.n_steps + 1:
        note = pick(
            language,
            f"Drawn: the first {count} walkers at {len(keep)} times. "
            f"The CSV has {len(result.paths)} walkers at every time.",
            f"图中为前 {count} 个游走者在 {len(keep)} 个时刻的位置；"
            f"CSV 中有 {len(result.paths)} 个游走者在所有时刻的位置。",
        )
    walkers, times = (axis.ravel() for axis in np.indices(result.paths.shape[:2]))
    table = {"walker": walkers, "time": times}
    if shown.ndim == 3:
        table |= {"x": result.paths[..., 0].ravel(), "y": result.paths[..., 1].ravel()}
        return _plane(result, shown, table, note, language)
    table |= {"position": result.paths.ravel()}
    figure = go.Figure()
    _lines(figure, np.broadcast_to(keep.astype(float), shown.shape), shown, language)
    time = np.linspace(0, result.n_steps, 120)
    for factor, dash in ((1, "solid"), (2, "dash")):
        root = factor * np.sqrt(time * result.step.variance)
        for sign in (1, -1):
            figure.add_scatter(
                x=time,
                y=time * result.step.mean + sign * root,
                name=f"±{'' if factor == 1 else factor}σ√n",
                line={"color": FOUND, "dash": dash, "width": 2},
                showlegend=sign == 1,
                legendgroup=str(factor),
                hoverinfo="skip",
            )
    styled(
        figure,
        x=pick(language, "time n (steps)", "时间 n（步）"),
        y=pick(language, "position (steps)", "位置（步）"),
    )
    alt = pick(
        language,
        f"Paths of {count} walkers over {result.n_steps} steps, with the envelopes "
        "plus and minus one and two times sigma root n.",
        f"{count} 个游走者在 {result.n_steps} 步内的路径，以及 ±σ√n 和 ±2σ√n 的包络线。",
    )
    return Drawing(figure, alt, table, note)


def _lines(figure: go.Figure, x: np.ndarray, y: np.ndarray, language: Language) -> None:
    """Draw all paths as one trace with gaps, and the first one again to be followed."""
    gap = np.full((len(x), 1), np.nan)
    figure.add_scatter(
        x=np.hstack([x, gap]).ravel(),
        y=np.hstack([y, gap]).ravel(),
        mode="lines",
        line={"color": ACCENT, "width": 1},
        opacity=0.45,
        name=pick(language, "walkers", "游走者"),
    )
    first = pick(language, "walker 0", "游走者 0")
    figure.add_scatter(x=x[0], y=y[0], mode="lines", line={"color": ACCENT, "width": 3}, name=first)


def _plane(
    result: WalkResult,
    shown: np.ndarray,
    table: dict[str, np.ndarray],
    note: str,
    language: Language,
) -> Drawing:
    figure = go.Figure()
    _lines(figure, shown[..., 0], shown[..., 1], language)
    ends = {"x": shown[:, -1, 0], "y": shown[:, -1, 1]}
    end_name = pick(language, "ends", "终点")
    figure.add_scatter(**ends, mode="markers", marker={"color": FOUND, "size": 7}, name=end_name)
    angle = np.linspace(0, 2 * np.pi, 100)
    radius = np.sqrt(2 * result.n_steps * result.step.variance)
    drift = result.n_steps * result.step.mean
    figure.add_scatter(
        x=drift + radius * np.cos(angle),
        y=drift + radius * np.sin(angle),
        name=pick(language, "root mean square distance", "均方根距离"),
        line={"color": FOUND, "dash": "dash"},
        hoverinfo="skip",
    )
    styled(
        figure, x=pick(language, "x (steps)", "x（步）"), y=pick(language, "y (steps)", "y（步）")
    )
    figure.update_yaxes(scaleanchor="x", scaleratio=1)
    alt = pick(
        language,
        f"Paths of {len(shown)} walkers in the plane over {result.n_steps} steps; a dashed "
        f"circle has the root mean square distance {radius:.3g}.",
        f"{len(shown)} 个游走者在平面上走 {result.n_steps} 步的路径；虚线圆的半径为均方根距离 "
        f"{radius:.3g}。",
    )
    return Drawing(figure, alt, table, note)


def motion(result: WalkResult, language: Language) -> Drawing:
    """Paths that grow and a histogram that spreads, with a play button and a time slider.

    The browser plays it: nothing is computed while it moves.
    """
    n, step = result.n_steps, result.step
    mean, spread = n * step.mean, 4 * np.sqrt(n * step.variance)
    low = min(0.0, mean - spread, float(result.positions.min()))
    high = max(0.0, mean + spread, float(result.positions.max()))
    width = 2.0 * max(1, int(np.ceil((high - low) / 120)))
    if step.lattice is None:
        width = (high - low) / 60
    edges = np.arange(np.floor(low / width), np.ceil(high / width) + 2) * width
    paths = result.paths[:MOVING_PATHS]
    paths = paths if paths.ndim == 2 else paths[..., 0]
    evenly = np.isin(result.times, even_times(n))
    moments = [(int(mark), int(result.times[mark])) for mark in np.flatnonzero(evenly)]
    frames = [
        go.Frame(name=str(time), data=_moment(result, paths, mark, edges), traces=[0, 1, 2, 3])
        for mark, time in moments
    ]
    figure = make_subplots(
        1, 2, shared_yaxes=True, column_widths=[0.66, 0.34], horizontal_spacing=0.06
    )
    for trace, column in zip(frames[-1].data, (1, 1, 2, 2), strict=True):
        figure.add_trace(trace, row=1, col=column)
    figure.frames = frames
    most = max(float(max(frame.data[2].x)) for frame in frames[len(frames) // 2 :])
    position = pick(language, "position (steps)", "位置（步）")
    if result.paths.ndim == 3:
        position = pick(language, "x (steps)", "x（步）")
    styled(figure, height=440)
    figure.update_layout(showlegend=False, bargap=0.05)
    figure.update_xaxes(title=pick(language, "time n (steps)", "时间 n（步）"), col=1)
    figure.update_xaxes(range=[0, 1.02 * n], col=1)
    figure.update_xaxes(title=pick(language, "walkers", "游走者数"), range=[0, most], col=2)
    figure.update_yaxes(range=[low, high])
    figure.update_yaxes(title=position, col=1)
    add_player(figure, [str(time) for _, time in moments], language)
    counts = np.stack([np.histogram(column, edges)[0] for column in result.positions.T])
    time_of, bin_of = (axis.ravel() for axis in np.indices(counts.shape))
    table = {
        "time": result.times[time_of],
        "bin_from": edges[bin_of],
        "bin_to": edges[bin_of + 1],
        "walkers": counts.ravel(),
    }
    alt = pick(
        language,
        f"Animation over {n} steps: {len(paths)} paths grow on the left while the histogram of "
        f"{len(result.positions)} walkers on the right spreads like the root of time.",
        f"{n} 步的动画：左侧 {len(paths)} 条路径逐渐延伸，右侧 {len(result.positions)} "
        "个游走者的直方图随时间的平方根展宽。",
    )
    note = pick(
        language,
        f"Moving: {len(paths)} of {len(result.positions)} walkers on the left, all on the right.",
        f"左侧画出 {len(result.positions)} 个游走者中的 {len(paths)} 个，右侧统计全部。",
    )
    return Drawing(figure, alt, table, note)


def _moment(
    result: WalkResult, paths: np.ndarray, mark: int, edges: np.ndarray
) -> list[go.Scatter | go.Bar]:
    """Everything that is drawn at one of the marked times."""
    time, step = int(result.times[mark]), result.step
    keep = thinned(time + 1, MOVING_POINTS)
    gap = np.full((len(paths), 1), np.nan)
    x = np.broadcast_to(keep.astype(np.float32), (len(paths), len(keep)))
    counts, _ = np.histogram(result.positions[:, mark], edges)
    centres = (edges[1:] + edges[:-1]) / 2
    if step.lattice is not None:
        centres = centres - 0.5  # a bin [a, a + 2) holds the sites a and a + 1
    deviation = np.sqrt(time * step.variance)
    normal = normal_density(centres, time * step.mean, deviation)
    return [
        go.Scatter(
            x=np.hstack([x, gap]).ravel().astype(np.float32),
            y=np.hstack([paths[:, keep], gap]).ravel().astype(np.float32),
            mode="lines",
            line={"color": ACCENT, "width": 1},
            opacity=0.8,
        ),
        go.Scatter(
            x=np.full(len(paths), time, np.float32),
            y=paths[:, time].astype(np.float32),
            mode="markers",
            marker={"color": FOUND, "size": 6},
        ),
        go.Bar(
            x=counts,
            y=centres,
            orientation="h",
            marker={"color": ACCENT},
            width=0.9 * (edges[1] - edges[0]),
        ),
        go.Scatter(
            x=(normal * len(result.positions) * (edges[1] - edges[0])).astype(np.float32),
            y=centres,
            mode="lines",
            line={"color": SHARED, "dash": "dash"},
        ),
    ]
