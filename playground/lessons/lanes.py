"""A while loop on a batch: it goes on until the slowest example ends, and the others wait."""

import re
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

FACT_INPUTS = (1, 2, 3, 6, 7, 27)


def is_running(state):
    """Tell whether ONE Collatz sequence has not reached 1 yet."""
    n, _ = state
    return n != 1


def one_round(state):
    """Halve an even number, triple an odd one and add one; count the step."""
    n, steps = state
    return jnp.where(lax.rem(n, 2) == 0, lax.div(n, 2), 3 * n + 1), steps + 1


def collatz_steps(n):
    """Count the steps of ONE number until it reaches 1 (Collatz, 1937)."""
    _, steps = lax.while_loop(is_running, one_round, (n, 0))
    return steps


def rounds_of(inputs, chunk: int):
    """Return the steps of each input and how often the body ran for it, finished or not.

    Args:
        inputs: positive whole numbers, int32, shape (batch,).
        chunk: examples that run together; 0 means all.

    Returns:
        Steps needed and rounds run, int, shape (batch,) each.
    """
    runs = []

    def noted(state):
        jax.debug.callback(lambda place: runs.append(int(place)), state[2])
        n, steps = one_round(state[:2])
        return n, steps, state[2]

    def watched(place, n):
        return lax.while_loop(lambda state: is_running(state[:2]), noted, (n, 0, place))[1]

    places = jnp.arange(inputs.shape[0])
    if chunk:
        steps = lax.map(lambda pair: watched(*pair), (places, inputs), batch_size=chunk)
    else:
        steps = jax.vmap(watched)(places, inputs)
    steps = np.asarray(steps)
    jax.effects_barrier()
    return steps, np.bincount(np.array(runs, int), minlength=steps.size)


def lane_headlines(steps, rounds) -> dict[str, object]:
    """Compare the rounds run with the rounds needed.

    Args:
        steps: rounds needed by each example, int, shape (batch,).
        rounds: rounds run for each example, int, shape (batch,).
    """
    return {
        "steps": tuple(steps.tolist()),
        "rounds run in all": int(rounds.sum()),
        "rounds needed in all": int(steps.sum()),
        "utilisation in percent": 100.0 * float(steps.sum()) / max(float(rounds.sum()), 1.0),
    }


@dataclass(frozen=True)
class Evidence:
    """Where the OR over the batch and the select stand.

    Attributes:
        jaxpr: the program as JAX has it.
        jaxpr_has_or: whether the jaxpr has a reduction of the predicate.
        jaxpr_body_selects: whether the loop's body selects at its own level there.
        stablehlo: the loop in the lowered program.
        or_lines: its lines that reduce with OR.
        select_lines: its lines that freeze finished examples.
    """

    jaxpr: str
    jaxpr_has_or: bool
    jaxpr_body_selects: bool
    stablehlo: str
    or_lines: tuple[str, ...]
    select_lines: tuple[str, ...]


@dataclass(frozen=True)
class LaneResult:
    """The film of a loop, and what the program says.

    Attributes:
        inputs: int, shape (batch,).
        steps: rounds needed by each example, int, shape (batch,).
        rounds: rounds run for each example, int, shape (batch,).
        starts: round at which the example's chunk begins, int, shape (batch,).
        evidence: OR and select in the lowered program.
        effects: calls of a debug callback in the body against the rounds needed.
        refusals: what JAX says to `io_callback` in the body, ordered and not.
        summary: headline numbers by name.
    """

    inputs: np.ndarray
    steps: np.ndarray
    rounds: np.ndarray
    starts: np.ndarray
    evidence: Evidence
    effects: tuple[int, int]
    refusals: tuple[str, str]
    summary: dict[str, Any]


def evidence_of(batch_size: int) -> Evidence:
    """Read the mapped loop in the jaxpr and in the lowered program (StableHLO)."""
    shape = jax.ShapeDtypeStruct((batch_size,), jnp.int32)
    mapped = jax.vmap(collatz_steps)
    jaxpr = jax.make_jaxpr(mapped)(shape)
    loop = next(e for e in jaxpr.jaxpr.eqns if e.primitive.name == "while")
    body = [e.primitive.name for e in loop.params["body_jaxpr"].jaxpr.eqns]
    lowered = jax.jit(mapped).lower(shape).as_text()
    lines = lowered.splitlines()
    first = next(i for i, line in enumerate(lines) if "stablehlo.while" in line)
    indent = len(lines[first]) - len(lines[first].lstrip())
    end = re.compile(rf"^ {{{indent}}}}}$")
    last = next(i for i in range(first + 1, len(lines)) if end.match(lines[i]))
    text = [line[indent:] for line in lines[first : last + 1]]
    return Evidence(
        str(jaxpr),
        "reduce_or" in str(jaxpr),
        "select_n" in body,
        "\n".join(text),
        tuple(line.strip() for line in text if "stablehlo.or" in line),
        tuple(line.strip() for line in text if "stablehlo.select" in line),
    )


def refused_io(is_ordered: bool) -> str:
    """Return what JAX says when the body of a mapped loop calls `io_callback`."""

    def body(state):
        io_callback(lambda value: None, None, state, ordered=is_ordered)
        return state + 1

    try:
        jax.vmap(lambda k: lax.while_loop(lambda s: s < k, body, 0))(jnp.array([1, 3]))
    except Exception as error:  # JAX raises a bare Exception here
        return str(error).splitlines()[0]
    return ""


def by_steps(inputs: tuple[int, ...]) -> tuple[int, ...]:
    """Sort numbers by the steps that they need."""
    needed = np.asarray(jax.vmap(collatz_steps)(jnp.array(inputs)))
    return tuple(inputs[i] for i in np.argsort(needed, kind="stable"))


def run_lanes(inputs: tuple[int, ...], chunk: int) -> LaneResult:
    """Run the loop on a batch and film it.

    Args:
        inputs: positive whole numbers.
        chunk: examples that run together; 0 means all.
    """
    steps, rounds = rounds_of(jnp.array(inputs), chunk)
    together = chunk or len(inputs)
    starts, clock = np.zeros(len(inputs), int), 0
    for first in range(0, len(inputs), together):
        starts[first : first + together] = clock
        clock += int(rounds[first : first + together].max())
    return LaneResult(
        np.array(inputs),
        steps,
        rounds,
        starts,
        evidence_of(len(inputs)),
        (int(rounds.sum()), int(steps.sum())),
        (refused_io(False), refused_io(True)),
        lane_headlines(steps, rounds),
    )
