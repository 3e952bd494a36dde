"""The parts of the page Compose made of calls: grad's arguments, compilations, Jacobians."""

import numpy as np
import streamlit as st

from playground.figures.boards import board, shape_html
from playground.lessons import compose
from playground.lessons.call_forms import entry_squared, lesson_names, linear_loss, tree_loss
from playground.lessons.chains import field
from playground.lessons.compiling import compiled_inside, compiled_outside, grow, power
from playground.lessons.compose import ComposeSettings
from playground.lessons.counting import Try, result_words
from playground.ui.controls import Panel
from playground.ui.language import t
from playground.ui.racing import race_here
from playground.ui.show import checks, headline_row, prose, strip
from playground.ui.source import show_source
from playground.ui.tables import table
from playground.ui.work import compute

GIVEN = {"parameters": "w b x y", "integers": "v i params", "trees": "old g"}
"""Names of what the calls of each group are given."""


def given(group: str) -> None:
    """Show what the calls of a group are given."""
    names, values = GIVEN[group].split(), lesson_names()
    lines = (f"{name} = {result_words(values[name])}" for name in names)
    st.code("\n".join(lines), language="python", wrap_lines=True)


def tried(calls_tried: tuple[Try, ...]) -> None:
    """Show calls and what each gave."""
    head = (t("call", "调用"), t("outcome", "结果"))
    rows = (
        (f"`{one.code}`", f"{'✓' if one.works else '✗'} `{one.outcome}`") for one in calls_tried
    )
    table(head, rows)


def calls(panel: Panel[ComposeSettings]) -> ComposeSettings:
    """Several parameters, integer inputs, trees: every call evaluated as it stands."""
    result = compute(compose.calls, panel.settings().of_part())
    for title, name, functions, group in (
        (
            t("Several parameters", "多个参数"),
            "parameters",
            (linear_loss,),
            result.parameters,
        ),
        (
            t("Whole numbers", "整数输入"),
            "integers",
            (entry_squared, tree_loss),
            result.integers,
        ),
        (t("Trees of parameters", "参数树"), "trees", (), result.trees),
    ):
        st.subheader(title, anchor=False)
        prose("compose", name)
        if functions:
            show_source(*functions)
        given(name)
        tried(group)
    return panel.settings()


def compiling(panel: Panel[ComposeSettings]) -> ComposeSettings:
    """Compiled once outside a loop or again in every round; static values, shapes and types."""
    left, right = st.columns([1, 1.6], gap="medium")
    with left:
        panel.choose("rounds", t("Rounds of the loop", "循环轮数"))
        settings = panel.settings()
        show_source(grow, compiled_outside, compiled_inside)
    result = compute(compose.compiling, settings.of_part())
    with right:
        headline_row(
            [
                (t("Programs, jit outside", "jit 在循环外：程序数"), result.outside),
                (t("Programs, jit inside", "jit 在循环内：程序数"), result.inside),
            ]
        )
        checks([(result.same, t("both give the same numbers", "两者结果相同"))])
        prose("compose", "compile")
        time_loops(settings)
    one, two = st.columns(2, gap="medium")
    for column, title, counts in (
        (one, t("One function, static values", "同一函数，不同静态值"), result.static),
        (two, t("One function, shapes and types", "同一函数，不同形状与类型"), result.shapes),
    ):
        with column:
            st.markdown(f"**{title}**")
            head = (t("call", "调用"), t("programs compiled", "编译的程序数"))
            rows = ((f"`{call}`", "■" * count or "0") for call, count in counts)
            table(head, rows, stacks=False)
    st.subheader(t("Static arguments", "静态参数"), anchor=False)
    prose("compose", "static")
    show_source(power)
    tried(result.calls)
    return settings


def time_loops(settings: ComposeSettings) -> None:
    """Race the two loops; compiling is what is measured here, so neither is compiled as a whole."""
    rounds = settings.rounds
    x = np.linspace(0, 1, 4, dtype=np.float32)
    methods = {
        "jit outside": lambda x: compiled_outside(x, rounds),
        "jit inside": lambda x: compiled_inside(x, rounds),
    }
    race_here("compose_loops", rounds, methods, (x,))


def shapes(panel: Panel[ComposeSettings]) -> ComposeSettings:
    """Batched Jacobians, the first by hand; any leading dimensions by jnp.vectorize."""
    left, right = st.columns([1, 1.7], gap="medium")
    with left:
        show_source(field)
        panel.choose("leading", t("Leading dimensions", "前导维度"))
    settings = panel.settings()
    result = compute(compose.jacobians, settings.of_part())
    with right:
        tried(result.calls)
    names = (
        t("point 0", "点 0"),
        t("Jacobian by vmap(jacfwd)", "vmap(jacfwd) 得到的雅可比矩阵"),
        t("by hand", "手算"),
    )
    values = (result.points[0], result.jacobians[0], result.by_hand[0])
    for column, name, value in zip(st.columns(3), names, values, strict=True):
        with column:
            st.caption(f"{name} · {value.shape}")
            st.html(board(value, axis=None, caption=name))
    agree = np.abs(result.jacobians - result.by_hand).max()
    checks(
        [
            (
                bool(agree < 1e-6),
                t(f"all five agree, {agree:.1e} apart", f"五个全部一致，相差 {agree:.1e}"),
            )
        ]
    )
    prose("compose", "shapes")
    st.code('jnp.vectorize(jax.jacfwd(field), signature="(n)->(m,n)")(points)', language="python")
    points = (*result.leading, 2)
    strip(
        [
            (
                t("points", "点"),
                shape_html(points),
                t("leading dimensions, then n", "前导维度，然后是 n"),
            ),
            (
                t("one point", "单个点"),
                f"{shape_html((2,))} → {shape_html((2, 2))}",
                "(n)->(m,n)",
            ),
            (t("Jacobians", "雅可比矩阵"), shape_html(result.vectorized_shape), ""),
        ]
    )
    apart = result.vectorized_apart
    checks(
        [(apart < 1e-6, t(f"agrees with hand, {apart:.1e} apart", f"与手算一致，相差 {apart:.1e}"))]
    )
    return settings
