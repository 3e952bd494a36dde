"""Per-example gradient norms of an MLP 64-256-1 on 16,384 examples: ghost norms beside their peers.

Every method is checked against float64 before it is timed. Opacus runs in its own process and is
asked in turn with the others; it needs TORCH_PYTHON to name a Python with torch and opacus.
"""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import jax
import numpy as np

from benchmarks.harness import Row
from playground.lessons.models import init_network, squared_loss
from playground.lessons.per_example import (
    chunked_norms,
    fused_norms,
    ghost_norms,
    mean_gradient,
    norms_of,
    per_example_gradients,
)

BATCH, SIZES = 16_384, (64, 256)
TOLERANCE = 1e-4
SKIPPED = "Opacus rows skipped: set TORCH_PYTHON to a Python that has torch and opacus."


def norms_in_float64(params: dict[str, np.ndarray], X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return the exact norms, layer by layer, in float64; shape (batch,)."""
    wide = {name: np.asarray(leaf, np.float64) for name, leaf in params.items()}
    X, Y = X.astype(np.float64), Y.astype(np.float64)
    hidden = np.tanh(X @ wide["W1"].T + wide["b1"])
    last = 2 * (hidden @ wide["w2"] + wide["b2"] - Y)
    first = last[:, None] * wide["w2"] * (1 - hidden**2)
    squares = last**2 * (1 + (hidden**2).sum(1))
    return np.sqrt(squares + (first**2).sum(1) * (1 + (X**2).sum(1)))


class Opacus:
    """A process that runs Opacus on the same problem, one method a line.

    Args:
        python: path of a Python that has torch and opacus.
        problem: arrays "X", "Y" and the parameters.
    """

    def __init__(self, python: str, problem: dict[str, np.ndarray]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            given, norms = Path(folder) / "problem.npz", Path(folder) / "norms.npz"
            np.savez(given, **problem)
            script = Path(__file__).with_name("opacus_norms.py")
            self._process = subprocess.Popen(
                [python, "-W", "ignore", str(script), str(given), str(norms)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            if self._answer() != "ready":
                message = f"{python} could not run Opacus: is opacus installed there?"
                raise RuntimeError(message)
            self.norms = dict(np.load(norms))

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def milliseconds(self, method: str) -> float:
        """Run one method once and return its time."""
        assert self._process.stdin is not None
        self._process.stdin.write(method + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


def timed(function: Callable[[], object]) -> float:
    """Return the milliseconds of one call, waiting for its result."""
    start = time.perf_counter()
    jax.block_until_ready(function())
    return 1000 * (time.perf_counter() - start)


def rows(rounds: int = 15) -> list[Row]:
    """Return all rows of this family.

    Args:
        rounds: how often each method is timed; they take turns.

    Raises:
        AssertionError: a norm differs from float64 by more than 1e-4 of the median norm.
    """
    keys = jax.random.split(jax.random.key(0), 3)
    params = init_network(keys[0], SIZES)
    X, Y = jax.random.normal(keys[1], (BATCH, SIZES[0])), jax.random.normal(keys[2], (BATCH,))
    batch = (params, X, Y, squared_loss)
    norms: dict[str, Callable[[], jax.Array]] = {
        "ours": lambda: ghost_norms(*batch),
        "vmap(grad), then norms": lambda: norms_of(per_example_gradients(*batch)),
        "vmap(grad) and norms in one jit": lambda: fused_norms(*batch),
        "lax.map(batch_size=256)": lambda: chunked_norms(*batch, 256),
    }
    plain = {name: np.asarray(leaf) for name, leaf in params.items()}
    exact = norms_in_float64(plain, np.asarray(X), np.asarray(Y))
    results = {name: np.asarray(function()) for name, function in norms.items()}
    clocks: dict[str, Callable[[], float]] = {
        name: lambda function=function: timed(function) for name, function in norms.items()
    }
    jax.block_until_ready(mean_gradient(*batch))
    clocks["ordinary mean gradient"] = lambda: timed(lambda: mean_gradient(*batch))
    opacus = None
    if python := os.environ.get("TORCH_PYTHON"):
        opacus = Opacus(python, plain | {"X": np.asarray(X), "Y": np.asarray(Y)})
        for method in ("ghost", "full"):
            results[f"Opacus {method}"] = opacus.norms[method]
            clocks[f"Opacus {method}"] = lambda m=method: opacus.milliseconds(m)
    else:
        print(SKIPPED)
    # relative to the median: where a residual nearly cancels, no float32 norm is relatively exact
    scale = np.median(exact)
    errors = {name: float(np.max(np.abs(got - exact)) / scale) for name, got in results.items()}
    for name, error in errors.items():
        assert error < TOLERANCE, f"{name} is off by {error:.1e}"
    times: dict[str, list[float]] = {name: [] for name in clocks}
    for _ in range(rounds):
        for name, clock in clocks.items():
            times[name].append(clock())
    if opacus is not None:
        opacus.close()
    median = {name: statistics.median(values) for name, values in times.items()}
    size = f"B={BATCH:,}, MLP {'-'.join(map(str, SIZES))}-1"
    return [
        Row(
            "per-example norms",
            size,
            median["ours"],
            peer,
            median[peer],
            errors["ours"],
            errors.get(peer, float("nan")),
        )
        for peer in clocks
        if peer != "ours"
    ]


BARS = {
    "ordinary mean gradient": 1.0,
    "vmap(grad), then norms": 5.0,
    "vmap(grad) and norms in one jit": 5.0,  # the same work where the compiler may fuse it
    "Opacus ghost": 2.5,
    "Opacus full": 50.0,
}


def bars_reached(found: list[Row]) -> list[tuple[str, bool]]:
    """Say for every bar that was measured whether it is reached."""
    return [
        (
            f"{row.name}: {row.ratio:.2f} times as fast as {row.peer} (bar {BARS[row.peer]:g})",
            row.ratio >= BARS[row.peer],
        )
        for row in found
        if row.peer in BARS
    ]


if __name__ == "__main__":
    for row in rows():
        print(
            f"{row.name:18} {row.size:26} ours {row.ours_ms:8.2f} ms  {row.peer:32} "
            f"{row.peer_ms:9.2f} ms  ratio {row.ratio:6.2f}  errors {row.error_ours:.1e} "
            f"{row.error_peer:.1e}"
        )
