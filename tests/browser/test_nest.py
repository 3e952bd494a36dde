"""The page Nest in a real browser: a slider, a file of points, a large matrix that is cancelled."""

import pytest

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def test_a_slider_changes_both_matrices_and_the_link(server, visit):
    page = visit(f"{server}/nest?lang=en")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.body.innerText.includes('(7, 7)')")
    page.wait_for_function("location.search.includes('nest_rows=7')")


def test_a_file_of_points_is_compared_and_bad_lines_are_named(server, visit):
    page = visit(f"{server}/nest?lang=zh&nest_section=own")
    rows = "x;y\n1,5;2\nbad;3\n1,5;2\n9;9\n"
    file = {"name": "points.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    page.set_input_files("input[type=file]", file)
    page.get_by_text("第 3 行：“x” 列中的“bad”不是数字").wait_for()
    settle(page)
    assert page.locator("[data-testid=stException]").count() == 0


def test_a_large_matrix_can_be_cancelled(server, visit):
    page = visit(f"{server}/nest?lang=en&nest_section=large&nest_large=16384&nest_dimension=16")
    page.get_by_text("Compute 268,435,456 values").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("of the rows, ").wait_for()
    shown = page.inner_text("[data-testid=stApp]")
    assert "100% of the rows" not in shown
    assert "Something went wrong" not in shown
