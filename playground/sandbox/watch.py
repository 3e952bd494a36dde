"""What the processes of one run use, read from /proc. Where there is no /proc, nothing is known."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


def _fields(path: Path, names: tuple[str, ...]) -> dict[str, int]:
    """Read numbers from a file of `name: number kB` lines; bytes where the unit is kB."""
    found: dict[str, int] = {}
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return found
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        if name in names:
            number = rest.split()
            found[name] = int(number[0]) * (1024 if number[-1] == "kB" else 1)
    return found


def descendants(ancestor: int) -> list[int]:
    """List the processes below one, zombies included, as seen in this process's /proc."""
    parents: dict[int, list[int]] = {}
    try:
        names = [entry for entry in os.listdir(_PROC) if entry.isdecimal()]
    except OSError:
        return []
    for name in names:
        parent = _fields(_PROC / name / "status", ("PPid",)).get("PPid")
        if parent is not None:
            parents.setdefault(parent, []).append(int(name))
    found, frontier = [], [ancestor]
    while frontier:
        children = parents.get(frontier.pop(), [])
        found += children
        frontier += children
    return found


def own_bytes(pid: int | str = "self") -> int:
    """Return a process's memory that no file backs: anonymous and shared pages, in bytes."""
    return sum(_fields(_PROC / str(pid) / "status", ("RssAnon", "RssShmem")).values())


def tasks_of_user(user: int) -> int:
    """Count the processes and threads of a user, as far as this /proc shows them."""
    total = 0
    for path in _PROC.glob("[0-9]*/status"):
        parts = _fields(path, ("Uid", "Threads"))
        total += parts.get("Threads", 0) if parts.get("Uid") == user else 0
    return total


def _fair_bytes(pid: int) -> int | None:
    """Return the same with shared pages divided among those who share them (slower to read)."""
    parts = _fields(_PROC / str(pid) / "smaps_rollup", ("Pss_Anon", "Pss_Shmem", "Pss"))
    if "Pss_Anon" in parts:
        return parts["Pss_Anon"] + parts.get("Pss_Shmem", 0)
    return parts.get("Pss")


def memory(pids: list[int], baseline: int, limit: int) -> int:
    """Weigh a run.

    Args:
        pids: its processes.
        baseline: bytes that the warm parent had when it forked.
        limit: above this the slow, fair account is made.

    Returns:
        Bytes used above the baseline.
    """
    quick = sum(max(0, own_bytes(pid) - baseline) for pid in pids)
    if len(pids) < 2 or quick <= limit:
        return quick
    # Forks share pages: count each page once before anybody is killed for it.
    shared = 0
    for pid in pids:
        fair = _fair_bytes(pid)
        # Only a room's first process, a fork of ours that does nothing, may be closed to us.
        shared += max(0, own_bytes(pid) - baseline) if fair is None else fair
    return max(0, shared - baseline)


def kill_all_below(ancestor: int, patience: float = 5.0) -> None:
    """Kill and reap every descendant of the calling process until none is left.

    Args:
        ancestor: the calling process, to which orphans fall (it must be their subreaper).
        patience: seconds after which those that cannot be killed are left.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        pids = descendants(ancestor)
        for pid in pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            if not pids:
                return
        time.sleep(0.002)
