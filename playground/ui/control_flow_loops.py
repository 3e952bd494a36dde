"""The parts of the page Control flow about loops: lanes, a loop without end, dependent steps."""

import numpy as np
import streamlit as st

from playground.figures import control_flow as figures
from playground.figures.lanes import lane_film
from playground.lessons import control_flow
from playground.lessons.control_flow import ControlFlowSettings
from playground.lessons.dependent_steps import step, trajectory
from playground.lessons.endless import CALLS, SECONDS, attempt, guarded, halve_until_small, repaired
from playground.lessons.killable import Outcome
from playground.lessons.lanes import Evidence, LaneResult, collatz_steps, is_running, one_round
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.predict import predict_first
from playground.ui.show import checks, headline_row, plot, prose
from playground.ui.source import show_source
from playground.ui.view import view
from playground.ui.work import compute, long_work


def lanes(panel: Panel[ControlFlowSettings]) -> ControlFlowSettings:
    """The film of the loop, its utilisation, and the evidence in the lowered program."""
    left, right = st.columns([1, 2.3], gap="medium")
    with left:
        names = {"chosen": "1, 2, 3, 6, 7, 27", "range": "1 … N"}
        panel.choose("inputs", t("Inputs", "输入"), labels=names.__getitem__)
        if panel.settings().inputs == "range":
            panel.choose("largest", "N")
        panel.choose(
            "chunk",
            t("Examples that run together (0: all)", "一起运行的样本数（0 表示全部）"),
            help=t("As `lax.map(batch_size=…)` does.", "与 `lax.map(batch_size=…)` 相同。"),
        )
        panel.choose("sorted", t("Sort by number of steps", "按步数排序"))
        show_source(is_running, one_round, collatz_steps)
    settings = panel.settings()
    result = compute(control_flow.lanes, settings.of_part())
    most = int(result.steps.max())
    options = tuple(dict.fromkeys(map(str, (int(result.steps.sum()), most, len(result.steps)))))
    with right:
        if predict_first(
            f"lanes_{settings.numbers}_{settings.chunk}",
            lambda: (options, str(most)),
            lambda _: t("The slowest example decides.", "由最慢的样本决定。"),
            t(
                "Predict first: how many rounds run for an example of its batch?",
                "先预测：一批中每个样本要执行多少轮？",
            ),
        ):
            plot(lane_film(result, lang()), "control_flow_lanes")
            lane_numbers(result)
    prose("control_flow", "lanes")
    evidence(result.evidence)
    effects(result)
    return settings


def lane_numbers(result: LaneResult) -> None:
    """Utilisation, rounds run and rounds needed."""
    run, needed = int(result.rounds.sum()), int(result.steps.sum())
    share = f"{result.summary['utilisation in percent']:.1f} %"
    headline_row(
        [
            (t("Utilisation", "利用率"), share, t("Needed ÷ run.", "需要的 ÷ 执行的。")),
            (t("Rounds run, all examples", "执行的轮数（所有样本）"), run),
            (t("Rounds needed", "需要的轮数"), needed),
        ]
    )


def evidence(found: Evidence) -> None:
    """Where the OR and the select stand: not in the jaxpr, but in the lowered program."""
    st.subheader(t("Where it is written", "写在哪里"), anchor=False)
    prose("control_flow", "evidence")
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("jaxpr")
        st.code(found.jaxpr, language=None, height=380)
        no_or = t("no OR over the batch here", "这里没有对整批取 OR")
        no_select = t("no select in the body that freezes", "循环体中没有起冻结作用的 select")
        checks([(not found.jaxpr_has_or, no_or), (not found.jaxpr_body_selects, no_select)])
    with right:
        st.caption("StableHLO")
        st.code(found.stablehlo, language=None, height=380)
        checks(
            [
                (bool(lines), words)
                for lines, words in (
                    (found.or_lines, t("the OR that keeps all going", "让大家继续的 OR")),
                    (found.select_lines, t("the select that freezes", "冻结已结束样本的 select")),
                )
            ]
        )
        st.code("\n".join((*found.or_lines, *found.select_lines)), language=None, wrap_lines=True)


def effects(result: LaneResult) -> None:
    """Callbacks in the body: they fire for those that have ended, or are refused."""
    st.subheader(t("Side effects in the body", "循环体中的副作用"), anchor=False)
    fired, needed = result.effects
    prose("control_flow", "effects")
    headline_row(
        [
            (t("jax.debug.callback fired", "jax.debug.callback 触发次数"), fired),
            (t("rounds that examples needed", "样本需要的轮数"), needed),
        ]
    )
    for ordered, refusal in zip((False, True), result.refusals, strict=True):
        st.markdown(f"`io_callback(…, ordered={ordered})` → {refusal}")


def endless(panel: Panel[ControlFlowSettings]) -> ControlFlowSettings:
    """What happens to a loop that was safe behind a cond; run only where it can be killed."""
    result = compute(control_flow.endless, panel.settings().of_part())
    left, right = st.columns(2, gap="medium")
    with left:
        show_source(halve_until_small, guarded)
        alone = ", ".join(f"{value:g}" for value in result.one_by_one)
        st.code(f"xs = [1.0, -1.0]\n[guarded(x) for x in xs]  # {alone}", language="python")
    with right:
        prose("control_flow", "endless")
        checks(
            [
                (not result.has_cond, t("no cond is left after vmap", "vmap 之后没有 cond 了")),
                (
                    result.has_while,
                    t("the loop stands in the program of all", "循环成了所有样本的程序"),
                ),
            ]
        )
        names = {
            "loop": t("Python loop", "Python 循环"),
            "map": "lax.map",
            "vmap": "vmap",
            "map_batches": "lax.map(batch_size=2)",
        }
        way = panel.choose("way", t("Run it by", "运行方式"), labels=names.__getitem__)
        st.code(CALLS[way], language="python")
        outcome = long_work(
            "control_flow_endless",
            lambda: _fractions(way),
            fraction=lambda item: item if isinstance(item, float) else 1.0,
            label=t(f"Run, at most {SECONDS:g} s", f"运行（最多 {SECONDS:g} 秒）"),
            token=way,
        )
        if isinstance(outcome, Outcome):
            show_outcome(outcome)
    if view().answers == "off":
        return panel.settings()
    st.subheader(t("The repair", "修正"), anchor=False)
    show_source(repaired)
    same = bool(np.array_equal(result.repaired, result.one_by_one))
    mapped = ", ".join(f"{value:g}" for value in result.repaired)
    equals = t("vmap equals one by one", "vmap 与逐个执行相同")
    checks([(same, f"jax.vmap(repaired)(xs) = [{mapped}]: {equals}")])
    return panel.settings()


def _fractions(way: str):
    return attempt(way)


def show_outcome(outcome: Outcome) -> None:
    """Say what became of the process."""
    seconds = f"{outcome.seconds:.1f}"
    if outcome.was_killed:
        st.error(
            t(f"Still running after {seconds} s: killed.", f"{seconds} 秒后仍在运行：已终止进程。"),
            icon=":material/block:",
        )
    elif outcome.error:
        st.warning(outcome.error)
    else:
        st.success(
            t(f"Ended after {seconds} s: ", f"{seconds} 秒后结束：") + f"`{outcome.output}`",
            icon=":material/check:",
        )


def steps(panel: Panel[ControlFlowSettings]) -> ControlFlowSettings:
    """Scan along the steps, vmap over the examples; and what mapping the steps gives."""
    left, right = st.columns([1, 2], gap="medium")
    with left:
        panel.choose("low", t("Smallest growth rate r", "最小增长率 r"), step=0.1)
        panel.choose("high", t("Largest growth rate r", "最大增长率 r"), step=0.1)
        panel.choose("steps", t("Steps", "步数"))
        show_source(step, trajectory)
    settings = panel.settings()
    result = compute(control_flow.steps, settings.of_part())
    with right:
        st.caption("`vmap(trajectory, in_axes=(0, 0, None))`")
        plot(figures.trajectories(result, lang()), "control_flow_paths")
        apart = np.abs(result.paths - result.reference).max(axis=1)
        checks(
            [
                (
                    result.summary["scans in the program"] == 1,
                    t(
                        f"one scan of length {settings.steps}, carrying "
                        f"{result.summary['carry of the scan']}",
                        f"一个长度为 {settings.steps} 的 scan，携带 "
                        f"{result.summary['carry of the scan']}",
                    ),
                ),
                *(
                    (
                        bool(gap < 1e-3),
                        t(
                            f"r = {r:.3g}: {gap:.1e} from a float64 loop",
                            f"r = {r:.3g}：与 float64 循环相差 {gap:.1e}",
                        ),
                    )
                    for r, gap in zip(result.rates, apart, strict=True)
                ),
            ]
        )
    prose("control_flow", "steps")
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(
            t("Mapped over the steps: every step starts anew", "对步骤做映射：每一步都从头开始")
        )
        plot(
            figures.trajectories(result, lang(), wrong=True),
            "control_flow_mapped_paths",
            download=False,
        )
    with right:
        st.caption(t("The program of vmap over scan", "vmap 作用于 scan 的程序"))
        st.code(result.jaxpr, language=None, height=300)
    return settings
