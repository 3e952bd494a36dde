"""A learner's progress as a JSON file, and back; whatever the file says, the result is legal."""

import json
from collections.abc import Collection
from dataclasses import dataclass, field

from playground.foundation.language import Language, pick

FORMAT, VERSION = "vmap-playground-exercises", 1
LONGEST_FILE, LONGEST_CODE, DEEPEST = 400_000, 20_000, 8


class ProgressError(ValueError):
    """The file holds no progress.

    Attributes:
        says: why, in both languages.
    """

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__(english)
        self.says = english, chinese

    def message(self, language: Language) -> str:
        """Say why the file was not taken."""
        return pick(language, *self.says)


@dataclass(frozen=True)
class Progress:
    """What a learner has done.

    Attributes:
        solved: exercises that passed.
        attempts: the code last written, by exercise.
    """

    solved: frozenset[str] = frozenset()
    attempts: dict[str, str] = field(default_factory=dict)


def write(progress: Progress) -> bytes:
    """Write progress as the JSON file that `read` takes."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "solved": sorted(progress.solved),
        "attempts": progress.attempts,
    }
    return json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def read(content: bytes, known: Collection[str]) -> Progress:
    """Read a progress file.

    Args:
        content: the file, from anybody.
        known: names of exercises; all others are passed over.

    Returns:
        Progress of known exercises only, code cut to `LONGEST_CODE` characters.

    Raises:
        ProgressError: it is no such file.
    """
    if len(content) > LONGEST_FILE:
        raise ProgressError(
            f"The file has {len(content)} bytes; at most {LONGEST_FILE} are read.",
            f"文件有 {len(content)} 字节，最多读取 {LONGEST_FILE} 字节。",
        )
    try:
        data = json.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ProgressError("The file is not JSON.", "文件不是 JSON。") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ProgressError(
            "The file was not downloaded from this page.", "文件不是从本页下载的进度。"
        )
    if data.get("version") != VERSION:
        raise ProgressError(
            "The file belongs to another version of this page.", "文件属于本页的另一个版本。"
        )
    solved, attempts = data.get("solved"), data.get("attempts")
    solved = solved if isinstance(solved, list) else []
    attempts = attempts if isinstance(attempts, dict) else {}
    return Progress(
        frozenset(name for name in solved if isinstance(name, str) and name in known),
        {
            name: _legal(code)
            for name, code in attempts.items()
            if name in known and isinstance(code, str)
        },
    )


def _legal(code: str) -> str:
    """Keep what can stand in an editor."""
    return "".join(c for c in code if c.isprintable() or c in "\n\t")[:LONGEST_CODE]
