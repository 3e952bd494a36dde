"""The standalone script of the page Nest: the matrix, and the numbers of the closer look."""

from collections.abc import Callable

from playground.foundation.script import show_headlines, standalone
from playground.lessons import distances
from playground.lessons.cancellation import error_at
from playground.lessons.coincident import coincident_gradients, meeting, nan_counts
from playground.lessons.matmul import product_verdict, product_ways
from playground.lessons.nest import (
    FEW,
    FEWER,
    NestSettings,
    matrix_summary,
    product_sizes,
    two_sets,
)


def script(settings: NestSettings) -> str:
    """Return the standalone script of the page."""
    metric = settings.metric
    first, second = ("rows_outside", "columns_outside")[:: 1 if settings.order == "rows" else -1]
    used, closer = _closer_look(settings)
    body = f"""
    X, Y = two_sets({settings.seed}, {settings.rows}, {settings.columns}, {settings.dimension})
    matrix = np.asarray({first}({metric}, X, Y))
    swapped = np.asarray({second}({metric}, X, Y))
    alone = float({metric}(X[0], Y[0]))
    show_headlines(matrix_summary(matrix, swapped, alone))
    {closer}
    """
    return standalone(
        distances.metric_named(metric),
        distances.rows_outside,
        distances.columns_outside,
        two_sets,
        matrix_summary,
        *used,
        show_headlines,
        body=body,
        title="Every pair of two sets of points: one function of one pair, two levels of vmap.",
    )


def _closer_look(settings: NestSettings) -> tuple[tuple[Callable, ...], str]:
    """Return the functions and the statement of the section that is open."""
    if settings.section == "accuracy":
        call = f"error_at(X[:{FEW}], Y[:{FEW}], {settings.offset})"
        return (error_at,), f"show_headlines({call})"
    if settings.section == "gradient":
        met = f"meeting(X[:{FEWER}], Y[:{FEW}], {settings.coincident})"
        call = f"coincident_gradients({met}, Y[:{FEW}])"
        used = (meeting, coincident_gradients, nan_counts)
        return used, f"show_headlines(nan_counts({call}))"
    if settings.section == "matmul":
        batch, rows, inner = product_sizes(settings)
        call = f"product_ways({batch}, {rows}, {inner}, 4, {settings.seed})"
        return (product_ways, product_verdict), f"show_headlines(product_verdict({call}))"
    return (), ""
