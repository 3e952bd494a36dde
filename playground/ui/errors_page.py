"""The parts of the error museum: the call, the prediction, what JAX did, the repairs."""

from types import FunctionType

import streamlit as st

from playground.foundation.language import pick
from playground.practice import errors
from playground.practice.errors import ErrorsResult, ErrorsSettings
from playground.practice.outcomes import say
from playground.practice.own_repair import LONGEST, try_own
from playground.sandbox.sentences import explain
from playground.ui.language import lang, t
from playground.ui.linked import ask, choose, go
from playground.ui.source import source_of
from playground.ui.view import view

ASKED, TRIED = "errors_own_asked", "errors_own_tried"


def rooms(settings: ErrorsSettings) -> None:
    """Choose an exhibit by name, or walk to the next one."""
    if view().hides("errors_exhibit"):
        return
    place = errors.NAMES.index(settings.exhibit)
    count = len(errors.NAMES)

    def step(label: str, to: int, icon: str) -> None:
        start = ErrorsSettings(exhibit=errors.NAMES[to % count])
        st.button(
            label, key=f"errors_to_{icon}", on_click=go, args=(start,), icon=f":material/{icon}:"
        )

    with st.container(horizontal=True, vertical_alignment="bottom"):
        step(t("Previous", "上一件"), place - 1, "arrow_back")
        with st.container(width=420):
            choose(
                settings,
                "exhibit",
                t(f"Exhibit {place + 1} of {count}", f"第 {place + 1} 件，共 {count} 件"),
                errors.NAMES,
                lambda name: pick(lang(), *errors.EXHIBITS[name].title),
                guess=0,
                repair=0,
            )
        step(t("Next", "下一件"), place + 1, "arrow_forward")


def broken_call(result: ErrorsResult) -> None:
    """Show what was wanted and the call that was written."""
    exhibit = errors.EXHIBITS[result.name]
    st.markdown(f"**{t('Wanted', '目的')}**: {pick(lang(), *exhibit.wish)}")
    _code(exhibit, result.code)


def _code(exhibit: errors.Exhibit, call: str) -> None:
    st.code(_written(exhibit, call), language="python", wrap_lines=True)


def _written(exhibit: errors.Exhibit, call: str) -> str:
    source = source_of(*_functions(exhibit.function))
    return "\n\n".join(part for part in (source, exhibit.setup(), call) if part)


def _functions(function: FunctionType) -> list[FunctionType]:
    """Return a function after those of its module that it calls."""
    names = function.__code__.co_names
    space = function.__globals__
    used = [space[name] for name in names if isinstance(space.get(name), FunctionType)]
    return [one for one in used if one.__module__ == function.__module__] + [function]


def prediction(settings: ErrorsSettings, result: ErrorsResult) -> bool:
    """Ask what happens; tell whether the answer may be shown."""
    ask(
        settings,
        t("What happens?", "会发生什么？"),
        [say(outcome, lang()) for outcome in result.options],
        guess=settings.guess,
        token=settings.exhibit,
        answer=lambda number: go(settings, guess=number),
    )
    if settings.guess == 0:
        st.button(
            t("Just show me", "直接看结果"),
            key="errors_show",
            type="tertiary",
            on_click=go,
            args=(settings,),
            kwargs={"guess": errors.SHOWN},
        )
        return False
    if 1 <= settings.guess <= len(result.options):
        is_right = result.options[settings.guess - 1] == result.outcome
        tally = st.session_state.setdefault("errors_tally", {})
        tally.setdefault(settings.exhibit, is_right)
        if is_right:
            st.success(t("You saw it coming.", "预测正确。"), icon=":material/check:")
        else:
            st.warning(
                t("Not this time. It is: ", "这次没猜中。实际是：") + say(result.outcome, lang()),
                icon=":material/close:",
            )
        st.caption(
            t(
                f"First guesses right: {sum(tally.values())} of {len(tally)} exhibits.",
                f"首次预测正确：{len(tally)} 件中的 {sum(tally.values())} 件。",
            )
        )
    return True


def verdict(result: ErrorsResult) -> None:
    """Show what JAX did, and what it means."""
    if result.exception:
        st.error(pick(lang(), *result.summary), icon=":material/block:")
        said = t(f"JAX said: {result.exception}", f"JAX 的原话：{result.exception}")
        with st.expander(said):
            st.code(result.text, language=None, wrap_lines=True)
        return
    st.warning(pick(lang(), *result.summary), icon=":material/visibility_off:")
    st.caption(t("What came out: ", "得到的结果：") + say(result.outcome, lang()))
    st.code(result.values, language=None)


def repairs(settings: ErrorsSettings, result: ErrorsResult) -> None:
    """Offer the repairs as buttons and show the one that is applied."""
    if view().answers == "off":
        return
    st.markdown(t("**Repair it** (each one was run):", "**修正**（每一种都运行过）："))
    with st.container(horizontal=True):
        for number, one in enumerate(result.attempts, 1):
            st.button(
                f"{one.says(lang()).rstrip('.。')} → {one.gives}",
                key=f"errors_repair_{number}",
                type="primary" if number == settings.repair else "secondary",
                on_click=go,
                args=(settings,),
                kwargs={"repair": number},
            )
    applied = errors.chosen(result, settings)
    if applied is None:
        return
    exhibit = errors.EXHIBITS[result.name]
    left, right = st.columns([1.5, 1])
    with left:
        _code(exhibit.cured() if applied.is_cure else exhibit, applied.code)
    with right:
        st.code(f"{applied.gives}\n\n{applied.values}", language=None, wrap_lines=True)
    _judged(applied.is_wanted)


def _judged(is_wanted: bool) -> None:
    if is_wanted:
        st.success(t("This does what was wanted.", "这正是想要的结果。"), icon=":material/check:")
        return
    st.warning(
        t(
            "It runs, but answers another question: its numbers are not the ones wanted.",
            "能运行，但回答的是另一个问题：得到的并不是想要的数。",
        ),
        icon=":material/alt_route:",
    )


def by_hand(result: ErrorsResult) -> None:
    """Let the user change the code; it runs in the sandbox and is compared with what was wanted."""
    label = t("Repair it yourself", "自己动手修正")
    fold = st.expander(label, key=f"errors_hand_{result.name}", on_change="rerun")
    with fold:
        if not fold.open:
            return
        exhibit = errors.EXHIBITS[result.name]
        code = st.text_area(
            t("Python; the last line is the result", "Python 代码，最后一行是结果"),
            _written(exhibit, result.code),
            height=260,
            max_chars=LONGEST,
            key=f"errors_code_{result.name}",
        )
        st.button(
            t("Run", "运行"),
            key="errors_run",
            icon=":material/play_arrow:",
            on_click=lambda: st.session_state.update({ASKED: True}),
        )
        if st.session_state.pop(ASKED, False):
            with st.spinner(t("Running …", "运行中……")):
                st.session_state[TRIED] = (result.name, try_own(result.name, code))
        name, own = st.session_state.get(TRIED, ("", None))
        if own is None or name != result.name:
            return
        if not own.outcome.ok:
            st.error(explain(own.outcome, lang()), icon=":material/block:")
            return
        st.code(f"{own.shape}\n\n{own.outcome.value}", language=None, wrap_lines=True)
        _judged(own.is_wanted)
