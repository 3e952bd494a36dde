"""How a page is looked at, apart from its own settings: what a teacher puts into a link."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from playground.foundation.settings import Settings, flag, one_of, text


@dataclass(frozen=True)
class View(Settings, prefix=""):
    """Parameters that every page understands.

    Attributes:
        hide: names of controls to leave out, separated by commas.
        answers: "off" leaves out answers and reference solutions.
        predict: asks for a prediction before results are shown.
        size: "large" is for a projector.
    """

    hide: str = text("", longest=400)
    answers: str = one_of("on", ("on", "off"))
    predict: bool = flag(False)
    size: str = one_of("normal", ("normal", "large"))

    @classmethod
    def key(cls, name: str) -> str:
        """Return the name itself: these parameters carry no page's prefix."""
        return name

    def hides(self, key: str) -> bool:
        """Tell whether a control is left out; `walk_seed` and `seed` both name it."""
        names = {name.strip() for name in self.hide.split(",")}
        return key in names or key.partition("_")[2] in names - {""}


def view() -> View:
    """Return how this page is looked at, as the link says or as it said earlier in this session."""
    given: dict[str, Any] = st.session_state.setdefault("view", {})
    given.update(
        {name: st.query_params[name] for name in View.__annotations__ if name in st.query_params}
    )
    return View.from_query(given)[0]
