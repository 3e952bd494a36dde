"""Every call of the cheat sheet runs, and gives what NumPy, SciPy or arithmetic gives."""

import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial.distance import cdist

from playground.foundation.script import format_headline
from playground.lessons import cheat_sheet
from playground.lessons.cheat_rows import COMMON, Row, Topic, first_line, one_line, outcomes
from playground.lessons.cheat_sheet import TOPICS, CheatSheetSettings

EVERY = [f"{topic.name}.{row.name}" for topic in TOPICS.values() for row in topic.rows]

X = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 1, 0]], np.float64)
M = np.arange(1.0, 13.0).reshape(3, 4)
V, S = np.array([1.0, 2.0, 3.0]), np.array([0.0, 10.0, 20.0, 30.0])
R = np.array([[3.0, 4.0, 0.0], [1.0, 0.0, 0.0]])
P = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
Q = np.array([[2.0, 2.0], [-2.0, 2.0], [2.0, -2.0], [-2.0, -2.0]])
LINE = np.linspace(0, 1, 5)
RESIDUAL = 2 * LINE + 1 - (2.5 * LINE + 0.5)
NORMS = np.hypot(2 * RESIDUAL * LINE, 2 * RESIDUAL)


def result(name: str) -> str:
    topic, row = name.split(".")
    place = [one.name for one in TOPICS[topic].rows].index(row)
    return cheat_sheet.results(topic)[place]


def numbers(name: str) -> np.ndarray:
    """Read all numbers of a result; its shape in front is left out."""
    text = re.sub(r"^\([\d, ]*\) (?=\[)", "", result(name))
    return np.array([float(n) for n in re.findall(r"-?\d+\.?\d*(?:e[-+]\d+)?|nan", text)])


def steps_to_one(n: int) -> int:
    return 0 if n == 1 else 1 + steps_to_one(n // 2 if n % 2 == 0 else 3 * n + 1)


NUMBERS = {
    "vectorize.vmap": (X**2).sum(1),
    "vectorize.meaning": (X**2).sum(1),
    "vectorize.norm_trap": np.linalg.norm(R, axis=1) / np.sqrt((R**2).sum()),
    "vectorize.norm": np.ones(2),
    "vectorize.sum_trap": X.sum(),
    "vectorize.sum": X.sum(1),
    "vectorize.dot": np.einsum("ij,ij->i", X, X),
    "vectorize.transpose_trap": (4, 3, 2),
    "vectorize.transpose": (2, 4, 3),
    "vectorize.print": 1,
    "vectorize.debug_print": 3,
    "vectorize.where": (0, 2, 3),
    "vectorize.piecewise": (2, 9),
    "vectorize.unrolled": 3,
    "axes.share": X + 100,
    "axes.pair": X * S[:, None],
    "axes.later_axis": X + 100,
    "axes.out_axes": (3, 4),
    "axes.negative": X @ V,
    "axes.prefix": X @ V + S,
    "axes.keyword": np.repeat(V, 3),
    "axes.partial": X + V,
    "axes.axis_size": np.full(8, 3),
    "axes.sum_match": 2 * (0 + 1 + 2),
    "axes.columns": (4, 3),
    "axes.columns_kept": M * S,
    "axes.row_filter": M * S,
    "axes.pmean": (-1.5, -0.5, 0.5, 1.5),
    "axes.axis_index": V + 100 * np.arange(3),
    "axes.vectorize": (3, 4, 2, 2),
    "axes.list": (4, 3),
    "nest.pair": (3, 2),
    "nest.combine": (3, 4, 2),
    "nest.swapped": (4, 3, 2),
    "nest.squared": cdist(P, Q, "sqeuclidean"),
    "nest.gradient": 2 * (len(Q) * P - Q.sum(0)),
    "nest.manhattan": cdist(P, Q, "cityblock"),
    "nest.two_axes": (2, 3),
    "nest.expansion": cdist(P, Q, "sqeuclidean"),
    "nest.coincident": (np.nan, np.nan),
    "nest.double_where": (0, 0),
    "control_flow.cond": (0, 0, np.log(2)),
    "control_flow.switch": (np.sin(1), np.cos(2), -3),
    "control_flow.grad_cond": (0, 0, 0.5),
    "control_flow.grad_where": (0, np.nan, 0.5),
    "control_flow.grad_double_where": (0, 0, 0.5),
    "control_flow.while": [steps_to_one(n) for n in (1, 2, 3, 6, 7, 27)],
    "control_flow.lowered": 1,
    "control_flow.endless": (0, 50),
    "control_flow.fori": V**3,
    "control_flow.vmap_scan": X.cumsum(1),
    "compose.all_three": 2 * (X @ [1, -2, 0.5] - (X @ [1, -2, 0.5] + 1))[:, None] * X,
    "compose.compact": -2 * X,
    "compose.hessian": 2 * X.T @ X / 4,
    "compose.hvp": 2 * X.T @ X / 4 @ V,
    "compose.rank": np.linalg.matrix_rank(X[:2].T @ X[:2]),
    "compose.floats": 6,
    "compose.argnums": (3, 1),
    "compose.nested": (2, 2, 2),
    "compose.jacobians": (5, 2, 2),
    "gradients.norms": NORMS,
    "gradients.chunks": NORMS,
    "gradients.clip": np.minimum(NORMS, 0.8),
    "gradients.outlier": 3,
    "gradients.numbers": 256 * (32 * 8 + 32 + 32 + 1),
    "gradients.bytes": 32 * 10**8 * 4 / 1e9,
    "gradients.ghost": [np.linalg.norm(np.outer(d, a)) for a, d in zip(X, X[::-1], strict=True)],
    "gradients.outer": [np.linalg.norm(np.outer(d, a)) for a, d in zip(X, X[::-1], strict=True)],
    "gradients.element": (lambda x: x * (1 - np.tanh(1.5 * x) ** 2))(np.linspace(-2, 2, 5)),
    "random.reused": 0.9775,
    "random.raw": (0, 0),
    "timing.jit_vmap": (X**2).sum(1),
    "timing.block": (X**2).sum(1),
    "timing.ahead": (X**2).sum(1),
    "timing.new_shape": 2,
    "timing.static": 2,
    "chunks.map": X.sum(1),
    "chunks.outputs": 4096 * 512 * 4,
    "chunks.sum_inside": (X**2).sum(),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_those_of_an_independent_reference(name):
    expected = np.ravel(np.asarray(NUMBERS[name], float))
    np.testing.assert_allclose(numbers(name), expected, rtol=2e-4, atol=1e-4)


WORDS = {
    "vectorize.shapes": "(1000000,) float32",
    "vectorize.jaxpr": "False",
    "vectorize.batch_dimensions": "True",
    "vectorize.dot_trap": "TypeError: .*shape",
    "vectorize.python_if": "TracerBoolConversionError: ",
    "axes.out_tree": r"\{doubled: \(3, 4\), sum: \(4,\)\}",
    "axes.wrong_key": "ValueError: .*tree prefix",
    "axes.keyword_tuple": "ValueError: .*positional arguments",
    "axes.out_none_refused": "ValueError: ",
    "axes.nothing_mapped": "ValueError: .*axis_size",
    "axes.shared_number": "ValueError: .*rank",
    "axes.sizes": "ValueError: .*size 3.*size 4",
    "axes.no_broadcast": "ValueError: .*size 3.*size 1",
    "axes.tuple_length": "ValueError: ",
    "axes.beyond": "ValueError: ",
    "nest.matmul": "True",
    "control_flow.both": r"\[select_n\]",
    "control_flow.shared": "True",
    "control_flow.copied": "True",
    "compose.illegal": "TypeError: .*scalar-output",
    "compose.tree_map": "AttributeError: ",
    "compose.integers": "TypeError: ",
    "compose.newton": "True",
    "compose.lstsq": "True",
    "gradients.per_example": r"\{b: \(5,\) \[1, 0.75, 0.5, 0.25, 0\], "
    r"w: \(5,\) \[0, 0.1875, 0.25, 0.1875, 0\]\}",
    "gradients.shapes": r".*W1: \(256, 32, 8\).*b1: \(256, 32\).*b2: \(256,\).*w2: \(256, 32\)",
    "gradients.mean": r"\{b: 0.5, w: 0.125\}",
    "gradients.of_mean": r"\{b: 0.5, w: 0.125\}",
    "gradients.grad_of_vmap": "TypeError: .*scalar-output",
    "gradients.noise": r"\{b: \(\), w: \(\)\}",
    "random.key": r"\(\) key<fry>",
    "random.split": r"\(4,\) key<fry>",
    "random.one_key": "ValueError: ",
    "random.wrong_axis": "ValueError: ",
    "random.raw_axis": r"\(2,\)",
    "timing.vmap_jit": "True",
    "timing.same_program": "True",
    "timing.other_program": "False",
    "timing.allclose": "True",
    "timing.grad_jit": "True",
    "timing.closed_over": "True",
    "timing.argument": "False",
    "chunks.rest": r"\[slice, scan, concatenate\]",
}


@pytest.mark.parametrize("name", WORDS)
def test_words_are_those_that_the_curriculum_expects(name):
    expected = WORDS[name].replace("(1000000,)", r"\(1000000,\)")
    assert re.match(expected, result(name)), result(name)


# covers: X
@pytest.mark.parametrize("name", EVERY)
def test_every_call_gives_a_result_and_only_the_expected_ones_raise(name):
    shown = result(name)
    assert shown
    assert len(shown) <= 400
    assert "\n" not in shown
    is_expected = "Error: " in WORDS.get(name, "")
    assert bool(re.match(r"\w+(Error|Exception)\b", shown)) == is_expected, shown


def test_random_numbers_behave_as_they_should():
    own, shared = numbers("random.own"), numbers("random.shared")
    assert len(set(own)) == 4
    assert len(set(shared)) == 1
    ends = numbers("random.walks")
    assert np.all(ends % 2 == 0)
    assert np.all(abs(ends) <= 100)
    # of 10,000 walks: five standard errors of a variance, and of a mean
    assert abs(numbers("random.variance")[0] - 100) < 5 * 100 * np.sqrt(2 / 10_000)
    assert abs(numbers("random.biased")[0] - 20) < 5 * np.sqrt(96 / 10_000)
    assert abs(numbers("random.reuse_repaired")[0]) < 5 / np.sqrt(100_000)


def test_directions_that_depend_on_rounding_and_on_the_compiler():
    expanded, differences = np.split(numbers("nest.cancels")[-9:][[0, 1, 2, 3, 5, 6, 7, 8]], 2)
    assert np.allclose(differences, cdist(P, Q, "sqeuclidean")[0])
    assert not np.allclose(expanded, differences)
    whole, chunked, single = (
        float(result(f"chunks.{name}").split()[0]) for name in ("whole", "chunked", "single")
    )
    assert whole > 4 * chunked > 16 * single
    first, last = numbers("compose.loss_falls")
    assert last < first / 10
    weight = dict(re.findall(r"(\w): ([-\d.]+)", result("gradients.train")))
    assert abs(float(weight["w"]) - 2.5) < 0.05
    assert abs(float(weight["b"]) - 0.5) < 0.05


def test_no_two_rows_are_alike_and_all_speak_both_languages():
    rows = [(topic.name, row) for topic in TOPICS.values() for row in topic.rows]
    assert len(set(EVERY)) == len(rows)
    for parts in (
        {(topic, row.code) for topic, row in rows},
        {(topic, row.english) for topic, row in rows},
        {(topic, row.chinese) for topic, row in rows},
    ):
        assert len(parts) == len(rows)
    for _, row in rows:
        assert re.search("[\u4e00-\u9fff]", row.chinese), row.name
        assert not re.search("[\u4e00-\u9fff]", row.english), row.name
        assert "\n" not in row.code


def test_a_result_is_written_on_one_line():
    assert one_line(jnp.array([1.0, 2.5])) == "(2,) [1, 2.5]"
    assert one_line(jnp.zeros((5, 5))) == "(5, 5) float32"
    assert one_line(jax.random.key(0)) == "() key<fry>"
    assert one_line({"a": (1,), "b": [True, 0.1]}) == "{a: (1,), b: [True, 0.1]}"
    assert one_line("a\n b") == "a b"
    assert one_line("x" * 1000).endswith(" …")
    assert first_line("sizes:\n * one;\n * two\nend") == "sizes:  * one;  * two"
    assert first_line("") == ""


def test_a_failing_call_is_a_result_and_does_not_stop_the_others():
    rows = (Row("a", "1 / 0", "", ""), Row("b", "1 + 1", "", ""))
    assert outcomes(Topic("t", "", "", "", rows)) == ("ZeroDivisionError: division by zero", "2")


def test_a_search_wants_all_words_in_any_language_and_in_results():
    def found(**settings):
        rows = cheat_sheet.compute(CheatSheetSettings(**settings)).found
        return {f"{topic}.{one.row.name}" for topic, all_ in rows.items() for one in all_}

    assert found(topic="axes", search="PMEAN batch") == {"axes.pmean"}
    assert "axes.pmean" in found(topic="axes", search="均值")
    assert found(topic="vectorize", search="tracerbool") == {"vectorize.python_if"}
    assert found(topic="axes", search="no such word") == set()
    assert CheatSheetSettings(topic="axes", search="pmean").elsewhere == 0
    assert CheatSheetSettings(topic="nest", search="pmean").elsewhere == 1
    assert CheatSheetSettings(topic="all", search="pmean").elsewhere == 0


def test_calls_of_a_topic_run_once(monkeypatch):
    first = cheat_sheet.results("axes")
    monkeypatch.setattr(cheat_sheet, "outcomes", lambda topic: pytest.fail("ran again"))
    assert cheat_sheet.results("axes") is first


@pytest.mark.slow
def test_the_script_of_all_topics_prints_what_the_page_shows(tmp_path):
    settings = CheatSheetSettings(topic="all")
    path = tmp_path / "sheet.py"
    path.write_text(cheat_sheet.script(settings), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    shown = cheat_sheet.headlines(cheat_sheet.compute(settings))
    assert run.stdout.splitlines() == [f"{k}: {format_headline(v)}" for k, v in shown.items()]
    assert COMMON in path.read_text(encoding="utf-8")
