"""The pages Gradients and Clip and train answer to their controls."""

import pytest

from tests.pages.test_all_pages import failures, opened


def metric(app, label):
    return next(item.value for item in app.metric if item.label == label)


def test_the_first_view_finds_the_wrong_labels():
    app = opened("gradients", lang="en")
    assert metric(app, "Suspects") == "5"
    assert metric(app, "Precision") == metric(app, "Recall") == "100.0%"


def test_a_link_with_other_settings_shows_them():
    app = opened("gradients", lang="en", grad_errors="9", grad_clip_norm="0", grad_batch_size="64")
    assert metric(app, "Suspects") != "5"
    assert metric(app, "Share clipped") == "100.0%"
    assert not failures(app)


def test_the_clip_slider_moves_the_share_and_nothing_else():
    app = opened("gradients", lang="en")
    before = metric(app, "Share clipped")
    app.slider(key="grad_clip_norm").set_value(30.0).run()
    assert metric(app, "Share clipped") != before
    assert metric(app, "Suspects") == "5"


@pytest.mark.parametrize("model", ["linear", "logistic"])
def test_a_model_shows_only_the_controls_it_has(model):
    app = opened("gradients", lang="en", grad_model=model)
    labels = [slider.label for slider in (*app.slider, *app.select_slider)]
    assert "Hidden width" not in labels
    assert ("Size of the error" in labels) == (model == "linear")
    assert not failures(app)


def test_a_prediction_comes_before_the_shapes():
    app = opened("gradients", lang="en", predict="true")
    assert not [item for item in app.metric if item.label == "Suspects"]


def test_jax_itself_refuses_grad_of_vmap_on_the_page():
    app = opened("gradients", lang="en")
    assert any("scalar-output functions" in block.value for block in app.code)


def test_training_can_be_watched():
    app = opened("training", lang="en", train_batch_size="64")
    assert not any("200 of 200" in item.value for item in app.caption)
    app.button(key="training_live_start").click().run()
    assert any("200 of 200" in item.value for item in app.caption)
    assert not failures(app)


def test_no_noise_and_no_bound_are_said_plainly():
    app = opened("training", lang="en", train_sigma="0", train_clip_norm="0", train_batch_size="64")
    assert any("No noise" in item.value for item in app.caption)
    assert not failures(app)
