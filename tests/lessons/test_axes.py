"""The Axes page's calls: read from links, explained, repaired, found, predicted."""

import subprocess
import sys
from dataclasses import replace

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.axes import Level
from playground.foundation.script import format_headline
from playground.lessons import axes, axes_answers
from playground.lessons.axes_call import AxesSettings, call_of
from playground.lessons.axes_changes import in_axes_with, settings_for, with_outer, without_outer
from playground.lessons.axes_outer import places
from playground.lessons.gallery import GALLERY
from playground.lessons.literals import LiteralError, read_literal, read_shapes, read_want


def shown(**values) -> axes.AxesResult:
    return axes.compute(AxesSettings(**values))


def real(settings: AxesSettings):
    call = call_of(settings)
    batched = call.example.function
    for level in call.levels:
        batched = jax.vmap(batched, **axes.vmap_options(level))
    return batched(*call.args, **call.kwargs)


@pytest.mark.parametrize("has_outer", [False, True], ids=["one level", "two levels"])
@pytest.mark.parametrize("function", GALLERY)
def test_the_page_shows_what_the_real_call_gives(function, has_outer):
    settings = AxesSettings(function=function, outer=has_outer)
    result = axes.compute(settings)
    try:
        output = jax.tree.leaves(real(settings))
    except Exception as error:
        assert not result.ok
        assert result.refusal is not None
        assert result.refusal[0] == type(error).__name__
        return
    assert result.ok
    for board, leaf in zip(result.outputs, output, strict=True):
        assert board.shape == leaf.shape
        assert np.array_equal(board.values, leaf)
        assert board.agrees in (True, None)
        for place, level in zip(board.places, result.levels, strict=True):
            assert place is None or board.shape[place] == level.batch_size


def test_every_example_of_the_batch_equals_the_function_of_its_slice():
    for function in ("scale_column", "matvec", "two_outputs", "dict_parameters"):
        for i in range(4):
            result = shown(function=function, example=i)
            assert result.lit == (i,)
            assert all(board.agrees for board in result.outputs)


# covers: A1, A2
def test_mapped_with_shared_and_paired_by_position():
    shared = shown(function="add_scalar")
    assert shared.outputs[0].shape == (4, 3)
    paired = shown(function="add_scalar", shapes="((4, 3), (4,))", in_axes="(0, 0)")
    assert paired.outputs[0].shape == (4, 3)
    assert not np.array_equal(shared.outputs[0].values, paired.outputs[0].values)


# covers: A3, A4, A6
def test_the_batch_axis_goes_where_out_axes_says():
    turned = {"function": "add_scalar", "shapes": "((3, 4), ())", "in_axes": "(1, None)"}
    assert shown(**turned).outputs[0].shape == (4, 3)
    assert shown(**turned, out_axes="1").outputs[0].shape == (3, 4)
    assert shown(**turned, out_axes="-1").outputs[0].shape == (3, 4)
    negative = shown(function="add_scalar", shapes="((3, 4), ())", in_axes="(-1, None)")
    assert negative.outputs[0].shape == (4, 3)


# covers: A5
def test_outputs_in_a_dict_take_out_axes_in_a_dict():
    result = shown(function="dict_outputs")
    assert {b.name: b.shape for b in result.outputs} == {
        'out["sum"]': (4,),
        'out["doubled"]': (3, 4),
    }


# covers: A7, A8
def test_some_leaves_of_a_dict_are_shared_and_a_wrong_key_is_named():
    result = shown(function="dict_parameters")
    assert result.outputs[0].values.tolist() == [8, 36, 64, 92]
    wrong = AxesSettings(function="dict_parameters", in_axes="({'w': None, 'bias': 0}, 0)")
    told = axes_answers.refused(wrong)
    assert told is not None
    assert told.exception == "ValueError"
    for language in ("en", "zh"):
        assert "bias" in told.summary(language) or '"b"' in told.summary(language)
    assert any(repair.settings is not None for repair in told.repairs)


# covers: A9
def test_a_keyword_argument_is_mapped_whatever_the_tuple_says():
    told = axes_answers.refused(
        AxesSettings(function="add_scalar", keyword=True, in_axes="(0, None)")
    )
    assert told is not None
    assert "keyword" in told.text
    paired = shown(function="add_scalar", keyword=True, shapes="((4, 3), (4,))", in_axes="(0,)")
    assert paired.ok
    assert paired.arguments[1].axis == 0


# covers: A10, A11, A12
def test_outputs_that_do_not_vary_nothing_mapped_and_sums_over_the_batch():
    kept = shown(function="kept_factor")
    assert kept.outputs[1].axis is None
    assert axes_answers.refused(AxesSettings(function="add_scalar", out_axes="None")) is not None
    nothing = AxesSettings(function="add_scalar", in_axes="(None, None)")
    assert axes_answers.refused(nothing) is not None
    sized = shown(function="add_scalar", in_axes="(None, None)", axis_size=4)
    assert sized.outputs[0].shape == (4, 4, 3)
    summed = shown(function="add_scalar", out_axes="None", sum_match=True)
    values = call_of(AxesSettings(function="add_scalar")).leaves
    assert np.array_equal(summed.outputs[0].values, (values[0] + values[1]).sum(0))


# covers: A13, A14, A15
@pytest.mark.parametrize(
    ("function", "shapes", "in_axes", "kind"),
    [
        ("add_scalar", "", "0", "scalar_mapped"),
        ("add_scalar", "((3,), (4,))", "0", "sizes_differ"),
        ("row_filter", "((3, 2), (1, 2))", "(0, 0)", "sizes_differ"),
        ("row_filter", "", "(0,)", "wrong_tuple_length"),
        ("row_filter", "", "(2, None)", "axis_out_of_range"),
    ],
)
def test_wrong_choices_are_told_in_plain_words_with_repairs(function, shapes, in_axes, kind):
    settings = AxesSettings(function=function, shapes=shapes, in_axes=in_axes)
    told = axes_answers.refused(settings)
    assert told is not None
    assert told.kind == kind
    assert told.exception == "ValueError"
    with pytest.raises(ValueError, match="vmap"):
        real(settings)
    assert told.repairs
    for repair in told.repairs:
        assert repair.description("en") != repair.description("zh")
        if repair.settings is not None:
            fixed = axes.compute(repair.settings)
            assert fixed.ok
            assert str(fixed.outputs[0].shape) == repair.gives


# covers: A16
def test_scaled_columns_come_back_as_rows_and_the_page_says_so():
    settings = AxesSettings()
    assert axes.compute(settings).outputs[0].shape == (5, 3)
    other = axes_answers.surprise(settings)
    assert other is not None
    assert other.gives == "(3, 5)"
    assert other.settings is not None
    fixed = axes.compute(other.settings)
    matrix, scalars = call_of(settings).leaves
    assert np.array_equal(fixed.outputs[0].values, matrix * scalars)
    assert axes_answers.surprise(other.settings) is None


# covers: A17
def test_one_filter_for_every_row():
    result = shown(function="row_filter")
    rows, weights = call_of(AxesSettings(function="row_filter")).leaves
    assert result.outputs[0].shape == (3, 4)
    assert np.array_equal(result.outputs[0].values, rows * weights)


# covers: A18
def test_a_named_axis_centres_the_batch():
    assert shown(function="centre").outputs[0].values.tolist() == [-1.5, -0.5, 0.5, 1.5]
    unnamed = axes_answers.refused(AxesSettings(function="centre", axis_name="off"))
    assert unnamed is not None
    assert unnamed.exception == "NameError"


# covers: A20
def test_a_list_works_and_a_tuple_is_the_documented_form():
    assert shown(function="row_filter", in_axes="[0, None]").ok


def test_large_shapes_cost_nothing():
    result = shown(function="row_filter", shapes="((1000000, 1000000), (1000000,))")
    assert result.ok
    assert result.outputs[0].shape == (10**6, 10**6)
    assert result.outputs[0].values is None


@pytest.mark.parametrize(
    ("want", "some"), [("(3, 5)", "out_axes=1"), ("(5, 3)", "in_axes=(1, 0)"), ("(7, 7)", "")]
)
def test_axes_for_a_wanted_shape(want, some):
    found, complete = axes_answers.wanted(AxesSettings(want=want))
    assert complete
    assert bool(found) == bool(some)
    assert not some or any(some in choice.code for choice in found)
    for choice in found:
        assert choice.settings is not None
        assert str(axes.compute(choice.settings).outputs[0].shape) == want


@pytest.mark.parametrize("function", GALLERY)
def test_predictions_hold_exactly_one_right_answer(function):
    for in_axes in ("", "0"):
        settings = AxesSettings(function=function, in_axes=in_axes)
        options, right = axes_answers.predictions(settings)
        assert len(set(options)) == len(options) >= 2
        assert options.count(right) == 1
        assert "error" in options
        result = axes.compute(settings)
        assert (right == "error") == (not result.ok)


@pytest.mark.parametrize("function", GALLERY)
def test_a_call_that_the_page_can_describe_comes_back_the_same(function):
    settings = AxesSettings(function=function)
    call = call_of(settings)
    described = settings_for(settings, call.args, call.kwargs, call.levels)
    assert described is not None
    again = call_of(described)
    assert again.levels == call.levels
    assert again.shapes == call.shapes


def test_a_call_that_the_page_cannot_describe_is_not_described():
    settings = AxesSettings()
    call = call_of(settings)
    assert settings_for(settings, call.args[:1], {}, (Level(),)) is None
    assert settings_for(settings, call.args, {}, (Level(axis_name="other"),)) is None


def test_one_chip_changes_one_leaf():
    call = call_of(AxesSettings(function="dict_parameters"))
    assert call.axes == ((None, 0, 0),)
    assert read_literal(in_axes_with(call, 0, 0)) == (0, 0)
    assert read_literal(in_axes_with(call, 1, None)) == (None, 0)
    assert read_literal(in_axes_with(call, 2, None)) == ({"w": None, "b": 0}, None)


# covers: N1, N2, N3
def test_two_levels_combine_every_matrix_with_every_vector():
    paired = shown(function="matvec", shapes="((3, 2, 3), (3, 3))", in_axes="(0, 0)")
    assert paired.outputs[0].shape == (3, 2)
    shapes = "((3, 2, 3), (4, 3))"
    inner, outer = {"in_axes": "(None, 0)"}, {"outer_in_axes": "(0, None)"}
    settings = AxesSettings(function="matvec", outer=True, shapes=shapes, **inner, **outer)
    result = axes.compute(settings)
    assert result.outputs[0].shape == (3, 4, 2)
    assert [level.batch_size for level in result.levels] == [4, 3]
    assert result.levels[0].seen == ((2, 3), (3,))
    assert result.levels[1].seen == ((2, 3), (4, 3))
    assert result.levels[1].returned == ((4, 2),)
    matrices, vectors = call_of(settings).leaves
    for i in range(3):
        for j in range(4):
            assert np.array_equal(result.outputs[0].values[i, j], matrices[i] @ vectors[j])
            lit = axes.compute(replace(settings, outer_example=i, example=j))
            assert lit.lit == (j, i)
            assert lit.outputs[0].agrees
    swapped = shown(
        function="matvec",
        outer=True,
        shapes=shapes,
        in_axes="(0, None)",
        outer_in_axes="(None, 0)",
    )
    assert np.array_equal(swapped.outputs[0].values, np.swapaxes(result.outputs[0].values, 0, 1))


@pytest.mark.parametrize(
    ("rank", "found", "at"),
    [
        (3, (1, 0), (2, 0)),
        (3, (-1, -1), (1, 2)),
        (3, (0, 1), (0, 1)),
        (3, (None, 1), (None, 1)),
        (1, (0, 0), (None, 0)),
        (2, ("?", 5), (None, None)),
    ],
)
def test_an_inner_axis_is_counted_without_the_outer_one(rank, found, at):
    assert places(rank, found) == at
    shape = tuple(range(2, 2 + rank))
    array = np.arange(np.prod(shape)).reshape(shape)
    for axis, place in zip(found[::-1], at[::-1], strict=True):
        if place is not None:
            assert array.shape[axis] == shape[place]
            array = np.take(array, 0, axis=axis)


@pytest.mark.parametrize(
    "settings",
    [
        *(AxesSettings(function=function) for function in GALLERY),
        AxesSettings(out_axes="1", shapes="((4, 2), (2,))"),
        AxesSettings(function="row_filter", in_axes="(0, 0)", shapes="((3, 4), (3, 4))"),
        AxesSettings(function="add_scalar", in_axes="(None, None)", axis_size=4),
        AxesSettings(function="add_scalar", keyword=True, shapes="((4, 3), (4,))"),
    ],
    ids=lambda s: f"{s.function} {s.in_axes}",
)
def test_a_second_vmap_is_put_around_and_taken_away(settings):
    nested = with_outer(settings)
    assert call_of(nested).levels[0] == call_of(settings).levels[0]
    assert axes.compute(nested).ok == axes.compute(settings).ok
    back = without_outer(nested)
    assert (call_of(back).levels, call_of(back).shapes) == (
        call_of(settings).levels,
        call_of(settings).shapes,
    )
    if not settings.shapes and not settings.in_axes:
        assert nested == replace(settings, outer=True)
        assert back == settings


@pytest.mark.parametrize("outer_in_axes", ["(9, 0)", "(0,)", "[[", "({'a': 0}, 0)", "(2, 0)"])
def test_without_a_wrong_outer_vmap_there_is_a_call_that_works(outer_in_axes):
    back = without_outer(AxesSettings(outer=True, outer_in_axes=outer_in_axes))
    assert not back.outer
    assert axes.compute(back).ok


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({"in_axes": "(0, 0)"}, 0),
        ({"outer_in_axes": "(1, 0)"}, 1),
        ({"outer_in_axes": "(0,)"}, 1),
        ({"outer_out_axes": "None"}, 1),
        ({"out_axes": "7"}, 0),
    ],
)
def test_repairs_of_two_levels_apply_themselves(changed, level):
    settings = AxesSettings(outer=True, **changed)
    result = axes.compute(settings)
    assert [one.is_refusing for one in result.levels] == [level == 0, level == 1]
    told = axes_answers.refused(settings)
    assert told is not None
    assert told.summary("en").startswith("Outer level" if level else "Inner level")
    assert told.repairs
    assert any(repair.settings is not None for repair in told.repairs)
    for repair in told.repairs:
        if repair.settings is not None:
            assert repair.settings.outer
            fixed = axes.compute(repair.settings)
            assert fixed.ok
            assert fixed.code == repair.code
            assert str(fixed.outputs[0].shape) == repair.gives


def test_two_levels_have_a_surprise_predictions_and_wanted_shapes():
    settings = AxesSettings(outer=True)
    other = axes_answers.surprise(settings)
    assert other is not None
    assert other.gives == "(2, 3, 5)"
    assert other.settings is not None
    columns, scalars = call_of(settings).leaves
    expected = columns * scalars[:, None, :]
    assert np.array_equal(axes.compute(other.settings).outputs[0].values, expected)
    options, right = axes_answers.predictions(settings)
    assert right == "(2, 5, 3)"
    assert {"(2, 3, 5)", "error"} <= set(options)
    found, _ = axes_answers.wanted(replace(settings, want="(5, 2, 3)"))
    assert found
    for choice in found:
        assert choice.settings is not None
        assert axes.compute(choice.settings).outputs[0].shape == (5, 2, 3)


@given(st.text(max_size=60))
def test_anything_written_is_read_or_refused(written):
    for reader in (read_literal, read_shapes, read_want):
        try:
            reader(written)
        except LiteralError as error:
            assert error.message("en") != error.message("zh")


@pytest.mark.parametrize(
    "written", ["(" * 5000, "9" * 5000, "__import__('os')", "((1e3,),)", "(0,) * 99", "{1: 2}", "-"]
)
def test_hostile_literals_are_refused(written):
    with pytest.raises(LiteralError):
        read_shapes(written)


@given(
    st.sampled_from(sorted(GALLERY)),
    st.sampled_from(["", "(0, 0)", "0", "None", "(1, None)", "[0]", "({'w': 0},)", "(5, 5)", "x"]),
    st.sampled_from(["", "((2, 2), (2,))", "((0, 3), ())", "((1,),)", "((4,),(4,),(4,))", "()"]),
    st.sampled_from(["", "1", "None", "-1", "(0, 1)", "9"]),
    st.booleans(),
    st.sampled_from(
        [None, "", "(0, 1)", "None", "[[", "(0,) * 9", "({'w': 0, 'b': None}, 1)", "7"]
    ),
)
def test_any_settings_give_a_result_and_never_a_failure(
    function, in_axes, shapes, out, keyword, outer
):
    settings = AxesSettings(
        function=function, in_axes=in_axes, shapes=shapes, out_axes=out, keyword=keyword
    )
    if outer is not None:
        settings = replace(
            settings,
            outer=True,
            outer_in_axes=outer,
            outer_out_axes=out,
            outer_axis_size=len(outer),
        )
        without_outer(settings)
    else:
        with_outer(settings)
    result = axes.compute(settings)
    told = axes_answers.refused(settings)
    assert result.ok == (told is None)
    axes_answers.surprise(settings)
    axes_answers.predictions(settings)


@pytest.mark.parametrize(
    "settings",
    [
        AxesSettings(function="dict_parameters"),
        AxesSettings(function="dict_outputs"),
        AxesSettings(function="centre"),
        AxesSettings(in_axes="(0, 0)"),
        AxesSettings(function="add_scalar", keyword=True),
        AxesSettings(function="gate", shapes="((512,), (512, 256), (256, 256))"),
        AxesSettings(function="linear_layer", outer=True, out_axes="1", outer_out_axes="-1"),
        AxesSettings(function="centre", outer=True, axis_name="off", outer_axis_name="batch"),
        AxesSettings(outer=True, outer_in_axes="(1, 0)"),
    ],
    ids=lambda s: s.function,
)
def test_the_script_of_any_call_prints_the_numbers_of_the_page(settings, tmp_path):
    path = tmp_path / "call.py"
    path.write_text(axes.script(settings))
    run = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, check=True)
    expected = axes.headlines(axes.compute(settings))
    assert run.stdout.splitlines() == [f"{k}: {format_headline(v)}" for k, v in expected.items()]
