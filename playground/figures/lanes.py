"""The film of a loop on a batch: one row per example, one column per round, played in the browser.

Work that an example needed is solid; rounds in which it only waited for others are hatched.
"""

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled, thinned
from playground.foundation.language import Language, pick
from playground.lessons.lanes import LaneResult

MOST_FRAMES = 120
MOST_COLUMN_LINES = 40
GRID = "rgba(127,137,152,0.45)"
FRAME_MILLISECONDS = 90


def lane_film(result: LaneResult, language: Language) -> Drawing:
    """Draw the lanes after all rounds, with a slider over the rounds and a button that plays.

    Args:
        result: the film's data.
        language: of the titles.
    """
    last = int((result.starts + result.rounds).max())
    shown = thinned(last + 1, MOST_FRAMES)
    figure = go.Figure(
        data=_bars(result, last, language),
        frames=[
            go.Frame(
                data=_bars(result, int(now), language),
                layout={"annotations": [_words(result, int(now), language)]},
                name=str(now),
            )
            for now in shown
        ],
    )
    styled(
        figure,
        x=pick(language, "round of the loop", "循环轮次"),
        y=pick(language, "example: input", "样本：输入"),
        height=270 + 21 * len(result.inputs),
    )
    figure.update_xaxes(
        range=[0, max(last, 1)],
        dtick=1 if last <= MOST_COLUMN_LINES else 10,
        minor={"dtick": 1, "showgrid": last <= 4 * MOST_COLUMN_LINES, "gridcolor": GRID},
        gridcolor=GRID,
        layer="above traces",
        zeroline=False,
    )
    names = [str(n) for n in result.inputs]
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=names[::-1])
    figure.update_layout(
        barmode="overlay",
        bargap=0.18,
        annotations=[_words(result, last, language)],
        updatemenus=[_play(language)],
        sliders=[_slider(shown, language)],
        margin={"l": 12, "r": 12, "t": 40, "b": 12},
    )
    share = result.summary["utilisation in percent"]
    alt = pick(
        language,
        f"{len(names)} lanes over {last} rounds: {share:.1f} % of the work was needed, "
        "the rest is examples that had ended and waited.",
        f"{len(names)} 条通道，共 {last} 轮：{share:.1f}% 的计算是需要的，"
        "其余是已经结束的样本在等待。",
    )
    table = {
        "input": result.inputs,
        "steps_needed": result.steps,
        "rounds_run": result.rounds,
        "first_round": result.starts,
    }
    note = ""
    if len(shown) < last + 1:
        note = pick(
            language,
            f"The film shows {len(shown)} of {last + 1} rounds.",
            f"动画显示了 {last + 1} 轮中的 {len(shown)} 轮。",
        )
    return Drawing(figure, alt, table, note)


def until(result: LaneResult, now: int) -> tuple[np.ndarray, np.ndarray]:
    """Return useful and wasted rounds of each lane in the first `now` rounds, int, (batch,)."""
    useful = np.clip(now - result.starts, 0, result.steps)
    wasted = np.clip(now - result.starts - result.steps, 0, result.rounds - result.steps)
    return useful, wasted


def _bars(result: LaneResult, now: int, language: Language) -> list[go.Bar]:
    useful, wasted = until(result, now)
    names = [str(n) for n in result.inputs]
    hatch = {"shape": palette.WASTED_PATTERN, "fillmode": "overlay", "size": 6, "solidity": 0.35}
    return [
        go.Bar(
            y=names,
            x=useful,
            base=result.starts,
            orientation="h",
            name=pick(language, "work it needs", "需要的计算"),
            marker={"color": palette.ACCENT, "line": {"width": 0}},
            hovertemplate="%{y}: %{x}<extra></extra>",
        ),
        go.Bar(
            y=names,
            x=wasted,
            base=result.starts + result.steps,
            orientation="h",
            name=pick(language, "ended, computed all the same", "已结束，仍在计算"),
            marker={
                "color": palette.SHARED,
                "opacity": 0.75,
                "pattern": hatch,
                "line": {"width": 0},
            },
            hovertemplate="%{y}: %{x}<extra></extra>",
        ),
    ]


def _words(result: LaneResult, now: int, language: Language) -> dict:
    useful, wasted = until(result, now)
    done = int(useful.sum() + wasted.sum())
    share = 100 * int(useful.sum()) / done if done else 100.0
    running = int((useful < result.steps).sum())
    text = pick(
        language,
        f"round {now}: {running} of {len(useful)} not finished, {share:.0f} % useful",
        f"第 {now} 轮：{len(useful)} 个中有 {running} 个未完成，有效计算 {share:.0f}%",
    )
    place = {"xref": "paper", "yref": "paper", "x": 1, "y": 0, "xanchor": "right", "yshift": -136}
    return place | {"yanchor": "top", "text": text, "showarrow": False}


def _play(language: Language) -> dict:
    moving = {
        "frame": {"duration": FRAME_MILLISECONDS, "redraw": True},
        "transition": {"duration": 0},
    }
    still = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate"}
    return {
        "type": "buttons",
        "direction": "left",
        "showactive": False,
        "x": 0,
        "y": 0,
        "xanchor": "left",
        "yanchor": "top",
        "pad": {"t": 128, "l": 0},
        "bgcolor": "rgba(127,137,152,0.18)",
        "bordercolor": GRID,
        "buttons": [
            {
                "label": pick(language, "▶ Play", "▶ 播放"),
                "method": "animate",
                "args": [None, {**moving, "fromcurrent": False, "mode": "immediate"}],
            },
            {
                "label": pick(language, "❚❚ Pause", "❚❚ 暂停"),
                "method": "animate",
                "args": [[None], still],
            },
        ],
    }


def _slider(shown: np.ndarray, language: Language) -> dict:
    jump = {"frame": {"duration": 0, "redraw": True}, "mode": "immediate"}
    return {
        "active": len(shown) - 1,
        "x": 0,
        "len": 1,
        "y": 0,
        "yanchor": "top",
        "pad": {"t": 42},
        "ticklen": 0,
        "minorticklen": 0,
        "bgcolor": GRID,
        "currentvalue": {"prefix": pick(language, "round ", "轮次 "), "xanchor": "left"},
        "steps": [{"label": str(n), "method": "animate", "args": [[str(n)], jump]} for n in shown],
    }
