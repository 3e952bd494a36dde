"""Cheat sheet: every call with what it gives now, and the page that shows it."""

from playground.lessons import cheat_sheet
from playground.ui import Panel, begin, cheat_sheet_page, enter, finish, lesson

enter()
begin("cheat_sheet")
cheat_sheet_page.look()


@lesson
def sheet() -> None:
    """The rows that match, topic by topic."""
    settings = cheat_sheet_page.controls(Panel(cheat_sheet.CheatSheetSettings))
    result = cheat_sheet_page.tables(settings)
    cheat_sheet_page.hints(settings, result.count)
    files = cheat_sheet_page.files(settings, result)
    finish("cheat_sheet", settings, cheat_sheet.script, files)


sheet()
