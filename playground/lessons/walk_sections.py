"""The lower sections of the page Walks: keys used twice, and very many walkers."""

from collections.abc import Generator
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float

from playground.foundation.script import show_headlines, standalone
from playground.lessons.key_facts import (
    Outcome,
    batched_like_alone,
    correlations,
    reused_draws,
    split_draws,
    typed_against_raw,
    what_jax_notices,
)
from playground.lessons.keys import GENERATORS
from playground.lessons.stream import BLOCK, Progress, histogram_moments, streamed_histogram
from playground.lessons.walk_settings import WalkSettings

FEW = 8
UPDATES = 20
MOST_BLOCKS = 60  # so that a click cancels soon


@dataclass(frozen=True)
class KeyResult:
    """What was found about keys.

    Attributes:
        reused: uniform and normal draws from one key.
        split: the same from two keys.
        reused_correlation: linear and rank correlation of `reused`.
        split_correlation: of `split`.
        typed_against_raw: what each kind of key is and lets pass.
        noticed: what JAX's own check says to each mistake.
        alone: for each generator, how many of `FEW` walkers draw the same alone and in a batch.
    """

    reused: tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]
    split: tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]
    reused_correlation: tuple[float, float]
    split_correlation: tuple[float, float]
    typed_against_raw: tuple[Outcome, ...]
    noticed: tuple[Outcome, ...]
    alone: dict[str, int]


def compute_keys(settings: WalkSettings) -> KeyResult:
    """Draw twice from one key and from two, and ask JAX what it notices."""
    key = jax.random.key(settings.reuse_seed)
    first, second = (np.asarray(draw) for draw in reused_draws(key, settings.draws))
    third, fourth = (np.asarray(draw) for draw in split_draws(key, settings.draws))
    return KeyResult(
        reused=(first, second),
        split=(third, fourth),
        reused_correlation=correlations(first, second),
        split_correlation=correlations(third, fourth),
        typed_against_raw=typed_against_raw(settings.reuse_seed),
        noticed=what_jax_notices(settings.reuse_seed),
        alone={name: batched_like_alone(name, settings.reuse_seed, FEW) for name in GENERATORS},
    )


def key_headlines(result: KeyResult) -> dict[str, tuple[float, float]]:
    """Return the headline numbers of the keys: linear and rank correlation, reused and split."""
    return {"reused": result.reused_correlation, "split": result.split_correlation}


def key_script(settings: WalkSettings) -> str:
    """Return the standalone script behind `key_headlines`."""
    body = f"""
    key = jax.random.key({settings.reuse_seed})
    reused = correlations(*map(np.asarray, reused_draws(key, {settings.draws})))
    split = correlations(*map(np.asarray, split_draws(key, {settings.draws})))
    show_headlines({{"reused": reused, "split": split}})
    """
    used = (correlations, reused_draws, split_draws, show_headlines)
    return standalone(*used, body=body, title="One key used twice, and two keys.")


def start_stream(settings: WalkSettings) -> Generator[Progress]:
    """Begin the streamed histogram of the settings; 20 to 100 items, since drawing takes time."""
    every = min(max(1, settings.many_walkers // BLOCK // UPDATES), MOST_BLOCKS)
    items = streamed_histogram(settings.seed, settings.many_walkers, settings.many_steps)
    for number, progress in enumerate(items, start=1):
        if number % every == 0 or progress.share == 1:
            yield progress


def first_block(settings: WalkSettings) -> Progress:
    """Take only the first block: what is shown before anybody asks for more."""
    return next(streamed_histogram(settings.seed, settings.many_walkers, settings.many_steps))


def stream_headlines(progress: Progress) -> dict[str, float | int]:
    """Return the headline numbers of a streamed histogram."""
    mean, variance = histogram_moments(progress.counts)
    return {"walkers": progress.walkers_done, "mean": mean, "variance": variance}


def stream_script(settings: WalkSettings) -> str:
    """Return the standalone script behind `stream_headlines`."""
    body = f"""
    walkers, n_steps = {settings.many_walkers}, {settings.many_steps}
    for progress in streamed_histogram({settings.seed}, walkers, n_steps):
        pass  # progress.share says how far it is
    show_headlines(stream_headlines(progress))
    """
    used = (streamed_histogram, stream_headlines, show_headlines)
    return standalone(*used, body=body, title="Very many walkers, streamed.")
