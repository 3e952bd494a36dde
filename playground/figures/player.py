"""A play button and a slider that the browser drives: frames move without any computation."""

import plotly.graph_objects as go

from playground.figures.palette import ACCENT
from playground.foundation.language import Language, pick


def add_player(
    figure: go.Figure,
    names: list[str],
    language: Language,
    *,
    prefix: str = "n = ",
    milliseconds: int = 90,
) -> None:
    """Give a figure that has frames a play button, a pause button and a slider.

    Args:
        figure: its frames carry `names`; the last one is what it shows at rest.
        names: of the frames, in order; the slider shows them.
        language: of the buttons.
        prefix: what the slider writes before the name of the frame.
        milliseconds: how long each frame stays.
    """
    still = {"mode": "immediate", "transition": {"duration": 0}}
    show = still | {"frame": {"duration": 0, "redraw": False}}
    play = still | {"frame": {"duration": milliseconds, "redraw": False}}
    steps = [
        {"label": name, "method": "animate", "args": [[name], show], "value": name}
        for name in names
    ]
    buttons = [
        {
            "label": pick(language, "▶ Play", "▶ 播放"),
            "method": "animate",
            "args": [names, play],
        },
        {
            "label": pick(language, "❚❚ Pause", "❚❚ 暂停"),
            "method": "animate",
            "args": [[None], show],
        },
    ]
    figure.update_layout(
        margin={"t": 60},
        sliders=[
            {
                "steps": steps,
                "active": len(names) - 1,
                "currentvalue": {"prefix": prefix},
                "pad": {"t": 50},
                "activebgcolor": ACCENT,
            }
        ],
        updatemenus=[
            {
                "type": "buttons",
                "direction": "left",
                "buttons": buttons,
                "showactive": False,
                "x": 0,
                "xanchor": "left",
                "y": 1.0,
                "yanchor": "bottom",
                "pad": {"b": 8},
            }
        ],
    )
