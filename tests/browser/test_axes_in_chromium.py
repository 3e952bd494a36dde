"""The Axes page as people use it: chips, a refusal and its repair, keyboard, teachers' links."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_wrong_chip_is_refused_and_a_button_repairs_it(server, visit):
    page = visit(f"{server}/axes?lang=en")
    page.get_by_text("axis 0 · 3").click()
    expect(page.get_by_text("All mapped axes must have one size")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Map column along axis 1").click()
    expect(page.get_by_text("equals f(example 1)")).to_be_visible(timeout=30_000)
    page.wait_for_function("location.search.includes('axes_in_axes=%281%2C+0%29')")
    again = visit(page.url)
    expect(again.get_by_text("equals f(example 1)")).to_be_visible(timeout=30_000)


def test_a_chip_can_be_chosen_by_keyboard_alone(server, visit):
    page = visit(f"{server}/axes?lang=en")
    chosen = page.get_by_role("radio", name="axis 1 · 5")
    chosen.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.get_by_text("All mapped axes must have one size")).to_be_visible(timeout=30_000)


def test_a_wanted_shape_finds_its_axes(server, visit):
    page = visit(f"{server}/axes?lang=en")
    page.get_by_role("textbox", name="I want this output shape").fill("(3, 5)")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="in_axes=(1, 0), out_axes=1").click()
    expect(page.get_by_text("batch axis 1")).to_be_visible(timeout=30_000)
    page.wait_for_function("location.search.includes('axes_out_axes=1')")


def test_a_teachers_link_asks_first_and_hides_what_it_names(server, visit):
    page = visit(f"{server}/axes?lang=en&predict=true&hide=function,want&answers=off&size=large")
    assert page.get_by_test_id("stSelectbox").count() == 0
    expect(page.get_by_text("Predict first")).to_be_visible()
    assert page.get_by_text("batch axis 0").count() == 0
    page.get_by_text("(3, 5)", exact=True).click()
    expect(page.get_by_text("You chose (3, 5)")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("That would need")).to_be_visible()
    assert page.get_by_role("textbox", name="I want this output shape").count() == 0


def test_a_second_vmap_comes_and_goes_with_its_toggle(server, visit):
    page = visit(f"{server}/axes?lang=en&axes_function=matvec")
    page.get_by_text("A second vmap around it").click()
    expect(page.get_by_text("equals f(example (1, 1))")).to_be_visible(timeout=30_000)
    page.wait_for_function("location.search.includes('axes_outer=true')")
    page.get_by_role("radiogroup", name="outer vmap · i").first.get_by_text("axis 2 · 3").click()
    expect(page.get_by_text("itself fails on one example")).to_be_visible(timeout=30_000)
    page.get_by_text("A second vmap around it").click()
    page.wait_for_function("!location.search.includes('axes_outer')")
    assert page.complaints == []


@pytest.mark.parametrize("junk", ["axes_in_axes=[[", "axes_shapes=((9,9)", "axes_example=1e99"])
def test_junk_in_the_link_is_named(server, visit, junk):
    page = visit(f"{server}/axes?lang=en&{junk}")
    assert page.get_by_test_id("stAlert").count() >= 1
    assert "Traceback" not in page.inner_text("[data-testid=stApp]")
    assert page.get_by_text("Something went wrong").count() == 0
