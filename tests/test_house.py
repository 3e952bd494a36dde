"""The house keeps its shape: arrows point one way, rooms keep to their size, texts pair up."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ORDER = (
    "foundation",
    "axes",
    "lessons",
    "measure",
    "practice",
    "sandbox",
    "figures",
    "ui",
    "pages",
)
MAY_IMPORT = {
    "foundation": set(),
    "axes": {"foundation"},
    "lessons": {"foundation", "axes"},
    "measure": {"foundation", "axes"},
    "sandbox": {"foundation", "axes"},
    "practice": {"foundation", "axes", "sandbox"},
    "figures": {"foundation", "axes", "lessons", "measure", "practice"},
    "ui": set(ORDER) - {"pages", "ui"},
    "pages": set(ORDER) - {"pages"},
}
LONGEST_MODULE = 250
LONGEST_PAGE = 90
ROOM_OF_LIBRARY = {"plotly": {"figures"}, "streamlit": {"ui", "pages"}}


def sources() -> list[tuple[str, Path]]:
    rooms = [
        (path.relative_to(ROOT / "playground").parts[0], path)
        for path in sorted((ROOT / "playground").rglob("*.py"))
        if path.parent != ROOT / "playground"
    ]
    return rooms + [("pages", path) for path in sorted((ROOT / "pages").glob("*.py"))]


def imported(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.append(node.module or "")
            if node.module == "playground":
                names += [f"playground.{alias.name}" for alias in node.names]
    return names


def arrows_back(room: str, names: list[str]) -> list[str]:
    allowed = MAY_IMPORT[room] | {room}
    rooms = [name.split(".")[1] for name in names if name.startswith("playground.")]
    return [other for other in rooms if other not in allowed]


def test_an_arrow_that_points_back_is_found():
    assert arrows_back("axes", ["playground.ui.show", "jax"]) == ["ui"]
    assert arrows_back("lessons", ["playground.measure.timing"]) == ["measure"]
    assert arrows_back("figures", ["playground.lessons.walks"]) == []


@pytest.mark.parametrize(("room", "path"), sources(), ids=lambda v: getattr(v, "stem", v))
def test_imports_point_one_way(room: str, path: Path):
    names = imported(path)
    assert not arrows_back(room, names), f"{path} imports against the arrows"
    for library, rooms in ROOM_OF_LIBRARY.items():
        uses = any(name == library or name.startswith(library + ".") for name in names)
        assert not uses or room in rooms, f"{path} imports {library}"
    internals = [name for name in names if name.startswith("jax._src")]
    assert not internals or room == "axes", f"{path} reaches into JAX's internals"


@pytest.mark.parametrize(("room", "path"), sources(), ids=lambda v: getattr(v, "stem", v))
def test_rooms_keep_to_their_size_and_say_what_they_hold(room: str, path: Path):
    source = path.read_text(encoding="utf-8")
    longest = LONGEST_PAGE if room == "pages" else LONGEST_MODULE
    assert len(source.splitlines()) <= longest
    assert ast.get_docstring(ast.parse(source)), f"{path} does not say what is inside"


def pairs() -> list[str]:
    return sorted(
        path.name[: -len(".en.md")] for path in (ROOT / "playground/text").glob("*.en.md")
    )


def anatomy(path: Path) -> tuple[list[str], list[str]]:
    source = path.read_text(encoding="utf-8")
    formulas = re.findall(r"\$\$?(.+?)\$\$?", source, flags=re.DOTALL)
    return re.findall(r"^## +(.+?) *$", source, flags=re.MULTILINE), formulas


def test_every_text_has_its_pair():
    names = {path.name for path in (ROOT / "playground/text").glob("*.md")}
    assert names == {f"{page}.{language}.md" for page in pairs() for language in ("en", "zh")}


@pytest.mark.parametrize("page", pairs())
def test_both_texts_have_the_same_sections_and_formulas(page: str):
    english, chinese = (ROOT / f"playground/text/{page}.{language}.md" for language in ("en", "zh"))
    assert anatomy(english) == anatomy(chinese)
    assert re.search("[\u4e00-\u9fff]", chinese.read_text(encoding="utf-8"))
    assert not re.search("[\u4e00-\u9fff]", english.read_text(encoding="utf-8"))


def curriculum_rows_named() -> set[str]:
    rows: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"\s*# covers: (.+)$", line):
                rows |= {row.strip() for row in match[1].split(",")}
    return rows


def test_rows_of_the_curriculum_are_written_as_their_names():
    for row in curriculum_rows_named():
        assert re.fullmatch(r"[A-Z]\d{1,2}|X|Q", row), row
