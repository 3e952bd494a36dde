"""The page Gradients: outliers are found, checks hold for every model, the script stays alone."""

import numpy as np
import pytest

from playground.foundation.limits import MemoryRefused
from playground.lessons.gradient_study import suspects_table
from playground.lessons.gradients import (
    GradientsSettings,
    compute,
    compute_costs,
    headlines,
    script,
)


# covers: G5
@pytest.mark.parametrize("model", ["mlp", "linear"])
@pytest.mark.parametrize("seed", range(4))
def test_the_five_largest_norms_are_the_five_wrong_labels(model, seed):
    result = compute(GradientsSettings(model=model, seed=seed))
    assert len(result.norms) == 256
    assert int(result.planted.sum()) == 5
    np.testing.assert_allclose((result.labels - result.clean)[result.planted], 20, rtol=1e-5)
    largest = np.argsort(-result.norms)[:5]
    assert set(largest) == set(np.flatnonzero(result.planted))
    assert result.findings.largest_are_planted
    assert result.findings.recall == 1


def test_the_first_view_finds_all_and_nothing_else():
    findings = compute(GradientsSettings()).findings
    assert (findings.precision, findings.recall) == (1, 1)


def test_small_errors_hide_and_the_numbers_say_so():
    findings = compute(GradientsSettings(shift=0.5)).findings
    assert findings.recall < 1


def test_leaving_the_suspects_out_brings_back_the_right_direction():
    result = compute(GradientsSettings(errors=16))
    assert result.kept_cosine > 0.99 > result.all_cosine


@pytest.mark.parametrize("steps", [0, 30])
@pytest.mark.parametrize(
    ("model", "layers"), [("linear", 1), ("mlp", 1), ("mlp", 2), ("mlp", 3), ("logistic", 1)]
)
def test_the_check_lines_hold(model, layers, steps):
    result = compute(
        GradientsSettings(
            model=model, hidden_layers=layers, hidden_width=4, batch_size=64, steps=steps
        )
    )
    for error in ("mean_error", "chunk_error", "ghost_error", "weighted_error"):
        assert getattr(result, error) < 1e-4, error
    np.testing.assert_allclose(result.clipped_norms, np.minimum(result.norms, 10.0), rtol=1e-5)


def test_untrained_classes_hide_their_errors_and_training_shows_them():
    before = compute(GradientsSettings(model="logistic", steps=0)).findings
    after = compute(GradientsSettings(model="logistic", steps=300)).findings
    assert before.recall == 0
    assert after.recall >= 0.8


# covers: G9
def test_headlines_count_the_numbers_of_all_gradients():
    result = compute(GradientsSettings())
    assert headlines(result)["numbers in all (B x P)"] == 82_176
    assert sum(int(np.prod(shape)) for _, shape in result.leaves) == 82_176
    assert result.leaves[0] == ("W1", (256, 32, 8))


def test_suspects_are_listed_with_label_and_norm():
    result = compute(GradientsSettings())
    table = suspects_table(result)
    assert np.all(np.diff(table["norm"]) <= 0)
    np.testing.assert_array_equal(table["label"], result.labels[table["index"]])
    assert table["planted"].all()


# covers: G10
def test_compiled_memory_of_chunks_grows_with_the_chunk():
    costs = compute_costs(GradientsSettings())
    assert costs.chunk_sizes == (1, 16, 64, 256)
    assert list(costs.chunk_bytes) == sorted(costs.chunk_bytes)
    assert costs.chunk_bytes[0] < costs.chunk_bytes[-1] / 4


def test_too_many_gradients_are_refused(monkeypatch):
    monkeypatch.setattr("playground.foundation.limits.MEMORY_BYTES", 10_000)
    with pytest.raises(MemoryRefused):
        compute(GradientsSettings(seed=1))


def test_the_script_trains_only_when_the_page_does():
    assert "def descend" not in script(GradientsSettings())
    trained = script(GradientsSettings(steps=30))
    assert "def descend" in trained
    assert "playground" not in trained
    compile(trained, "trained.py", "exec")
