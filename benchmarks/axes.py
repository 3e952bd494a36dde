"""How long `explain` takes, and that it does not depend on the size of the arrays.

python -m benchmarks.axes
"""

import statistics
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.harness import Row
from playground.axes import Level, explain, find_axes


def spec(*shape: int) -> jax.ShapeDtypeStruct:
    """Describe a float32 array."""
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def layer(weights, bias, x, scale):
    """Apply a layer with normalization: about twenty operations, four arguments."""
    h = jnp.tanh(weights @ x + bias)
    h = (h - h.mean()) / jnp.sqrt(h.var() + 1e-6)
    h = jnp.where(h > 0, h, 0.1 * h) * scale
    return jnp.sqrt((h * h).sum() + 1.0)


def calls(n: int) -> dict[str, Callable[[], object]]:
    """Make the calls to time, for arrays of length n."""
    shared = (Level(in_axes=(None, None, 0, None)),)
    pair = (Level(in_axes=(None, 0)), Level(in_axes=(0, None)))
    arguments = (spec(n, n), spec(n), spec(n, n), 2.0)
    return {
        "add, 2 arguments": lambda: explain(jnp.add, (spec(n, n), 1.0)),
        "layer, 4 arguments, 20 operations": lambda: explain(layer, arguments, levels=shared),
        "its gradient": lambda: explain(jax.grad(layer), arguments, levels=shared),
        "distances, 2 levels": lambda: explain(
            lambda a, b: jnp.sqrt(jnp.sum((a - b) ** 2)), (spec(n, n), spec(n, n)), levels=pair
        ),
        "cond": lambda: explain(
            lambda p, w: lax.cond(p > 0, jnp.sum, lambda m: m[0, 0], w), (spec(n), spec(n, n))
        ),
        "refused": lambda: explain(layer, arguments, levels=(Level(),)).error.summary("en"),
    }


def milliseconds(call: Callable[[], object], rounds: int) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main(rounds: int = 15) -> None:
    """Print the table."""
    small, large = calls(30), calls(10**6)
    print(f"{'explain':36s} {'n=30':>9s} {'n=10^6':>9s}  ratio")
    medians = []
    for name in small:
        small[name](), large[name]()
        one, other = milliseconds(small[name], rounds), milliseconds(large[name], rounds)
        medians += [one, other]
        print(f"{name:36s} {one:6.2f} ms {other:6.2f} ms {other / one:6.2f}")
    print(f"{'median of all':36s} {statistics.median(medians):6.2f} ms")
    refused = explain(layer, (spec(30, 30), spec(30), spec(30, 30), 2.0), levels=(Level(),))
    start = time.perf_counter()
    count = len(refused.error.repairs)
    took = 1e3 * (time.perf_counter() - start)
    print(f"{'repairs of the refused call':36s} {took:6.1f} ms ({count})")
    start = time.perf_counter()
    found = find_axes(lambda m, s: m * s, (spec(3, 4), spec(4)), (3, 4))
    took = 1e3 * (time.perf_counter() - start)
    print(f"{'find_axes, column scaling':36s} {took:6.1f} ms ({len(found)})")


def rows(rounds: int = 15) -> list[Row]:
    """Explain each call at n = 30, beside the same call at n = 10^6."""
    small, large = calls(30), calls(10**6)
    found = []
    for name in small:
        small[name](), large[name]()
        one, other = milliseconds(small[name], rounds), milliseconds(large[name], rounds)
        found.append(Row(f"explain: {name}", "n = 30", one, "the same, n = 10^6", other, 0, 0))
    return found


def bars_reached(found: list[Row]) -> list[tuple[str, bool]]:
    """Tell whether explaining is fast, and as fast for large arrays."""
    ours = statistics.median(row.ours_ms for row in found)
    ratio = statistics.median(row.ratio for row in found)
    return [
        ("explain: median of all calls under 10 ms", ours < 10),
        ("explain: at n = 10^6 within a quarter of the time at n = 30", 0.75 < ratio < 1.25),
    ]


if __name__ == "__main__":
    main()
