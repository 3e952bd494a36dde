"""What the Lab page says of an answer: how the run ended, refusal, wanted shapes, the program."""

import streamlit as st

from playground.figures.equations import equations
from playground.foundation.limits import readable_bytes
from playground.practice.lab import LabAnswer, LabSettings
from playground.practice.lab_answer import Explained
from playground.sandbox.sentences import explain as sentence
from playground.ui.boards import suggestion_buttons
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import prose
from playground.ui.view import view


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
        st.error(_plain(sentence(outcome, lang())), icon=":material/error:")
        _code_line(settings.code, outcome.error.line)
    if outcome.stdout or (outcome.stderr and told is None):
        with st.expander(t("What your code printed", "代码的输出"), expanded=told is None):
            st.code((outcome.stdout + outcome.stderr)[-8000:], language=None, wrap_lines=True)
    return told


def _plain(text: str) -> str:
    """Keep what user code says from becoming a link, a picture or a formula in Markdown."""
    return text.replace("](", "]\u200b(").replace("![", "!\u200b[").replace("$", "\\$")


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
            t("It fails on real numbers: ", "在真实数值上出错：") + _plain(f"{kind}: {text}"),
            icon=":material/error:",
        )
        _code_line(settings.code, line)
    one = told.refusal
    if one is None:
        return
    english, chinese = one.words
    st.error(_plain(t(english, chinese)), icon=":material/block:")
    _code_line(settings.code, one.line)
    if one.repairs and view().answers == "on":
        st.caption(t("Repairs, each of them tried:", "修正方法（每一个都试运行过）："))
        suggestion_buttons("lab_repair", one.repairs, LabSettings)
    with st.expander(t(f"JAX said: {one.exception}", f"JAX 的原话：{one.exception}")):
        st.code(one.text, language=None, wrap_lines=True)


def surprise(told: Explained) -> None:
    """Name the shape that people expect, where it is not the one that comes out."""
    other = told.surprise
    if other is not None and view().answers == "on":
        st.warning(
            t(
                f"**Expected {other.gives}?** The batch axis of the output is 0 unless you say "
                "otherwise.",
                f"**以为会是 {other.gives}？** 不另行指定时，输出的批次轴是轴 0。",
            ),
            icon=":material/lightbulb:",
        )
        suggestion_buttons("lab_surprise", [other], LabSettings)


def want(panel: Panel[LabSettings], told: Explained) -> None:
    """Ask for a wanted output shape and show the calls that give it."""
    if view().answers == "off":
        return
    panel.choose(
        "want",
        t("I want this output shape", "我想要的输出形状"),
        help=t("Such as `(3, 5)`; empty asks for nothing.", "例如 `(3, 5)`；留空表示不查找。"),
    )
    if told.choices is None:
        return
    if not told.choices:
        st.info(t("No axes give that shape.", "没有哪种轴能得到这个形状。"))
    suggestion_buttons("lab_want", told.choices, LabSettings)
    if not told.is_complete:
        st.caption(
            t("The search stopped early; there may be more.", "搜索提前停止，可能还有别的结果。")
        )


def how_it_was_batched(told: Explained) -> None:
    """Show the program of f beside that of vmap(f), and both jaxprs."""
    program = told.program
    if program is None or not (program.rows or program.why_not):
        return
    title = t("How it was batched", "它是怎样被批量化的")
    with st.expander(title, expanded=program.is_copied):
        if program.why_not:
            st.caption(t("This function has no jaxpr:", "这个函数没有 jaxpr："))
            st.code(program.why_not, language=None, wrap_lines=True)
            return
        prose("axes", "batched")
        flagged = program.largest_bytes if program.is_copied else 0
        st.html(equations(program.rows, flagged, lang()))
        big, outside = readable_bytes(program.largest_bytes), readable_bytes(program.outside_bytes)
        said = t(
            f"Biggest intermediate: `{program.largest}`, {big}; "
            f"inputs and outputs together {outside}.",
            f"最大的中间结果：`{program.largest}`，{big}；全部输入与输出共 {outside}。",
        )
        if program.is_copied:
            st.warning(said, icon=":material/content_copy:")
        else:
            st.caption(said)
    with st.expander(t("The jaxprs as JAX writes them", "JAX 写出的 jaxpr")):
        one, batch = st.tabs(["f", "vmap(f)"])
        one.code(program.texts[0], language=None, wrap_lines=True)
        batch.code(program.texts[1], language=None, wrap_lines=True)
