"""The upper part of the page Walks: controls, findings, headline numbers, plots."""

import streamlit as st

from playground.figures import walk_paths
from playground.figures import walks as figures
from playground.lessons.copies import Copies, finding
from playground.lessons.walk_settings import WalkSettings
from playground.lessons.walks import WalkResult, headlines
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import checks, headline_row, plot, prose

UNLIKELY = 1e-3


def controls(panel: Panel[WalkSettings]) -> WalkSettings:
    """Show the controls of the walks and return their settings."""
    kinds = {
        "fair": t("fair ±1", "公平 ±1"),
        "lazy": t("lazy", "懒惰"),
        "biased": t("biased", "有偏"),
        "gaussian": t("Gaussian", "高斯"),
    }
    ways = {
        "split": "split(key, n)",
        "fold_in": "fold_in(key, i)",
        "raw": t("split(PRNGKey), raw", "split(PRNGKey)，原始"),
        "shared": t("one shared key", "共享一个 key"),
        "every_step": t("same key every step", "每一步用同一个 key"),
    }
    walkers, steps, seed, plane = st.columns([1.2, 1.2, 0.8, 0.8], vertical_alignment="bottom")
    with walkers:
        panel.choose("walkers", t("Walkers", "游走者数"))
    with steps:
        panel.choose("steps", t("Steps n", "步数 n"))
    with seed:
        panel.choose("seed", t("Seed", "随机种子"))
    with plane:
        panel.choose("plane", t("In the plane", "在平面上"))
    step_kind, keys, more = st.columns([1.2, 1.2, 1.6])
    with step_kind:
        kind = panel.choose("kind", t("Steps are", "步的分布"), labels=kinds.__getitem__)
        _parameter(panel, kind)
    with keys:
        way = panel.choose(
            "keys",
            t("Keys are made by", "key 的生成方式"),
            labels=ways.__getitem__,
            style="select",
            help=t("Two of the five are mistakes.", "五种方式中有两种是错误的。"),
        )
    with more, st.container(horizontal=True):
        if way != "raw":  # a raw key does not say which generator it belongs to
            panel.choose("generator", t("Generator", "随机数生成器"))
        words = {"rest": t("At rest", "静态"), "motion": t("In motion", "动态")}
        panel.choose("view", t("Plots", "图"), labels=words.__getitem__)
    return panel.settings()


def _parameter(panel: Panel[WalkSettings], kind: str) -> None:
    """The one number that some kinds of steps take."""
    if kind == "lazy":
        panel.choose("stay", t("Probability of staying", "停留的概率"), step=0.05)
    elif kind == "biased":
        panel.choose("up", t("Probability of +1", "+1 的概率"), step=0.05)
    elif kind == "gaussian":
        panel.choose("drift", t("Mean of a step", "每步的均值"), step=0.05)


def what_was_found(copies: Copies) -> None:
    """Say loudly when walkers are copies of each other, and quietly when they are not."""
    words = finding(copies, lang())
    if copies.verdict in ("copies", "frozen"):
        st.error(words, icon=":material/content_copy:")
    elif copies.verdict == "too_little":
        st.info(words, icon=":material/help:")
    else:
        st.success(words, icon=":material/check:")


def numbers(result: WalkResult) -> None:
    """Show the headline numbers and the checks."""
    named, n = headlines(result), result.n_steps
    mean, spread = f"{named['mean_exact']:.4g}", f"{named['variance_exact']:.4g}"
    headline_row(
        [
            (t(f"mean (exact {mean})", f"均值（精确值 {mean}）"), named["mean"]),
            (t(f"variance (exact {spread})", f"方差（精确值 {spread}）"), named["variance"]),
            (t("slope of log variance", "对数方差的斜率"), named["growth_exponent"]),
            (t("p-value of the fit", "拟合检验的 p 值"), named["p_value"]),
            (t("mean correlation of walkers", "游走者间平均相关系数"), named["mean_correlation"]),
        ]
    )
    fit, (_, low, high) = result.fit, result.variance
    lines = []
    if result.step.lattice is not None and result.step.lattice[1] == 0:
        parity = t("even" if n % 2 == 0 else "odd", "偶数" if n % 2 == 0 else "奇数")
        words = t(
            f"every final position is {parity} like n = {n} and at most n away",
            f"所有终点位置与 n = {n} 同为{parity}，且距离不超过 n",
        )
        lines.append((fit.impossible == 0, words))
    if fit.degrees:
        words = t(
            f"chi-square {fit.statistic:.4g} on {fit.degrees} degrees of freedom: "
            f"p = {fit.p_value:.3g} is above {UNLIKELY}",
            f"卡方统计量 {fit.statistic:.4g}，自由度 {fit.degrees}："
            f"p = {fit.p_value:.3g} 大于 {UNLIKELY}",
        )
        lines.append((fit.p_value > UNLIKELY, words))
    words = t(
        f"95 % interval of the variance, {low[-1]:.4g} to {high[-1]:.4g}, holds the exact value",
        f"方差的 95% 置信区间 {low[-1]:.4g} 到 {high[-1]:.4g} 包含精确值",
    )
    lines.append((low[-1] <= n * result.step.variance <= high[-1], words))
    checks(lines)


def plots(result: WalkResult, *, moving: bool) -> None:
    """Show the plots: final positions and paths at rest or in motion, variance, first returns."""
    if moving:
        plot(walk_paths.motion(result, lang()), "walk_motion")
    else:
        left, right = st.columns(2)
        with left:
            st.markdown(t("**Final positions**", "**终点位置**"))
            plot(figures.histogram(result, lang()), "walk_histogram")
        with right:
            st.markdown(t("**Paths**", "**路径**"))
            plot(walk_paths.paths(result, lang()), "walk_paths")
    is_lattice = result.step.lattice is not None
    left, right = st.columns(2) if is_lattice else (st.container(), st.container())
    with left:
        st.markdown(t("**Variance against time**", "**方差随时间的变化**"))
        plot(figures.variance(result, lang()), "walk_variance")
    if is_lattice:
        with right:
            st.markdown(t("**First return to the start**", "**首次回到起点**"))
            plot(figures.returns(result, lang()), "walk_returns")
    with st.expander(t("How to read the plots", "怎样看这些图"), icon=":material/menu_book:"):
        prose("walks", "reading")


def predictions() -> tuple[tuple[str, ...], str]:
    """Answers to: four times as many steps, how much wider? The right one follows from the law."""
    return ("1 ×", "2 ×", "4 ×", "16 ×"), f"{4**0.5:.0f} ×"


def why_not(_: str) -> str:
    """Explain the prediction."""
    return t(
        "The variance grows like n, so the width grows like √n.",
        "方差与 n 成正比，所以宽度与 √n 成正比。",
    )
