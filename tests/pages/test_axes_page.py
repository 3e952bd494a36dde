"""The Axes page in process: the second vmap, its chips, its repairs, hostile links."""

import pytest

from tests.pages.test_all_pages import failures, opened


def shown(app) -> str:
    parts = (*app.markdown, *app.caption, *app.code)
    boards = [element.proto.body for element in app.get("html")]
    return "\n".join([*(str(part.value) for part in parts), *boards])


NESTED = "jax.vmap(jax.vmap(scale_column, in_axes=(1, 0)), in_axes=(0, 0))(column, scalar)"


@pytest.mark.parametrize(
    ("language", "strips"),
    [("en", ("outer vmap", "inner vmap")), ("zh", ("外层 vmap", "内层 vmap"))],
)
def test_the_toggle_puts_a_second_vmap_around_and_takes_it_away(language, strips):
    app = opened("axes", lang=language)
    single = shown(app)
    assert not any(f">{name}" in single for name in strips)
    app.toggle(key="axes_outer").set_value(True).run()
    assert not failures(app)
    nested = shown(app)
    assert NESTED in nested
    assert all(f">{name}" in nested for name in strips)
    assert "(2, 5, 3)" in nested
    assert "(1, 1)" in nested
    assert 'class="below good"' in nested
    app.select_slider(key="axes_outer_example").set_value(0).run()
    app.select_slider(key="axes_example").set_value(4).run()
    assert "(0, 4)" in shown(app)
    app.toggle(key="axes_outer").set_value(False).run()
    assert not failures(app)
    assert "jax.vmap(scale_column, in_axes=(1, 0))(column, scalar)" in shown(app)


def test_a_chip_of_the_outer_vmap_is_refused_and_its_repair_applies_itself():
    app = opened("axes", lang="en", axes_outer="true")
    assert not failures(app)
    chips = next(p for p in app.get("button_group") if p.key == "chip_0_1")
    chips.set_value("1").run()
    assert app.text_input(key="axes_outer_in_axes").value == "(1, 0)"
    assert app.error[0].value.startswith("Outer level: column has 3 examples along axis 1")
    assert "refused here" in shown(app)
    button = next(b for b in app.button if b.label.startswith("Map column along axis 0 at the out"))
    button.click().run()
    assert not failures(app)
    assert NESTED in shown(app)


@pytest.mark.parametrize(
    "junk",
    [
        {"axes_outer_in_axes": "[[", "axes_outer_out_axes": "__import__('os')"},
        {"axes_outer_in_axes": "(1e9,)", "axes_outer_out_axes": "{1: 2}"},
        {"axes_shapes": "((9,9)", "axes_in_axes": "(" * 150},
    ],
)
def test_wrong_literals_of_two_levels_are_named_and_the_usual_call_is_shown(junk):
    app = opened("axes", lang="en", axes_outer="true", **junk)
    assert not failures(app)
    assert sum("cannot be read" in warning.value for warning in app.warning) == 2
    assert NESTED in shown(app)


def test_answers_and_chips_of_two_levels_can_be_left_out():
    query = {"axes_outer": "true", "answers": "off", "hide": "axes_chips,outer"}
    app = opened("axes", lang="en", axes_outer_in_axes="(1, 0)", **query)
    assert app.error
    assert not [b for b in app.button if str(b.key).startswith("axes_repair")]
    assert not [p for p in app.get("button_group") if str(p.key).startswith("chip_0")]
    assert "outer vmap · i: axis 1" in shown(app)
    asked = opened("axes", lang="en", predict="true", **query)
    assert "(2, 5, 3)" not in shown(asked)
