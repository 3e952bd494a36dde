"""The detector of copied walkers finds copies and leaves independent walkers alone."""

import numpy as np
import pytest

from playground.lessons.copies import find_copies, finding
from playground.lessons.key_facts import what_jax_notices
from playground.lessons.keys import make_keys
from playground.lessons.walk_settings import KINDS, WalkSettings
from playground.lessons.walks import compute


# covers: R2
@pytest.mark.parametrize(
    "kind", ["fair", *(pytest.param(k, marks=pytest.mark.slow) for k in KINDS[1:])]
)
@pytest.mark.parametrize("plane", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("keys", "verdict"),
    [
        ("split", "independent"),
        ("fold_in", "independent"),
        ("raw", "independent"),
        ("shared", "copies"),
        ("every_step", "frozen"),
    ],
)
def test_the_verdict_names_how_the_keys_were_made(kind, plane, keys, verdict):
    result = compute(WalkSettings(walkers=100, steps=25, kind=kind, plane=plane, keys=keys))
    assert result.copies.verdict == verdict


def test_copies_are_worth_one_walker_and_jax_says_nothing():
    copies = compute(WalkSettings(keys="shared")).copies
    assert copies.distinct == 1
    assert copies.mean_correlation == pytest.approx(1)
    assert copies.effective_walkers < 2
    assert copies.strongest_correlation == pytest.approx(1)
    assert what_jax_notices(0)[0].outcome == "silent"


@pytest.mark.parametrize("kind", ["fair", "lazy", "gaussian"])
def test_correlations_of_copies_are_one(kind):
    shared = compute(WalkSettings(walkers=100, steps=25, kind=kind, keys="shared")).copies
    frozen = compute(WalkSettings(walkers=100, steps=25, kind=kind, keys="every_step")).copies
    assert shared.mean_correlation == pytest.approx(1)
    assert frozen.step_to_step == pytest.approx(1)


def test_half_of_the_batch_copied_is_found():
    rng = np.random.default_rng(0)
    steps = rng.choice([-1, 1], (100, 60))
    steps[50:] = steps[:50]
    copies = find_copies(steps, 0.0, 1.0, 0.5)
    assert copies.verdict == "copies"
    assert copies.distinct == 50


def test_independent_walkers_are_rarely_accused():
    rng = np.random.default_rng(1)
    for walkers, n_steps in ((10, 5), (10, 100), (200, 1), (200, 4), (200, 100)):
        verdicts = {
            find_copies(rng.choice([-1, 1], (walkers, n_steps)), 0.0, 1.0, 0.5).verdict
            for _ in range(200)
        }
        assert verdicts == {"independent"}, (walkers, n_steps)


def test_correlations_are_numpys():
    rng = np.random.default_rng(2)
    steps = rng.normal(size=(12, 400))
    copies = find_copies(steps, 0.0, 1.0, 0.0)
    plain = np.corrcoef(steps)
    others = plain[~np.eye(12, dtype=bool)]
    assert copies.mean_correlation == pytest.approx(others.mean(), abs=0.01)
    assert copies.strongest_correlation == pytest.approx(np.abs(others).max(), abs=0.02)


def test_where_even_copies_would_not_stand_out_it_says_so():
    result = compute(WalkSettings(walkers=10, steps=1, keys="shared"))
    assert result.copies.verdict == "too_little"
    with pytest.raises(ValueError, match="at least 2"):
        find_copies(np.ones((1, 5)), 0.0, 1.0, 0.5)


def test_it_speaks_both_languages_with_the_measured_numbers():
    for keys in ("split", "shared", "every_step"):
        copies = compute(WalkSettings(walkers=100, steps=25, keys=keys)).copies
        english, chinese = finding(copies, "en"), finding(copies, "zh")
        assert str(copies.distinct) in english
        assert str(copies.distinct) in chinese
        assert "游走者" in chinese
    too_little = compute(WalkSettings(walkers=10, steps=1)).copies
    assert "Too little" in finding(too_little, "en")
    assert "无法判断" in finding(too_little, "zh")


def test_walkers_with_keys_of_their_own_agree_with_a_loop_over_the_keys():
    from playground.lessons.steps import fair_steps

    result = compute(WalkSettings(walkers=10, steps=25, seed=3))
    for key, path in zip(make_keys("split", 3, 10), result.paths, strict=True):
        assert np.concatenate([[0], np.cumsum(fair_steps(key, 25))]).tolist() == path.tolist()
