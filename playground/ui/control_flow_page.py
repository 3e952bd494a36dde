"""The parts of the page Control flow, by name; those about branches and their gradients."""

import jax
import jax.numpy as jnp
import numpy as np
import streamlit as st

from playground.figures import control_flow as figures
from playground.figures.boards import number
from playground.foundation.limits import readable_bytes
from playground.lessons import control_flow
from playground.lessons.branch_edges import GUARDED, WAYS
from playground.lessons.branches import PROGRAMS, BranchProgram, by_cond, by_where
from playground.lessons.control_flow import ControlFlowSettings
from playground.ui.control_flow_loops import endless, lanes, steps
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.predict import predict_first
from playground.ui.racing import race_here
from playground.ui.show import checks, headline_row, plot, prose
from playground.ui.source import show_source
from playground.ui.tables import table
from playground.ui.work import compute


def part_names(part: str) -> str:
    """Write the name of a part in the view's language."""
    return {
        "branches": t("Branches", "分支"),
        "edges": t("Gradients at the edge", "边界处的梯度"),
        "lanes": t("Loops as lanes", "循环与通道"),
        "endless": t("A loop without end", "不会结束的循环"),
        "steps": t("Dependent steps", "相互依赖的步骤"),
    }[part]


def program_names(program: str) -> str:
    """Write the name of a program in the view's language."""
    return {
        "mapped": t("cond, mapped predicate", "cond，谓词被映射"),
        "shared": t("cond, shared predicate", "cond，谓词共享"),
        "where": t("where, mapped predicate", "where，谓词被映射"),
    }[program]


def branches(panel: Panel[ControlFlowSettings]) -> ControlFlowSettings:
    """Which branches run, what the programs become, what they need."""
    left, right = st.columns([1, 2], gap="medium")
    with left:
        show_source(by_cond)
        panel.choose(
            "positive", t("Examples with p > 0", "p > 0 的样本数"), help=t("Of eight.", "共八个。")
        )
    settings = panel.settings()
    result = compute(control_flow.branches, settings.of_part())
    with right:
        if predict_first(
            f"branches_{settings.positive}",
            lambda: (("8", "16", str(settings.positive), "1"), str(len(result.ran["mapped"]))),
            lambda _: t("Both branches run for all eight.", "两个分支都对八个样本执行。"),
            t(
                "Predict first: how many branch runs for 8 examples?",
                "先预测：8 个样本共执行几次分支？",
            ),
        ):
            one, two = st.columns(2)
            for column, which in ((one, "mapped"), (two, "shared")):
                with column:
                    st.caption(program_names(which))
                    drawing = figures.branches_that_ran(result, which, lang())
                    plot(drawing, f"control_flow_ran_{which}", download=False)
    prose("control_flow", "branches")
    st.subheader(t("What it costs", "代价"), anchor=False)
    prose("control_flow", "cost")
    left, right = st.columns(2)
    with left:
        panel.choose("batch_size", t("Batch size", "批大小"))
    with right:
        panel.choose("size", t("Rows and columns of the shared matrix", "共享矩阵的行数与列数"))
    settings = panel.settings()
    costs(panel, settings)
    return panel.settings()


def costs(panel: Panel[ControlFlowSettings], settings: ControlFlowSettings) -> None:
    """Memory, time and program of the three ways to choose."""
    result = compute(control_flow.branches, settings.of_part())
    headline_row(
        [
            (program_names(name), readable_bytes(program.temporary_bytes))
            for name, program in result.programs.items()
        ]
    )
    st.caption(
        t(
            "Temporary memory that the compiler plans, without arguments and results.",
            "编译器计划使用的临时内存，不含参数和结果。",
        )
    )
    for column, name in zip(st.columns(2, gap="medium"), ("mapped", "shared"), strict=True):
        with column:
            st.caption(program_names(name))
            st.code(result.programs[name].jaxpr, language=None, height=300)
            program_checks(result.programs[name])
    left, right = st.columns([1, 2], gap="medium")
    with left:
        show_source(by_where)
        title = t("Every intermediate of", "查看所有中间结果")
        chosen = panel.choose("program", title, labels=program_names, style="radio")
        program = result.programs[chosen]
        biggest = t("The biggest: ", "最大的中间结果：")
        is_copied = any(item.is_copied_matrix for item in program.intermediates)
        is_matrix = t(" - the shared matrix, once per example", "，即为每个样本复制的共享矩阵")
        st.markdown(f"{biggest}`{program.largest}`{is_matrix if is_copied else ''}")
    with right:
        plot(figures.intermediates(program, lang()), "control_flow_intermediates")
    st.caption(
        t(
            "Time with every predicate positive, so that all three compute the same:",
            "计时时所有谓词均为正，因此三者的计算结果相同：",
        )
    )
    time_programs(settings)


def program_checks(program: BranchProgram) -> None:
    """Say whether a cond is left in a program, and whether it selects."""
    is_left = t("a cond is left: one branch runs", "还有 cond：只执行一个分支")
    no_select = t("no select: nothing is thrown away", "没有 select：没有结果被丢弃")
    checks([(program.has_cond, is_left), (not program.has_select, no_select)])


def time_programs(settings: ControlFlowSettings) -> None:
    """Race the three programs on a batch in which every predicate is positive."""
    size, batch = settings.size, settings.batch_size
    arguments = (
        jnp.ones(batch),
        jnp.eye(size) * 0.5,
        jnp.arange(batch * size, dtype=jnp.float32).reshape(batch, size) / size,
    )
    cond, mapped_axes = PROGRAMS["mapped"]
    mapped, where = (jax.vmap(f, in_axes=mapped_axes) for f in (cond, by_where))
    shared = jax.vmap(cond, in_axes=PROGRAMS["shared"][1])
    methods = {
        "where": where,
        "cond, shared": lambda p, W, x: shared(p[0], W, x),
        "cond, mapped": mapped,
    }
    defaults = ControlFlowSettings()
    is_default = (batch, size) == (defaults.batch_size, defaults.size)
    race_here(
        "control_flow",
        (batch, size),
        methods,
        arguments,
        compiled=tuple(methods),
        is_automatic=is_default,
    )


def edges(panel: Panel[ControlFlowSettings]) -> ControlFlowSettings:
    """Values and gradients of three guards, at some points and along a curve."""
    left, right = st.columns([1, 1.6], gap="medium")
    with left:
        panel.choose("guard", t("Guarded function", "被保护的函数"))
        panel.choose("values", t("Points x", "取值点 x"), help=t("Up to 12.", "最多 12 个。"))
        settings = panel.settings()
        show_source(*GUARDED[settings.guard])
    result = compute(control_flow.edges, settings.of_part())
    with right:
        head = ["x", *(f"`{number(x)}`" for x in result.xs)]
        for title, rows in (
            (t("Values", "函数值"), result.values),
            (t("Gradients, `vmap(grad(f))`", "梯度，`vmap(grad(f))`"), result.gradients),
        ):
            st.markdown(f"**{title}**")
            cells = (
                (way, *(_number_cell(v) for v in row)) for way, row in zip(WAYS, rows, strict=True)
            )
            table(head, cells, stacks=False)
        plot(figures.edge_gradients(result, lang()), "control_flow_edges")
        finite = np.isfinite(result.gradients).all(axis=1)
        checks(
            [
                (bool(ok), f"{way}: " + t("gradients are finite", "梯度全部有限"))
                for way, ok in zip(WAYS, finite, strict=True)
            ]
        )
    prose("control_flow", "edges")
    return settings


def _number_cell(value: float) -> str:
    return f"**{number(value)}**" if np.isnan(value) else f"`{number(value)}`"


PARTS = {
    "branches": branches,
    "edges": edges,
    "lanes": lanes,
    "endless": endless,
    "steps": steps,
}
"""By name: shows one part and returns its settings."""
