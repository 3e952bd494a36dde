"""The figures of the page Compose draw the losses that were computed."""

import numpy as np
import pytest

from playground.figures.compose import fitted_curve, loss_curve, newton_losses
from playground.lessons.newton import run_newton
from playground.lessons.regression_mlp import train


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_curve_shows_first_and_last_loss(language):
    *_, last = train(4, 0.05, 60, seed=0)
    drawn = loss_curve(last, language)
    line = drawn.figure.data[0]
    assert line.y[0] == last.losses[0]
    assert line.y[-1] == last.losses[-1]
    assert f"{last.losses[-1]:.3g}" in drawn.alt
    np.testing.assert_array_equal(fitted_curve(last, language).figure.data[1].y, last.fit)


@pytest.mark.parametrize("problem", ["well", "deficient"])
def test_every_way_to_solve_is_drawn(problem):
    result = run_newton(problem, 0)
    drawn = newton_losses(result, "en")
    assert drawn.table["method"].tolist()[1:] == ["inv", "solve", "lstsq", "pinv"]
    assert drawn.table["loss"].tolist()[1:] == [row.loss for row in result.rows]
