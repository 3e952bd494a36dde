"""The parts of the quiz: one question, its reasons and its proof, the way through, the review."""

import streamlit as st

from playground.practice import quiz
from playground.practice.quiz import COUNT, Marked, QuizResult, QuizSettings
from playground.ui.language import lang, t
from playground.ui.linked import ask, choose, go
from playground.ui.view import view


def way(settings: QuizSettings, result: QuizResult) -> None:
    """Show how far one is, and the buttons that lead on."""
    answered = sum(settings.answer(index) is not None for index in range(COUNT))
    said = t(f"{answered} of {COUNT} answered", f"已答 {answered} / {COUNT} 题")
    if view().answers == "on" and answered:
        said += t(f", {result.score} right", f"，答对 {result.score} 题")
    st.progress(answered / COUNT, said)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if not view().hides("quiz_seed"):
            with st.container(width=210):
                choose(
                    settings,
                    "seed",
                    t("Order (seed)", "题目次序（种子）"),
                    range(10_000),
                    style="number",
                    number=1,
                )
        _button(settings, t("Back", "上一题"), "arrow_back", settings.number - 1)
        name = t("Next", "下一题") if settings.number < COUNT else t("Review", "回顾")
        _button(settings, name, "arrow_forward", settings.number + 1)
        if settings.number < COUNT:
            _button(settings, t("Review", "回顾"), "checklist", COUNT + 1)


def _button(settings: QuizSettings, label: str, icon: str, to: int) -> None:
    st.button(
        label,
        key=f"quiz_to_{icon}",
        icon=f":material/{icon}:",
        disabled=not 1 <= to <= COUNT + 1,
        on_click=go,
        args=(settings,),
        kwargs={"number": to},
    )


def question(settings: QuizSettings, marked: Marked) -> None:
    """Ask one question; after the answer, give a reason for every option and the proof."""
    asked = marked.question
    left, right = st.columns([1, 1.1], gap="medium")
    with left:
        st.markdown(f"**{settings.number}. {asked.asks(lang())}**")
        st.code(asked.code, language="python", wrap_lines=True)
    with right, st.container(border=True):
        shown = [asked.options[place].says(lang()) for place in marked.options]
        given = 0 if marked.answer is None else marked.options.index(marked.answer) + 1
        ask(
            settings,
            t("Your answer", "你的答案"),
            shown,
            guess=given,
            token=f"{settings.seed}_{marked.index}",
            answer=lambda number: go(
                settings, given=settings.with_answer(marked.index, marked.options[number - 1])
            ),
        )
        if marked.answer is not None:
            _verdict(marked)
    if marked.answer is not None and view().answers == "on":
        _proof(marked)


def _verdict(marked: Marked) -> None:
    if view().answers == "off":
        st.info(t("Answered.", "已作答。"), icon=":material/edit:")
        return
    chosen = marked.question.options[marked.answer or 0]
    if marked.is_right:
        st.success(t("Right. ", "正确。") + chosen.because(lang()), icon=":material/check:")
    else:
        st.warning(t("No. ", "不对。") + chosen.because(lang()), icon=":material/close:")
    for place in marked.options:
        option = marked.question.options[place]
        if place == marked.answer:
            continue
        sign = ":green[✓]" if place == marked.right else ":gray[✗]"
        st.markdown(f"{sign} {option.says(lang())} — {option.because(lang())}")


def _proof(marked: Marked) -> None:
    label = t("The proof, as it ran here", "证明（刚刚在本机运行）")
    with st.expander(label, icon=":material/verified:"):
        st.code(quiz.proof_code(marked), language="python", wrap_lines=True)
        holds = quiz.proved(marked.index)
        lines = [f"option_{n}: {holds[i]}" for n, i in enumerate(marked.options, 1)]
        st.code("\n".join(lines), language=None)


def review(settings: QuizSettings, result: QuizResult) -> None:
    """Show the score, and every question with the answer given and the right one."""
    is_open = view().answers == "on"
    given = sum(one.answer is not None for one in result.answered)
    with st.container(horizontal=True):
        if is_open:
            st.metric(t("Score", "得分"), f"{result.score} / {COUNT}", border=True)
        st.metric(t("Answered", "已作答"), f"{given} / {COUNT}", border=True)
    for number, one in enumerate(result.answered, 1):
        _reviewed(settings, number, one, is_open)


def _reviewed(settings: QuizSettings, number: int, one: Marked, is_open: bool) -> None:
    icon = "radio_button_unchecked"
    if one.answer is not None:
        icon = "edit" if not is_open else "check" if one.is_right else "close"
    options = one.question.options
    with st.expander(f"{number}. {one.question.asks(lang())}", icon=f":material/{icon}:"):
        if one.answer is None:
            st.caption(t("Not answered yet.", "还没有作答。"))
        else:
            st.markdown(f"{t('Yours', '你的答案')}: {options[one.answer].says(lang())}")
            if is_open and not one.is_right:
                st.markdown(f":gray[✗] {options[one.answer].because(lang())}")
        if is_open and one.answer is not None:
            best = options[one.right]
            st.markdown(f":green[✓] {best.says(lang())} — {best.because(lang())}")
        st.button(
            t("Go to this question", "转到这一题"),
            key=f"quiz_go_{number}",
            on_click=go,
            args=(settings,),
            kwargs={"number": number},
        )
