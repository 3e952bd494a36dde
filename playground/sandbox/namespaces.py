"""A room of its own for one run, inside the jail: processes, files and IPC nobody else sees.

The jail (bubblewrap) lasts as long as the warm parent. Each run gets new PID, mount and IPC
namespaces in it: a run sees no process of another run, its files live in a tmpfs that dies with
it, and when its first process ends the kernel kills all that is left.
"""

import os
import signal
import struct
from collections.abc import Callable

from playground.sandbox import linux

WORK_BYTES = 64 << 20
SHARED_BYTES = 16 << 20
_ENDED = struct.Struct("!iqd")


def unshare_for_children() -> None:
    """Let the next child of the calling process be the first process of a new room.

    Raises:
        OSError: the kernel does not allow it.
    """
    flags = os.CLONE_NEWPID | os.CLONE_NEWIPC
    if os.geteuid() == 0:
        os.unshare(flags)
        return
    user, group = os.geteuid(), os.getegid()
    os.unshare(flags | os.CLONE_NEWUSER)
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # else these files belong to root
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)


def furnish(hidden: str, work: str) -> None:
    """Give the room its own /proc and, in the jail, its own files; hide the sandbox's sources.

    Args:
        hidden: directory to cover, everything needed from it has been imported; or "".
        work: where the run's files go, and /dev/shm with them; or "" to leave files as they are.

    Raises:
        OSError: a mount failed.
    """
    os.unshare(os.CLONE_NEWNS)  # here, not in the warden: it must go on seeing its own /proc
    quiet = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    _mount_processes(quiet | linux.MS_NOEXEC)
    if hidden:
        linux.mount("tmpfs", hidden, "tmpfs", quiet | linux.MS_RDONLY, "size=4k")
    if work:
        options = f"mode=1777,size={SHARED_BYTES},nr_inodes=1024"
        linux.mount("tmpfs", "/dev/shm", "tmpfs", quiet, options)
        options = f"mode=1777,size={WORK_BYTES},nr_inodes=4096"
        linux.mount("tmpfs", work, "tmpfs", quiet, options)


def _mount_processes(flags: int) -> None:
    """Mount a /proc that shows the room's processes alone.

    XLA reads /proc/cpuinfo to choose its kernels, so the part about the machine stays if it may.
    """
    for options in ("", "subset=pid"):
        try:
            linux.mount("proc", "/proc", "proc", flags, options)
            return
        except OSError:
            continue
    # Some nested user namespaces may not mount it: then a /proc of that one file has to do.
    with open("/proc/cpuinfo", "rb") as file:
        processors = file.read()
    linux.mount("tmpfs", "/proc", "tmpfs", flags, "size=2m")
    with open("/proc/cpuinfo", "wb") as file:
        file.write(processors)
    linux.mount("tmpfs", "/proc", "tmpfs", flags | linux.MS_REMOUNT | linux.MS_RDONLY, "size=2m")


def be_first_process(hidden: str, work: str, report: int, body: Callable[[], None]) -> None:
    """Act as the first process of the room: start the user's process, reap, tell how it ended.

    The user's process is the second one, because the kernel shields the first from signals:
    code that kills itself must die.

    Args:
        hidden: see `furnish`.
        work: see `furnish`.
        report: pipe for the wait status, the largest memory in bytes and the CPU seconds.
        body: what the user's process does; it must not return.
    """
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    os.setsid()
    furnish(hidden, work)
    user = os.fork()
    if user == 0:
        os.close(report)
        body()
        os._exit(70)
    os.closerange(0, report)
    os.closerange(report + 1, 4096)
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == user:
            cpu = usage.ru_utime + usage.ru_stime
            os.write(report, _ENDED.pack(status, usage.ru_maxrss * 1024, cpu))
            os._exit(0)


def how_it_ended(message: bytes) -> tuple[int, int, float] | None:
    """Read what `be_first_process` wrote: wait status, largest memory in bytes, CPU seconds."""
    return _ENDED.unpack(message) if len(message) == _ENDED.size else None
