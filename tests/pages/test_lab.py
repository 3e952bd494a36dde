"""The Lab page in process: own code, repairs that apply themselves, endings, links."""

import pytest

from playground.practice.lab_examples import EXAMPLES
from playground.sandbox import Outcome, policy
from playground.sandbox.outcome import CodeError
from playground.ui import lab_page
from tests.pages.test_all_pages import failures, opened

needs_jail = pytest.mark.skipif(policy.bubblewrap() is None, reason="no bubblewrap here")


def shown(app) -> str:
    parts = (*app.markdown, *app.caption, *app.code, *app.error, *app.warning, *app.info)
    boards = [element.proto.body for element in app.get("html")]
    return "\n".join([*(str(part.value) for part in parts), *boards])


@needs_jail
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_opens(name, language):
    app = opened("lab", lang=language)
    label = EXAMPLES[name].english if language == "en" else EXAMPLES[name].chinese
    app.selectbox(key="lab_start").set_value(label).run()
    assert not app.exception
    assert bool(app.error) == (name in ("branch", "sizes"))
    assert app.session_state["lab_code"] == EXAMPLES[name].code
    assert "Something went wrong" not in shown(app)


@needs_jail
def test_code_is_typed_into_the_plain_field_and_run():
    app = opened("lab", lang="en", lab_plain="true", lab_arguments="x: (3, 5)", lab_in_axes="1")
    code = "def f(x):\n    return jnp.stack([x.sum(), x.max()])\n"
    app.text_area(key="lab_code_plain").set_value(code).run()
    assert not failures(app)
    assert app.query_params["lab_code"] == code
    assert "(5, 2)" in shown(app)
    assert "equals f(example 1)" in shown(app)


@needs_jail
def test_a_repair_applies_itself():
    app = opened("lab", lang="en", lab_in_axes="(0, None, None)")
    assert "contracting dimensions" in app.error[0].value
    assert "line 3" in shown(app).lower()
    button = next(b for b in app.button if b.label.startswith("Map x along axis 1"))
    button.click().run()
    assert not app.error
    assert app.text_input(key="lab_in_axes").value == "(1, None, None)"


@needs_jail
def test_a_wanted_shape_offers_calls_that_apply_themselves():
    app = opened("lab", lang="en", lab_want="(4, 5)")
    button = next(b for b in app.button if "in_axes=(1, None, None), out_axes=1" in b.label)
    button.click().run()
    assert "batch axis 1" in shown(app)
    assert app.text_input(key="lab_want").value == ""


@needs_jail
def test_the_example_that_is_lit_can_be_chosen():
    app = opened("lab", lang="en")
    app.select_slider(key="lab_example").set_value(3).run()
    assert "equals f(example 3)" in shown(app)


@needs_jail
def test_an_error_points_to_the_line_of_the_code():
    app = opened("lab", lang="en", lab_code="a = 1\nb = a.nothing\ndef f(x): return x")
    assert "AttributeError in line 2" in app.error[0].value
    assert any(block.value == "b = a.nothing" for block in app.code)
    app = opened("lab", lang="en", lab_code="def f(x, W, b):\n    y = x + 1\n    return y @ c")
    assert any(block.value == "return y @ c" for block in app.code)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", ["timeout", "memory", "crashed", "refused", "busy", "error"])
def test_every_status_has_a_plain_sentence(monkeypatch, status, language):
    kind = "off" if status == "refused" else "SomeLimit"
    ended = Outcome(status, error=CodeError(kind, "no words for users"))
    monkeypatch.setattr(lab_page.lab, "ask", lambda *_, **__: lab_page.LabAnswer(ended))
    app = opened("lab", lang=language)
    said = [element.value for element in (*app.error, *app.warning)]
    assert len(said) == 1
    assert not app.exception
    is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in said[0])
    assert is_chinese == (language == "zh") or status == "error"


def test_arguments_that_cannot_be_read_are_named_with_their_line():
    app = opened("lab", lang="en", lab_arguments="x: (3, 5)\nW: nonsense(4)")
    assert any("Line 2" in warning.value for warning in app.warning)
    assert not app.error


@needs_jail
def test_no_function_and_what_was_printed():
    app = opened("lab", lang="en", lab_code="print('hello from my code')")
    assert any("defines no function" in info.value for info in app.info)
    assert any("hello from my code" in block.value for block in app.code)


@needs_jail
def test_code_too_long_for_the_link_stays_in_the_session():
    app = opened("lab", lang="en", lab_plain="true", lab_arguments="x: (3, 5)", lab_in_axes="0")
    code = "def f(x):\n    return x\n" + "# a long remark\n" * 400
    app.text_area(key="lab_code_plain").set_value(code).run()
    assert "lab_code" not in app.query_params
    assert "too long for the link" in shown(app)
    assert app.session_state["lab_code"] == code
    app.toggle(key="lab_plain").set_value(False).run()
    assert app.session_state["lab_code"] == code
    assert not failures(app)


@needs_jail
def test_code_of_a_link_asks_first_where_there_is_no_jail(monkeypatch):
    monkeypatch.setattr(policy, "bubblewrap", lambda: None)
    monkeypatch.setenv("PLAYGROUND_USER_CODE", "trusted")
    asked = []
    ended = lab_page.LabAnswer(Outcome("refused", error=CodeError("no_jail", "")))

    def ask(settings, session="", *, jail_only=False):
        asked.append(jail_only)
        return ended

    monkeypatch.setattr(lab_page.lab, "ask", ask)
    app = opened("lab", lang="en", lab_code="def f(x, W, b): return x * 2")
    assert asked == [True]
    app.button(key="lab_consent").click().run()
    assert asked == [True, False]


@needs_jail
def test_a_prediction_comes_before_the_outputs():
    app = opened("lab", lang="en", predict="true")
    assert "equals f(" not in shown(app)
    question = next(b for b in app.get("button_group") if b.key.startswith("predict_lab"))
    question.set_value("(5, 4)").run()
    assert "equals f(example 1)" in shown(app)


@needs_jail
@pytest.mark.slow
def test_memory_and_chunks_on_request():
    app = opened("lab", lang="en", lab_arguments="x: (3, 64)\nW: (4, 3)\nb: (4,)")
    app.button(key="lab_measure").click().run(timeout=120)
    assert not failures(app)
    assert "Temporaries of one vmap" in [metric.label for metric in app.metric]
    assert len(app.get("plotly_chart")) >= 1
    assert any("k = " in message.value for message in app.success)
