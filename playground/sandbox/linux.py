"""The few Linux system calls that Python does not wrap, by ctypes. Harmless to import elsewhere."""

import contextlib
import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18

ON_LINUX = sys.platform == "linux"
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63

_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def prctl(option: int, first: int = 0, second: int = 0) -> None:
    """Change an attribute of the calling process.

    Raises:
        OSError: the kernel refuses.
    """
    if ON_LINUX and _libc is not None:
        arguments = [ctypes.c_ulong(number) for number in (first, second, 0, 0)]
        _checked(_libc.prctl(option, *arguments), f"prctl({option})")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system in the mount namespace of the calling process.

    Raises:
        OSError: the kernel refuses.
    """
    assert _libc is not None
    texts = [text.encode() for text in (source, target, kind)]
    _checked(
        _libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None), f"mount {target}"
    )


def drop_capabilities() -> None:
    """Give up every capability of the calling thread, also those a later exec could bring back.

    Raises:
        OSError: the kernel refuses to clear the sets.
    """
    if not ON_LINUX or _libc is None:
        return
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # not known to this kernel, or no right to drop: the sets go below
            break
    with contextlib.suppress(OSError):
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(header, nothing), "capset")
