"""The Chunks page: what the compiler plans for each chunk size, and what it takes to run it."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import jax

from playground.foundation.limits import MEMORY_BYTES, MIB
from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, number, one_of, whole
from playground.measure.advice import ChunkRow
from playground.measure.batched_call import BatchedCall, batched_call
from playground.measure.chunk_workloads import CHUNK_WORKLOADS
from playground.measure.machine_facts import MachineFacts, machine_facts
from playground.measure.memory import Memory, memory_of
from playground.measure.recommend import survey
from playground.measure.reduction import known_reduction

CHUNK_SIZES = (1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512, 1024)
BUDGETS_MIB = (0.25, 0.5, 1.0, 2.0, 2.25, 2.5, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1024.0)


@dataclass(frozen=True)
class ChunksSettings(Settings, prefix="chunks"):
    """What is chunked, the budget, the chunk size that is looked at, and the user's own numbers."""

    workload: str = one_of("two_products", tuple(CHUNK_WORKLOADS))
    batch_size: int = one_of(4096, (100, 1000, 1024, 4096))
    length: int = one_of(128, (32, 128, 512))
    reduce: str = one_of("none", ("none", "sum", "mean"))
    chunk_size: int = one_of(256, CHUNK_SIZES)
    budget_mib: float = one_of(3.0, BUDGETS_MIB)
    own_batch: int = whole(32, low=1, high=1_000_000)
    own_parameters: float = number(1e8, low=1.0, high=1e13)
    own_bytes: int = one_of(4, (1, 2, 4, 8))

    @property
    def measured(self) -> Self:
        """The same without the fields that a measurement does not depend on."""
        kept = ("workload", "batch_size", "length", "reduce")
        return type(self)(**{name: getattr(self, name) for name in kept})

    @property
    def chosen(self) -> int:
        """The chunk size that is looked at, at most the batch size."""
        return min(self.chunk_size, self.batch_size)

    @property
    def budget_bytes(self) -> float:
        """The budget in bytes."""
        return self.budget_mib * MIB

    @property
    def own_numbers(self) -> float:
        """B x P: how many numbers the user's own per-example gradients are."""
        return self.own_batch * self.own_parameters

    @property
    def own_total_bytes(self) -> float:
        """What they take."""
        return self.own_numbers * self.own_bytes

    @property
    def sizes(self) -> tuple[int, ...]:
        """Chunk sizes of the memory curve."""
        sizes = {1, 4, 16, 64, 256, 1024, self.chosen, self.batch_size}
        return tuple(sorted(size for size in sizes if size <= self.batch_size))


@dataclass(frozen=True)
class ChunksResult:
    """What the compiler says, before anything has run.

    Attributes:
        batch_size: N.
        chosen: the chunk size that is looked at.
        rows: one per chunk size of the curve, without times.
        steps: names of the program's outer operations at the chosen chunk size, in order.
    """

    batch_size: int
    chosen: int
    rows: tuple[ChunkRow, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class ChunksSurvey:
    """Every chunk size that was tried, and the machine that tried them."""

    rows: tuple[ChunkRow, ...]
    machine: MachineFacts


def workload_call(settings: ChunksSettings) -> BatchedCall:
    """Draw the arguments of a workload and take its call apart."""
    workload = CHUNK_WORKLOADS[settings.workload]
    arguments = workload.draw(jax.random.key(0), settings.batch_size, settings.length)
    return batched_call(workload.function, arguments, workload.in_axes)


def chunk_memory(call: BatchedCall, sizes: tuple[int, ...], reduce: str) -> dict[int, Memory]:
    """Ask the compiler for the memory of each chunk size.

    Args:
        call: the function with its arguments.
        sizes: chunk sizes.
        reduce: "none", "sum" or "mean".

    Returns:
        Memory by chunk size; nothing is run.
    """
    how = None if reduce == "none" else known_reduction(reduce)
    return {k: memory_of(call.program(k, how), call.mapped, call.shared) for k in sizes}


def program_steps(call: BatchedCall, chunk_size: int, reduce: str) -> tuple[str, ...]:
    """Name the operations of the program around the function, in order; loops count as one."""
    how = None if reduce == "none" else known_reduction(reduce)
    program = jax.make_jaxpr(call.program(chunk_size, how))(call.mapped, call.shared)
    return tuple(equation.primitive.name for equation in program.jaxpr.eqns)


@lru_cache(maxsize=1024)
def memory_at(settings: ChunksSettings, chunk_size: int) -> Memory:
    """Read the memory at one chunk size; kept, because moving k compiles one program only."""
    return chunk_memory(workload_call(settings), (chunk_size,), settings.reduce)[chunk_size]


def compute(settings: ChunksSettings) -> ChunksResult:
    """Read memory and program from the compiler."""
    rows = tuple(ChunkRow(k, memory_at(settings.measured, k)) for k in settings.sizes)
    steps = program_steps(workload_call(settings), settings.chosen, settings.reduce)
    return ChunksResult(settings.batch_size, settings.chosen, rows, steps)


def measure(settings: ChunksSettings) -> Generator[float, None, ChunksSurvey]:
    """Time every chunk size that this server has the memory for; see `survey`."""
    reduce = None if settings.reduce == "none" else settings.reduce
    rows = yield from survey(workload_call(settings), reduce, MEMORY_BYTES)
    return ChunksSurvey(rows, machine_facts())


def chunk_headlines(memory: dict[int, Memory], chosen: int) -> dict[str, Any]:
    """Return the bytes that the compiler plans for one vmap, for one by one, and for chunks."""
    names = {max(memory): "vmap", 1: "lax.map", chosen: f"lax.map(batch_size={chosen})"}
    headlines: dict[str, Any] = {"batch size": max(memory)}
    for size, name in names.items():
        headlines[f"temporary bytes, {name}"] = memory[size].temporary_bytes
        headlines[f"output bytes, {name}"] = memory[size].output_bytes
    return headlines


def headlines(result: ChunksResult) -> dict[str, Any]:
    """Return the numbers of the page that do not depend on the clock."""
    return chunk_headlines({row.chunk_size: row.memory for row in result.rows}, result.chosen)


def script(settings: ChunksSettings) -> str:
    """Write the standalone script that asks the compiler."""
    workload = CHUNK_WORKLOADS[settings.workload]
    functions = (workload.function, workload.draw)
    function, draw = (getattr(each, "__name__", "") for each in functions)
    body = f"""
arguments = {draw}(jax.random.key(0), {settings.batch_size}, {settings.length})
call = batched_call({function}, arguments, {workload.in_axes!r})
memory = chunk_memory(call, {settings.sizes!r}, {settings.reduce!r})
show_headlines(chunk_headlines(memory, {settings.chosen}))
"""
    helpers = (batched_call, chunk_memory, chunk_headlines, show_headlines)
    title = f"What the compiler plans for {function} in chunks"
    return standalone(*functions, *helpers, body=body, title=title)
