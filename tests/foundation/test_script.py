"""Standalone scripts: complete, in order of need, and the same code that ran."""

import subprocess
import sys

import pytest

from playground.foundation.script import format_headline, show_headlines, standalone
from playground.lessons import home


def test_a_script_runs_without_the_playground(tmp_path):
    source = home.script(home.HomeSettings(example=2))
    assert "import playground" not in source
    assert "from playground" not in source
    path = tmp_path / "home.py"
    path.write_text(source)
    run = subprocess.run(
        [sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr
    result = home.compute(home.HomeSettings(example=2))
    expected = [f"{k}: {format_headline(v)}" for k, v in home.headlines(result).items()]
    assert run.stdout.splitlines() == expected


def test_two_objects_of_one_name_are_refused():
    def small_batch():
        return home.small_batch()

    small_batch.__module__ = "playground.lessons.other"
    with pytest.raises(ValueError, match="small_batch"):
        standalone(home.small_batch, small_batch, body="", title="Two of one name.")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.1234567, "0.123457"),
        (3, "3"),
        ((4, 3), "(4, 3)"),
        ((4,), "(4,)"),
        (True, "True"),
        ("ok", "ok"),
        ((1.0, 2.5), "(1, 2.5)"),
    ],
)
def test_headlines_are_written_alike(value, written, capsys):
    assert format_headline(value) == written
    show_headlines({"a": value})
    assert capsys.readouterr().out == f"a: {written}\n"
