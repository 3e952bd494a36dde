"""The filter of system calls, run step by step by a small machine of these tests' own."""

import errno
import struct

import pytest

from playground.sandbox.system_calls import program

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
X86, ARM = 0xC000003E, 0xC00000B7
EPERM, ENOSYS = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
PID = 1234


def decide(code: bytes, architecture: int, number: int, first: int = 0) -> int:
    """Run a filter as the kernel does (the four instructions it uses)."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, first & (2**64 - 1), 0, 0, 0, 0, 0)
    steps = list(struct.iter_unpack("<HBBI", code))
    accumulator, at = 0, 0
    while True:
        instruction, if_true, if_false, value = steps[at]
        at += 1
        if instruction == 0x06:
            return value
        if instruction == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
            continue
        holds = {
            0x15: accumulator == value,
            0x35: accumulator >= value,
            0x45: bool(accumulator & value),
        }[instruction]
        at += if_true if holds else if_false


MACHINES = {"x86_64": X86, "aarch64": ARM}


@pytest.mark.parametrize(
    ("machine", "name", "number", "first", "wanted"),
    [
        ("x86_64", "read", 0, 0, ALLOW),
        ("x86_64", "socket", 41, 2, EPERM),
        ("x86_64", "socketpair", 53, 1, ALLOW),
        ("x86_64", "ptrace", 101, 0, EPERM),
        ("x86_64", "fork by clone", 56, 0x01200011, ALLOW),
        ("x86_64", "a thread by clone", 56, 0x003D0F00, ALLOW),
        ("x86_64", "clone into a user namespace", 56, 0x10000011, EPERM),
        ("x86_64", "clone3", 435, 0, ENOSYS),
        ("x86_64", "32-bit numbers of x32", 0x40000000 + 41, 0, ENOSYS),
        ("x86_64", "own limits", 302, 0, ALLOW),
        ("x86_64", "limits of another", 302, 1, EPERM),
        ("x86_64", "kill a child", 62, 77, ALLOW),
        ("x86_64", "kill the first process", 62, 1, EPERM),
        ("aarch64", "read", 63, 0, ALLOW),
        ("aarch64", "socket", 198, 2, EPERM),
        ("aarch64", "clone into a user namespace", 220, 0x10000011, EPERM),
        ("aarch64", "fork by clone", 220, 0x01200011, ALLOW),
        ("aarch64", "kill the first process", 129, 1, EPERM),
    ],
)
def test_calls_are_decided(machine: str, name: str, number: int, first: int, wanted: int):
    code = program(machine, PID, guard_signals=False)
    assert code is not None
    assert decide(code, MACHINES[machine], number, first) == wanted, name


@pytest.mark.parametrize(
    ("machine", "kill", "tgkill"), [("x86_64", 62, 234), ("aarch64", 129, 131)]
)
def test_guarded_signals_reach_nobody_else(machine: str, kill: int, tgkill: int):
    code = program(machine, PID, guard_signals=True)
    assert code is not None

    def verdict(number: int, target: int) -> int:
        return decide(code, MACHINES[machine], number, target)

    for target in (PID, 0, -PID & (2**32 - 1)):
        assert verdict(kill, target) == ALLOW
    for target in (1, PID + 1, -1 & (2**32 - 1)):
        assert verdict(kill, target) == EPERM
    assert verdict(tgkill, PID) == ALLOW
    assert verdict(tgkill, PID + 1) == EPERM


def test_another_architecture_is_killed():
    code = program("x86_64", PID, guard_signals=False)
    assert code is not None
    assert decide(code, 0x40000003, 11) == KILL  # execve of a 32-bit program


def test_unknown_machines_have_no_filter():
    assert program("riscv64", PID, guard_signals=True) is None
