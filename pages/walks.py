"""Walks: one walk is a function of one key; many keys make a crowd - or a crowd of copies."""

import streamlit as st

from playground.figures import keys as key_figures
from playground.lessons import walk_sections, walks
from playground.lessons.walk_settings import WalkSettings
from playground.ui import (
    Panel,
    begin,
    compute,
    enter,
    finish,
    lang,
    lesson,
    plot,
    prose,
    t,
    walks_page,
    walks_sections,
)
from playground.ui.predict import predict_first

enter()
begin("walks")


@lesson
def crowd() -> None:
    """The walks: findings, numbers and plots."""
    panel = Panel(WalkSettings)
    settings = walks_page.controls(panel)
    question = t("Four times the steps: how much wider?", "步数变为四倍：宽度变为几倍？")
    if predict_first("walks", walks_page.predictions, walks_page.why_not, question):
        result = compute(walks.compute, settings.walks_alone())
        walks_page.what_was_found(result.copies)
        walks_page.plots(result, moving=settings.view == "motion")
        walks_page.numbers(result)
    finish("walks", settings, walks.script)


@lesson
def keys() -> None:
    """Keys used twice, typed and raw keys, and what JAX notices."""
    st.subheader(t("One key, one draw", "一个 key 只抽一次"), anchor=False)
    prose("walks", "keys")
    panel = Panel(WalkSettings)
    left, right = st.columns([1, 2])
    with left:
        panel.choose("draws", t("Draws", "抽样次数"))
        panel.choose("reuse_seed", t("Seed", "随机种子"))
    settings = panel.settings()
    result = compute(walk_sections.compute_keys, settings)
    with right:
        plot(key_figures.reuse(result.reused, result.split, lang()), "walk_reuse")
    walks_sections.correlation_numbers(result)
    prose("walks", "notices")
    walks_sections.outcomes(result.noticed)
    prose("walks", "typed")
    walks_sections.outcomes(result.typed_against_raw)
    walks_sections.code(walk_sections.key_script(settings))


@lesson
def many() -> None:
    """Very many walkers, a block at a time, with progress and cancel."""
    st.subheader(t("Very many walkers", "非常多的游走者"), anchor=False)
    prose("walks", "many")
    panel = Panel(WalkSettings)
    left, right = st.columns(2)
    with left:
        panel.choose("many_walkers", t("Walkers", "游走者数"))
    with right:
        panel.choose("many_steps", t("Steps n", "步数 n"))
    settings = panel.settings()
    walks_sections.take_them(settings)
    walks_sections.code(walk_sections.stream_script(settings))


crowd()
keys()
many()
