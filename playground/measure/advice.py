"""What the chunk-size adviser answers: every size that was tried, the choice, and the reason."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from playground.foundation.language import Language, pick
from playground.foundation.limits import readable_bytes
from playground.measure.memory import Memory

AS_FAST = 1.02


@dataclass(frozen=True)
class ChunkRow:
    """One chunk size that was tried.

    Attributes:
        chunk_size: examples at once, k.
        memory: what the compiler plans.
        samples: seconds per call, all of them; empty when the size was not run.
    """

    chunk_size: int
    memory: Memory
    samples: tuple[float, ...] = ()

    @property
    def predicted_bytes(self) -> int:
        """Temporaries and outputs, from the compiler."""
        return self.memory.predicted_bytes

    @property
    def temporary_bytes(self) -> int:
        """Temporaries, from the compiler."""
        return self.memory.temporary_bytes

    @property
    def output_bytes(self) -> int:
        """Outputs, from the compiler; no chunk size makes them smaller."""
        return self.memory.output_bytes

    @property
    def measured_seconds(self) -> float:
        """Median seconds per call; nan when this size was not run."""
        return statistics.median(self.samples) if self.samples else math.nan

    @property
    def was_run(self) -> bool:
        """Whether there is a time."""
        return bool(self.samples)


@dataclass(frozen=True)
class ChunkAdvice:
    """The recommended chunk size and all that it rests on.

    Attributes:
        batch_size: number of examples N.
        memory_budget_bytes: the most that temporaries and outputs may take.
        chunk_size: the recommendation, 1 to N; None when nothing fits.
        rows: every size that was tried, by increasing size.
    """

    batch_size: int
    memory_budget_bytes: float
    chunk_size: int | None
    rows: tuple[ChunkRow, ...]

    @property
    def best(self) -> ChunkRow | None:
        """The row of the recommendation."""
        return next((row for row in self.rows if row.chunk_size == self.chunk_size), None)

    @property
    def pareto(self) -> tuple[ChunkRow, ...]:
        """Sizes that no other one beats in both memory and time, by increasing memory."""
        return pareto_front(self.rows)

    @property
    def missing_bytes(self) -> int:
        """How much the budget lacks for the size that needs least; 0 when something fits."""
        least = min(row.predicted_bytes for row in self.rows)
        if least <= self.memory_budget_bytes:
            return 0
        return math.ceil(least - self.memory_budget_bytes)

    @property
    def outputs_do_not_shrink(self) -> bool:
        """Outputs take most of the memory even at the size that needs least."""
        least = min(self.rows, key=lambda row: row.predicted_bytes)
        return least.output_bytes > least.temporary_bytes

    def reason(self, lang: Language = "en") -> str:
        """Say why, with the numbers, in "en" or "zh"."""
        budget, best = readable_bytes(self.memory_budget_bytes), self.best
        if best is None:
            return self._nothing_fits(lang, budget)
        fits = [row for row in self.rows if row.predicted_bytes <= self.memory_budget_bytes]
        needs, time = readable_bytes(best.predicted_bytes), f"{best.measured_seconds * 1e3:.3g} ms"
        words = pick(
            lang,
            f"k = {best.chunk_size} of N = {self.batch_size}: the fastest of {len(fits)} tried "
            f"chunk sizes that fit into {budget}. It needs {needs} and takes {time}.",
            f"k = {best.chunk_size}（N = {self.batch_size}）：在放得进 {budget} 的 {len(fits)} 个"
            f"试过的分块大小中最快，需要 {needs}，耗时 {time}。",
        )
        if best.chunk_size >= self.batch_size:
            return words + pick(
                lang, " That is one plain vmap: no chunks.", "这就是一次普通的 vmap，无需分块。"
            )
        whole = self.rows[-1]
        if whole.predicted_bytes > self.memory_budget_bytes:
            needed = readable_bytes(whole.predicted_bytes)
            return words + pick(
                lang, f" One vmap would need {needed}.", f"一次 vmap 需要 {needed}。"
            )
        return words + pick(
            lang,
            f" One vmap would fit too, and takes {whole.measured_seconds * 1e3:.3g} ms.",
            f"一次 vmap 也放得下，耗时 {whole.measured_seconds * 1e3:.3g} ms。",
        )

    def _nothing_fits(self, lang: Language, budget: str) -> str:
        least = min(self.rows, key=lambda row: row.predicted_bytes)
        needs, missing = readable_bytes(least.predicted_bytes), readable_bytes(self.missing_bytes)
        words = pick(
            lang,
            f"No chunk size fits into {budget}. The least is k = {least.chunk_size} with {needs}: "
            f"{missing} are missing.",
            f"没有任何分块大小放得进 {budget}。最省的是 k = {least.chunk_size}，需要 {needs}，"
            f"还差 {missing}。",
        )
        if not self.outputs_do_not_shrink:
            return words
        outputs = readable_bytes(least.output_bytes)
        return words + pick(
            lang,
            f" {outputs} of it are outputs, and chunks do not shrink outputs: return less, or "
            "sum inside with `reduce`.",
            f"其中 {outputs} 是输出，分块无法减小输出：请少返回一些，或用 `reduce` 在内部求和。",
        )


def choose(rows: Sequence[ChunkRow], batch_size: int, memory_budget_bytes: float) -> ChunkAdvice:
    """Choose the fastest row within the budget; among equally fast ones the one that needs least.

    Args:
        rows: sizes that were tried, by increasing size.
        batch_size: number of examples N.
        memory_budget_bytes: the most that temporaries and outputs may take.

    Returns:
        The advice; `chunk_size` is None when no row that was run fits.
    """
    fits = [row for row in rows if row.was_run and row.predicted_bytes <= memory_budget_bytes]
    if not fits:
        return ChunkAdvice(batch_size, memory_budget_bytes, None, tuple(rows))
    limit = AS_FAST * min(row.measured_seconds for row in fits)
    as_fast = [row for row in fits if row.measured_seconds <= limit]
    best = min(as_fast, key=lambda row: (row.predicted_bytes, row.measured_seconds))
    return ChunkAdvice(batch_size, memory_budget_bytes, best.chunk_size, tuple(rows))


def guesses(advice: ChunkAdvice) -> tuple[int, ...]:
    """Return a few chunk sizes that one may take for the recommended one, which is among them.

    The smallest and the largest, the largest within the budget, the fastest of all, the one that
    needs least memory, and one from the middle.

    Args:
        advice: rows that were tried; at least one.

    Returns:
        Increasing sizes, each of them once.
    """
    rows = advice.rows
    tempting = [rows[0], rows[len(rows) // 2], rows[-1], min(rows, key=lambda r: r.predicted_bytes)]
    tempting += [row for row in rows if row.predicted_bytes <= advice.memory_budget_bytes][-1:]
    if was_run := [row for row in rows if row.was_run]:
        tempting.append(min(was_run, key=lambda row: row.measured_seconds))
    sizes = {row.chunk_size for row in tempting}
    return tuple(sorted(sizes if advice.best is None else sizes | {advice.best.chunk_size}))


def pareto_front(rows: Iterable[ChunkRow]) -> tuple[ChunkRow, ...]:
    """Return the rows that no other row beats in both memory and time, by increasing memory."""
    front: list[ChunkRow] = []
    ordered = sorted(
        (row for row in rows if row.was_run),
        key=lambda row: (row.predicted_bytes, row.measured_seconds),
    )
    for row in ordered:
        if not front or row.measured_seconds < front[-1].measured_seconds:
            front.append(row)
    return tuple(front)
