"""The Lab: calls of users' own functions, explained where their code ran, and checked here."""

import subprocess
import sys
from dataclasses import replace
from urllib.parse import urlencode

import numpy as np
import pytest

from playground.foundation.script import format_headline
from playground.practice import lab
from playground.practice.lab import LabSettings, example_settings
from playground.practice.lab_changes import with_axis, with_size
from playground.practice.lab_examples import EXAMPLES
from playground.practice.lab_reading import explained, tame
from playground.sandbox import policy

pytestmark = pytest.mark.skipif(policy.bubblewrap() is None, reason="no bubblewrap here")


def told(code: str, arguments: str, **axes):
    answer = lab.ask(LabSettings(code=code, arguments=arguments, **{"in_axes": "0", **axes}))
    assert answer.told is not None, answer.outcome
    return answer.told


def test_an_own_function_gives_what_a_loop_gives():
    one = told("def f(x, w):\n    return x @ w", "x: (3, 5)\nw: (3,)", in_axes="(1, None)")
    x, w = np.arange(1.0, 16).reshape(3, 5), np.arange(1.0, 4)
    np.testing.assert_allclose(one.outputs[0].values, [x[:, i] @ w for i in range(5)])
    assert one.outputs[0].agrees == (True,) * 5
    assert [level.size for level in one.levels] == [5]
    assert one.levels[0].seen == ((3,), (3,))


def test_two_levels_are_seen_one_by_one():
    settings = example_settings(EXAMPLES["pairs"])
    answer = lab.ask(settings).told
    assert answer is not None
    assert [(level.size, level.seen) for level in answer.levels] == [
        (7, ((3,), (3,))),
        (5, ((3,), (7, 3))),
    ]
    a, b = np.arange(1.0, 16).reshape(5, 1, 3), np.arange(1.0, 22).reshape(7, 3)
    expected = np.sqrt(((a - b) ** 2).sum(-1))
    np.testing.assert_allclose(answer.outputs[0].values, expected, rtol=1e-5)


def test_a_refusal_names_the_line_and_its_repairs_repair():
    code = "def f(x, w):\n    y = x @ w\n    return y"
    one = told(code, "x: (3, 5)\nw: (5,)", in_axes="(1, 0)")
    assert not one.ok
    assert one.refusal.line == 2
    repair = one.refusal.repairs[0].settings
    assert repair is not None
    assert lab.ask(repair).told.ok


def test_a_repair_that_changes_arguments_is_written_back():
    code = "def f(key, x):\n    return x + jax.random.normal(key)"
    one = told(code, "key: key(3)\nx: (5,)")
    texts = [r.settings.arguments for r in one.refusal.repairs if r.settings]
    assert any("keys(3, 5)" in text for text in texts)
    for repair in one.refusal.repairs:
        assert repair.settings is None or lab.ask(repair.settings).told.ok


def test_a_wanted_shape_is_found_and_given():
    one = told("def f(x):\n    return x * 2", "x: (3, 5)", want="(5, 3)")
    assert one.choices
    for choice in one.choices:
        assert lab.ask(choice.settings).told.outputs[0].shape == (5, 3)


def test_chips_and_sizes_change_one_thing():
    settings = LabSettings(
        code="def f(x, p):\n    return x.sum() + p['w'].sum()",
        arguments="x: (3, 5)\np: {'w': (5, 2)}",
        in_axes="(1, 0)",
    )
    one = lab.ask(settings).told
    shared = with_axis(settings, one.leaves[1], None)
    assert shared.in_axes == "(1, None)"
    grown = with_size(settings, 0, 1, 7)
    assert grown.arguments == "x: (3, 7)\np: {'w': (5, 2)}"
    assert not lab.ask(grown).told.ok


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_script_of_an_example_prints_the_numbers_of_the_page(name, tmp_path):
    settings = example_settings(EXAMPLES[name])
    path = tmp_path / "own.py"
    path.write_text(lab.script(settings))
    run = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, check=True)
    result = lab.headlines(lab.ask(settings))
    assert run.stdout.splitlines() == [f"{k}: {format_headline(v)}" for k, v in result.items()]


ENDINGS = {
    "a function that is not there": ("x = 1", "ok", None),
    "an error in line 2": ("a = 1\nb = c", "error", 2),
    "no Python": ("def f(x)\n    return x", "error", 1),
    "left for good": ("import os\nos._exit(3)", "crashed", None),
}


@pytest.mark.parametrize(("code", "status", "line"), ENDINGS.values(), ids=ENDINGS)
def test_every_ending_has_its_status_and_line(code, status, line):
    answer = lab.ask(LabSettings(code=code))
    assert answer.outcome.status == status
    assert (answer.outcome.error.line if answer.outcome.error else None) == line
    assert answer.told is None or answer.told.function == ""


def test_an_endless_function_is_stopped(monkeypatch):
    monkeypatch.setattr(lab, "SECONDS", 2.0)
    answer = lab.ask(LabSettings(code="def f(x, W, b):\n    while True: pass"))
    assert answer.outcome.status == "timeout"


def test_too_much_memory_is_said_so():
    code = "x = np.ones((1 << 20, 1 << 14))\ndef f(x, W, b): return x"
    assert lab.ask(LabSettings(code=code)).outcome.status == "memory"


def test_refused_where_it_is_switched_off(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_USER_CODE", "off")
    assert lab.ask(LabSettings()).outcome.status == "refused"


def test_code_of_a_link_never_runs_without_a_jail(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_USER_CODE", "trusted")
    monkeypatch.setattr(policy, "bubblewrap", lambda: None)
    answer = lab.ask(LabSettings(), jail_only=True)
    assert (answer.outcome.status, answer.outcome.error.type) == ("refused", "no_jail")


def test_an_invented_answer_is_refused_not_shown():
    good = lab.ask(LabSettings()).outcome.value
    assert explained(good, LabSettings()).ok
    for key, junk in {"levels": [{"size": "<b>"}], "outputs": [{}], "leaves": 3}.items():
        with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
            explained({**good, key: junk}, LabSettings())
    patched = (
        "import playground.axes.answering as driver\n"
        "def f(x, W, b): return x\n"
        "driver.explain = None"
    )
    assert lab.ask(LabSettings(code=patched)).told is None
    assert "](" not in tame("![x](http://foreign.example)")


def test_memory_of_one_vmap_and_of_chunks():
    outer = LabSettings(
        code="def f(x):\n    return jnp.outer(x, x)", arguments="x: (64, 16)", in_axes="0"
    )
    value = lab.ask_memory(outer, seconds=0.1).value
    assert value["whole"][1] == 64 * 16 * 16 * 4
    assert value["batch_size"] == 64
    assert {row[0] for row in value["rows"]} >= {1, 64}
    named = replace(outer, axis_name="batch")
    assert lab.ask_memory(named, seconds=0.1).value["why_not"] == "named_axis"
    huge = replace(outer, arguments="x: (1000000, 1000)")
    told_huge = lab.ask_memory(huge, seconds=0.1).value
    assert told_huge["why_not"] == "argument_bytes"
    assert told_huge["whole"][1] == 10**6 * 10**6 * 4


def test_a_link_keeps_its_size():
    short = LabSettings(code="def f(x):\n    return x\n" * 20)
    assert LabSettings.from_query(short.to_query())[0] == short
    long = LabSettings(code="# " + "字" * 900 + "\n", arguments="x: (3,)")
    assert "lab_code" not in long.to_query()
    assert len(urlencode(long.to_query())) < 4_000
    longer = LabSettings(code="#" * 40_000)
    assert len(longer.code) == 40_000
    assert "lab_code" not in longer.to_query()
