"""Distances of 2000 x 2000 points far from the origin: ours beside scipy, scikit-learn and NumPy.

Every contender lives in a process of its own, so that idle threads of one cannot slow another, and
they are called in turn. Errors are those of the whole matrix against float64; a peer that is less
accurate than 1e-4 is shown, and does not count for the bar.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.harness import Row, Work, measure_apart

POINTS = 2000
OFFSET = 1e4
DIMENSIONS = (3, 64, 784)
TOLERANCE = 1e-4

Contender = Callable[[np.ndarray, np.ndarray], np.ndarray]


def ours(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The playground's entry point; it chooses its method anew in every call."""
    from playground.lessons.choose import pairwise_distances

    return pairwise_distances(X, Y).matrix


def scikit_learn(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """scikit-learn's Euclidean distances (float64 inside, in batches)."""
    from sklearn.metrics import pairwise_distances

    return pairwise_distances(X, Y)


def numpy_expansion(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The expansion in NumPy with as few passes and temporaries as possible."""
    squares = X @ Y.T
    squares *= -2
    squares += (X * X).sum(axis=1)[:, None]
    squares += (Y * Y).sum(axis=1)
    np.maximum(squares, 0, out=squares)
    return np.sqrt(squares, out=squares)


def numpy_wide(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The expansion in NumPy, in float64."""
    return numpy_expansion(X.astype(np.float64), Y.astype(np.float64))


def numpy_centred(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The expansion in NumPy, in float32 after centring: nothing guards near pairs."""
    centre = X.mean(axis=0)
    return numpy_expansion(X - centre, Y - centre)


CONTENDERS: dict[str, Contender] = {
    "ours": ours,
    "scipy cdist": cdist,
    "scikit-learn": scikit_learn,
    "NumPy expansion, float64": numpy_wide,
    "NumPy expansion, centred float32": numpy_centred,
    "NumPy expansion, float32": numpy_expansion,
}


def points(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Two sets of float32 points around (offset, offset, ...)."""
    random = np.random.default_rng(0)
    X, Y = (random.standard_normal((POINTS, dimension)) + OFFSET for _ in range(2))
    return X.astype(np.float32), Y.astype(np.float32)


def prepared(name: str, dimension: int) -> tuple[Work, float]:
    """Make one contender's work, and find its largest relative error."""
    X, Y = points(dimension)
    true = cdist(X.astype(np.float64), Y.astype(np.float64))
    function = CONTENDERS[name]
    error = float((np.abs(function(X, Y) - true) / true).max())
    return partial(function, X, Y), error


def rows(rounds: int = 15) -> list[Row]:
    """Return ours beside every peer for each dimension.

    Raises:
        AssertionError: ours is not accurate.
    """
    found = []
    for dimension in DIMENSIONS:
        times, errors = measure_apart(
            {name: partial(prepared, name, dimension) for name in CONTENDERS}, rounds
        )
        if errors["ours"] > TOLERANCE:
            message = f"ours is wrong by {errors['ours']:.2g} at d = {dimension}"
            raise AssertionError(message)
        size = f"{POINTS} x {POINTS}, d = {dimension}, offset {OFFSET:g}"
        found += [
            Row("distances", size, times["ours"], peer, times[peer], errors["ours"], errors[peer])
            for peer in CONTENDERS
            if peer != "ours"
        ]
    return found


def bars_reached(found: list[Row]) -> list[tuple[str, bool]]:
    """Say for each size whether ours is at least as fast as every peer that is as accurate."""
    verdicts = []
    for size in dict.fromkeys(row.size for row in found):
        peers = [row for row in found if row.size == size and row.error_peer <= TOLERANCE]
        verdicts.append((f"fastest at {size}", all(row.ratio >= 1 for row in peers)))
        scipy = next(row for row in peers if row.peer == "scipy cdist")
        if "d = 784" in size:
            verdicts.append((f"5 x scipy at {size}", scipy.ratio >= 5))
    return verdicts


if __name__ == "__main__":
    table = rows()
    for row in table:
        print(
            f"{row.size:36} ours {row.ours_ms:8.2f} ms ({row.error_ours:.1e})  {row.peer:34} "
            f"{row.peer_ms:8.2f} ms ({row.error_peer:.1e})  ratio {row.ratio:6.2f}"
        )
    for words, reached in bars_reached(table):
        print("reached" if reached else "NOT REACHED", words)
