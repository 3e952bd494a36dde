"""The raw samples of a measurement as files to download."""

from typing import Any

from playground.measure.records import Measured, to_csv, to_json


def sample_files(name: str, result: Measured | None, **more: Any) -> dict[str, bytes]:
    """Return every raw sample as CSV and as JSON, for `finish`.

    Args:
        name: of the files, without the ending.
        result: what was measured; None, when nothing was, gives no files.
        more: what else the JSON shall say.

    Returns:
        The contents by file name.
    """
    if result is None:
        return {}
    made = {f"{name}.csv": to_csv(result), f"{name}.json": to_json(result, **more)}
    return {file: content.encode() for file, content in made.items()}
