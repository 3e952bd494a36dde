"""A seccomp filter: system calls that a computation never needs and an attack does.

It comes on top of the jail (no sockets at all, no new namespaces, no kernel interfaces with a
history of holes, no memory outside every account) and is the only wall around signals where there
is no jail.
"""

import ctypes
import errno
import os
import platform
import struct

from playground.sandbox import linux

# Numbers from the kernel's tables: (x86_64, aarch64).
_REFUSED = {
    "socket": (41, 198),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "quotactl": (179, 60),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "syslog": (103, 116),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "pidfd_send_signal": (424, 424),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "mount_setattr": (442, 442),
}
_CLONE, _CLONE3, _KILL, _TGKILL, _PRLIMIT = (56, 220), (435, 435), (62, 129), (234, 131), (302, 261)
_NEW_NAMESPACES = 0x7E020000
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32_BIT = 0x40000000

_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_FILTER_MODE = 2


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value & 0xFFFFFFFF)


def _only_argument(number: int, allowed: tuple[int, ...]) -> list[bytes]:
    """Refuse a call unless the low word of its first argument is among those allowed."""
    checks = [_step(_EQUAL, value, len(allowed) - index) for index, value in enumerate(allowed)]
    body = [
        _step(_LOAD, _FIRST_ARGUMENT_AT),
        *checks,
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return [_step(_EQUAL, number, 0, len(body)), *body]


def _not_argument(number: int, refused: int) -> list[bytes]:
    """Refuse a call when the low word of its first argument is this one."""
    body = [
        _step(_LOAD, _FIRST_ARGUMENT_AT),
        _step(_EQUAL, refused, 0, 1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return [_step(_EQUAL, number, 0, len(body)), *body]


def program(machine: str, own_pid: int, guard_signals: bool) -> bytes | None:
    """Write the filter for a machine.

    Args:
        machine: what `platform.machine()` says.
        own_pid: the process that will load it.
        guard_signals: refuse signals to any other process, where no PID namespace hides them;
            otherwise only to the first process of the namespace (it would ignore them anyway).

    Returns:
        The filter as BPF code, or None for a machine whose numbers are not known here.
    """
    if machine not in _ARCHITECTURES:
        return None
    column, architecture = _ARCHITECTURES[machine]
    steps = [
        _step(_LOAD, _ARCHITECTURE_AT),
        _step(_EQUAL, architecture, 1),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NUMBER_AT),
        _step(_AT_LEAST, _X32_BIT, 0, 1),
        _step(_RETURN, _ERRNO | errno.ENOSYS),
        # clone3 hides its flags in memory: say it does not exist, and libc falls back to clone.
        _step(_EQUAL, _CLONE3[column], 0, 1),
        _step(_RETURN, _ERRNO | errno.ENOSYS),
    ]
    for numbers in _REFUSED.values():
        steps += [
            _step(_EQUAL, numbers[column], 0, 1),
            _step(_RETURN, _ERRNO | errno.EPERM),
        ]
    steps += _only_argument(_PRLIMIT[column], (0, own_pid))
    if guard_signals:
        steps += _only_argument(_KILL[column], (0, own_pid, -own_pid))
        steps += _only_argument(_TGKILL[column], (own_pid,))
    else:
        steps += _not_argument(_KILL[column], 1)
    steps += [
        _step(_EQUAL, _CLONE[column], 0, 3),
        _step(_LOAD, _FIRST_ARGUMENT_AT),
        _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def install(guard_signals: bool) -> bool:
    """Load the filter into the calling process, for good.

    Args:
        guard_signals: see `program`.

    Returns:
        Whether a filter is in force; False where there is none for this system.

    Raises:
        OSError: the kernel knows filters and refuses this one.
    """
    code = program(platform.machine(), os.getpid(), guard_signals) if linux.ON_LINUX else None
    if code is None:
        return False
    buffer = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(
        struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    )
    try:
        linux.prctl(linux.PR_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(header))
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOSYS):  # a kernel built without filters
            return False
        raise
    return True
