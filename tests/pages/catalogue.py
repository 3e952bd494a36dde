"""Finds the pure part of every page by its name, for the tests that all pages share."""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

from playground.foundation.settings import Settings
from playground.ui.navigation import ENTRIES

ROOT = Path(__file__).resolve().parents[2]
PAGES = tuple(entry.name for entry in ENTRIES)
ROOMS = ("lessons", "measure", "practice")


def pure_part(page: str) -> ModuleType | None:
    """Return the module of a page's mathematics, or None when the page has none of its own."""
    for room in ROOMS:
        name = f"playground.{room}.{page}"
        if importlib.util.find_spec(name):
            return importlib.import_module(name)
    return None


def settings_class(page: str) -> type[Settings] | None:
    """Return the settings class of a page."""
    kinds = [
        value
        for value in getattr(pure_part(page), "__dict__", {}).values()
        if isinstance(value, type) and issubclass(value, Settings) and value is not Settings
    ]
    return next((kind for kind in kinds if kind.prefix == page), kinds[0] if kinds else None)
