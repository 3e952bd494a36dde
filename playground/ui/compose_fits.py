"""The parts of the page Compose that fit something: training live, Newton's step."""

import time

import numpy as np
import streamlit as st

from playground.figures import compose as figures
from playground.figures.boards import board
from playground.lessons import compose
from playground.lessons.compose import ComposeSettings
from playground.lessons.newton import NewtonResult, mean_residual_loss, newton_step, residual_loss
from playground.lessons.regression_mlp import (
    Training,
    averaged_step,
    ordinary_step,
    predict,
    squared_error,
    train,
)
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import checks, headline_row, plot, prose
from playground.ui.source import show_source
from playground.ui.tables import table
from playground.ui.work import compute, long_work

LIVE_FACTOR = 10
LIVE_SLICES = 25
PAUSE_SECONDS = 0.12
ROUNDING = 1e-5


def training(panel: Panel[ComposeSettings]) -> ComposeSettings:
    """Loss and fit after a short training; a long one live; two kinds of step compared."""
    left, right = st.columns([1, 2.2], gap="medium")
    with left:
        panel.choose("width", t("Hidden units", "隐藏单元数"))
        panel.choose("rate", t("Learning rate", "学习率"), step=0.005)
        panel.choose("steps", t("Steps at first", "先训练的步数"))
        panel.choose("seed", t("Seed", "随机种子"))
    settings = panel.settings()
    short = compute(compose.training, settings.of_part())
    with right:
        total = settings.steps * LIVE_FACTOR
        shown = long_work(
            "compose_train",
            lambda: train(settings.width, settings.rate, total, settings.seed, LIVE_SLICES),
            fraction=lambda item: item.losses.size / item.total,
            label=t(f"Train {total} steps, live", f"实时训练 {total} 步"),
            show=draw_live,
            token=settings.of_part(),
        )
        result = shown or short
        one, two = st.columns(2)
        with one:
            plot(figures.loss_curve(result, lang()), "compose_loss")
        with two:
            plot(figures.fitted_curve(result, lang()), "compose_fit")
        headline_row(
            [
                (t("Loss at the start", "开始时的损失"), float(result.losses[0])),
                (t("Loss now", "现在的损失"), float(result.losses[-1])),
                (t("Parameters", "参数个数"), result.parameters),
            ]
        )
    falls = bool(result.losses[-1] < result.losses[0])
    checks(
        [
            (falls, t("the loss has fallen", "损失下降了")),
            (
                short.apart < ROUNDING,
                t(
                    f"averaged step = ordinary step, {short.apart:.1e} apart",
                    f"平均逐样本梯度的一步 = 普通的一步，相差 {short.apart:.1e}",
                ),
            ),
        ]
    )
    prose("compose", "train")
    for column, functions in zip(
        st.columns(3), ((predict, squared_error), (ordinary_step,), (averaged_step,)), strict=True
    ):
        with column:
            show_source(*functions)
    return settings


def draw_live(item: Training) -> None:
    """Draw loss and fit while the training goes on."""
    count = item.losses.size
    one, two = st.columns(2)
    with one:
        plot(figures.loss_curve(item, lang()), f"compose_live_loss_{count}", download=False)
    with two:
        plot(figures.fitted_curve(item, lang()), f"compose_live_fit_{count}", download=False)
    time.sleep(PAUSE_SECONDS)  # the slices are faster than the eye, and than a hand


def newton(panel: Panel[ComposeSettings]) -> ComposeSettings:
    """Rank and condition of the Hessian, what inv returns, and one step in four ways."""
    left, right = st.columns([1, 2], gap="medium")
    with left:
        names = {
            "well": t("well posed", "良态"),
            "deficient": t("rank deficient", "秩亏"),
            "close": t("nearly deficient", "接近秩亏"),
        }
        panel.choose("problem", t("Problem", "问题"), labels=names.__getitem__)
        if panel.settings().problem == "close":
            panel.choose(
                "closeness",
                t("Two columns differ by 10^-k: k", "两列相差 10^-k：k"),
            )
        show_source(residual_loss, mean_residual_loss, newton_step)
    settings = panel.settings()
    result = compute(compose.newton, settings.of_part())
    with right:
        condition = f"{result.condition:.3g}"
        size = result.hessian.shape[0]
        headline_row(
            [
                (t("Rank of the Hessian", "黑塞矩阵的秩"), f"{result.rank} / {size}"),
                (t("Condition number", "条件数"), condition, t("In float64.", "以 float64 计算。")),
                (t("Smallest possible loss", "可能的最小损失"), f"{result.best_loss:.3g}"),
            ]
        )
        if result.rank < size:
            st.warning(
                t(
                    "The Hessian is singular: it has no inverse. Whatever `inv` returns is "
                    "rounding error, and no exception says so.",
                    "黑塞矩阵奇异，没有逆。`inv` 返回的只是舍入误差，而且不会抛出异常。",
                ),
                icon=":material/warning:",
            )
        matrices(result)
        plot(figures.newton_losses(result, lang()), "compose_newton")
    newton_table(result)
    prose("compose", "newton")
    return settings


def matrices(result: NewtonResult) -> None:
    """The data, the Hessian and what inv makes of it."""
    shown = (("X", result.X), (t("Hessian", "黑塞矩阵"), result.hessian), ("inv", result.inverse))
    for column, (name, matrix) in zip(st.columns([1, 1, 1.3]), shown, strict=True):
        with column:
            st.caption(f"{name} · {matrix.shape}")
            st.html(board(matrix, axis=0 if name == "X" else None, caption=name))


def newton_table(result: NewtonResult) -> None:
    """The four ways side by side."""
    head = (
        t("step by", "求解方式"),
        t("weights after it", "走步之后的权重"),
        t("loss", "损失"),
        t("length of the gradient", "梯度长度"),
        t("arrived", "到达最小值"),
    )
    rows = []
    for row in result.rows:
        weights = ", ".join(f"{w:.4g}" for w in row.weights)
        arrived = bool(row.loss <= result.best_loss + 1e-6 * (1 + result.loss_before))
        mark = "✓" if arrived and np.isfinite(row.loss) else "✗"
        rows.append(
            (f"`{row.method}`", f"`{weights}`", f"{row.loss:.3g}", f"{row.slope:.2g}", mark)
        )
    table(head, rows)
