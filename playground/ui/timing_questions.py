"""What the Timing page asks before it shows a measurement; every answer comes from the result."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from playground.figures.timing_parts import form_name, way_name
from playground.figures.timing_words import method_name
from playground.figures.units import time_text
from playground.measure.closures import ClosureCost
from playground.measure.lies import LiesResult
from playground.measure.orders import OrdersResult
from playground.measure.recompile import CallCost
from playground.measure.timing import TimingResult
from playground.measure.timing_parts import Costs
from playground.ui.language import lang, t
from playground.ui.predict import predict_first


def sweep_is_revealed(result: TimingResult) -> bool:
    """Ask which method is the fastest at the largest batch size; tell whether to show the sweep."""
    row = result.rows[-1]
    medians = {one.name: one.median for one in row.timings if one.name in result.methods}
    reached = [name for name in medians if medians[name] > 0]
    if len(medians) < 2 or not reached:
        return True
    fastest = min(reached, key=lambda name: medians[name])
    names = {name: method_name(name, lang(), result.chunk_size) for name in result.methods}

    def why_not(chosen: str) -> str:
        if chosen not in reached:
            return t(
                "It was stopped before that size: one call took too long.",
                "它在达到这个批大小之前就被停止了：单次调用太久。",
            )
        return _times((names[chosen], medians[chosen]), (names[fastest], medians[fastest]))

    return predict_first(
        f"timing_{result.workload}_{result.length}_{row.batch_size}_{'_'.join(names.values())}",
        lambda: (result.methods, fastest),
        why_not,
        t(
            f"Predict first: which method is the fastest at batch size {row.batch_size}?",
            f"先预测：批大小为 {row.batch_size} 时，哪种方法最快？",
        ),
        names,
    )


def part_is_revealed(part: str, workload: str, result: Any) -> bool:
    """Ask the question of a smaller part; tell whether to show what was measured.

    Args:
        part: "lies", "order", "recompile" or "constants".
        workload: the function that is run; another one asks anew.
        result: what was measured.
    """
    ask: dict[str, Callable[[str, Any], bool]] = {
        "lies": _lies,
        "order": _orders,
        "recompile": _recompile,
        "constants": _constants,
    }
    return ask[part](f"timing_{part}_{workload}", result)


def _lies(key: str, result: LiesResult) -> bool:
    seconds = {timing.name: timing.median for timing in result.timings}
    names = {way: way_name(way, lang()) for way in seconds}
    least = min(seconds, key=lambda way: seconds[way])
    return predict_first(
        key,
        lambda: (tuple(seconds), least),
        lambda chosen: _times((names[chosen], seconds[chosen]), (names[least], seconds[least])),
        t(
            "Predict first: which way of measuring reports the shortest time?",
            "先预测：哪种测法报告的时间最短？",
        ),
        names,
    )


def _orders(key: str, result: OrdersResult) -> bool:
    same = [pair.labels for pair in result.pairs if pair.same_text]
    listed = ", ".join(f"`{one}` = `{other}`" for one, other in same)
    return predict_first(
        key,
        lambda: (tuple(map(str, range(len(result.pairs) + 1))), str(len(same))),
        lambda _: listed,
        t(
            "Predict first: how many of these pairs are the same program, word for word? ",
            "先预测：下列各对写法中，有几对的程序逐字相同？",
        )
        + " · ".join(f"`{one}` / `{other}`" for one, other in (p.labels for p in result.pairs)),
    )


def _recompile(key: str, result: Costs[CallCost]) -> bool:
    calls = [cost.call for cost in result.costs]
    total = sum(cost.traces for cost in result.costs)
    functions = {call.partition("(")[0] for call in calls}
    tempting = {len(functions), len(calls) // 2, len(set(calls)), total, len(calls)}

    def options() -> tuple[tuple[str, ...], str]:
        st.code("\n".join(calls), language="python")
        return tuple(map(str, sorted(tempting))), str(total)

    return predict_first(
        key,
        options,
        lambda _: t(
            "A program is found again only for the same function, shape, dtype and static value.",
            "函数、形状、dtype 和静态值都相同时，才能找到已编译的程序。",
        ),
        t(
            f"Predict first: how many of these {len(calls)} calls are traced and compiled?",
            f"先预测：这 {len(calls)} 次调用中，有几次要重新追踪并编译？",
        ),
    )


def _constants(key: str, result: Costs[ClosureCost]) -> bool:
    characters = {cost.form: cost.characters for cost in result.costs}  # of the largest array
    longest = max(characters, key=lambda form: characters[form])
    return predict_first(
        key,
        lambda: (tuple(characters), longest),
        lambda _: t(
            f"The largest array makes {characters[longest]:,} characters of it.",
            f"最大的数组会让它变成 {characters[longest]:,} 个字符。",
        ),
        t(
            "Predict first: in which form does the program's text grow with the array?",
            "先预测：哪种写法的程序文本会随数组变长？",
        ),
        {form: form_name(form, lang()) for form in characters},
    )


def _times(*named: tuple[str, float]) -> str:
    parts = [t(f"{name}: {time_text(s)}", f"{name}：{time_text(s)}") for name, s in named]
    return t("; ", "；").join(parts) + t(".", "。")
