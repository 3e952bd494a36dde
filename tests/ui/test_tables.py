"""Tables show what they are given, and nothing of it is taken for HTML; sources are readable."""

from playground.lessons.one_batch import dot
from playground.lessons.orders import compact
from playground.lessons.tracing import square
from playground.ui.source import source_of
from playground.ui.tables import table_html


def test_cells_become_code_and_warnings():
    drawn = table_html(("a", "b"), [("`x < 1`", "**nan**")])
    assert "<code>x &lt; 1</code>" in drawn
    assert "<b>nan</b>" in drawn
    assert drawn.count("<td") == 2


def test_html_in_a_cell_is_shown_as_it_stands():
    assert "<script>" not in table_html(("<script>",), [("<script>`<b>`",)])


def test_sources_are_shown_without_what_is_meant_for_tools():
    assert source_of(dot) == "def dot(x, y):\n    return jnp.dot(x, y)"
    assert "noqa" not in source_of(square)
    assert "    @jax.jit\n    def gradients" in source_of(compact)
    assert '"""' not in source_of(dot, square, compact)


def test_a_source_without_its_notes_is_still_python():
    compile(source_of(square, compact), "shown.py", "exec")
