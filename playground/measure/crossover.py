"""Finds the batch sizes at which one method overtakes another."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

CLEARLY = 1.15


@dataclass(frozen=True)
class Crossover:
    """Two curves meet.

    Attributes:
        before: the faster method at smaller batches.
        after: the faster method at larger batches.
        batch_size: where the straight lines between the measured points cross on log-log paper.
        seconds: the time of both there.
    """

    before: str
    after: str
    batch_size: float
    seconds: float


def crossovers(
    sizes: Sequence[int], medians: Mapping[str, Sequence[float]]
) -> tuple[Crossover, ...]:
    """Find crossings that are clear on both sides: faster by 15 % before, slower by 15 % after.

    Args:
        sizes: batch sizes, increasing, shape (n,).
        medians: seconds per call by method, shape (n,); nan where nothing was measured.

    Returns:
        Crossings by increasing batch size.
    """
    found = []
    for first, second in combinations(medians, 2):
        ratios = [
            (size, math.log(a / b), a)
            for size, a, b in zip(sizes, medians[first], medians[second], strict=True)
            if a > 0 and b > 0
        ]
        clear = [point for point in ratios if abs(point[1]) >= math.log(CLEARLY)]
        for before, after in pairwise(clear):
            if before[1] * after[1] < 0:
                between = [point for point in ratios if before[0] <= point[0] <= after[0]]
                names = (first, second) if before[1] < 0 else (second, first)
                found.append(Crossover(*names, *_meeting(between)))
    return tuple(sorted(found, key=lambda crossing: crossing.batch_size))


def _meeting(points: Sequence[tuple[int, float, float]]) -> tuple[float, float]:
    for (size, ratio, time), (next_size, next_ratio, next_time) in pairwise(points):
        if ratio == 0 or ratio * next_ratio < 0:
            share = ratio / (ratio - next_ratio) if ratio else 0.0
            return (
                math.exp(math.log(size) + share * math.log(next_size / size)),
                math.exp(math.log(time) + share * math.log(next_time / time)),
            )
    return float(points[-1][0]), points[-1][2]
