"""The closer looks of the page Nest; each shows one section below the matrix."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from playground.figures import nest as figures
from playground.figures.boards import board, shape_html
from playground.lessons import nest
from playground.lessons.levels import by_hand
from playground.lessons.matmul import WAYS
from playground.lessons.nest import NestResult, NestSettings
from playground.ui import nest_questions as questions
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.nest_points import big, own
from playground.ui.show import checks, headline_row, plot, prose, strip
from playground.ui.view import view
from playground.ui.work import compute


def metric_labels(name: str) -> str:
    """Write a metric in the view's language."""
    return {
        "euclidean": t("Euclidean", "欧氏距离"),
        "squared": t("squared Euclidean", "欧氏距离的平方"),
        "manhattan": t("Manhattan", "曼哈顿距离"),
        "cosine": t("cosine, 1 - cos", "余弦距离 1 - cos"),
        "dot": t("inner product", "内积"),
    }[name]


def section_labels(name: str) -> str:
    """Write the name of a closer look in the view's language."""
    return {
        "accuracy": t("Accuracy", "精度"),
        "gradient": t("Gradient", "梯度"),
        "matmul": t("Matrix products", "矩阵乘法"),
        "hand": t("By hand", "手算小例"),
        "own": t("Your points", "你的数据"),
        "large": t("Large", "大矩阵"),
    }[name]


def level_cards(result: NestResult) -> None:
    """Show what each level receives and returns, from outside to inside."""
    walked = ("x", "y") if result.order == "rows" else ("y", "x")
    labels = (
        t(f"OUTER LEVEL: walks all {walked[0]}", f"外层：遍历所有 {walked[0]}"),
        t(f"INNER LEVEL: walks all {walked[1]}", f"内层：遍历所有 {walked[1]}"),
        t("FUNCTION: one pair", "函数：一对点"),
    )
    cards = []
    for label, stage in zip(labels, result.stages, strict=True):
        axes = stage.in_axes
        x, y = (
            shape_html(shape, axis, is_shared=axes is not None and axis is None)
            for shape, axis in zip(stage.inputs, axes or (None, None), strict=True)
        )
        out = shape_html(stage.output, None if axes is None else 0)
        below = t("no batch axis", "没有批次轴") if axes is None else f"in_axes={axes}"
        cards.append((label, f"{x} × {y} → {out}", below))
    strip(cards)


def accuracy(panel: Panel[NestSettings]) -> None:
    """Errors of every method against the offset, and which one is chosen there."""
    offset = panel.choose("offset", t("Offset added to every coordinate", "每个坐标加上的偏移量"))
    found, chosen = compute(nest.accuracy, panel.settings())
    if not questions.loses_most(found, offset, panel.settings()):
        return
    if view().answers == "on":
        prose("nest", "accuracy")
    plot(figures.errors(found, offset, lang()), "nest_errors")
    if view().answers == "off":
        return
    at = int(np.flatnonzero(found.offsets == offset)[0])
    headline_row(
        [
            (t("Expansion: error", "展开式：误差"), f"{found.errors['expansion'][at]:.2g}"),
            (
                t("Expansion: negative squares", "展开式：负的平方"),
                t(
                    f"{found.negatives[at]} of {found.pairs}",
                    f"{found.pairs} 个中有 {found.negatives[at]} 个",
                ),
            ),
            (t("Centred: error", "中心化：误差"), f"{found.errors['centred'][at]:.2g}"),
            (t("Chosen: error", "自动选择：误差"), f"{found.errors['chosen'][at]:.2g}"),
        ]
    )
    st.info(chosen.reason(lang()), icon=":material/alt_route:")


def gradient(panel: Panel[NestSettings]) -> None:
    """Gradients by four formulas where some points coincide."""
    panel.choose(
        "coincident", t("Points of X that lie on a point of Y", "与 Y 中的点重合的 X 点数")
    )
    found = compute(nest.gradients, panel.settings())
    if not questions.gives_nan(found, panel.settings()):
        return
    if view().answers == "on":
        prose("nest", "gradient")
    plot(figures.gradients(found, lang()), "nest_gradients")
    if view().answers == "off":
        return
    checks(
        (
            bool(np.isfinite(value).all()),
            t(f"“{name}”: every gradient is finite", f"“{name}”：所有梯度都是有限数"),
        )
        for name, value in found.items()
    )


def matmul(panel: Panel[NestSettings]) -> None:
    """Three ways to write a batch of products, compared as programs."""
    prose("nest", "matmul")
    ways = compute(nest.products, panel.settings())
    if not questions.different_programs(ways):
        return
    columns = st.columns(len(WAYS))
    for column, (name, jaxpr) in zip(columns, ways.jaxprs.items(), strict=True):
        with column:
            st.caption(name)
            st.code(jaxpr, language=None, wrap_lines=True)
    if view().answers == "off":
        return
    checks(
        [
            (same, t(f"jaxpr of {a} = jaxpr of {b}", f"{a} 与 {b} 的 jaxpr 相同"))
            for (a, b), same in ways.same_jaxpr.items()
        ]
        + [
            (
                all(ways.same_program.values()),
                t(
                    "the three compiled programs are the same, so they are equally fast",
                    "三者编译出的程序相同，因此速度也相同",
                ),
            )
        ]
    )


def hand(panel: Panel[NestSettings]) -> None:
    """Small cases of one and two levels as boards."""
    prose("nest", "hand")
    found = by_hand()
    if not questions.combined_shape(found):
        return
    n, k = found.combined.shape[:2]
    strip(
        [
            (
                t("ONE LEVEL: pairs", "一层：配对"),
                f"{shape_html((n, 2, 3), 0)} × {shape_html((n, 3), 0)} → "
                f"{shape_html(found.paired.shape, 0)}",
                "vmap(matvec)(A, v)",
            ),
            (
                t("TWO LEVELS: combine", "两层：组合"),
                f"{shape_html((n, 2, 3), 0)} × {shape_html((k, 3), 0)} → "
                f"{shape_html(found.combined.shape, 0)}",
                "vmap(vmap(matvec, (None, 0)), (0, None))(A, v)",
            ),
            (
                t("TWO LEVELS, one argument", "两层，一个参数"),
                f"{shape_html((2, 3, 4), 0)} → {shape_html(found.norms.shape, 0)}",
                "vmap(vmap(length))(vectors)",
            ),
        ]
    )
    if view().answers == "off":
        return
    left, right = st.columns(2)
    with left:
        st.caption(
            t(
                "Squared distances of (1,0), (0,1), (-1,0) to (2,2), (-2,2), (2,-2), (-2,-2)",
                "(1,0)、(0,1)、(-1,0) 到 (2,2)、(-2,2)、(2,-2)、(-2,-2) 的距离平方",
            )
        )
        st.html(board(found.squares, axis=0, caption=t("squared distances", "距离平方")))
    with right:
        st.caption(
            t(
                "Gradient of their sum for each x: 2 (N x - Σ y)",
                "总和对每个 x 的梯度：2 (N x - Σ y)",
            )
        )
        st.html(board(found.gradient, axis=0, caption=t("gradient", "梯度")))
    loops = t("result[i, j] = A[i] @ v[j], by two loops", "result[i, j] = A[i] @ v[j]（双重循环）")
    formula = t("the gradient equals 2 (N x - Σ y)", "梯度等于 2 (N x - Σ y)")
    checks(
        [
            (bool(np.allclose(found.combined, found.combined_by_loop)), loops),
            (bool(np.allclose(found.gradient, found.gradient_formula)), formula),
        ]
    )


SECTION_PARTS: dict[str, Callable[[Panel[NestSettings]], None]] = {
    "accuracy": accuracy,
    "gradient": gradient,
    "matmul": matmul,
    "hand": hand,
    "own": own,
    "large": big,
}
