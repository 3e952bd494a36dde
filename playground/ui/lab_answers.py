"""What the Lab page says of an answer: how the run ended, in which line, the names, the jaxprs."""

import streamlit as st

from playground.practice.lab import LabAnswer, LabSettings
from playground.practice.lab_answer import Explained
from playground.sandbox.sentences import explain as sentence
from playground.ui import call_answers
from playground.ui.call_answers import plain
from playground.ui.controls import Panel
from playground.ui.language import lang, t


def ending(settings: LabSettings, answer: LabAnswer) -> Explained | None:
    """Say how the run ended where it brought no answer; return the answer where it did."""
    if answer.unreadable is not None:
        words = answer.unreadable.message(lang())
        st.warning(words, icon=":material/edit:")
        return None
    outcome, told = answer.outcome, answer.told
    if told is not None and told.function:
        _names(settings, told)
    elif told is not None:
        st.info(
            t(
                "The code defines no function. Define `f`, for one example.",
                "代码中没有定义函数。请为单个样本定义 `f`。",
            ),
            icon=":material/function:",
        )
        told = None
    elif outcome.status == "refused":
        st.warning(sentence(outcome, lang()), icon=":material/front_hand:")
    elif outcome.status == "busy":
        st.warning(sentence(outcome, lang()), icon=":material/hourglass:")
    elif outcome.error is not None:
        st.error(plain(sentence(outcome, lang())), icon=":material/error:")
        _code_line(settings.code, outcome.error.line)
    if outcome.stdout or (outcome.stderr and told is None):
        with st.expander(t("What your code printed", "代码的输出"), expanded=told is None):
            st.code((outcome.stdout + outcome.stderr)[-8000:], language=None, wrap_lines=True)
    return told


def _code_line(code: str, line: int | None) -> None:
    """Show the line that an error is in, with its number."""
    lines = code.splitlines()
    if line is not None and 0 < line <= len(lines):
        st.caption(t(f"Line {line} of your code:", f"你的代码第 {line} 行："))
        st.code(lines[line - 1].strip() or " ", language="python")


def _names(settings: LabSettings, told: Explained) -> None:
    """Warn when arguments are named like the function's parameters, in another order."""
    own = [leaf.name.partition("[")[0] for leaf in told.leaves]
    written = [line.partition(":")[0].strip() for line in settings.arguments.splitlines()]
    known = [name for name in written if name in told.parameters]
    order = [name for name in told.parameters if name in known]
    if known != order and own:
        st.warning(
            t(
                f"Arguments are passed in their order: `{', '.join(told.parameters)}`.",
                f"参数按顺序传递：`{', '.join(told.parameters)}`。",
            ),
            icon=":material/swap_vert:",
        )


def refusal(settings: LabSettings, told: Explained) -> None:
    """Say in plain words why JAX refuses, in which line, and offer what repairs it."""
    if told.failed is not None:
        kind, text, line = told.failed
        st.error(
            t("It fails on real numbers: ", "在真实数值上出错：") + plain(f"{kind}: {text}"),
            icon=":material/error:",
        )
        _code_line(settings.code, line)
    one = told.refusal
    if one is not None:
        call_answers.refusal(one, LabSettings, lambda: _code_line(settings.code, one.line))


def want(panel: Panel[LabSettings], told: Explained) -> None:
    """Ask for a wanted output shape and show the calls that give it."""
    choices = told.choices
    found = None if choices is None else (choices, told.is_complete)
    call_answers.want(panel, lambda _: found)


def how_it_was_batched(told: Explained) -> None:
    """Show the program of f beside that of vmap(f), and both jaxprs."""
    call_answers.how_it_was_batched(told.program)
    if told.program is None or not told.program.rows:
        return
    with st.expander(t("The jaxprs as JAX writes them", "JAX 写出的 jaxpr")):
        one, batch = st.tabs(["f", "vmap(f)"])
        one.code(told.program.texts[0], language=None, wrap_lines=True)
        batch.code(told.program.texts[1], language=None, wrap_lines=True)
