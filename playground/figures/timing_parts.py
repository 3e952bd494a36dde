"""Figures of the smaller parts of the Timing page: lies of the clock, recompilations, constants."""

import numpy as np
import plotly.graph_objects as go

from playground.figures import palette
from playground.figures.drawing import Drawing, styled
from playground.figures.units import seconds_ticks, time_text
from playground.foundation.language import Language, pick
from playground.measure.closures import FORMS, ClosureCost
from playground.measure.lies import CALLS_WITH_COMPILE, LiesResult
from playground.measure.recompile import CallCost


def way_name(way: str, language: Language) -> str:
    """Return what a way of measuring is called."""
    return {
        "honest": pick(language, "honest", "正确的测法"),
        "not waited for": pick(language, "result not waited for", "不等结果"),
        "compile counted": pick(
            language,
            f"first call counted among {CALLS_WITH_COMPILE}",
            f"{CALLS_WITH_COMPILE} 次调用里算进首次",
        ),
        "without jit": pick(language, "without jit", "没有 jit"),
    }[way]


def lies_bars(result: LiesResult, language: Language) -> Drawing:
    """Draw what each way of measuring reports for the same call, on a logarithmic axis."""
    ways = [timing.name for timing in result.timings]
    seconds = np.array([timing.median for timing in result.timings])
    names = [way_name(way, language) for way in ways]
    honest = result.seconds("honest")
    low = 10 ** np.floor(np.log10(seconds.min()) - 0.3)
    words = [
        time_text(s) if way == "honest" else f"{time_text(s)} ({s / honest:.2g} ×)"
        for way, s in zip(ways, seconds, strict=True)
    ]
    figure = go.Figure()
    figure.add_bar(
        y=names,
        x=seconds,
        orientation="h",
        text=[word.replace(" (", "<br>(") for word in words],  # narrow enough for a phone
        textposition="outside",
        cliponaxis=False,
        marker={
            "color": [palette.GOOD if way == "honest" else palette.BAD for way in ways],
            "pattern": {"shape": ["" if way == "honest" else "/" for way in ways]},
        },
        hovertemplate="%{y}: %{text}<extra></extra>",
    )
    title = pick(language, "Time that is reported per call", "报告的每次调用时间")
    styled(figure, x=title, height=280)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(type="log", range=[np.log10(low), np.log10(seconds.max()) + 1.2])
    figure.update_xaxes(**seconds_ticks([low, seconds.max() * 15]))
    figure.update_yaxes(autorange="reversed")
    listed = "; ".join(f"{name}: {word}" for name, word in zip(names, words, strict=True))
    alt = pick(
        language, f"Reported times of the same call: {listed}.", f"同一次调用的报告时间：{listed}。"
    )
    table = {"way": np.array(ways), "median_seconds": seconds}
    return Drawing(figure, alt, table)


def recompile_bars(costs: tuple[CallCost, ...], language: Language) -> Drawing:
    """Draw the time of each call in a row, coloured by whether it was traced and compiled."""
    figure = go.Figure()
    numbered = [f"{index + 1}. {cost.call}" for index, cost in enumerate(costs)]
    for traced, colour, words in (
        (True, palette.FOUND, pick(language, "traced and compiled", "重新追踪并编译")),
        (False, palette.ACCENT, pick(language, "found compiled", "已有编译好的程序")),
    ):
        chosen = [i for i, cost in enumerate(costs) if bool(cost.traces) == traced]
        figure.add_bar(
            y=[numbered[i] for i in chosen],
            x=[costs[i].seconds for i in chosen],
            orientation="h",
            name=words,
            marker={"color": colour},
            text=[time_text(costs[i].seconds) for i in chosen],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{text}",
        )
    seconds = np.array([cost.seconds for cost in costs])
    styled(figure, x=pick(language, "Time of this call", "本次调用的时间"), height=520)
    figure.update_layout(barmode="overlay", bargap=0.25)
    span = [np.log10(seconds.min()) - 0.5, np.log10(seconds.max()) + 0.6]
    figure.update_xaxes(type="log", range=span, **seconds_ticks(seconds))
    figure.update_yaxes(
        categoryorder="array", categoryarray=numbered, autorange="reversed", tickfont_size=11
    )
    total = sum(cost.traces for cost in costs)
    alt = pick(
        language,
        f"{len(costs)} calls in a row, {total} of them traced and compiled anew.",
        f"连续 {len(costs)} 次调用，其中 {total} 次重新追踪并编译。",
    )
    table = {
        "call": np.array([cost.call for cost in costs]),
        "traces": np.array([cost.traces for cost in costs]),
        "seconds": seconds,
    }
    return Drawing(figure, alt, table)


def form_name(form: str, language: Language) -> str:
    """Return what a form of handing over an array is called."""
    return {
        "closed over": pick(language, "closed over: a constant", "闭包捕获：成为常量"),
        "argument": pick(language, "an argument", "作为参数"),
    }[form]


def closure_lines(costs: tuple[ClosureCost, ...], what: str, language: Language) -> Drawing:
    """Draw a cost of an array against its size, closed over and as an argument.

    Args:
        costs: what was measured.
        what: "characters" of the program's text, or "seconds" to lower and compile it.
        language: of the titles.

    Returns:
        Two lines on log-log.
    """
    figure = go.Figure()
    values = {}
    for form, colour in zip(FORMS, (palette.FOUND, palette.ACCENT), strict=True):
        members = [cost for cost in costs if cost.form == form]
        values[form] = [
            cost.characters if what == "characters" else cost.lower_seconds + cost.compile_seconds
            for cost in members
        ]
        words = [f"{v:,}" if what == "characters" else time_text(v) for v in values[form]]
        figure.add_scatter(
            x=[cost.numbers for cost in members],
            y=values[form],
            name=form_name(form, language),
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"size": 10, "color": colour},
            text=words,
            hovertemplate="%{x:,}: %{text}",
        )
    title = {
        "characters": pick(language, "Program text (characters)", "程序文本（字符数）"),
        "seconds": pick(language, "Time to lower and compile", "降级与编译的时间"),
    }[what]
    styled(figure, x=pick(language, "Size of the array (numbers)", "数组大小（个数）"), y=title)
    figure.update_xaxes(type="log", dtick=1)
    figure.update_yaxes(type="log")
    if what == "characters":
        figure.update_yaxes(dtick=1)
    else:
        figure.update_yaxes(**seconds_ticks([v for line in values.values() for v in line]))
    ends = [
        f"{line[-1]:,}" if what == "characters" else time_text(line[-1]) for line in values.values()
    ]
    alt = pick(
        language,
        f"{title} against the size of the array: {ends[0]} for the largest one closed over, "
        f"{ends[1]} as an argument.",
        f"{title}随数组大小的变化：最大的数组闭包捕获时为 {ends[0]}，作为参数时为 {ends[1]}。",
    )
    table = {
        name: np.array([getattr(cost, name) for cost in costs])
        for name in ClosureCost.__dataclass_fields__
        if name != "samples"
    }
    return Drawing(figure, alt, table)
