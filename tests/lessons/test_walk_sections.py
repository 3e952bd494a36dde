"""The lower sections of the page: their numbers and their scripts."""

import subprocess
import sys

import numpy as np
import pytest

from playground.foundation.script import format_headline
from playground.lessons.stream import streamed_histogram
from playground.lessons.walk_sections import (
    FEW,
    compute_keys,
    first_block,
    key_headlines,
    key_script,
    start_stream,
    stream_headlines,
    stream_script,
)
from playground.lessons.walk_settings import WalkSettings


def printed(source: str) -> str:
    run = subprocess.run(
        [sys.executable, "-I", "-c", source], capture_output=True, text=True, check=True
    )
    return run.stdout


def written(headlines) -> str:
    return "".join(f"{name}: {format_headline(value)}\n" for name, value in headlines.items())


# covers: R3, R4
def test_the_key_section_shows_both_correlations_and_what_jax_notices():
    result = compute_keys(WalkSettings(draws=100_000, reuse_seed=42))
    assert result.reused_correlation == pytest.approx((0.9775, 1.0), abs=1e-4)
    assert np.abs(result.split_correlation).max() < 0.015
    assert result.noticed[0].outcome == "silent"
    assert result.alone == {"threefry2x32": FEW, "rbg": result.alone["rbg"]}
    assert result.alone["rbg"] < FEW


@pytest.mark.slow
def test_the_script_of_the_key_section_prints_its_numbers():
    settings = WalkSettings(draws=1000, reuse_seed=3)
    assert printed(key_script(settings)) == written(key_headlines(compute_keys(settings)))


# covers: R9
def test_a_million_walkers_come_in_about_twenty_updates_and_end_whole():
    settings = WalkSettings(many_walkers=1_000_000, many_steps=100)
    items = list(start_stream(settings))
    assert 15 <= len(items) <= 25
    assert items[-1].counts.sum() == 1_000_000
    *_, whole = streamed_histogram(settings.seed, 1_000_000, 100, block=50_000)
    assert (items[-1].counts == whole.counts).all()
    assert first_block(settings).walkers_done == 16_384


@pytest.mark.slow
def test_the_script_of_the_stream_prints_its_numbers():
    settings = WalkSettings(many_walkers=10_000, many_steps=100)
    *_, last = start_stream(settings)
    assert printed(stream_script(settings)) == written(stream_headlines(last))
