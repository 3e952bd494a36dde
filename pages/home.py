"""Home: what this is, a picture that teaches, where to go, and the machine it runs on."""

import inspect

import streamlit as st

from playground.figures.boards import board, shape_html
from playground.lessons import home
from playground.ui import (
    Panel,
    begin,
    checks,
    compute,
    enter,
    finish,
    lesson,
    link_to,
    prose,
    strip,
    t,
)
from playground.ui.machine_line import machine_line
from playground.ui.navigation import ENTRIES

enter()
begin("home")


@lesson
def picture() -> None:
    """The small batch on its way through vmap, one example lit."""
    prose("home", "picture")
    panel = Panel(home.HomeSettings)
    left, middle, right = st.columns([1.3, 1.6, 0.7], vertical_alignment="center")
    with middle:
        st.code(inspect.getsource(home.sum_of_squares), language="python", wrap_lines=True)
        st.code("jax.vmap(sum_of_squares)(batch)", language="python")
        panel.choose("example", t("Example i", "样本 i"))
    settings = panel.settings()
    result = compute(home.compute, settings)
    lit = result.example
    with left:
        st.caption(t("The batch you pass", "传入的整批数据"))
        st.html(board(result.batch, axis=0, lit=lit, caption=t("batch (4, 3)", "批 (4, 3)")))
    with right:
        st.caption(t("What comes out", "得到的结果"))
        st.html(board(result.outputs[:, None], axis=0, lit=lit, caption=t("outputs", "输出")))
    see = t("INSIDE: what the function sees, 4 times", "内部：函数看到的（共 4 次）")
    one = f"f({result.batch[lit].tolist()}) = {result.alone:g}"
    strip(
        [
            (
                t("OUTSIDE: what you pass", "外部：你传入的"),
                shape_html(result.batch.shape, 0),
                "batch",
            ),
            (see, f"{shape_html(result.batch.shape[1:])} → ()", one),
            (t("OUT", "输出"), shape_html(result.outputs.shape, 0), f"out[{lit}]"),
        ]
    )
    same = bool(result.outputs[lit] == result.alone)
    checks([(same, t(f"out[{lit}] equals f(batch[{lit}])", f"out[{lit}] 等于 f(batch[{lit}])"))])
    finish("home", settings, home.script)


picture()
st.subheader(t("Where to go", "从哪里开始"), anchor=False)
for entry in ENTRIES:
    if entry.question[0]:
        link_to(entry.name, t(*entry.question))
machine_line()
