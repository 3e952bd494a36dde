"""What each way to per-example norms costs here: memory from the compiler, time from the clock.

Memory is what the compiler plans (temporary buffers and outputs), not what the process was seen
to use; times are of this machine at this moment.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
from jax import Array
from jax.stages import Compiled
from jaxtyping import Float

from playground.foundation.limits import MEMORY_BYTES
from playground.lessons.models import Loss, parameter_count
from playground.lessons.per_example import (
    chunked_norms,
    fused_norms,
    ghost_norms,
    mean_gradient,
    norms_of,
    per_example_gradients,
)

METHODS = ("stored", "fused", "chunked", "ghost", "mean")


@dataclass(frozen=True)
class MethodCost:
    """Cost of one method on one batch.

    Attributes:
        name: "stored" (all gradients, then norms), "fused" (one program), "chunked"
            (`lax.map(batch_size=k)`), "ghost" (activations and deltas) or "mean" (the ordinary
            gradient of the mean loss, for comparison: it gives no norms).
        temporary_bytes: buffers between the steps, as the compiler plans them; for "stored" the
            gradients themselves are among them.
        output_bytes: what is returned.
        milliseconds: time of each run after the first, in ms; empty when not run.
        worst_difference: largest relative difference of a norm from "fused"; nan for "mean".
    """

    name: str
    temporary_bytes: int
    output_bytes: int
    milliseconds: tuple[float, ...]
    worst_difference: float


def compare_methods(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
    chunk_size: int,
    rounds: int = 7,
) -> tuple[MethodCost, ...]:
    """Compile every method once, read its memory, then time all of them in turns.

    Args:
        params: as made by `init_network`.
        X: features.
        Y: labels.
        loss: loss of one example.
        chunk_size: examples at once for "chunked".
        rounds: timed runs of each method; they take turns, so that a slow moment of the machine
            hits all of them.

    Returns:
        One cost for each of `METHODS`. "stored" is not run when its gradients would need more
        memory than one computation may use here.
    """
    compiled = {
        "fused": fused_norms.lower(params, X, Y, loss).compile(),
        "chunked": chunked_norms.lower(params, X, Y, loss, chunk_size).compile(),
        "ghost": ghost_norms.lower(params, X, Y, loss).compile(),
        "mean": mean_gradient.lower(params, X, Y, loss).compile(),
    }
    planned = {name: planned_bytes(program) for name, program in compiled.items()}
    temporary = {name: plan[0] for name, plan in planned.items()}
    output = {name: plan[1] for name, plan in planned.items()}
    runs: dict[str, Callable[[], Array]] = {
        name: lambda program=program: program(params, X, Y) for name, program in compiled.items()
    }
    gradient_bytes = 4 * X.shape[0] * parameter_count(params)
    temporary["stored"], output["stored"] = gradient_bytes, output["fused"]
    if gradient_bytes <= MEMORY_BYTES:
        store = per_example_gradients.lower(params, X, Y, loss).compile()
        temporary["stored"] = sum(planned_bytes(store))
        runs["stored"] = lambda: norms_of(store(params, X, Y))
    results = {name: jax.block_until_ready(run()) for name, run in runs.items()}
    times = _take_turns(runs, rounds)
    return tuple(
        MethodCost(
            name=name,
            temporary_bytes=temporary[name],
            output_bytes=output[name],
            milliseconds=tuple(times.get(name, ())),
            worst_difference=_difference(results, name),
        )
        for name in METHODS
    )


def _take_turns(runs: dict[str, Callable[[], Array]], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            jax.block_until_ready(run())
            times[name].append((time.perf_counter() - start) * 1e3)
    return times


def _difference(results: dict[str, Array], name: str) -> float:
    if name == "mean" or name not in results:
        return float("nan")
    right = np.asarray(results["fused"], np.float64)
    return float(np.max(np.abs(results[name] - right) / np.maximum(right, 1e-12)))


def memory_by_chunk(
    params: dict[str, Array],
    X: Float[Array, "batch features"],
    Y: Float[Array, " batch"],
    loss: Loss,
    chunk_sizes: tuple[int, ...],
) -> tuple[int, ...]:
    """Return the temporary bytes the compiler plans for `lax.map(batch_size=k)`, for each k."""
    return tuple(
        planned_bytes(chunked_norms.lower(params, X, Y, loss, k).compile())[0] for k in chunk_sizes
    )


def planned_bytes(program: Compiled) -> tuple[int, int]:
    """Return the bytes of temporary buffers and of outputs that the compiler plans.

    Raises:
        RuntimeError: this device's compiler does not tell.
    """
    plan = program.memory_analysis()
    if plan is None:
        message = f"the compiler for {jax.default_backend()} does not tell its memory"
        raise RuntimeError(message)
    return int(plan.temp_size_in_bytes), int(plan.output_size_in_bytes)


def stored_bytes(batch_size: int, parameters: int) -> int:
    """Return the bytes of B x P numbers in float32: what all per-example gradients take."""
    return 4 * batch_size * parameters
