"""The lower sections of the page Walks: tables about keys, a crowd that grows."""

from collections.abc import Sequence

import streamlit as st

from playground.figures import walks as figures
from playground.foundation.script import format_headline
from playground.lessons.key_facts import Outcome
from playground.lessons.stream import Progress
from playground.lessons.walk_sections import (
    FEW,
    KeyResult,
    first_block,
    start_stream,
    stream_headlines,
)
from playground.lessons.walk_settings import WalkSettings
from playground.ui.language import lang, t
from playground.ui.show import headline_row, plot
from playground.ui.work import compute, long_work


def code(source: str) -> None:
    """Show the script of one section."""
    with st.expander(t("Code of this section", "本节的代码"), icon=":material/code:"):
        st.code(source, language="python")


def outcomes(rows: Sequence[Outcome]) -> None:
    """List expressions and what the installed JAX made of them; wraps on a phone."""
    silent = t("silent", "没有报错")
    lines = []
    for row in rows:
        result = f"**{silent}**" if row.outcome == "silent" else f"`{row.outcome}`"
        message = row.message.replace("<", "\\<").replace(">", "\\>")
        lines.append(f"- `{row.code}` → {result}" + (f": {message}" if message else ""))
    st.markdown("\n".join(lines))


def correlation_numbers(result: KeyResult) -> None:
    """Show linear and rank correlation of reused and of split keys, and what rbg does."""
    (linear, rank), (apart, _) = result.reused_correlation, result.split_correlation
    headline_row(
        [
            (t("one key: linear correlation", "同一个 key：线性相关"), linear),
            (t("one key: rank correlation", "同一个 key：秩相关"), rank),
            (t("two keys: linear correlation", "两个 key：线性相关"), apart),
        ]
    )
    st.caption(
        t(
            f"Walkers of {FEW} that draw the same numbers alone and in a batch: ",
            f"{FEW} 个游走者中，单独抽样与批量抽样结果相同的个数：",
        )
        + ", ".join(f"{name} {count}" for name, count in result.alone.items())
        + t(
            ". With rbg the numbers depend on the batch.",
            "。用 rbg 时结果取决于整个批次。",
        )
    )


def crowd(progress: Progress, *, final: bool) -> None:
    """Show a streamed histogram: while it grows without, at the end with its table."""
    named = stream_headlines(progress)
    steps = progress.walkers_done * (len(progress.counts) - 1)
    headline_row(
        [
            (t("walkers", "游走者"), f"{progress.walkers_done:,}"),
            (t("steps taken", "总步数"), f"{steps:,}"),
            (t("mean", "均值"), format_headline(named["mean"])),
            (t("variance", "方差"), format_headline(named["variance"])),
        ]
    )
    key = "walk_many" if final else f"walk_many_{progress.walkers_done}"
    plot(figures.streamed(progress, lang()), key, download=final)


def take_them(settings: WalkSettings) -> None:
    """Show one block of very many walkers at once, and all of them when asked, with cancel."""
    steps = settings.many_walkers * settings.many_steps
    progress = long_work(
        "walk_many",
        lambda: start_stream(settings),
        fraction=lambda item: item.share,
        label=t(f"Take {steps:,} steps", f"走 {steps:,} 步"),
        show=lambda item: crowd(item, final=False),
        token=(settings.seed, settings.many_walkers, settings.many_steps),
    )
    crowd(compute(first_block, settings) if progress is None else progress, final=True)
