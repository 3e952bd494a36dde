"""What the Timing page shows in its smaller parts: lies, orders, recompilations, constants."""

from typing import Any

import streamlit as st

from playground.figures.timing_parts import closure_lines, lies_bars, recompile_bars
from playground.figures.units import time_text
from playground.measure import lies
from playground.measure.closures import ClosureCost
from playground.measure.lies import LiesResult
from playground.measure.orders import OrdersResult, Pair
from playground.measure.recompile import CallCost
from playground.measure.timing import TimingSettings
from playground.measure.timing_parts import Costs, measure_part
from playground.ui.language import lang, t
from playground.ui.measuring import age, measured
from playground.ui.show import checks, plot, prose
from playground.ui.timing_questions import part_is_revealed
from playground.ui.view import view

PARTS = {
    "sweep": ("methods", "各种方法"),
    "lies": ("lies of the clock", "计时的谎言"),
    "order": ("order of transformations", "变换的顺序"),
    "recompile": ("recompilation", "重新编译"),
    "constants": ("closed-over arrays", "闭包里的数组"),
}


def show_part(settings: TimingSettings) -> Any:
    """Measure the open part, at once when nobody has yet, show it and return what is shown."""
    part = settings.part
    workload = settings.workload if part == "lies" else "dot"
    facts = {"examples": lies.BATCH_SIZE, "length": lies.LENGTH} if part == "lies" else {}
    prose("timing", part, **facts)
    kept = measured(
        "timing_part", (part, workload), lambda: measure_part(part, workload), at_once=True
    )
    if kept is None:
        return None
    st.caption(f"{age(kept)} · {kept.result.machine.caption(lang())}")
    if not part_is_revealed(part, workload, kept.result):
        return None
    if view().answers == "on":
        prose("timing", f"{part}_why")
    show = {"lies": _lies, "order": _orders, "recompile": _recompile, "constants": _constants}
    show[part](kept.result)
    return kept.result


def _lies(result: LiesResult) -> None:
    plot(lies_bars(result, lang()), "timing_lies")


def _orders(result: OrdersResult) -> None:
    for pair in result.pairs:
        _pair(pair)


def _pair(pair: Pair) -> None:
    lines = 1 + max(program.count("\n") for program in pair.programs)
    with st.container(border=True):
        columns = st.columns(2, gap="medium")
        for column, label, program, timing in zip(
            columns, pair.labels, pair.programs, pair.timings, strict=True
        ):
            with column:
                st.markdown(f"`{label}` — {time_text(timing.median)}")
                st.code(program, language=None, height=min(260, 50 + 22 * lines))
        drift = pair.timings[1].drift
        same_inside = pair.inner[0] == pair.inner[1]
        ulp = drift.ulp if drift else 0.0
        words = t(f"results agree within {ulp:.3g} ulp", f"结果一致，最多相差 {ulp:.3g} ulp")
        exact = t("results are equal to the last bit", "结果逐位相同")
        items = [(pair.agrees, words if ulp else exact)]
        if pair.same_text:
            items.append((True, t("the same program, word for word", "程序逐字相同")))
        elif same_inside:
            items.append((True, t("the same program inside", "内层程序相同")))
        if view().answers == "off":
            return
        checks(items)
        if not pair.same_text and not same_inside:
            st.caption(
                t("Two different programs for one result.", "结果相同，程序不同。"),
            )


def _recompile(result: Costs[CallCost]) -> None:
    costs = result.costs
    total = sum(cost.traces for cost in costs)
    if view().answers == "on":
        st.metric(
            t("traced and compiled", "重新追踪并编译"),
            t(f"{total} of {len(costs)} calls", f"{len(costs)} 次调用中的 {total} 次"),
            border=True,
        )
    plot(recompile_bars(costs, lang()), "timing_recompile")


def _constants(result: Costs[ClosureCost]) -> None:
    costs = result.costs
    text, seconds = st.columns(2, gap="large")
    with text:
        plot(closure_lines(costs, "characters", lang()), "timing_constants")
    with seconds:
        plot(closure_lines(costs, "seconds", lang()), "timing_constants_seconds", download=False)
    worst = max(cost.largest_error for cost in costs)
    checks(
        [
            (
                worst < 1e-5,
                t(
                    f"every result is right: largest relative error against float64 {worst:.1e}",
                    f"所有结果正确：与 float64 相比最大相对误差 {worst:.1e}",
                ),
            )
        ]
    )
