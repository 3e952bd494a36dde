"""One drawing: the plotly figure, its text for those who do not see it, and the data behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import plotly.graph_objects as go

LARGEST_JSON_BYTES = 1_000_000
MOST_CELLS = 200


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be shown.

    Attributes:
        figure: the plotly figure, without fixed colours for text or background.
        alt: what the figure shows, in one or two sentences of the page's language.
        table: the complete data behind it by column name; columns of one length.
        note: what was left out or reduced before drawing, in the page's language; may be empty.
    """

    figure: go.Figure
    alt: str
    table: Mapping[str, np.ndarray] = field(default_factory=dict)
    note: str = ""


def styled(figure: go.Figure, *, x: str = "", y: str = "", height: int = 380) -> go.Figure:
    """Give a figure the calm of the house: axis titles, margins, legend on top.

    Args:
        figure: the figure to change in place.
        x: title of the horizontal axis, with its unit.
        y: title of the vertical axis, with its unit.
        height: in pixels.

    Returns:
        The same figure.
    """
    figure.update_layout(
        height=height,
        margin={"l": 12, "r": 12, "t": 36, "b": 12},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": None},
        hoverlabel={"namelength": -1},
        bargap=0.05,
    )
    if x:
        figure.update_xaxes(title=x)
    if y:
        figure.update_yaxes(title=y)
    return figure


def thinned(length: int, most: int = MOST_CELLS) -> np.ndarray:
    """Choose evenly spaced positions when there are more rows than can be drawn.

    Args:
        length: how many there are.
        most: how many to keep at most.

    Returns:
        Increasing positions, int, shape (min(length, most),); first and last are kept.
    """
    if length <= most:
        return np.arange(length)
    return np.unique(np.linspace(0, length - 1, most).round().astype(int))
