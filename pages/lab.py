"""Lab: the user's own function under vmap, run in the sandbox and explained by the engine."""

import streamlit as st

from playground.axes.real_run import MOST_FOLLOWED
from playground.practice import lab
from playground.practice.lab import LabSettings
from playground.practice.lab_answer import Explained
from playground.ui import Panel, begin, call_answers, enter, finish, lesson, prose, t
from playground.ui import lab_answers as answers
from playground.ui import lab_boards as boards
from playground.ui import lab_page as page
from playground.ui.lab_memory import memory
from playground.ui.predict import predict_first

enter()
begin("lab")


def options(told: Explained) -> tuple[tuple[str, ...], str]:
    """Offer the shape that comes out, the classic mistakes, and an error."""
    shapes = [board.shape for board in told.outputs]
    right = str(shapes[0] if len(shapes) == 1 else tuple(shapes)) if told.ok else "error"
    wrong = sorted({*told.mistakes} - {right, "error"})
    return tuple(dict.fromkeys([*sorted([right, *wrong[:3]]), "error"])), right


def explanation(panel: Panel[LabSettings], settings: LabSettings, told: Explained) -> None:
    """The boards, the strip, and all that the engine says."""
    size = told.levels[-1].size or 0
    if 1 < size <= MOST_FOLLOWED:
        panel.choose("example", t("Example i", "样本 i"), options=range(size))
    example = min(panel.settings().example, max(size - 1, 0))
    boards.arguments(settings, told, example)
    key = f"lab_{hash((settings.code, settings.arguments, str(settings.chain)))}"
    is_revealed = predict_first(key, lambda: options(told), lambda _: "")
    boards.flow(told, is_revealed)
    if not is_revealed:
        return
    left, right = st.columns([1, 1.6])
    with left, st.container(border=True):
        boards.outputs(settings, told, example)
    with right:
        st.code(told.code, language="python", wrap_lines=True)
        answers.refusal(settings, told)
        call_answers.surprise(told.surprise, LabSettings)
        answers.want(panel, told)
    answers.how_it_was_batched(told)
    memory(panel, told)


@lesson
def own_function() -> None:
    """The code, the call, and what the sandbox answers."""
    page.restore()
    panel = Panel(LabSettings)
    page.start()
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        page.editor(panel)
        page.run_again(panel.settings())
    with right:
        page.call_controls(panel)
    settings = panel.settings()
    answer = page.answer_to(settings)
    if answer is not None:
        told = answers.ending(settings, answer)
        if told is not None and told.leaves:
            explanation(panel, settings, told)
        seconds = f"{answer.outcome.seconds:.2f}"
        st.caption(t(f"Ran for {seconds} s in the sandbox.", f"在沙箱中运行了 {seconds} 秒。"))
    prose("lab", "walls")
    finish("lab", panel.settings(), lab.script)


own_function()
