"""The laws of E5: what single walks and a crowd of walks must have in common."""

from math import comb
from typing import Any

import numpy as np

from playground.practice.exercises.model import Finding, Pair

WALKERS, STEPS = 2048, 7
TIMES = 3
"""How often the crowd walks: each time all must end where they ended before."""
SINGLES = (5, 1, 4)
"""Steps of single walks, all of one key."""
_UNLIKELY = 50.0
"""Chi-square with 7 degrees of freedom is above it once in 70 million fair checks."""


def _finding(kind: str, says: Pair, advice: Pair = ("", "")) -> Finding:
    return Finding("properties", kind, says, advice)


def judge_form(answers: Any) -> Finding | None:
    """Shape and dtype of single walks, and whether they are legal at all."""
    values = answers[0].value
    if not isinstance(values, list) or len(values) != len(SINGLES):
        return Finding("shape", "structure", ("`walk` gives no number.", "`walk` 没有给出数。"))
    for value, n in zip(values, SINGLES, strict=True):
        if value is None:
            advice = ("Is a `return` missing?", "是不是漏了 `return`？")
            return Finding(
                "shape", "none", ("`walk` returns None.", "`walk` 返回了 None。"), advice
            )
        shape = np.shape(value)
        if shape != ():
            is_path = len(shape) == 1 and shape[0] in (n, n + 1)
            kind = "path_for_position" if is_path else "shape"
            says = (
                f"`walk(key, {n})` has shape {shape}; the final position is one number, shape ().",
                f"`walk(key, {n})` 的形状是 {shape}；终点位置是一个数，形状为 ()。",
            )
            advice = (
                "That is the whole path: return where it ends, the sum of all steps.",
                "这是整条路径：请返回它的终点，即所有步之和。",
            )
            return Finding("shape", kind, says, advice if is_path else ("", ""))
        dtype = np.asarray(value).dtype
        if not (isinstance(value, int | float) and not isinstance(value, bool)) and (
            dtype.name not in ("int32", "int64", "float32", "float64")
        ):
            return Finding(
                "dtype",
                "dtype",
                (
                    f"`walk` returns {dtype.name}; a position is int32 or float32.",
                    f"`walk` 返回 {dtype.name}；位置应当是 int32 或 float32。",
                ),
                (
                    "Narrow or unsigned types overflow on long walks.",
                    "位数过少或无符号的类型在长游走中会溢出。",
                ),
            )
    ends = [float(value) for value in values]
    return _legal(list(zip(ends, SINGLES, strict=True)))


def _legal(ends: list[tuple[float, int]]) -> Finding | None:
    for end, n in ends:
        if end != round(end):
            return _finding(
                "not_whole",
                (
                    f"After {n} steps the position is {end:.4g}; steps of ±1 give whole ones.",
                    f"走 {n} 步之后位置是 {end:.4g}；每步 ±1，位置只能是整数。",
                ),
                ("Each step must be exactly -1 or +1.", "每一步必须恰好是 -1 或 +1。"),
            )
        if abs(end) > n:
            return _finding(
                "too_far",
                (
                    f"After {n} steps the position is {end:g}: farther than {n}.",
                    f"走 {n} 步之后位置是 {end:g}：比 {n} 还远。",
                ),
                (
                    "A walk starts at 0 and takes n_steps steps of ±1.",
                    "游走从 0 出发，走 n_steps 步，每步 ±1。",
                ),
            )
        if (end - n) % 2:
            return _finding(
                "parity",
                (
                    f"After {n} steps the position is {end:g}: it must be even or odd like {n}.",
                    f"走 {n} 步之后位置是 {end:g}：它的奇偶性必须与 {n} 相同。",
                ),
                (
                    "Each step must be -1 or +1, never 0, and there must be n_steps of them.",
                    "每一步只能是 -1 或 +1，不能是 0，并且恰好走 n_steps 步。",
                ),
            )
    return None


def _repeats(times: np.ndarray) -> Finding | None:
    """The same keys must give the same walks again."""
    if (times == times[0]).all():
        return None
    return _finding(
        "not_reproducible",
        (
            "The same key gave two different walks.",
            "同一个 key 走出了两条不同的路径。",
        ),
        (
            "Draw from the key only; np.random and the clock are hidden state.",
            "只能用 key 抽样；np.random 和时钟都是隐藏的状态。",
        ),
    )


def judge_crowd(answers: Any) -> Finding | None:
    """Many keys: different walks, with the exact distribution of a fair walk, again and again."""
    values = answers[0].value
    values = values if isinstance(values, list) and values else [values]
    value = next((each for each in values if np.shape(each) != (WALKERS,)), values[0])
    if np.shape(value) != (WALKERS,):
        return Finding(
            "shape",
            "shape",
            (
                f"vmap over {WALKERS} keys gives shape {np.shape(value)}, not ({WALKERS},).",
                f"对 {WALKERS} 个 key 做 vmap 得到形状 {np.shape(value)}，而不是 ({WALKERS},)。",
            ),
        )
    times = np.asarray(values, np.float64)
    ends = times[0]
    found = _repeats(times)
    if found is not None:
        return found
    if len(np.unique(ends)) == 1:
        return _finding(
            "shared_key",
            (
                "All keys give the same walk: the walk ignores its key, so walkers are copies.",
                "所有 key 都给出同一条路径：walk 没有使用它的 key，游走者都是副本。",
            ),
            (
                "Do not make a key inside; draw from the key that is passed.",
                "不要在函数内部生成 key；请用传入的 key 抽样。",
            ),
        )
    found = _legal([(float(end), STEPS) for end in np.unique(ends)])
    if found is not None:
        return found
    if set(np.unique(ends)) <= {-float(STEPS), float(STEPS)}:
        return _finding(
            "shared_key",
            (
                f"Every walk ends at -{STEPS} or +{STEPS}: all steps of a walk are equal, because "
                "the same key is used for each of them.",
                f"每条路径都停在 -{STEPS} 或 +{STEPS}：一条路径的所有步都相同，"
                "因为每一步都用了同一个 key。",
            ),
            (
                "Split the key into one per step, or draw all steps in one call.",
                "把 key 拆分（split）成每步一个，或一次抽出所有步。",
            ),
        )
    return _fair(ends)


def _fair(ends: np.ndarray) -> Finding | None:
    """Chi-square of final positions against the binomial distribution."""
    ups = (ends.astype(int) + STEPS) // 2
    seen = np.bincount(ups, minlength=STEPS + 1)
    wanted = WALKERS * np.array([comb(STEPS, k) for k in range(STEPS + 1)]) / 2**STEPS
    if ((seen - wanted) ** 2 / wanted).sum() <= _UNLIKELY:
        return None
    return _finding(
        "not_fair",
        (
            f"{WALKERS} walks of {STEPS} steps: mean {ends.mean():.3g} (fair: 0), variance "
            f"{ends.var():.3g} (fair: {STEPS}).",
            f"{WALKERS} 条 {STEPS} 步的路径：均值 {ends.mean():.3g}（公平时为 0），"
            f"方差 {ends.var():.3g}（公平时为 {STEPS}）。",
        ),
        (
            "Every step must be -1 or +1 with probability 1/2, independent of the others: one "
            "key per draw.",
            "每一步必须以 1/2 的概率取 -1 或 +1，且各步独立：每次抽样用一个 key。",
        ),
    )
