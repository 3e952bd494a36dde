"""The colours that data wears in every figure; text and backgrounds belong to the theme.

Each has a contrast of at least 3:1 on the light and on the dark background of the app; a test
computes it.
"""

ACCENT = "#2f74ff"
"""The batch axis, and what belongs to one example."""

SHARED = "#7f8998"
"""What all examples share."""

FOUND = "#d97706"
"""The example that is lit, the outlier that was found, the surprise that is named."""

GOOD = "#1a9a6e"
"""A check that holds."""

BAD = "#d64545"
"""A check that fails; what was refused."""

SECOND = "#a855f7"
"""A second series beside the accent: another method, another order."""

THIRD = "#0891b2"
"""A third series."""

SERIES = (ACCENT, FOUND, SECOND, THIRD, GOOD, BAD, SHARED)
"""Several methods in one plot, in this order."""

WASTED_PATTERN = "/"
"""Hatching of what did not run or was wasted (plotly's pattern shape)."""

SEQUENTIAL = (
    (0.0, "#e8f0ff"),
    (0.25, "#a9c6ff"),
    (0.5, "#5f95ff"),
    (0.75, "#2458c9"),
    (1.0, "#0a2463"),
)
"""A heat map from small to large, in the accent's hue, the same on both themes."""

BACKGROUNDS = ("#ffffff", "#0e1117")
"""Backgrounds of the light and the dark theme, as in .streamlit/config.toml."""


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").

    Args:
        first: a colour such as "#2f74ff".
        second: another.
    """
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
