"""Widgets and frame that all pages share; beside the pages the only importer of Streamlit."""

from playground.ui.controls import Panel
from playground.ui.frame import begin, enter, lesson
from playground.ui.language import lang, t
from playground.ui.links import link_to
from playground.ui.predict import predict_first
from playground.ui.show import checks, finish, headline_row, plot, prose, strip
from playground.ui.work import compute, long_work

__all__ = [
    "Panel",
    "begin",
    "checks",
    "compute",
    "enter",
    "finish",
    "headline_row",
    "lang",
    "lesson",
    "link_to",
    "long_work",
    "plot",
    "predict_first",
    "prose",
    "strip",
    "t",
]
