"""What the engine answers on the Axes page: refusals, surprises, wanted shapes, the program."""

import inspect

import streamlit as st

from playground.figures.equations import equations
from playground.foundation.limits import readable_bytes
from playground.lessons import axes_answers
from playground.lessons.axes_call import AxesSettings
from playground.lessons.leading import curve, leading
from playground.lessons.literals import LiteralError
from playground.ui.boards import literal_help, suggestion_buttons
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import checks, prose
from playground.ui.view import view


def refusal(settings: AxesSettings) -> None:
    """Say in plain words why JAX refuses, and offer what repairs it."""
    told = axes_answers.refused(settings)
    if told is None:
        return
    st.error(told.summary(lang()), icon=":material/block:")
    if told.repairs and view().answers == "on":
        st.caption(t("Repairs, each of them tried:", "修正方法（每一个都试运行过）："))
        suggestion_buttons("repair", told.repairs, AxesSettings)
    with st.expander(t(f"JAX said: {told.exception}", f"JAX 的原话：{told.exception}")):
        st.code(told.text, language=None, wrap_lines=True)


def surprise(settings: AxesSettings) -> None:
    """Name the shape that people expect, where it is not the one that comes out."""
    other = axes_answers.surprise(settings)
    if other is not None and view().answers == "on":
        st.warning(
            t(
                f"**Expected {other.gives}?** The batch axis of the output is 0 unless you say "
                "otherwise, so what was mapped along another axis comes back along axis 0.",
                f"**以为会是 {other.gives}？** 不另行指定时，输出的批次轴是轴 0，"
                "所以沿别的轴映射的数据会沿轴 0 返回。",
            ),
            icon=":material/lightbulb:",
        )
        suggestion_buttons("surprise", [other], AxesSettings)


def want(panel: Panel[AxesSettings]) -> None:
    """Ask for a wanted output shape and show the calls that give it."""
    if view().answers == "off":
        return
    panel.choose(
        "want",
        t("I want this output shape", "我想要的输出形状"),
        help=literal_help("(3, 5)"),
    )
    settings = panel.settings()
    if not settings.want.strip():
        return
    try:
        found, complete = axes_answers.wanted(settings)
    except LiteralError as error:
        st.warning(error.message(lang()))
        return
    if not found:
        st.info(t("No axes give that shape.", "没有哪种轴能得到这个形状。"))
    suggestion_buttons("want", found, AxesSettings)
    if not complete:
        st.caption(
            t("The search stopped early; there may be more.", "搜索提前停止，可能还有别的结果。")
        )


def needed(settings: AxesSettings, option: str) -> str:
    """Say which axes a wrongly predicted shape would need."""
    try:
        found, _ = axes_answers.choices_for(settings, axes_answers.read_want(option))
    except LiteralError:
        return ""
    if not found:
        return t("No axes give that shape.", "没有哪种轴能得到这个形状。")
    return t(f"That would need `{found[0].code}`.", f"要得到它，需要写 `{found[0].code}`。")


REAL_SIZE = AxesSettings(function="gate", shapes="((512,), (512, 256), (256, 256))")


def how_it_was_batched(settings: AxesSettings) -> None:
    """Show the program of f beside that of vmap(f), and flag the biggest intermediate."""
    program = axes_answers.batched(settings)
    if not program.rows and not program.why_not:
        return
    with st.expander(t("How it was batched", "它是怎样被批量化的"), expanded=program.is_copied):
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
        label = t("See a shared matrix copied 512 times", "看共享矩阵被复制 512 份")
        st.button(label, on_click=Panel.put, args=(AxesSettings, REAL_SIZE), key="real_size")


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
