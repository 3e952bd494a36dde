"""The footer of measured pages: which machine this is, and whether it computes rightly."""

import streamlit as st

from playground.foundation.limits import place
from playground.measure.machine_facts import machine_facts
from playground.measure.self_test import SelfTest, self_test
from playground.ui.frame import lesson
from playground.ui.language import lang, t


@lesson
def machine_line() -> None:
    """Show the machine and the verdict of its self-test, with all that was run."""
    st.caption(t("This machine: ", "本机：") + machine_facts().caption(lang()))
    with place():
        test = self_test()
    if test.holds:
        _details(test)
        return
    failed = test.failed[0]
    st.error(
        t(
            f"This machine computes wrongly: {failed.program} gives {failed.wrong_rows} wrong rows "
            f"of {failed.rows}. Do not trust numbers from it; update JAX.",
            f"这台机器算错了：{failed.program} 的 {failed.rows} 行结果中有 {failed.wrong_rows} 行"
            "错误。不要相信它给出的数字，请更新 JAX。",
        ),
        icon=":material/dangerous:",
    )
    _details(test)


def _details(test: SelfTest) -> None:
    programs = sorted({check.program for check in test.checks})
    sizes = sorted({check.rows for check in test.checks})
    label = t(
        f"Self-test: {len(test.checks)} programs against float64, {len(test.failed)} wrong",
        f"自检：{len(test.checks)} 个程序与 float64 比对，{len(test.failed)} 个有错",
    )
    with st.expander(label, icon=":material/fact_check:"):
        english, chinese = (mark.join(f"{size:,}" for size in sizes) for mark in (", ", "、"))
        st.markdown(
            t(
                "Some processors and releases of JAX compute known programs wrongly, without an "
                f"error. These ran here, each at {english} rows of three numbers:",
                "某些处理器与 JAX 版本的组合会把一些已知的程序算错，而且不报错。"
                f"以下程序已在本机运行，行数分别为 {chinese}，每行三个数：",
            )
        )
        st.markdown("\n".join(f"- `{program}`" for program in programs))
        st.markdown(
            t(
                f"Largest relative error: {test.largest_error:.1e}.",
                f"最大相对误差：{test.largest_error:.1e}。",
            )
        )
