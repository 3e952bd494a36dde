"""The user's source line behind an operation."""

from __future__ import annotations

import os
from typing import Any

from jax._src import source_info_util  # where an operation was called, as JAX recorded it


def source_of(info: Any) -> str:
    """Write the source line of an operation.

    Args:
        info: JAX's source information.

    Returns:
        Such as "model.py:12 (predict)"; "" where no line of the user is known.
    """
    frame = source_info_util.user_frame(info.traceback)
    if frame is None:
        return ""
    name = os.path.basename(frame.file_name)
    return f"{name}:{frame.start_line} ({frame.function_name})"


def current_source() -> str:
    """Write the source line that is being run now."""
    return source_of(source_info_util.current())
