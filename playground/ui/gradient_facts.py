"""The parts of the page Gradients that need no controls: by hand, refused, batch statistics."""

import jax
import jax.numpy as jnp
import streamlit as st

from playground.figures import gradients as figures
from playground.lessons.batch_statistics import study_batch_statistics
from playground.lessons.first_gradients import five_points, refused_gradient, tanh_slopes
from playground.ui.language import lang, t
from playground.ui.show import checks, plot, prose

AGREE = 1e-4


def first_steps() -> None:
    """Show five points by hand, the refusal, and vector outputs."""
    prose("gradients", "hand")
    plot(figures.five_point_bars(five_points(), lang()), "gradient_five_points")
    prose("gradients", "refused")
    call = "jax.grad(jax.vmap(loss, in_axes=(None, 0, 0)))(params, X, Y)"
    st.code(call, language="python", wrap_lines=True)
    st.code(refused_gradient(), language=None, wrap_lines=True)
    prose("gradients", "vector")
    x = jnp.linspace(-2.0, 2.0, 5)
    each, of_sum = tanh_slopes(1.5, x)
    st.code(
        "jax.vmap(jax.grad(lambda p, x: jnp.tanh(p * x)), in_axes=(None, 0))(1.5, x)"
        f"\n# x = {x.tolist()}\n# {[round(float(v), 5) + 0.0 for v in each]}"
        f"\n# {t('gradient of the sum', '求和之后的梯度')}: {float(of_sum):.1e}",
        language="python",
        wrap_lines=True,
    )


def statistics() -> None:
    """Show what batch normalisation does to the rows of vmap(grad)."""
    prose("gradients", "statistics")
    result = study_batch_statistics(jax.random.key(0))
    plot(figures.batch_rows(result, lang()), "gradient_batch_rows")
    checks(
        [
            (
                result.row_error < AGREE,
                t(
                    f"rows of vmap(grad) = gradients of the losses (off by {result.row_error:.2g})",
                    f"vmap(grad) 的行 = 各损失的梯度（相差 {result.row_error:.2g} 倍）",
                ),
            ),
            (
                result.sum_error < AGREE,
                t(
                    f"their sums agree (difference {result.sum_error:.1e})",
                    f"两者之和一致（相差 {result.sum_error:.1e}）",
                ),
            ),
            (
                result.own_loss_reach < AGREE,
                t(
                    "right rows do not change when one example is taken away "
                    f"(they change by {result.own_loss_reach:.2g})",
                    f"去掉一个样本后其余的正确行不变（实际变化 {result.own_loss_reach:.2g} 倍）",
                ),
            ),
            (
                result.alone_first_layer > 0,
                t(
                    "normalised by itself, an example still teaches the first layer "
                    f"(largest gradient {result.alone_first_layer:g})",
                    f"单独归一化时第一层仍有梯度（最大为 {result.alone_first_layer:g}）",
                ),
            ),
        ]
    )
