"""The warm parent: a program of its own that has imported JAX and forks one warden per run.

It never starts a JAX backend (which would start threads, and only a process with one thread may
fork safely) and never runs user code. It ends when the app closes the control socket.
"""

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
from typing import Any

_THIS = "playground.sandbox.zygote"


def _import_all(package: str) -> None:
    """Import every module of a package, so that its sources can be hidden from the runs."""
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + "."):
        if module.name != _THIS:
            importlib.import_module(module.name)


def _rooms_work(hidden: str, work: str) -> bool:
    """Try, in a fork, whether a run can have a room of its own."""
    from playground.sandbox import namespaces

    reader, writer = os.pipe()
    tester = os.fork()
    if tester == 0:
        try:
            namespaces.unshare_for_children()
            first = os.fork()
            if first == 0:
                namespaces.be_first_process(hidden, work, writer, lambda: os._exit(0))
            os.waitpid(first, 0)
        except OSError as error:
            sys.stderr.write(f"no rooms: {error}\n")
        finally:
            os._exit(0)
    os.close(writer)
    message = os.read(reader, 64)
    os.close(reader)
    os.waitpid(tester, 0)
    return namespaces.how_it_ended(message) is not None


def _can_read(user: int, paths: list[str]) -> bool:
    """Try, in a fork, whether an unprivileged user could import what is imported lazily."""
    from playground.sandbox import confine

    tester = os.fork()
    if tester == 0:
        try:
            confine.drop_user(user)
            for path in (*paths, os.path.dirname(os.__file__)):
                os.listdir(path)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(tester, 0)[1] == 0


def _counts_by_namespace() -> bool:
    """Whether a user namespace has its own count of processes: since Linux 5.14."""
    release = os.uname().release.split(".")
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in release[:2]) >= (5, 14)


def main(settings: dict[str, Any]) -> None:
    """Warm up, say so, and fork a warden for every line handed over, until the app is gone.

    Args:
        settings: `paths` for imports, `control` (descriptor), `jailed`, `rooms` (whether to try
            for them), `hidden` and `work` (directories, empty without a jail), `user_base`,
            `others`.
    """
    sys.path[:0] = settings["paths"]
    import jax
    import jax.numpy

    from playground.sandbox import linux, warden, watch, wire

    with contextlib.suppress(ModuleNotFoundError):  # what JAX imports with its first operation
        importlib.import_module("jaxlib.mlir.dialects.mhlo")
    for package in ("playground.sandbox", "playground.foundation", "playground.axes"):
        _import_all(package)
    # Of the rest only the driver that asks for memory and chunk sizes, and what it needs.
    importlib.import_module("playground.measure.answering")
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    control = socket.socket(fileno=settings["control"])
    hidden, work, user_base = settings["hidden"], settings["work"], settings["user_base"]
    if user_base is not None and not _can_read(user_base, settings["paths"]):
        if settings["jailed"]:
            sys.exit("the Python libraries of this server can be read by its own user only")
        user_base = None
    rooms = settings["rooms"] and linux.ON_LINUX and _rooms_work(hidden, work)
    house = warden.House(
        rooms=rooms,
        jailed=settings["jailed"],
        hidden=hidden,
        work=work,
        user_base=user_base,
        others=0 if rooms and _counts_by_namespace() else settings["others"],
        baseline=watch.own_bytes(),
    )
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens are reaped by the kernel
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
    wire.send(control, {"ready": True, "rooms": rooms, "threads": threads, "jax": jax.__version__})
    number = 0
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not data or not descriptors:
            return
        number += 1
        if os.fork() == 0:
            try:
                control.close()
                warden.supervise(socket.socket(fileno=descriptors[0]), house, number)
            finally:
                os._exit(0)
        os.close(descriptors[0])


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
