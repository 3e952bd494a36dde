"""The parts of the page Compose, by name; the first of them: transformations in any order."""

from dataclasses import replace

import jax
import streamlit as st

from playground.lessons import compose
from playground.lessons.chains import (
    FUNCTIONS,
    LONGEST_CHAIN,
    TRANSFORMS,
    Stage,
    chain_arguments,
    loss,
    read_chain,
)
from playground.lessons.compose import ComposeSettings
from playground.lessons.orders import (
    MOST_ORDERS,
    ChainResult,
    Order,
    compact,
    composed,
    vmap_of_jit,
)
from playground.ui.compose_calls import calls, compiling, shapes
from playground.ui.compose_fits import newton, training
from playground.ui.controls import Panel
from playground.ui.language import t
from playground.ui.predict import predict_first
from playground.ui.racing import race_here
from playground.ui.show import checks, prose, strip
from playground.ui.source import show_source
from playground.ui.tables import table
from playground.ui.view import view
from playground.ui.work import compute

ROUNDING = 1e-4


def part_names(part: str) -> str:
    """Write the name of a part in the view's language."""
    return {
        "order": t("Order", "次序"),
        "train": t("Training", "训练"),
        "newton": t("Newton's step", "牛顿步"),
        "calls": t("Calls of grad", "grad 的调用"),
        "compile": t("Compilations", "编译次数"),
        "shapes": t("Jacobians", "雅可比矩阵"),
    }[part]


def order(panel: Panel[ComposeSettings]) -> ComposeSettings:
    """Build a chain by buttons; see every stage, and all orders compared."""
    left, right = st.columns([1, 2], gap="medium")
    with left:
        panel.choose("function", t("Function for one example", "单个样本的函数"), style="select")
        settings = panel.settings()
        show_source(FUNCTIONS[settings.function][0])
    with right:
        buttons = st.container()
        panel.choose(
            "chain",
            t("The chain, innermost first", "变换的次序，最内层在前"),
            help=", ".join(TRANSFORMS),
        )
        if not view().hides(ComposeSettings.key("chain")):
            with buttons:
                chain_buttons(panel.settings())
    settings = panel.settings()
    with st.spinner(t("Running every order …", "正在运行各种次序……")):
        result = compute(compose.order, settings.of_part())
    st.code(result.stages[-1].code, language="python", wrap_lines=True)
    if predict_first(
        f"order_{settings.function}_{settings.chain}",
        lambda: shape_predictions(result),
        lambda _: refused_because(result.stages) or "",
        t("Predict first: which shapes come out?", "先预测：输出是什么形状？"),
    ):
        show_stages(result.stages)
        compare_orders(result.orders)
    prose("compose", "order")
    forms(result)
    return settings


def chain_buttons(settings: ComposeSettings) -> None:
    """Buttons that add a transformation, take one away, or exchange two neighbours."""
    chain = read_chain(settings.chain)

    def put(new: tuple[str, ...]) -> None:
        Panel.put(ComposeSettings, replace(settings, chain=", ".join(new)))

    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("Add outside:", "在外层添加："), width="content")
        for name in TRANSFORMS:
            is_full = len(chain) >= LONGEST_CHAIN
            key = f"compose_add_{name}"
            st.button(f"+ {name}", key=key, disabled=is_full, on_click=put, args=((*chain, name),))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"`{settings.function}`", width="content")
        for place, name in enumerate(chain):
            if place:
                swapped = list(chain)
                swapped[place - 1 : place + 1] = [chain[place], chain[place - 1]]
                st.button(
                    "⇄",
                    key=f"compose_swap_{place}",
                    help=t("Exchange the two neighbours", "交换相邻的两个"),
                    on_click=put,
                    args=(tuple(swapped),),
                )
            st.button(
                f"{name} ✕",
                key=f"compose_drop_{place}",
                help=t("Take it away", "去掉它"),
                on_click=put,
                args=(chain[:place] + chain[place + 1 :],),
            )


def shape_predictions(result: ChainResult) -> tuple[tuple[str, ...], str]:
    """Return shapes one may expect, and what the chain gives."""
    right = "error" if result.stages[-1].refusal else result.stages[-1].gives
    others = (order.gives for order in result.orders if order.gives)
    shown = dict.fromkeys((result.stages[0].gives, *others, right))
    return (*(shape for shape in shown if shape != "error"), "error"), right


def refused_because(stages: tuple[Stage, ...]) -> str:
    """Say why the last stage is refused, from the shapes of the stage before; "" when legal."""
    last = stages[-1]
    if not last.refusal:
        return ""
    gives, added = stages[-2].gives, last.added
    if added in ("grad", "value_and_grad", "hessian") and gives != "()":
        return t(
            f"`{added}` differentiates one number, shape `()`. What it is given returns `{gives}`.",
            f"`{added}` 只能对一个数（形状 `()`）求导，而交给它的函数返回 `{gives}`。",
        )
    return ""


def show_stages(stages: tuple[Stage, ...]) -> None:
    """Show what every stage takes and gives, and the refusal where there is one."""
    cards = []
    for stage in stages:
        takes = ", ".join(stage.takes)
        refused = f'<span class="refused">{t("refused", "被拒绝")}</span>'
        gives = f"<b>{stage.gives}</b>" if stage.gives else refused
        label = f"+ {stage.added}" if stage.added else t("the function itself", "函数本身")
        cards.append((label, f"({takes}) → {gives}", stage.code))
    strip(cards)
    if stages[-1].refusal:
        st.error(refused_because(stages) or stages[-1].refusal, icon=":material/block:")
        with st.expander(t("JAX said", "JAX 的原话")):
            st.code(stages[-1].refusal, language=None, wrap_lines=True)


def compare_orders(orders: tuple[Order, ...]) -> None:
    """Show the different orders of the same transformations, each of them run."""
    if len(orders) < 2:
        return
    st.subheader(t("The same transformations in other orders", "同样的变换换个次序"), anchor=False)
    head = (
        t("expression", "表达式"),
        t("shapes of the result", "结果的形状"),
        t("difference", "差异"),
        t("Python runs f: 1st, 2nd call", "Python 执行 f 的次数：第 1、2 次调用"),
        t("programs compiled", "编译的程序数"),
    )
    table(head, (_order_row(one) for one in orders))
    st.caption(
        t(
            "Difference to the first order above with the same shapes. Without jit every "
            f"operation is a small program of its own. At most {MOST_ORDERS} orders are run.",
            "差异是与上面第一个形状相同的次序相比。没有 jit 时，每个运算各自是一个小程序。"
            f"最多运行 {MOST_ORDERS} 种次序。",
        )
    )


def _order_row(one: Order) -> tuple[str, ...]:
    if one.refusal:
        words = one.refusal.split(". ")[0]
        return f"`{one.code}`", t("refused: ", "被拒绝：") + f"`{words}`", "–", "–", "–"
    runs = ", ".join(map(str, one.python_runs))
    apart = f"{one.apart:.1e}" if one.apart else "0"
    programs = "–" if one.programs is None else str(one.programs)
    return f"`{one.code}`", f"`{one.gives}`", apart, runs, programs


def forms(result: ChainResult) -> None:
    """The compact form, and vmap(jit(f)): both are right."""
    st.subheader(t("Two forms that are asked about", "两种常被问到的写法"), anchor=False)
    prose("compose", "forms")
    for column, form in zip(st.columns(3), (composed, compact, vmap_of_jit), strict=True):
        with column:
            show_source(form)
    arguments = chain_arguments(((3,), (3,), ()), (None, 0, 0), 1)
    compared = {
        compact: result.summary["compact form against jit(vmap(grad))"],
        vmap_of_jit: result.summary["vmap(jit(grad)) against jit(vmap(grad))"],
    }
    verdicts = []
    for form, apart in compared.items():
        words = t(
            f"{form.__name__} = composed, {apart:.1e} apart",
            f"{form.__name__} = composed，相差 {apart:.1e}",
        )
        verdicts.append((apart < ROUNDING, words))
    checks(verdicts)
    gradient, axes = jax.grad(loss), (None, 0, 0)
    methods = {
        "jit(vmap)": jax.jit(jax.vmap(gradient, in_axes=axes)),
        "vmap(jit)": jax.vmap(jax.jit(gradient), in_axes=axes),
    }
    race_here("compose", "forms", methods, arguments, is_automatic=True)


PARTS = {
    "order": order,
    "train": training,
    "newton": newton,
    "calls": calls,
    "compile": compiling,
    "shapes": shapes,
}
"""By name: shows one part and returns its settings."""
