"""What `jax.vmap` does with any call, and why it refuses.

    from playground.axes import Level, explain, find_axes

    report = explain(function, args, kwargs, levels=(Level(in_axes=(0, None)),))

`report` (see `report.py`) says what each level sees, what comes out, how the batch axis travels and
what it costs; on refusal `report.error` says why in plain words and offers repairs that were tried.
`find_axes` searches the axes that give a wanted output shape.
"""

from playground.axes.explain import explain
from playground.axes.levels import Level
from playground.axes.report import Report
from playground.axes.search import find_axes

__all__ = ["Level", "Report", "explain", "find_axes"]
