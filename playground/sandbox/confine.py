"""The limits a process puts on itself before it runs user code; none of them can be taken back."""

import math
import os
import resource
import sys
from dataclasses import dataclass

from playground.sandbox import linux, system_calls

MIB = 1 << 20
LARGEST_FILE = 32 * MIB
# What a started XLA backend weighs; it is not counted as the user's.
BACKEND_BYTES = 96 * MIB
OPEN_FILES = 256
# Room for what XLA's own threads map (stacks, allocator arenas): it is reserved, hardly used.
_DATA_ROOM, _DATA_ROOM_PER_CORE = 128 * MIB, 32 * MIB
_ADDRESS_ROOM, _ADDRESS_ROOM_PER_CORE = 1024 * MIB, 1024 * MIB
# The hard limit lies a little above the soft one, so that a run out of memory can still report.
REPORT_ROOM = 96 * MIB


@dataclass(frozen=True)
class Limits:
    """What one run may use.

    Attributes:
        seconds: wall-clock time.
        memory_bytes: memory of all its processes together, above JAX and its backend.
        cores: processors it may keep busy.
        processes: processes and threads alive at once.
        others: how many more the same user has outside that the kernel counts in.
        user_id: unprivileged user to become, or None to stay who it is.
        guard_signals: refuse signals to other processes by the filter of system calls.
    """

    seconds: float
    memory_bytes: int
    cores: int
    processes: int
    others: int
    user_id: int | None
    guard_signals: bool


def processes_for(cores: int) -> int:
    """Return how many processes and threads a run may have: XLA starts about five per core."""
    return 64 + 16 * cores


def _status_bytes(field: str) -> int:
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 512 * MIB


def _limit(name: str, soft: int, hard: int | None = None) -> None:
    number = getattr(resource, name, None)
    if number is None:
        return
    ceiling = resource.getrlimit(number)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(number, (soft, hard))
    except (OSError, ValueError):
        if sys.platform == "linux":
            raise


def limit_resources(limits: Limits) -> None:
    """Set the resource limits of the calling process and of all it will start."""
    cpu_seconds = math.ceil(limits.seconds * limits.cores) + 1
    _limit("RLIMIT_CPU", cpu_seconds, cpu_seconds + 1)
    data = _status_bytes("VmData") + limits.memory_bytes
    data += _DATA_ROOM + _DATA_ROOM_PER_CORE * limits.cores
    _limit("RLIMIT_DATA", data, data + REPORT_ROOM)
    addresses = _status_bytes("VmSize") + limits.memory_bytes
    addresses += _ADDRESS_ROOM + _ADDRESS_ROOM_PER_CORE * limits.cores
    _limit("RLIMIT_AS", addresses, addresses + REPORT_ROOM)
    if linux.ON_LINUX:  # elsewhere the user's other programs would count, unknown how many
        _limit("RLIMIT_NPROC", limits.processes + limits.others)
    _limit("RLIMIT_FSIZE", LARGEST_FILE)
    _limit("RLIMIT_NOFILE", OPEN_FILES)
    for name in ("RLIMIT_CORE", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE", "RLIMIT_RTPRIO"):
        _limit(name, 0)


def make_room_for_report() -> None:
    """Raise the soft memory limits to the hard ones, once user code has ended."""
    for name in ("RLIMIT_DATA", "RLIMIT_AS"):
        hard = resource.getrlimit(getattr(resource, name))[1]
        resource.setrlimit(getattr(resource, name), (hard, hard))


def drop_user(user_id: int) -> None:
    """Become an unprivileged user without any group; only root can."""
    os.setgroups([])
    os.setresgid(user_id, user_id, user_id)
    os.setresuid(user_id, user_id, user_id)


def confine(limits: Limits) -> None:
    """Put every limit on the calling process, which must have one thread.

    Raises:
        OSError: a limit could not be set; user code must then not run.
    """
    _invite_the_killer()
    limit_resources(limits)
    os.nice(5)
    if limits.user_id is not None:
        drop_user(limits.user_id)
    linux.drop_capabilities()
    # Changing user made the process opaque to its warden, which weighs its memory.
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    linux.prctl(linux.PR_SET_PDEATHSIG, 9)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    system_calls.install(limits.guard_signals)


def _invite_the_killer() -> None:
    """Let the kernel, should the whole machine run out of memory, kill user code first."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass
