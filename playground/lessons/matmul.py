"""A batch of matrix products written three ways: are they one program or three?"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

Stack = Float[Array, "batch rows inner"]
OtherStack = Float[Array, "batch inner columns"]


def by_vmap(A: Stack, B: OtherStack) -> Float[Array, "batch rows columns"]:
    """Product of ONE pair of matrices, mapped over the batch."""
    return jax.vmap(jnp.matmul)(A, B)


def by_einsum(A: Stack, B: OtherStack) -> Float[Array, "batch rows columns"]:
    """The same in index notation, batch index kept."""
    return jnp.einsum("bij,bjk->bik", A, B)


def by_operator(A: Stack, B: OtherStack) -> Float[Array, "batch rows columns"]:
    """The same by the operator, which treats leading axes as a batch."""
    return A @ B


WAYS = ("vmap(matmul)", "einsum", "@")


def way_named(name: str) -> Callable[[Stack, OtherStack], Array]:
    """Return the function that a name of `WAYS` stands for."""
    return dict(zip(WAYS, (by_vmap, by_einsum, by_operator), strict=True))[name]


@dataclass(frozen=True)
class ProductWays:
    """Three programs for one batch of products.

    Attributes:
        jaxprs: the jaxpr of each way, as text.
        same_jaxpr: for each pair of ways whether those texts are equal.
        same_program: for each pair whether the optimised compiled programs are equal.
        largest_difference: between any two results.
    """

    jaxprs: dict[str, str]
    same_jaxpr: dict[tuple[str, str], bool]
    same_program: dict[tuple[str, str], bool]
    largest_difference: float


def product_ways(batch: int, rows: int, inner: int, columns: int, seed: int) -> ProductWays:
    """Trace, compile and run the three ways on random matrices.

    Args:
        batch: number of products.
        rows: rows of a left matrix.
        inner: columns of a left and rows of a right matrix.
        columns: columns of a right matrix.
        seed: of the random numbers.

    Returns:
        The three jaxprs, which of them are equal, and how far the results differ.
    """
    left, right = jax.random.split(jax.random.key(seed))
    A = jax.random.normal(left, (batch, rows, inner))
    B = jax.random.normal(right, (batch, inner, columns))
    jaxprs = {name: str(jax.make_jaxpr(way_named(name))(A, B)) for name in WAYS}
    programs = {name: compiled_text(way_named(name), A, B) for name in WAYS}
    results = [np.asarray(way_named(name)(A, B)) for name in WAYS]
    pairs = list(combinations(WAYS, 2))
    return ProductWays(
        jaxprs,
        {(a, b): jaxprs[a] == jaxprs[b] for a, b in pairs},
        {(a, b): programs[a] == programs[b] for a, b in pairs},
        max(float(np.abs(a - b).max()) for a, b in combinations(results, 2)),
    )


def compiled_text(way: Callable, A: Array, B: Array) -> str:
    """Operations of the optimised program, without names that come from the source."""
    text = jax.jit(way).lower(A, B).compile().as_text() or ""
    text = re.sub(r", metadata=\{[^}]*\}", "", text)
    operations = "\n".join(re.findall(r"^ *(?:ROOT )?%\S+ = .*$", text, flags=re.MULTILINE))
    order: dict[str, str] = {}
    return re.sub(
        r"%[\w.\-]+", lambda found: order.setdefault(found[0], f"%{len(order)}"), operations
    )


def product_verdict(ways: ProductWays) -> dict[str, object]:
    """Return the headline facts of the comparison."""
    return {
        "jaxprs are equal": all(ways.same_jaxpr.values()),
        "compiled programs are equal": all(ways.same_program.values()),
        "largest difference": ways.largest_difference,
    }
