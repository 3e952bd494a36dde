"""The parts of the page Vectorize, by name; the first of them: one batch, three ways."""

import numpy as np
import streamlit as st

from playground.figures.boards import board, shape_html
from playground.lessons import vectorize
from playground.lessons.one_batch import WAYS, WaysResult, arguments_of
from playground.lessons.vectorize import VectorizeSettings
from playground.ui.controls import Panel
from playground.ui.language import t
from playground.ui.racing import race_here
from playground.ui.show import checks, prose, strip
from playground.ui.source import show_source
from playground.ui.vectorize_programs import python, tracing
from playground.ui.vectorize_traps import traps
from playground.ui.work import compute

ROUNDING = 1e-5


def part_names(part: str) -> str:
    """Write the name of a part in the view's language."""
    return {
        "ways": t("One batch, three ways", "同一批数据，三种写法"),
        "traps": t("Traps by hand", "手写的陷阱"),
        "tracing": t("What tracing sees", "追踪看到什么"),
        "python": t("Python if and for", "Python 的 if 与 for"),
    }[part]


def ways(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """The definition on four rows; then loop, formula and vmap at full size, equal and timed."""
    left, middle, right = st.columns([1, 1.6, 1.6], gap="medium")
    with left:
        panel.choose("function", t("Function for one example", "单个样本的函数"), style="select")
        panel.choose("batch_size", t("Batch size", "批大小"))
        panel.choose("length", t("Length of an example", "单个样本的长度"))
        panel.choose("seed", t("Seed", "随机种子"))
    settings = panel.settings()
    result = compute(vectorize.ways, settings.of_part())
    function, by_loop, by_hand, by_vmap = WAYS[settings.function]
    with middle:
        show_source(function, by_loop)
    with right:
        show_source(by_hand, by_vmap)
    strip(
        [
            (
                t("OUTSIDE: what you pass", "外部：你传入的"),
                "&nbsp; ".join(shape_html(shape, 0) for shape in result.input_shapes),
                f"batch_size = {settings.batch_size}",
            ),
            (
                t("INSIDE: what the function sees", "内部：函数看到的"),
                "&nbsp; ".join(shape_html(shape[1:]) for shape in result.input_shapes)
                + f" → {shape_html(result.output_shape[1:])}",
                t("no batch axis here", "这里没有批次轴"),
            ),
            (t("OUT", "输出"), shape_html(result.output_shape, 0), ""),
        ]
    )
    apart = [float(result.summary[f"{way} against the loop"]) for way in ("by hand", "vmap")]
    checks(
        [
            (
                apart[0] < ROUNDING,
                t(f"by hand = loop, {apart[0]:.1e} apart", f"手写 = 循环，相差 {apart[0]:.1e}"),
            ),
            (
                apart[1] < ROUNDING,
                t(f"vmap = loop, {apart[1]:.1e} apart", f"vmap = 循环，相差 {apart[1]:.1e}"),
            ),
        ]
    )
    prose("vectorize", "ways")
    names = ("loop", "by hand", "vmap")
    methods = dict(zip(names, (by_loop, by_hand, by_vmap), strict=True)) | {"jit(vmap)": by_vmap}
    arguments = arguments_of(settings.function, settings.batch_size, settings.length, settings.seed)
    is_default = settings.of_part() == VectorizeSettings()
    race_here(
        "vectorize",
        settings.of_part(),
        methods,
        arguments,
        compiled=("jit(vmap)",),
        is_automatic=is_default,
    )
    st.subheader(t("The definition", "定义"), anchor=False)
    definition(result)
    return settings


def definition(result: WaysResult) -> None:
    """The stacked loop and vmap side by side on the batch of four rows."""
    prose("vectorize", "definition")
    batch, stacked, mapped = st.columns([1.2, 1.4, 1.4])
    with batch:
        st.caption("xs")
        st.html(board(result.small, axis=0, caption="xs (4, 3)"))
    for column, code, values in (
        (stacked, "jnp.stack([f(x) for x in xs])", result.small_stacked),
        (mapped, "jax.vmap(f)(xs)", result.small_mapped),
    ):
        with column:
            st.code(code, language="python")
            st.html(board(values[:, None], axis=0, caption=code))
    same = bool(np.array_equal(result.small_stacked, result.small_mapped))
    checks([(same, t("the same four numbers", "得到相同的四个数"))])


PARTS = {"ways": ways, "traps": traps, "tracing": tracing, "python": python}
