"""Page Gradients: a batch with planted label errors, the gradient norm of each example, clipping.

Settings, headlines and script of the page; what is computed is in `gradient_study`.
"""

from dataclasses import dataclass

import numpy as np

from playground.foundation.limits import allow_bytes
from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, number, one_of, whole
from playground.lessons.gradient_study import (
    GradientsResult,
    Problem,
    layer_sizes,
    loss_of,
    make_problem,
    study_gradients,
    trained,
)
from playground.lessons.models import parameter_count
from playground.lessons.norm_cost import MethodCost, compare_methods, memory_by_chunk, stored_bytes


@dataclass(frozen=True)
class GradientsSettings(Settings, prefix="grad"):
    """The model, the batch and its wrong labels, where to look, what to clip.

    Attributes:
        model: "linear" and "mlp" with squared loss, "logistic" with two classes.
        hidden_layers, hidden_width: of the MLP.
        batch_size: B.
        errors, shift: how many labels are wrong, and by how much (a class is flipped instead).
        steps: clipped steps of gradient descent before looking.
        times_median: norms above this many medians are suspects.
        clip_norm: C.
        chunk_size: examples at once in `lax.map`.
        seed: of data, parameters and errors.
    """

    model: str = one_of("mlp", ("mlp", "linear", "logistic"))
    hidden_layers: int = one_of(1, (1, 2, 3))
    hidden_width: int = one_of(32, (4, 32, 64))
    batch_size: int = one_of(256, (16, 64, 256, 1024, 4096))
    errors: int = whole(5, low=0, high=16)
    shift: float = number(20.0, low=0.0, high=40.0)
    steps: int = one_of(0, (0, 30, 300))
    times_median: float = number(5.0, low=1.0, high=20.0)
    clip_norm: float = number(10.0, low=0.0, high=50.0)
    chunk_size: int = one_of(16, (1, 16, 64, 256))
    seed: int = whole(0, low=0, high=9_999)


def problem_of(settings: GradientsSettings) -> Problem:
    """Return the model and the batch that the settings describe.

    Raises:
        MemoryRefused: the per-example gradients would not fit this server's limit.
    """
    sizes = layer_sizes(settings.model, settings.hidden_layers, settings.hidden_width)
    problem = make_problem(
        settings.model,
        sizes,
        settings.batch_size,
        settings.errors,
        settings.shift,
        settings.seed,
    )
    allow_bytes(stored_bytes(settings.batch_size, parameter_count(problem.params)))
    return trained(problem, settings.model, settings.steps) if settings.steps else problem


def compute(settings: GradientsSettings) -> GradientsResult:
    """Compute what the page shows.

    Raises:
        MemoryRefused: the per-example gradients would not fit this server's limit.
    """
    return study_gradients(
        problem_of(settings),
        settings.model,
        settings.times_median,
        settings.clip_norm,
        settings.chunk_size,
    )


@dataclass(frozen=True)
class CostResult:
    """What the ways to the norms cost on the page's batch.

    Attributes:
        methods: time and memory of each method.
        chunk_sizes: chunk sizes that were compiled, the whole batch last.
        chunk_bytes: temporary memory of `lax.map(batch_size=k)` for each.
    """

    methods: tuple[MethodCost, ...]
    chunk_sizes: tuple[int, ...]
    chunk_bytes: tuple[int, ...]


def compute_costs(settings: GradientsSettings) -> CostResult:
    """Compile and time every way to the norms on the page's batch; numbers of this machine.

    Raises:
        MemoryRefused: the per-example gradients would not fit this server's limit.
    """
    problem = problem_of(settings)
    loss = loss_of(settings.model)
    batch = (problem.params, problem.X, problem.Y, loss)
    options = GradientsSettings.rule("chunk_size").options
    sizes = (*[k for k in options if k < settings.batch_size], settings.batch_size)
    return CostResult(
        methods=compare_methods(*batch, settings.chunk_size, rounds=5),
        chunk_sizes=sizes,
        chunk_bytes=memory_by_chunk(*batch, sizes),
    )


def headlines(result: GradientsResult) -> dict[str, object]:
    """Return the numbers that the page and its script both show."""
    return {
        "numbers per example (P)": result.parameters,
        "numbers in all (B x P)": result.parameters * len(result.norms),
        "largest norm": float(result.norms.max()),
        "median norm": float(np.median(result.norms)),
        "suspects": len(result.findings.suspects),
        "precision": result.findings.precision,
        "recall": result.findings.recall,
        "share clipped": result.clipped_share,
        "cosine of clipped and plain mean": result.clipped_cosine,
    }


def script(settings: GradientsSettings) -> str:
    """Return the standalone script of the page."""
    sizes = layer_sizes(settings.model, settings.hidden_layers, settings.hidden_width)
    warm_up = f"problem = trained(problem, {settings.model!r}, steps={settings.steps})"
    body = f"""
    problem = make_problem(
        model={settings.model!r},
        sizes={sizes},
        batch_size={settings.batch_size},
        errors={settings.errors},
        shift={settings.shift},
        seed={settings.seed},
    )
    {warm_up if settings.steps else "# parameters as drawn, no training"}
    result = study_gradients(
        problem,
        model={settings.model!r},
        times_median={settings.times_median},
        clip_norm={settings.clip_norm},
        chunk_size={settings.chunk_size},
    )
    show_headlines(headlines(result))
    """
    return standalone(
        make_problem,
        *([trained] if settings.steps else []),
        study_gradients,
        headlines,
        show_headlines,
        body=body,
        title="Per-example gradients with vmap(grad): norms, outliers, clipping.",
    )
