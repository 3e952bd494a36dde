"""Page Clip and train: what clipping and noise do to a step, and to two hundred of them.

Settings, headlines and script of the page; what is computed is in `training_study`.
"""

from dataclasses import dataclass

import jax
import numpy as np

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, number, one_of, whole
from playground.lessons.descent import TREATMENTS
from playground.lessons.models import squared_loss
from playground.lessons.per_example import mean_gradient, norms_of, per_example_gradients
from playground.lessons.training_study import (
    TRUE_BIAS,
    TRUE_WEIGHTS,
    Batch,
    TrainingResult,
    last_of,
    line_batch,
    run_training,
    start_params,
    study_noise,
    study_orders,
)
from playground.lessons.trees import flat_vector


@dataclass(frozen=True)
class TrainingSettings(Settings, prefix="train"):
    """The batch and its wrong labels, clipping, noise, how to step.

    Attributes:
        batch_size: B.
        errors, shift: how many labels are wrong, and by how much.
        clip_norm: C.
        micro_batch: examples in one micro-batch.
        sigma: noise multiplier.
        learning_rate: step size.
        steps: how many steps.
        seed: of data, errors and noise.
    """

    batch_size: int = one_of(256, (64, 256, 1024))
    errors: int = whole(13, low=0, high=32)
    shift: float = number(20.0, low=0.0, high=40.0)
    clip_norm: float = number(1.0, low=0.0, high=20.0)
    micro_batch: int = one_of(8, (2, 8, 32))
    sigma: float = number(1.0, low=0.0, high=20.0)
    learning_rate: float = one_of(0.1, (0.03, 0.1, 0.3))
    steps: int = one_of(200, (200, 1000))
    seed: int = whole(0, low=0, high=9_999)


def study_training(
    batch: Batch,
    clip_norm: float,
    micro_batch: int,
    sigma: float,
    learning_rate: float,
    n_steps: int,
) -> TrainingResult:
    """Compare orders of clipping, places of noise and treatments in training.

    Args:
        batch: data with wrong labels.
        clip_norm: C.
        micro_batch: examples in one micro-batch; divides the batch size.
        sigma: noise multiplier.
        learning_rate: step size.
        n_steps: steps of gradient descent.
    """
    start = start_params()
    gradients = per_example_gradients(start, batch.X, batch.Y, squared_loss)
    right = mean_gradient(start, batch.X, batch.clean, squared_loss)
    how = (learning_rate, clip_norm, sigma, n_steps)
    bad = last_of(run_training(batch, batch.Y, *how))
    truth = flat_vector({"b1": TRUE_BIAS, "w1": np.array(TRUE_WEIGHTS)})
    return TrainingResult(
        norms=np.asarray(norms_of(gradients)),
        planted=np.asarray(batch.planted),
        orders=study_orders(gradients, right, clip_norm, micro_batch),
        noise=study_noise(jax.random.fold_in(batch.key, 1), len(batch.Y), clip_norm, sigma),
        bad=bad,
        good=last_of(run_training(batch, batch.clean, *how)),
        errors={
            name: float(np.max(np.abs(flat_vector(bad.params[name]) - truth)))
            for name in TREATMENTS
        },
    )


def batch_of(settings: TrainingSettings) -> Batch:
    """Return the data that the settings describe."""
    return line_batch(settings.seed, settings.batch_size, settings.errors, settings.shift)


def compute(settings: TrainingSettings) -> TrainingResult:
    """Compute what the page shows."""
    return study_training(
        batch_of(settings),
        settings.clip_norm,
        settings.micro_batch,
        settings.sigma,
        settings.learning_rate,
        settings.steps,
    )


def headlines(result: TrainingResult) -> dict[str, object]:
    """Return the numbers that the page and its script both show."""
    losses = result.bad.losses
    return {
        **{f"largest error of a weight, {name}": result.errors[name] for name in TREATMENTS},
        **{f"loss at the end, {name}": float(losses[name][-1]) for name in TREATMENTS},
        **{f"influence of one example, {order.name}": order.influence for order in result.orders},
        **{f"noise deviation, {item.name}": item.deviation for item in result.noise},
    }


def script(settings: TrainingSettings) -> str:
    """Return the standalone script of the page."""
    body = f"""
    batch = line_batch(
        seed={settings.seed},
        batch_size={settings.batch_size},
        errors={settings.errors},
        shift={settings.shift},
    )
    result = study_training(
        batch,
        clip_norm={settings.clip_norm},
        micro_batch={settings.micro_batch},
        sigma={settings.sigma},
        learning_rate={settings.learning_rate},
        n_steps={settings.steps},
    )
    show_headlines(headlines(result))
    """
    return standalone(
        line_batch,
        study_training,
        headlines,
        show_headlines,
        body=body,
        title="Clipped gradients: three orders, noise, and what training makes of them.",
    )
