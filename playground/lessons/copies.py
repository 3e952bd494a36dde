"""Finds walkers that are copies of each other, from their steps alone.

It does not know how the keys were made: it measures. JAX's own check of key reuse says nothing
when a whole batch shares one key (see key_facts.py).
"""

import math
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Shaped

from playground.foundation.language import Language, pick

STRICT = 1e-5
"""How improbable a finding must be under independence before it is called one."""


@dataclass(frozen=True)
class Copies:
    """What was measured on the steps of a batch of walkers.

    Attributes:
        walkers: how many walkers were compared.
        distinct: how many different walks there are among them.
        chance_pairs: pairs of equal walks that independent walkers would have on average.
        mean_correlation: mean correlation of the steps over all pairs of walkers.
        strongest_correlation: largest absolute correlation of any pair.
        p_value: chance of such a mean correlation if the walkers are independent.
        step_to_step: correlation of a step with the next step of the same walker.
        verdict: "independent", "copies", "frozen" (each walker repeats one step) or "too_little".
    """

    walkers: int
    distinct: int
    chance_pairs: float
    mean_correlation: float
    strongest_correlation: float
    p_value: float
    step_to_step: float
    verdict: str

    @property
    def effective_walkers(self) -> float:
        """As many independent walkers would estimate a mean equally well: N / (1 + (N - 1) r)."""
        return self.walkers / (1 + (self.walkers - 1) * max(self.mean_correlation, 0.0))


def find_copies(
    steps: Shaped[np.ndarray, "walkers steps ..."], mean: float, variance: float, coincidence: float
) -> Copies:
    """Measure whether walkers are independent of each other and of their own past.

    Args:
        steps: one row of steps for each walker; (walkers, steps, 2) in the plane.
        mean: mean of one step (of one coordinate) by its law.
        variance: variance of one step (of one coordinate) by its law.
        coincidence: chance that two independent steps are equal (0 for Gaussian steps).

    Returns:
        Measurements and a verdict.

    Raises:
        ValueError: fewer than two walkers.
    """
    walkers, n_steps = steps.shape[:2]
    if walkers < 2:
        message = f"{walkers} walker given: comparing needs at least 2"
        raise ValueError(message)
    _, repeats = np.unique(steps.reshape(walkers, -1), axis=0, return_counts=True)
    equal_pairs = float(np.sum(repeats * (repeats - 1)) / 2)
    chance_pairs = walkers * (walkers - 1) / 2 * coincidence**n_steps
    standard = (steps - mean) / math.sqrt(variance)
    products = standard[:, 1:] * standard[:, :-1]
    # What the steps of this sample really have as variance: copies then correlate by exactly 1.
    scale = max(float(np.mean(standard**2)), 1e-30)
    step_to_step = float(products.mean()) / scale if n_steps > 1 else 0.0
    noise = 1 / math.sqrt(max(products.size, 1))
    # Independent: the sum over the walkers, divided by sqrt(N), is standard normal at each time,
    # so the sum of its squares over n times is chi-square with n degrees of freedom.
    standard = standard.reshape(walkers, -1)
    drawn = standard.shape[1]
    energy = float(np.sum(standard.sum(axis=0) ** 2) / walkers)
    mean_correlation = (energy / drawn / scale - 1) / (walkers - 1)
    p_value = float(jax.scipy.special.gammaincc(drawn / 2, energy / 2))
    lengths = np.sqrt(np.maximum(np.sum(standard**2, axis=1, keepdims=True), 1e-30))
    pairs = np.abs(standard / lengths @ (standard / lengths).T)
    if step_to_step > max(0.5, 6 * noise):
        verdict = "frozen"
    elif p_value < STRICT or equal_pairs > 10 + 10 * chance_pairs:
        verdict = "copies"
    elif float(jax.scipy.special.gammaincc(drawn / 2, walkers * drawn / 2)) > STRICT:
        verdict = "too_little"  # even perfect copies would not stand out
    else:
        verdict = "independent"
    return Copies(
        walkers=walkers,
        distinct=len(repeats),
        chance_pairs=chance_pairs,
        mean_correlation=mean_correlation,
        strongest_correlation=float(np.max(pairs - np.eye(walkers))),
        p_value=p_value,
        step_to_step=step_to_step,
        verdict=verdict,
    )


def finding(copies: Copies, language: Language) -> str:
    """Say in one or two sentences what was found.

    Args:
        copies: the measurements.
        language: "en" or "zh".
    """
    walkers, distinct = copies.walkers, copies.distinct
    mean, lag = copies.mean_correlation, copies.step_to_step
    if copies.verdict == "copies":
        return pick(
            language,
            f"The walkers are copies: {walkers} walkers were compared and there are only "
            f"{distinct} different walks. Mean correlation between walkers {mean:.3f}: they are "
            f"worth {copies.effective_walkers:.1f} independent ones. Give each its own key.",
            f"游走者彼此是副本：比较了 {walkers} 个游走者，只有 {distinct} 条不同的路径。"
            f"游走者之间的平均相关系数为 {mean:.3f}，只相当于 {copies.effective_walkers:.1f} "
            "个独立的游走者。请给每个游走者各自的 key。",
        )
    if copies.verdict == "frozen":
        return pick(
            language,
            f"Each walker repeats one and the same step: the correlation of a step with the next "
            f"is {lag:.3f}, and among {walkers} walkers there are {distinct} different walks. "
            "Split the key anew for each step, or draw all steps at once.",
            f"每个游走者都在重复同一步：相邻两步的相关系数为 {lag:.3f}，{walkers} 个游走者中只有 "
            f"{distinct} 条不同的路径。请在每一步重新拆分（split）key，或者一次抽出所有步。",
        )
    if copies.verdict == "too_little":
        return pick(
            language,
            f"Too little to tell: with {walkers} walkers and so few steps even copies would not "
            "stand out. Take more of either.",
            f"数据太少，无法判断：只有 {walkers} 个游走者和这么少的步数，即使是副本也看不出来。"
            "请增加游走者或步数。",
        )
    return pick(
        language,
        f"The walkers look independent: {distinct} different walks among {walkers}, mean "
        f"correlation between walkers {mean:.4f}, from step to step {lag:.4f}.",
        f"游走者看起来彼此独立：{walkers} 个游走者走出 {distinct} 条不同的路径，"
        f"游走者之间的平均相关系数为 {mean:.4f}，相邻两步之间为 {lag:.4f}。",
    )
