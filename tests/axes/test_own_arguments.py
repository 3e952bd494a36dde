"""Arguments written as text: what is read is what was meant, and nothing is evaluated."""

import jax
import numpy as np
import pytest

from playground.axes.leaf_entries import axes_of_leaves, in_axes_changed
from playground.axes.own_arguments import ArgumentsError, ArrayOf, KeyOf, Values, read_arguments
from playground.axes.own_call import build
from playground.axes.own_text import read_axes, read_wanted, write_arguments, write_expression

MEANT = {
    "x: (32, 8)": ArrayOf((32, 8)),
    "()": ArrayOf(()),
    "n: int32[32]": ArrayOf((32,), "int32"),
    "n: i32[()]": ArrayOf((), "int32"),
    "z: bf16[2, 3]": ArrayOf((2, 3), "bfloat16"),
    "v: [1.0, -2.5]": Values([1.0, -2.5]),
    "m: int32([[1, 2], [3, 4]])": Values([[1, 2], [3, 4]], "int32"),
    "k: key(7)": KeyOf(7),
    "k: keys(0, 32)": KeyOf(0, (32,)),
    "k: keys(0, (2, 3))": KeyOf(0, (2, 3)),
    "r: -0.1": -0.1,
    "r: True": True,
    "mode: 'mean'": "mean",
    "nothing: None": None,
    "p: {'w': (8,), 'b': ()}": {"w": ArrayOf((8,)), "b": ArrayOf(())},
    "pair: ((2,), 3)": (ArrayOf((2,)), 3),
    "layers: [(2, 3), (3,)]": [ArrayOf((2, 3)), ArrayOf((3,))],
}


@pytest.mark.parametrize(("text", "meant"), MEANT.items(), ids=MEANT)
def test_a_line_means_what_it_says_and_is_written_back(text, meant):
    arguments = read_arguments(text)
    assert arguments.args == (meant,)
    assert read_arguments(write_arguments(arguments)) == arguments


def test_names_keywords_comments_and_long_lines():
    text = "x: (3, 5)  # features, examples\nparams: {\n  'w': (3,),\n}\nscale = (5,)"
    arguments = read_arguments(text)
    assert arguments.names == ("x", "params")
    assert arguments.kwargs == {"scale": ArrayOf((5,))}


REFUSED = {
    "a call": ("x: __import__('os')", 1),
    "a name": ("x: (3,)\ny: z", 2),
    "an attribute": ("x: jax.numpy", 1),
    "ragged values": ("x: [[1, 2], [3]]", 1),
    "a comprehension": ("x: [i for i in (1, 2)]", 1),
    "no Python": ("x: (3,", 1),
    "a statement": ("import os", 1),
    "a negative size": ("x: (3, -1)", None),
    "too many numbers": ("x: (1000000, 1000000, 1000)", 1),
    "too many axes": ("x: (1, 1, 1, 1, 1, 1, 1)", 1),
    "too deep": ("x: " + "{'a': " * 20 + "()" + "}" * 20, 1),
    "a very long text": ("x" * 10_000, None),
    "many arguments": ("\n".join(f"x{i}: ()" for i in range(50)), None),
    "a key of dictionaries that is no text": ("x: {1: ()}", 1),
}


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_anything_else_is_refused_with_its_line(text, line):
    if text == "x: (3, -1)":  # a tuple of Python scalars, which vmap itself judges
        assert read_arguments(text).args == ((3, -1),)
        return
    with pytest.raises(ArgumentsError) as caught:
        read_arguments(text)
    assert caught.value.line == line
    assert caught.value.message("en") != caught.value.message("zh")


@pytest.mark.parametrize("text", [text for text in MEANT if "nothing" not in text])
def test_the_expression_of_a_script_makes_the_same_numbers(text):
    spec = read_arguments(text).args[0]
    names = {"jax": jax, "jnp": jax.numpy}
    ours, theirs = build(spec, is_real=True), eval(write_expression(spec), names)
    assert jax.tree.structure(ours) == jax.tree.structure(theirs)
    for one, other in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        if hasattr(one, "dtype"):
            assert one.dtype == other.dtype
        if isinstance(spec, KeyOf):
            one, other = jax.random.key_data(one), jax.random.key_data(other)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("text", ["f(1)", "[[", "x", "0" * 1000, "(" * 300])
def test_axes_are_literals(text):
    with pytest.raises(ArgumentsError):
        read_axes(text)


def test_a_wanted_output_is_made_of_shapes():
    assert read_wanted("{'sum': (4,), 'rows': ((3, 5), ())}")
    for text in ("0", "(-1,)", "'x'", "{}", "(None,)"):
        with pytest.raises(ArgumentsError):
            read_wanted(text)


def test_one_leaf_gets_another_axis_and_the_rest_stays():
    args = ({"w": np.zeros((3, 5)), "b": np.zeros(5)}, np.zeros((5, 2)), 0.5)
    in_axes = ({"w": 1, "b": 0}, 0, None)
    assert axes_of_leaves(args, in_axes) == (0, 1, 0, None)
    assert in_axes_changed(args, in_axes, 1, None) == ({"w": None, "b": 0}, 0, None)
    assert in_axes_changed(args, in_axes, 1, 0) == (0, 0, None)
    assert axes_of_leaves(args, (0, 0)) == ("?", "?", "?", "?")
    assert axes_of_leaves(args, ({"w": 1}, 0, None))[:2] == ("?", "?")
