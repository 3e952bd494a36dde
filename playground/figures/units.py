"""Times and memory in words, ticks for logarithmic axes, and see-through colours."""

import math
from collections.abc import Iterable
from typing import Any

from playground.foundation.limits import readable_bytes

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def time_text(seconds: float) -> str:
    """Write a time with three digits and the unit that suits it: 0.00123 -> "1.23 ms"."""
    if not math.isfinite(seconds):
        return "–"
    for size, unit in UNITS:
        if abs(seconds) >= size * 0.9995:
            value = seconds / size
            return f"{value:.0f} {unit}" if value >= 99.95 else f"{value:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def seconds_ticks(values: Iterable[float]) -> dict[str, Any]:
    """Return the ticks of a logarithmic axis of seconds: with units, and finer below 30 times."""
    finite = [v for v in values if math.isfinite(v) and v > 0] or [1e-6, 1.0]
    low, high = math.floor(math.log10(min(finite))), math.ceil(math.log10(max(finite)))
    steps = (1,) if max(finite) / min(finite) > 30 else (1, 2, 5)
    ticks = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    return {"tickvals": ticks, "ticktext": [time_text(tick) for tick in ticks]}


def bytes_ticks(values: Iterable[float]) -> dict[str, Any]:
    """Return the ticks of a logarithmic axis of bytes: powers of two with binary units."""
    finite = [v for v in values if math.isfinite(v) and v > 0] or [1.0, 2.0**20]
    low, high = math.floor(math.log2(min(finite))), math.ceil(math.log2(max(finite)))
    step = max(1, math.ceil((high - low) / 7))
    ticks = [2.0**power for power in range(low, high + 1, step)]
    if max(finite) / min(finite) < 8:
        ticks += [1.5 * tick for tick in ticks] + [1.25 * tick for tick in ticks]
    return {"tickvals": ticks, "ticktext": [readable_bytes(tick) for tick in ticks]}


def translucent(colour: str, opacity: float) -> str:
    """Make a colour of the palette see-through: "#2f74ff", 0.2 -> "rgba(47,116,255,0.2)"."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"
