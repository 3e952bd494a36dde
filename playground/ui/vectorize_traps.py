"""The gallery of traps of the page Vectorize: what was meant beside what came out."""

import numpy as np
import streamlit as st

from playground.figures.boards import board, number
from playground.lessons import vectorize
from playground.lessons.hand_traps import TRAPS, TrapResult
from playground.lessons.vectorize import VectorizeSettings
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.predict import predict_first
from playground.ui.show import checks, prose
from playground.ui.source import show_source
from playground.ui.view import view
from playground.ui.work import compute


def traps(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """What you meant beside what you got, entries that differ coloured."""
    controls, code = st.columns([1.3, 1.7], gap="medium")
    with controls:
        panel.choose("trap", t("Function", "函数"), style="select")
        panel.choose("examples", t("Batch size", "批大小"))
        panel.choose("features", t("Length of an example", "单个样本的长度"))
    settings = panel.settings()
    trap = TRAPS[settings.trap]
    result = compute(vectorize.traps, settings.of_part())
    with code:
        show_source(trap.function)
        for name, array in zip(trap.arguments.split(", "), result.inputs, strict=True):
            is_shared = name == "W"
            shown = name if is_shared else name.upper()
            st.caption(
                f"{shown} · {array.shape}" + (t(" · shared", " · 共享") if is_shared else "")
            )
            axis = None if is_shared else 0
            st.html(board(array, axis=axis, is_shared=is_shared, caption=shown))
    name = trap.function.__name__
    given = trap.arguments.replace("x", "X").replace("y", "Y")
    mapping = ", in_axes=(None, 0)" if "W" in given else ""
    question = t(
        f"Predict first: what does `{name}({given})` give?",
        f"先预测：`{name}({given})` 的结果是什么形状？",
    )
    if not predict_first(
        f"trap_{settings.trap}_{settings.examples}_{settings.features}",
        lambda: trap_predictions(result),
        lambda _: trap.says(lang()),
        question,
    ):
        return settings
    meant, got = st.columns(2, gap="medium", border=True)
    with meant:
        st.markdown(t("**What you meant**", "**你想要的**") + f" · `{result.meant.shape}`")
        st.code(f"jax.vmap({name}{mapping})({given})", language="python", wrap_lines=True)
        st.html(board(_column(result.meant), axis=0, caption=t("meant", "想要的")))
    with got:
        shape = t("refused", "被拒绝") if result.got is None else f"`{result.got.shape}`"
        st.markdown(t("**What you got**", "**你得到的**") + f" · {shape}")
        st.code(f"{name}({given})", language="python", wrap_lines=True)
        if result.got is None or result.differs is None:
            st.error(result.refusal, icon=":material/block:")
        else:
            st.html(
                board(
                    _column(result.got),
                    axis=0 if result.got.ndim else None,
                    differs=_column(result.differs),
                    caption=t("got; differing entries are marked", "得到的；不同之处已标出"),
                )
            )
    trap_verdict(settings, result)
    return settings


def trap_predictions(result: TrapResult) -> tuple[tuple[str, ...], str]:
    """Return the shapes one may expect of the plain call, and what it gives."""
    right = "error" if result.got is None else str(result.got.shape)
    expected = dict.fromkeys((str(result.meant.shape), "()", str(result.inputs[-1].shape), right))
    return (*(shape for shape in expected if shape != "error"), "error"), right


def trap_verdict(settings: VectorizeSettings, result: TrapResult) -> None:
    """Say what went wrong, example by example, and show the batch formula that is right."""
    trap = TRAPS[settings.trap]
    rows = []
    for i in range(result.meant.shape[0]):
        wrong = i in result.wrong_examples
        words = t("differs from what was meant", "与想要的不同") if wrong else t("equal", "相同")
        rows.append((not wrong, t(f"example {i}: {words}", f"样本 {i}：{words}")))
    if settings.trap == "normalize" and result.got is not None:
        lengths = np.linalg.norm(result.got, axis=1)
        rows = [
            (ok, words + t(f", length {number(lengths[i])}", f"，长度 {number(lengths[i])}"))
            for i, (ok, words) in enumerate(rows)
        ]
    left, right = st.columns(2, gap="medium")
    with left:
        checks(rows)
        st.markdown(trap.says(lang()))
    if view().answers == "on":
        with right:
            st.caption(t("Written by hand, and right:", "正确的手写版本："))
            show_source(trap.by_hand)
            is_right = bool(np.allclose(result.by_hand, result.meant, rtol=1e-5, atol=1e-5))
            checks([(is_right, t("equals vmap", "与 vmap 相同"))])
    prose("vectorize", "traps")


def _column(array: np.ndarray) -> np.ndarray:
    return array[:, None] if array.ndim == 1 else array
