"""The words and the table that go with the figures of the Timing page."""

import math

import numpy as np

from playground.figures.units import time_text
from playground.foundation.language import Language, pick
from playground.measure.timing import TimingResult


def method_name(method: str, language: Language, chunk_size: int) -> str:
    """Return what a method is called in a figure or a table."""
    names = {
        "loop": pick(language, "Python loop", "Python 循环"),
        "hand-written": pick(language, "hand-written batch", "手写批量"),
        "lax.map": f"lax.map(batch_size={chunk_size})",
    }
    return names.get(method, method)


def curves_alt(result: TimingResult, view: str, language: Language) -> str:
    """Say what the curves show, with the medians at the largest batch size."""
    row = result.rows[-1]
    parts = [
        f"{method_name(t.name, language, result.chunk_size)} {time_text(t.median)}"
        for t in row.timings
        if t.name in result.methods and t.samples
    ]
    views = {
        "time": pick(language, "time per call", "每次调用的时间"),
        "relative": pick(language, "relative time", "相对时间"),
        "per_example": pick(language, "time per example", "每个样本的时间"),
    }
    return pick(
        language,
        f"Log-log curves of {views[view]} against batch size. Medians per call at "
        f"{row.batch_size} examples: {'; '.join(parts)}.",
        f"{views[view]}随批大小变化的双对数曲线。{row.batch_size} 个样本时每次调用的中位数："
        f"{'；'.join(parts)}。",
    )


def curves_table(result: TimingResult) -> dict[str, np.ndarray]:
    """Lay out one row per method and batch size; times in seconds per call."""
    cells = [(row.batch_size, t) for row in result.rows for t in row.timings]
    cells = [(size, t) for size, t in cells if t.name in result.methods]
    return {
        "batch_size": np.array([size for size, _ in cells]),
        "method": np.array([t.name for _, t in cells]),
        "median_seconds": np.array([t.median for _, t in cells]),
        "first_quartile_seconds": np.array([t.quartiles[0] for _, t in cells]),
        "third_quartile_seconds": np.array([t.quartiles[1] for _, t in cells]),
        "coefficient_of_variation": np.array([t.variation for _, t in cells]),
        "samples": np.array([len(t.samples) for _, t in cells]),
        "first_call_seconds": np.array(
            [t.first.total_seconds if t.first else math.nan for _, t in cells]
        ),
        "drift_ulp": np.array([t.drift.ulp if t.drift else math.nan for _, t in cells]),
        "stopped": np.array([t.stopped for _, t in cells]),
    }
