"""The Chunks page: what the compiler plans for each chunk size, and what it takes to run it."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import jax

from playground.foundation.limits import MEMORY_BYTES, MIB
from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, one_of, whole
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
    own_parameters: int = whole(100_000_000, low=1, high=10**13)
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
    def own_numbers(self) -> int:
        """B x P: how many numbers the user's own per-example gradients are."""
        return self.own_batch * self.own_parameters

    @property
    def own_total_bytes(self) -> int:
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
        forms: memory of one vmap, of `lax.map`, of chunks, and of chunks that are summed inside.
        steps: names of the program's outer operations at the chosen chunk size, in order.
    """

    batch_size: int
    chosen: int
    rows: tuple[ChunkRow, ...]
    forms: dict[str, Memory]
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


def memory_forms(call: BatchedCall, chunk_size: int) -> dict[str, Memory]:
    """Ask the compiler for the four ways to run a batch.

    Args:
        call: the function with its arguments.
        chunk_size: examples at once where there are chunks.

    Returns:
        Memory of one vmap, one by one, in chunks, and in chunks whose outputs are summed inside.
    """
    whole = max(call.batch_size, 1)
    plain = chunk_memory(call, (whole, 1, chunk_size), "none")
    summed = chunk_memory(call, (chunk_size,), "sum")
    return {
        "vmap": plain[whole],
        "lax.map": plain[1],
        f"lax.map(batch_size={chunk_size})": plain[chunk_size],
        f"sum inside, {chunk_size} at once": summed[chunk_size],
    }


def program_steps(call: BatchedCall, chunk_size: int, reduce: str) -> tuple[str, ...]:
    """Name the operations of the program around the function, in order; loops count as one."""
    how = None if reduce == "none" else known_reduction(reduce)
    program = jax.make_jaxpr(call.program(chunk_size, how))(call.mapped, call.shared)
    return tuple(equation.primitive.name for equation in program.jaxpr.eqns)


@lru_cache(maxsize=1024)
def memory_at(settings: ChunksSettings, chunk_size: int) -> Memory:
    """Read the memory at one chunk size; kept, because moving k compiles few programs."""
    return chunk_memory(workload_call(settings), (chunk_size,), settings.reduce)[chunk_size]


@lru_cache(maxsize=256)
def looked_at(
    settings: ChunksSettings, chunk_size: int
) -> tuple[dict[str, Memory], tuple[str, ...]]:
    """Read the four forms and the program's steps at the chunk size that is looked at; kept."""
    call = workload_call(settings)
    steps = program_steps(call, chunk_size, settings.reduce)
    return memory_forms(call, chunk_size), steps


def compute(settings: ChunksSettings) -> ChunksResult:
    """Read memory and program from the compiler."""
    rows = tuple(ChunkRow(k, memory_at(settings.measured, k)) for k in settings.sizes)
    forms, steps = looked_at(settings.measured, settings.chosen)
    return ChunksResult(settings.batch_size, settings.chosen, rows, forms, steps)


def measure(settings: ChunksSettings) -> Generator[float, None, ChunksSurvey]:
    """Time every chunk size that this server has the memory for; see `survey`."""
    reduce = None if settings.reduce == "none" else settings.reduce
    rows = yield from survey(workload_call(settings), reduce, MEMORY_BYTES)
    return ChunksSurvey(rows, machine_facts())


def chunk_headlines(curve: dict[int, Memory], forms: dict[str, Memory]) -> dict[str, Any]:
    """Return the bytes that the compiler plans, for the curve and for the four forms."""
    headlines: dict[str, Any] = {
        "chunk sizes": tuple(curve),
        "predicted bytes": tuple(memory.predicted_bytes for memory in curve.values()),
    }
    for name, memory in forms.items():
        headlines[f"temporary bytes, {name}"] = memory.temporary_bytes
        headlines[f"output bytes, {name}"] = memory.output_bytes
    return headlines


def headlines(result: ChunksResult) -> dict[str, Any]:
    """Return the numbers of the page that do not depend on the clock."""
    return chunk_headlines({row.chunk_size: row.memory for row in result.rows}, result.forms)


def script(settings: ChunksSettings) -> str:
    """Write the standalone script that asks the compiler."""
    workload = CHUNK_WORKLOADS[settings.workload]
    functions = (workload.function, workload.draw)
    function, draw = (getattr(each, "__name__", "") for each in functions)
    body = f"""
arguments = {draw}(jax.random.key(0), {settings.batch_size}, {settings.length})
call = batched_call({function}, arguments, {workload.in_axes!r})
curve = chunk_memory(call, {settings.sizes!r}, {settings.reduce!r})
show_headlines(chunk_headlines(curve, memory_forms(call, {settings.chosen})))
"""
    helpers = (batched_call, chunk_memory, memory_forms, chunk_headlines, show_headlines)
    title = f"What the compiler plans for {function} in chunks"
    return standalone(*functions, *helpers, body=body, title=title)
