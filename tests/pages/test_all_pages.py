"""What every page owes its users: it opens, in both languages, whatever stands in the link."""

import subprocess
import sys
from dataclasses import fields

import pytest
from streamlit.testing.v1 import AppTest

from playground.foundation.script import format_headline
from tests.pages.catalogue import PAGES, ROOT, pure_part, settings_class

JUNK = ("abc", "1e99", "-1", "[[", "None", "x" * 10_000, "<script>alert(1)</script>", "")


def opened(page: str, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    app.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def failures(app: AppTest) -> list[str]:
    shown = [element.value for element in (*app.exception, *app.error)]
    return shown + [warning.value for warning in app.warning if "deprecat" in warning.value]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_without_a_failure(page, language):
    app = opened(page, lang=language)
    assert not failures(app)
    assert app.title
    is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in app.title[0].value)
    assert is_chinese == (language == "zh")
    for chart in app.get("plotly_chart"):  # a text alternative, and a bounded size
        assert chart.proto.alt, chart.proto.id
        assert len(chart.proto.spec) < 1_000_000


@pytest.mark.parametrize("page", PAGES)
def test_junk_in_the_link_never_breaks_a_page(page):
    kind = settings_class(page)
    if kind is None:
        pytest.skip("no settings of its own")
    for round_ in range(4):  # every value, on another field each round
        junk = JUNK[2 * round_]
        query = {
            kind.key(item.name): JUNK[(2 * round_ + place) % len(JUNK)]
            for place, item in enumerate(fields(kind))
        }
        if round_ % 2:
            query |= {"lang": junk, "hide": junk, "answers": junk, "size": junk, "predict": junk}
        app = opened(page, **query)
        assert not app.exception, (junk, [e.value for e in app.exception])
        assert not any("Something went wrong" in e.value for e in app.error), junk


@pytest.mark.parametrize("page", PAGES)
def test_the_code_shown_prints_the_numbers_of_the_page(page, tmp_path):
    part = pure_part(page)
    if part is None or not hasattr(part, "script"):
        pytest.skip("no script of its own")
    kind = settings_class(page)
    assert kind is not None
    settings = kind()
    path = tmp_path / f"{page}.py"
    path.write_text(part.script(settings))
    run = subprocess.run(
        [sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    result = part.compute(settings)
    expected = [f"{k}: {format_headline(v)}" for k, v in part.headlines(result).items()]
    assert run.stdout.splitlines() == expected
    compile(path.read_text(), str(path), "exec")


@pytest.mark.parametrize("page", PAGES)
def test_the_link_of_a_view_restores_it(page):
    kind = settings_class(page)
    if kind is None:
        pytest.skip("no settings of its own")
    changed = {}
    for item in fields(kind):
        rule = kind.rule(item.name)
        options = getattr(rule, "options", None)
        if options:
            changed[item.name] = next(o for o in options if o != item.default)
    settings = kind(**changed)
    restored, complaints = kind.from_query(settings.to_query())
    assert restored == settings
    assert not complaints
