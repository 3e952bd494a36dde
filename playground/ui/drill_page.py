"""The parts of the drill: the question, the verdict, the streak and the weakest topic."""

import streamlit as st

from playground.foundation.language import pick
from playground.practice.drill import LEVELS, TOPICS, DrillResult, DrillSettings
from playground.practice.outcomes import say
from playground.ui.language import lang, t
from playground.ui.linked import ask, choose, go
from playground.ui.source import source_of
from playground.ui.view import view

TALLY = "drill_tally"


def level_words(level: int) -> str:
    """Name a level by its topics."""
    named = [pick(lang(), *words) for at, *words in TOPICS.values() if at == level]
    return f"{level} · {t(', ', '、').join(named)}"


def controls(settings: DrillSettings) -> None:
    """Choose level, series and place."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=420):
            choose(settings, "level", t("Level", "难度"), LEVELS, level_words, guess=0, number=1)
        for name, label, low in (
            ("seed", t("Series (seed)", "题目系列（种子）"), 0),
            ("number", t("Question", "题号"), 1),
        ):
            with st.container(width=190):
                choose(settings, name, label, range(low, 10_000), style="number", guess=0)


def exercise(result: DrillResult) -> None:
    """Show the function, its arguments, and the call or the wanted shape."""
    parts = [source_of(result.function), result.setup, result.code]
    st.code("\n\n".join(part for part in parts if part), language="python", wrap_lines=True)


def answer(settings: DrillSettings, result: DrillResult) -> None:
    """Ask, and say after the answer whether it was right and why."""
    is_axes = result.form == "axes"
    options = [f"`{one}`" if is_axes else say(one, lang()) for one in result.options]
    question = (
        t(f"Which one gives `{result.want}`?", f"哪一个得到 `{result.want}`？")
        if is_axes
        else t("What happens?", "会发生什么？")
    )
    token = f"{settings.level}_{settings.seed}_{settings.number}"
    place = settings.guess - 1

    def answered(number: int) -> None:
        _count(token, result.topic, number - 1 == result.right)
        go(settings, guess=number)

    ask(settings, question, options, guess=settings.guess, token=token, answer=answered)
    if not 0 <= place < len(options):
        return
    if view().answers == "off":
        st.info(t("Answered.", "已作答。"), icon=":material/edit:")
    elif place == result.right:
        st.success(t("Right.", "正确。"), icon=":material/check:")
    else:
        st.warning(
            t("No. ", "不对。") + result.says(place, lang()),
            icon=":material/close:",
        )
    if view().answers == "on":
        st.markdown(f"**{options[result.right]}** — {pick(lang(), *result.why)}")
    st.button(
        t("Next question", "下一题"),
        key="drill_next",
        type="primary",
        icon=":material/arrow_forward:",
        on_click=go,
        args=(settings,),
        kwargs={"number": min(settings.number + 1, 9_999), "guess": 0},
    )


def _count(token: str, topic: str, is_right: bool) -> None:
    """Count the first answer to a question; later ones are for looking around."""
    tally = st.session_state.setdefault(TALLY, {})
    tally.setdefault(token, (topic, is_right))


def progress(settings: DrillSettings) -> None:
    """Show the streak, the share of right answers and the topic to work on."""
    tally = list(st.session_state.get(TALLY, {}).values())
    if not tally or view().answers == "off":
        return
    streak = next((i for i, (_, ok) in enumerate(reversed(tally)) if not ok), len(tally))
    right = sum(ok for _, ok in tally)
    with st.container(horizontal=True):
        st.metric(t("Streak", "连对"), streak, border=True)
        st.metric(t("Right", "答对"), f"{right} / {len(tally)}", border=True)
        missed = {topic: _share(tally, topic) for topic, ok in tally if not ok}
        if missed:
            weakest = min(missed, key=lambda topic: missed[topic])
            level, *words = TOPICS[weakest]
            st.metric(t("Weakest topic", "最弱的主题"), pick(lang(), *words), border=True)
            if level != settings.level:
                st.button(
                    t(f"Practise it (level {level})", f"去练习（难度 {level}）"),
                    key="drill_weakest",
                    on_click=go,
                    args=(settings,),
                    kwargs={"level": level, "number": 1, "guess": 0},
                )


def _share(tally: list[tuple[str, bool]], topic: str) -> float:
    answers = [ok for one, ok in tally if one == topic]
    return sum(answers) / len(answers)
