"""What only a browser shows of Vectorize, Control flow and Compose: parts on a phone, the film."""

import pytest

from playground.lessons import compose, control_flow, vectorize
from tests.browser.conftest import settle

pytestmark = pytest.mark.browser

PARTS = [
    (page, part)
    for page, lesson in (
        ("vectorize", vectorize),
        ("control_flow", control_flow),
        ("compose", compose),
    )
    for part in lesson.OF_PART
]


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_no_part_is_cut_off_on_a_phone(server, visit, name, part):
    page = visit(f"{server}/{name}?{name}_part={part}&lang=zh", theme="dark", width=390)
    wide = page.evaluate(
        "document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"
    )
    assert wide <= 0
    assert page.complaints == []
    assert "计算本页时出了问题" not in page.inner_text("[data-testid=stApp]")


def test_the_film_plays_from_its_beginning(server, visit):
    query = "control_flow_part=lanes&control_flow_inputs=range&control_flow_largest=6&lang=en"
    page = visit(f"{server}/control_flow?{query}")
    page.wait_for_selector(".updatemenu-button")
    assert page.text_content(".slider-label") == "round 8"
    page.locator(".updatemenu-button", has_text="Play").click()
    page.wait_for_function(
        "['round 1', 'round 2', 'round 3'].includes("
        "document.querySelector('.slider-label').textContent)"
    )
    page.wait_for_function("document.querySelector('.slider-label').textContent === 'round 8'")


def test_buttons_write_the_chain_into_the_link(server, visit):
    page = visit(f"{server}/compose?compose_function=wave&lang=en")
    page.get_by_role("button", name="jit ✕").first.click()
    page.wait_for_function("location.search.includes('compose_chain=grad%2C+vmap')")
    settle(page)
    again = visit(page.url)
    again.wait_for_function("document.body.innerText.includes('vmap(grad(wave))')")
    assert again.get_by_role("button", name="jit ✕").count() == 0
