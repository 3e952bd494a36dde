"""Plots of what many walks have in common: final positions, variance, first returns."""

import numpy as np
import plotly.graph_objects as go

from playground.figures.drawing import Drawing, styled
from playground.figures.palette import ACCENT, FOUND, SHARED
from playground.foundation.language import Language, pick
from playground.lessons.laws import binomial_law, normal_density
from playground.lessons.statistics import counts_at
from playground.lessons.stream import Progress
from playground.lessons.walks import WalkResult

MOST_POINTS = 500
MOST_MARKERS = 90


def histogram(result: WalkResult, language: Language) -> Drawing:
    """Final positions along x, with the exact law and its normal limit on top."""
    n, walkers = result.n_steps, len(result.ends)
    mean, deviation = n * result.step.mean, np.sqrt(n * result.step.variance)
    if result.step.lattice is None:
        width = deviation / 5
        low = np.floor(min(result.ends.min(), mean - 4 * deviation) / width)
        high = np.ceil(max(result.ends.max(), mean + 4 * deviation) / width)
        edges = np.arange(low, high + 1) * width
        counts, _ = np.histogram(result.ends, edges)
        sites, exact = (edges[1:] + edges[:-1]) / 2, None
    else:
        counts, _ = counts_at(result.ends, result.sites)
        sites, exact = result.sites, result.law * walkers
        width = float(sites[1] - sites[0])
        near = (counts > 0) | (np.abs(sites - mean) <= 4 * deviation + width)
        sites, counts, exact = sites[near], counts[near], exact[near]
    return _counted(sites, counts, exact, width, mean, deviation, walkers, language)


def streamed(progress: Progress, language: Language) -> Drawing:
    """Histogram of very many fair walks so far, with the exact law and its normal limit."""
    n = len(progress.counts) - 1
    sites, law = binomial_law(n)
    near = (progress.counts > 0) | (np.abs(sites) <= 4 * np.sqrt(n) + 2)
    walkers = progress.walkers_done
    exact = law[near] * walkers
    return _counted(
        sites[near], progress.counts[near], exact, 2.0, 0.0, np.sqrt(n), walkers, language
    )


def _counted(
    sites: np.ndarray,
    counts: np.ndarray,
    exact: np.ndarray | None,
    width: float,
    mean: float,
    deviation: float,
    walkers: int,
    language: Language,
) -> Drawing:
    x = np.linspace(sites[0] - width, sites[-1] + width, 200)
    normal = normal_density(x, mean, deviation) * width * walkers
    counted = pick(language, "walkers counted", "统计到的游走者")
    limit = pick(language, "normal limit", "正态极限")
    figure = go.Figure(
        go.Bar(x=sites, y=counts, width=0.9 * width, name=counted, marker_color=ACCENT)
    )
    figure.add_scatter(x=x, y=normal, name=limit, line={"color": SHARED, "dash": "dash"})
    table = {"position": sites, "walkers": counts}
    if exact is not None:
        name = pick(language, "exact law", "精确分布")
        mode = "markers" if len(sites) <= MOST_MARKERS else "lines"
        dots = {"marker": {"color": FOUND, "size": 6}, "line": {"color": FOUND}}
        figure.add_scatter(x=sites, y=exact, name=name, mode=mode, **dots)
        table |= {"exact": exact}
    table |= {"normal": normal_density(sites.astype(float), mean, deviation) * width * walkers}
    position = pick(language, "final position (steps)", "终点位置（步）")
    styled(figure, x=position, y=pick(language, "walkers", "游走者数"))
    fullest = float(sites[np.argmax(counts)])
    alt = pick(
        language,
        f"Histogram of the final positions of {walkers} walkers in bins of width {width:.3g}; "
        f"the fullest bin is at {fullest:g} with {counts.max()} walkers, where the normal "
        f"limit has its top at {mean:g}.",
        f"{walkers} 个游走者终点位置的直方图，组距为 {width:.3g}；人数最多的一组在 {fullest:g} 处，"
        f"有 {counts.max()} 个游走者，正态极限的峰在 {mean:g} 处。",
    )
    return Drawing(figure, alt, table)


def variance(result: WalkResult, language: Language) -> Drawing:
    """Variance over the walkers against time, log-log, with its confidence band and n sigma^2."""
    times, (value, low, high) = result.times, result.variance
    line = times * result.step.variance
    guide = pick(language, "exact: nσ², slope 1", "精确值 nσ²，斜率 1")
    figure = go.Figure()
    table = {"n": times, "variance": value, "low": low, "high": high, "exact": line}
    seen = value > 0
    if seen.any():
        figure.add_scatter(
            x=np.concatenate([times[seen], times[seen][::-1]]),
            y=np.concatenate([high[seen], low[seen][::-1]]),
            fill="toself",
            line={"width": 0},
            fillcolor="rgba(47, 116, 255, 0.25)",
            name=pick(language, "95 % interval", "95% 置信区间"),
            hoverinfo="skip",
        )
    figure.add_scatter(x=times, y=line, name=guide, line={"color": FOUND, "dash": "dash"})
    figure.add_scatter(
        x=times[seen],
        y=value[seen],
        mode="lines+markers",
        marker={"color": ACCENT, "size": 6},
        line={"color": ACCENT},
        name=pick(language, "variance over the walkers", "游走者之间的方差"),
    )
    figure.update_layout(showlegend=True)
    styled(
        figure,
        x=pick(language, "time n (steps)", "时间 n（步）"),
        y=pick(language, "variance (steps²)", "方差（步²）"),
    )
    figure.update_xaxes(type="log", **_ticks(1, times[-1]))
    figure.update_yaxes(
        type="log", **_ticks(min([line[0], *low[seen]]), max([line[-1], *high[seen]]))
    )
    note = ""
    if not seen.all():
        note = pick(
            language,
            f"At {int((~seen).sum())} of {len(times)} times all walkers stand together: variance "
            "0 has no place on a logarithmic axis.",
            f"{len(times)} 个时刻中有 {int((~seen).sum())} 个时刻所有游走者都在同一处："
            "方差为 0，无法画在对数坐标上。",
        )
    alt = pick(
        language,
        f"Variance against time on logarithmic axes: {value[-1]:.4g} after {times[-1]} steps, "
        f"95 % interval {low[-1]:.4g} to {high[-1]:.4g}, exact {line[-1]:.4g}.",
        f"双对数坐标下方差随时间的变化：{times[-1]} 步后为 {value[-1]:.4g}，"
        f"95% 置信区间为 {low[-1]:.4g} 到 {high[-1]:.4g}，精确值为 {line[-1]:.4g}。",
    )
    return Drawing(figure, alt, table, note)


def returns(result: WalkResult, language: Language) -> Drawing:
    """Share of walkers that have not been back at their start yet, against time, log-log."""
    n, walkers = result.n_steps, len(result.returns)
    times = np.arange(1, n + 1)
    counts = np.bincount(result.returns, minlength=n + 1)[1:]
    away = 1 - np.cumsum(counts) / walkers
    table = {"time": times, "first_returns": counts, "share_away": away}
    figure = go.Figure()
    keep = np.unique(np.geomspace(1, n, MOST_POINTS).round().astype(int)) - 1
    seen = keep[away[keep] > 0]
    figure.add_scatter(
        x=times[seen],
        y=away[seen],
        mode="lines+markers" if n < 60 else "lines",
        line={"color": ACCENT, "shape": "hv", "width": 3},
        name=pick(language, "not back yet", "尚未返回"),
    )
    if len(result.return_law):
        exact = np.maximum(1 - np.cumsum(result.return_law), 1e-12)
        table |= {"share_away_exact": exact}
        figure.add_scatter(
            x=times[keep],
            y=exact[keep],
            line={"color": FOUND, "shape": "hv", "dash": "dash"},
            name=pick(language, "exact law", "精确分布"),
        )
    figure.update_layout(showlegend=True)
    styled(
        figure,
        x=pick(language, "time n (steps)", "时间 n（步）"),
        y=pick(language, "share not back at the start", "尚未回到起点的比例"),
    )
    figure.update_xaxes(type="log", **_ticks(1, n))
    figure.update_yaxes(type="log", **_ticks(away[seen].min() if len(seen) else 1, 1))
    alt = pick(
        language,
        f"Share of {walkers} walkers that have not come back to their start: "
        f"{away[-1]:.3g} after {n} steps.",
        f"{walkers} 个游走者中尚未回到起点的比例：{n} 步后为 {away[-1]:.3g}。",
    )
    return Drawing(figure, alt, table)


def _ticks(low: float, high: float) -> dict[str, list[float]]:
    """Ticks of a logarithmic axis, fewer to a decade the more decades there are."""
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    leads: tuple[float, ...] = (1, 2, 5) if len(decades) <= 4 else (1,)
    if high < 4 * low:
        leads = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
    return {"tickvals": [round(lead * 10.0**k, 9) for k in decades for lead in leads]}
