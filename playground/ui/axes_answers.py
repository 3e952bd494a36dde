"""What only the Axes page answers: a wrong prediction, a matrix copied, any leading dimensions."""

import inspect
from dataclasses import replace

import streamlit as st

from playground.lessons import axes_answers
from playground.lessons.axes_call import AxesSettings
from playground.lessons.leading import curve, leading
from playground.lessons.literals import LiteralError
from playground.ui import call_answers
from playground.ui.controls import Panel
from playground.ui.language import t
from playground.ui.show import checks, prose
from playground.ui.work import compute


def told(panel: Panel[AxesSettings], settings: AxesSettings) -> None:
    """Show the refusal with its repairs, the surprise, and the calls for a wanted shape."""
    call_answers.refusal(compute(axes_answers.refused, settings), AxesSettings)
    call_answers.surprise(compute(axes_answers.surprise, settings), AxesSettings)
    call_answers.want(panel, lambda asked: compute(axes_answers.wanted, asked))


def needed(settings: AxesSettings, option: str) -> str:
    """Say which axes a wrongly predicted shape would need."""
    try:
        found, _ = compute(axes_answers.wanted, replace(settings, want=option))
    except LiteralError:
        return ""
    if not found:
        return t("No axes give that shape.", "没有哪种轴能得到这个形状。")
    return t(f"That would need `{found[0].code}`.", f"要得到它，需要写 `{found[0].code}`。")


REAL_SIZE = AxesSettings(function="gate", shapes="((512,), (512, 256), (256, 256))")


def how_it_was_batched(settings: AxesSettings) -> None:
    """Show the program of f beside that of the batch, and a call whose program is a surprise."""
    label = t("See a shared matrix copied 512 times", "看共享矩阵被复制 512 份")
    call_answers.how_it_was_batched(
        compute(axes_answers.batched, settings),
        lambda: st.button(
            label, on_click=Panel.put, args=(AxesSettings, REAL_SIZE), key="real_size"
        ),
    )


def leading_dimensions(panel: Panel[AxesSettings]) -> None:
    """Show a function that takes any leading dimensions: jnp.vectorize with a signature."""
    with st.expander(t("Any leading dimensions: jnp.vectorize", "任意个前导维度：jnp.vectorize")):
        prose("axes", "leading")
        call = 'jacobians = jnp.vectorize(jax.jacfwd(curve), signature="(n)->(m,n)")'
        st.code(f"{inspect.getsource(curve).rstrip()}\n\n{call}", language="python")
        chosen = panel.choose("leading", t("Leading dimensions", "前导维度"))
        sizes = [int(size) for size in chosen.split(",") if size.strip().isdecimal()]
        result = leading(tuple(sizes))
        same = t("a loop over all points gives the same", "逐点循环得到相同的结果")
        st.markdown(f"`jacobians(points)`: **{result.shape} → {result.output}**")
        checks([(result.agrees, same)])
