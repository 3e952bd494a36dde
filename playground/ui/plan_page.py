"""One step of the lesson plan: time, prose, link, answers behind a fold."""

import streamlit as st

from playground.foundation.language import pick
from playground.foundation.prose import section
from playground.foundation.script import format_headline
from playground.practice.plan import Step, Timed
from playground.ui.language import lang, t
from playground.ui.links import address
from playground.ui.navigation import title
from playground.ui.plan_steps import MODULES
from playground.ui.view import view
from playground.ui.work import compute


def step_of(timed: Timed) -> None:
    """Show one step."""
    step = timed.step
    minutes = t(f"Minute {timed.start} to {timed.end}", f"第 {timed.start}–{timed.end} 分钟")
    with st.container(border=True):
        st.markdown(f"#### {step.says(lang())}")
        st.caption(f"{minutes} · {title(step.page)}{_added(step)}")
        st.markdown(section("plan", lang(), step.name))
        with st.container(horizontal=True):
            # A new tab is a new session: what the link hides does not stick to the teacher's own.
            made = address(step.page, step.settings, lang=lang(), **step.view)
            st.link_button(
                t("Open in a new tab", "在新标签页打开"), made, icon=":material/open_in_new:"
            )
            with st.popover(t("Link for the class", "发给全班的链接"), icon=":material/link:"):
                st.code(made, language=None, wrap_lines=True)
        if view().answers == "on":
            _answers(step)


def _added(step: Step) -> str:
    words = {
        "predict": t("predict first", "先预测"),
        "answers": t("without answers", "不显示答案"),
        "hide": t("fewer controls", "隐藏部分控件"),
    }
    said = [words[name] for name in step.view if name in words]
    return "".join(f" · {one}" for one in said)


def _answers(step: Step) -> None:
    """Show the answers, and what the page's computation says here once the fold is open."""
    label = t("Answers", "答案")
    fold = st.expander(label, key=f"plan_fold_{step.name}", on_change="rerun")
    with fold:
        st.markdown(section("plan", lang(), f"{step.name} answer"))
        if fold.open and step.settings is not None:
            module = MODULES[step.page]
            numbers = module.headlines(compute(module.compute, step.settings))
            st.caption(t("Computed on this machine, now:", "本机刚刚算出："))
            lines = [f"{name}: {format_headline(value)}" for name, value in numbers.items()]
            st.code("\n".join(lines), language=None, wrap_lines=True)


def as_markdown(timed: tuple[Timed, ...]) -> bytes:
    """Write the plan as Markdown to print or to edit: times, links, questions, answers."""
    parts = [f"# {t('A workshop on vmap', 'vmap 工作坊')}"]
    for one in timed:
        step = one.step
        made = address(step.page, step.settings, lang=lang(), **step.view)
        parts.append(f"## {one.start}–{one.end} · {pick(lang(), *step.title)}\n\n<{made}>")
        parts.append(section("plan", lang(), step.name))
        if view().answers == "on":
            parts.append(section("plan", lang(), f"{step.name} answer"))
    return "\n\n".join(parts).encode()
