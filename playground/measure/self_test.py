"""Does this machine compute rightly? Known miscompilations, each run against float64.

On some x86 processors one release of JAX (0.10.2) gave silently wrong rows for a jitted vmap of a
matrix product followed by a sum, past 32,768 rows, or with the matrix closed over
(github.com/jax-ml/jax/issues/39103). The test asks the JAX and the processor that are here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

ROWS = (100, 32_768, 32_769, 40_000, 65_537)
ALLOWED = 1e-4

MATRIX = ((1.0, 2.0, 0.0), (0.0, 1.0, 0.0), (3.0, 0.0, 1.0))


@dataclass(frozen=True)
class SelfCheck:
    """One program at one size against float64.

    Attributes:
        program: what ran, the same in every language.
        rows: number of examples.
        wrong_rows: how many results are off by more than rounding.
        largest_error: largest distance, relative to the largest result.
    """

    program: str
    rows: int
    wrong_rows: int
    largest_error: float


@dataclass(frozen=True)
class SelfTest:
    """All checks of one run."""

    checks: tuple[SelfCheck, ...]

    @property
    def holds(self) -> bool:
        """Whether every result was right."""
        return not self.failed

    @property
    def failed(self) -> tuple[SelfCheck, ...]:
        """The checks that found wrong rows."""
        return tuple(check for check in self.checks if check.wrong_rows)

    @property
    def largest_error(self) -> float:
        """Largest relative error of all checks."""
        return max(check.largest_error for check in self.checks)


def row_sum(matrix: Float[Array, "3 3"], x: Float[Array, "3"]) -> Float[Array, ""]:
    """Multiply one vector by a matrix and add up the result."""
    return jnp.sum(matrix @ x)


def programs() -> dict[str, Callable[[Float[Array, "n 3"]], Float[Array, "n"]]]:
    """Return the forms in which the same product is written; all mean the same."""
    matrix = jnp.array(MATRIX)
    as_argument = jax.jit(jax.vmap(row_sum, in_axes=(None, 0)))
    return {
        "vmap(sum(K @ x))": jax.vmap(lambda x: row_sum(matrix, x)),
        "jit(vmap(sum(K @ x))), K closed over": jax.jit(jax.vmap(lambda x: row_sum(matrix, x))),
        "jit(vmap(sum(K @ x))), K an argument": lambda x: as_argument(matrix, x),
        "jit(sum(X @ K.T, axis=1)), K closed over": jax.jit(
            lambda x: jnp.sum(x @ matrix.T, axis=1)
        ),
        "jit(vmap(c · x)), no product": jax.jit(jax.vmap(lambda x: 4 * x[0] + 3 * x[1] + x[2])),
        "jit(lax.map(sum(K @ x), batch_size=4096))": jax.jit(
            lambda x: jax.lax.map(lambda row: row_sum(matrix, row), x, batch_size=4096)
        ),
    }


def against_float64(
    name: str, program: Callable[[Float[Array, "n 3"]], Float[Array, "n"]], rows: int
) -> SelfCheck:
    """Run one program on rows with known digits and compare it with NumPy in float64.

    Args:
        name: what is said about it.
        program: from vectors, shape (rows, 3), to their sums, shape (rows,).
        rows: number of examples.

    Returns:
        How many rows are wrong, and by how much.
    """
    x = ((np.arange(rows) % 97)[:, None] + np.arange(3.0)) / 8
    wanted = x @ np.array(MATRIX).sum(axis=0)
    got = np.asarray(program(jnp.asarray(x, jnp.float32)), np.float64)
    error = np.abs(got - wanted) / np.abs(wanted).max()
    wrong = ~(error <= ALLOWED)  # nan counts as wrong
    return SelfCheck(name, rows, int(wrong.sum()), float(np.nan_to_num(error, nan=np.inf).max()))


def run_self_test(sizes: tuple[int, ...] = ROWS) -> SelfTest:
    """Run every program at every size."""
    forms = programs().items()
    return SelfTest(tuple(against_float64(name, run, n) for n in sizes for name, run in forms))


@lru_cache(maxsize=1)
def self_test() -> SelfTest:
    """Run the test once per server; the answer belongs to the processor and the release."""
    return run_self_test()
