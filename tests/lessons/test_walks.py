"""The page Walks: walks, their checks, headlines and script."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.foundation.script import format_headline
from playground.lessons.steps import biased_steps
from playground.lessons.walk_settings import KINDS, WalkSettings
from playground.lessons.walking import first_return, time_marks, walk_batch
from playground.lessons.walks import compute, headlines, script


# covers: R5
@pytest.mark.parametrize("n_steps", [1, 2, 25, 100])
def test_final_positions_of_fair_walks(n_steps: int):
    result = compute(WalkSettings(walkers=1000, steps=n_steps))
    assert ((result.ends - n_steps) % 2 == 0).all()
    assert np.abs(result.ends).max() <= n_steps
    assert abs(result.ends.mean()) < 4 * np.sqrt(n_steps / 1000)
    assert result.ends.var() == pytest.approx(n_steps, rel=0.2)
    assert headlines(result)["impossible_ends"] == 0


# covers: R6
@pytest.mark.slow
def test_every_kind_of_walk_fits_its_exact_law():
    for kind in KINDS:
        for plane in (False, True):
            result = compute(WalkSettings(walkers=10_000, steps=50, kind=kind, plane=plane))
            assert result.fit.p_value > 1e-3, (kind, plane)
            assert result.fit.degrees > 10
    assert compute(WalkSettings(keys="shared")).fit.p_value == 0
    assert compute(WalkSettings(keys="every_step")).fit.p_value == 0


# covers: R7
def test_variance_grows_like_time_and_its_interval_holds_it():
    result = compute(WalkSettings(walkers=10_000, steps=1000))
    _, low, high = result.variance
    assert headlines(result)["growth_exponent"] == pytest.approx(1, abs=0.03)
    assert (high / low < 1.2)[result.times > 10].all()
    seeds = [compute(WalkSettings(seed=seed)).variance for seed in range(60)]
    assert np.mean([low[-1] <= 100 <= high[-1] for _, low, high in seeds]) > 0.88
    ballistic = compute(WalkSettings(keys="every_step"))
    assert headlines(ballistic)["growth_exponent"] == pytest.approx(2, abs=1e-6)


# covers: R8
def test_paths_start_at_zero_move_by_one_and_end_where_the_positions_say():
    result = compute(WalkSettings(walkers=1000, steps=100))
    assert result.paths.shape == (200, 101)
    assert (result.paths[:, 0] == 0).all()
    assert (np.abs(np.diff(result.paths, axis=1)) == 1).all()
    assert (result.paths[:, result.times] == result.positions[:200]).all()
    within = np.abs(result.paths[:, 1:]) <= 2 * np.sqrt(np.arange(1, 101))
    assert within.mean() == pytest.approx(0.9545, abs=0.04)


# covers: R10
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "mean", "variance"),
    [("fair", 0.0, 1.0), ("lazy", 0.0, 0.5), ("biased", 0.2, 0.96), ("gaussian", 0.3, 1.0)],
)
def test_mean_and_variance_of_each_kind(kind: str, mean: float, variance: float):
    result = compute(WalkSettings(walkers=10_000, steps=100, kind=kind, drift=0.3))
    assert result.step.mean == pytest.approx(mean)
    assert result.step.variance == pytest.approx(variance)
    assert result.ends.mean() == pytest.approx(100 * mean, abs=4 * np.sqrt(variance / 100))
    assert result.ends.var() == pytest.approx(100 * variance, rel=0.06)


def test_positions_are_wide_enough_where_small_integers_would_wrap():
    up = jnp.ones(200, jnp.int8)
    assert int(jnp.cumsum(up)[-1]) == 200 - 256
    keys = jax.random.split(jax.random.key(0), 2)
    ends, paths, _ = walk_batch(keys, 1.0, jnp.array([200]), biased_steps, 200, 2)
    assert ends[:, 0].tolist() == [200, 200]
    assert paths.dtype == jnp.int32


def test_first_return():
    assert int(first_return(jnp.array([0, 1, 2, 1, 0, -1, 0]))) == 4
    assert int(first_return(jnp.array([0, 1, 2]))) == 0
    plane = jnp.array([[0, 0], [1, 0], [0, 0]])
    assert int(first_return(plane)) == 2
    assert int(first_return(plane.at[2, 1].set(1))) == 0


def test_returns_follow_their_law():
    for plane in (False, True):
        result = compute(WalkSettings(walkers=10_000, steps=100, plane=plane))
        share = headlines(result)["share_returned"]
        assert share == pytest.approx(headlines(result)["share_returned_exact"], abs=0.02)
        early = np.bincount(result.returns, minlength=7)[1:7] / 10_000
        np.testing.assert_allclose(early, result.return_law[:6], atol=0.02)


@pytest.mark.parametrize("n_steps", [1, 2, 5, 100, 1000])
def test_time_marks_rise_from_one_to_the_end(n_steps: int):
    marks = time_marks(n_steps)
    assert (np.diff(marks) > 0).all()
    assert marks[0] == 1
    assert marks[-1] == n_steps
    assert len(marks) <= 46


def test_the_same_settings_give_the_same_walks_and_fewer_walkers_are_the_first_ones():
    ten, hundred = (compute(WalkSettings(walkers=n, steps=25, seed=5)) for n in (10, 100))
    assert (ten.positions == hundred.positions[:10]).all()


def slow(settings: WalkSettings):
    return pytest.param(settings, id="-".join(settings.to_query().values()), marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(WalkSettings(), id="default"),
        slow(WalkSettings(walkers=10, steps=1, keys="shared")),
        slow(WalkSettings(kind="lazy", plane=True, keys="every_step", seed=2)),
        slow(WalkSettings(kind="gaussian", drift=0.25, generator="rbg", keys="fold_in")),
        slow(WalkSettings(kind="biased", up=0.7, keys="raw")),
    ],
)
def test_the_script_prints_the_headlines_of_the_page(settings: WalkSettings, tmp_path):
    (tmp_path / "script.py").write_text(script(settings), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-I", "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    expected = headlines(compute(settings))
    assert run.stdout == "".join(f"{k}: {format_headline(v)}\n" for k, v in expected.items())
