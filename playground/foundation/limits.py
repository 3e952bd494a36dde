"""What this server may spend: cores, memory and seconds for one computation, sizes to choose from.

The numbers can be changed by the environment of the server; nothing else in the playground
carries a limit of its own.
"""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from playground.foundation.language import Language, pick

SIZES = (1, 2, 3, 5, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
MIB = 1 << 20


def cores() -> int:
    """Return how many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _from_environment(name: str, default: int) -> int:
    value = os.environ.get(name, "")
    return int(value) if value.isdecimal() and int(value) > 0 else default


MEMORY_BYTES = _from_environment("PLAYGROUND_MEMORY_MIB", 1024) * MIB
SECONDS = _from_environment("PLAYGROUND_SECONDS", 120)
COMPUTATIONS_AT_ONCE = _from_environment("PLAYGROUND_COMPUTATIONS", max(1, cores()))
WAIT_SECONDS = _from_environment("PLAYGROUND_WAIT_SECONDS", 60)

_places = threading.BoundedSemaphore(COMPUTATIONS_AT_ONCE)


class ServerBusyError(RuntimeError):
    """All places for computations stayed taken for longer than a user should wait."""

    def message(self, language: Language) -> str:
        """Say what to do."""
        return pick(
            language,
            "The server is busy with other computations. Try again in a moment.",
            "服务器正忙于其他计算，请稍后再试。",
        )


@contextmanager
def place() -> Generator[None]:
    """Hold one of the server's places for a computation.

    Raises:
        ServerBusyError: no place became free in time.
    """
    if not _places.acquire(timeout=WAIT_SECONDS):
        raise ServerBusyError
    try:
        yield
    finally:
        _places.release()


@dataclass(frozen=True)
class MemoryRefused(Exception):  # noqa: N818 - a refusal, not a fault
    """A computation was not started because it would need more memory than is allowed.

    Attributes:
        needed_bytes: what the compiler says the computation needs.
        allowed_bytes: what one computation may use here.
        nearest: the nearest setting that fits, as text such as "batch size 512"; may be empty.
    """

    needed_bytes: int
    allowed_bytes: int
    nearest: str = ""

    def message(self, language: Language) -> str:
        """Say both numbers and the nearest setting that fits."""
        needed, allowed = (
            readable_bytes(self.needed_bytes),
            readable_bytes(self.allowed_bytes),
        )
        if not self.nearest:
            return pick(
                language,
                f"Not started: this needs {needed}, one computation may use {allowed} here.",
                f"未开始计算：需要 {needed}，而这里单次计算最多可用 {allowed}。",
            )
        return pick(
            language,
            f"Not started: this needs {needed}, one computation may use {allowed} here. "
            f"What fits: {self.nearest}.",
            f"未开始计算：需要 {needed}，而这里单次计算最多可用 {allowed}。"
            f"可行的设置：{self.nearest}。",
        )


def allow_bytes(needed_bytes: int, nearest: str = "") -> None:
    """Refuse a computation that needs too much memory.

    Raises:
        MemoryRefused: `needed_bytes` is more than one computation may use.
    """
    if needed_bytes > MEMORY_BYTES:
        raise MemoryRefused(needed_bytes, MEMORY_BYTES, nearest)


def readable_bytes(count: float) -> str:
    """Write a number of bytes with a binary unit: 1536 -> "1.5 KiB"."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(count) < 1024:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count:.0f} B"
        count /= 1024
    return f"{count:.4g} TiB"
