"""How the warm parent is started: as it is, or inside bubblewrap with only the Python it needs."""

import importlib.util
import json
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playground.sandbox import namespaces, policy, watch
from playground.sandbox.policy import Walls

TRUSTED = "/trusted"
_PACKAGES = "/packages"
_SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib")
# What these rooms need from the real root: to make rooms, to change user, to end and weigh runs.
_KEPT_BY_ROOT = ("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE")
_CAP_SYS_ADMIN = 21
_NOBODY = "65534"
_ROOT = Path(__file__).resolve().parents[2]
# Only these parts of the playground are needed by trusted code in the user's process.
_PARTS = (
    "playground/__init__.py",
    "playground/sandbox",
    "playground/foundation",
    "playground/axes",
    "playground/measure",
)


@dataclass(frozen=True)
class Command:
    """A program to start.

    Attributes:
        arguments: the command line.
        environment: all it gets of an environment.
    """

    arguments: list[str]
    environment: dict[str, str]


def environment() -> dict[str, str]:
    """Return the environment of the warm parent: nothing of the server's own."""
    return {
        "LANG": "C.UTF-8",
        "JAX_PLATFORMS": "cpu",
        "JAX_TRACEBACK_FILTERING": "remove_frames",
        "OPENBLAS_NUM_THREADS": "1",  # threads started at import would forbid the fork
        "OMP_NUM_THREADS": "1",
        "TF_CPP_MIN_LOG_LEVEL": "2",
    }


def library_folders() -> list[str]:
    """Return the folders that hold JAX and its kin, best first."""
    folders: list[str] = []
    for package in ("jax", "jaxlib", "numpy", "ml_dtypes", "opt_einsum", "scipy"):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin:
            folder = str(Path(spec.origin).resolve().parents[1])
            folders += [] if folder in folders else [folder]
    return folders


def work_folder() -> str:
    """Return the working directory in the jail: /tmp, unless Python itself lives below that."""
    below = os.path.realpath(sys.base_prefix).startswith("/tmp/")
    return "/scratch" if below else "/tmp"


def command(walls: Walls, control: int, rooms: bool = True) -> Command:
    """Write the command that starts a warm parent.

    Args:
        walls: "jail" or "bare".
        control: descriptor of the control socket, which the program inherits.
        rooms: try to give each run namespaces of its own; False behaves like a kernel without.

    Returns:
        The command.

    Raises:
        FileNotFoundError: a jail is asked for and bubblewrap is not there.
    """
    python = os.path.realpath(sys.executable)
    is_root = os.geteuid() == 0 and (walls == "bare" or _may_make_namespaces())
    # A number nobody has, another one for every warm parent: users share limits on processes.
    user_base = random.randrange(100_000, 200_000) * 10_000 if is_root else None
    settings: dict[str, Any] = {
        "control": control,
        "jailed": walls == "jail",
        "rooms": rooms,
        "hidden": TRUSTED if walls == "jail" else "",
        "work": work_folder() if walls == "jail" else "",
        "user_base": user_base,
        "others": 0 if is_root else watch.tasks_of_user(os.getuid()),
    }
    folders = library_folders()
    if walls == "bare":
        settings["paths"] = [str(_ROOT), *folders]
        program = [python, "-I", "-S", "-B", str(Path(__file__).with_name("zygote.py"))]
        return Command([*program, json.dumps(settings)], environment())
    bubblewrap = policy.bubblewrap()
    if bubblewrap is None:
        raise FileNotFoundError("bwrap is not on the PATH")
    inside = {folder: f"{_PACKAGES}/{index}" for index, folder in enumerate(folders)}
    settings["paths"] = [TRUSTED, *inside.values()]
    program = [python, "-I", "-S", "-B", f"{TRUSTED}/playground/sandbox/zygote.py"]
    binds = _system_binds() + [("--ro-bind", *pair) for pair in inside.items()]
    binds += [("--ro-bind", str(_ROOT / part), f"{TRUSTED}/{part}") for part in _PARTS]
    arguments = [bubblewrap, *_walls(is_root), *_parents(binds)]
    arguments += [word for bind in binds for word in bind]
    return Command([*arguments, *_furniture(), "--", *program, json.dumps(settings)], {})


def _may_make_namespaces() -> bool:
    """Whether this root is the real one; in many containers root has lost the right to."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
            held = next(line.split()[1] for line in lines if line.startswith("CapEff:"))
    except (OSError, StopIteration):
        return False
    return bool(int(held, 16) >> _CAP_SYS_ADMIN & 1)


def _walls(is_root: bool) -> list[str]:
    words = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--clearenv"]
    words += ["--hostname", "jail", "--cap-drop", "ALL"]
    if is_root:
        # Root makes no user namespace: in it the runs would still be root to the kernel, which
        # no limit on processes binds. The warm parent keeps the right to change user instead,
        # and every run becomes an unprivileged user before it sees user code.
        return words + [word for name in _KEPT_BY_ROOT for word in ("--cap-add", name)]
    return [*words, "--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY]


def _system_binds() -> list[tuple[str, str, str]]:
    binds: list[tuple[str, str, str]] = []
    for folder in _SYSTEM:
        if os.path.islink(folder):
            binds.append(("--symlink", os.readlink(folder), folder))
        elif os.path.isdir(folder):
            binds.append(("--ro-bind", folder, folder))
    binds.append(("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"))
    binds.append(("--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"))
    prefix = os.path.realpath(sys.base_prefix)
    if prefix in ("/usr", "/usr/local"):  # a system's Python: its libraries are bound above
        prefix = os.path.realpath(sys.executable)
    return [*binds, ("--ro-bind", prefix, prefix)]


def _parents(binds: list[tuple[str, str, str]]) -> list[str]:
    """Make the folders above every bind; by itself bubblewrap lets only root look into them."""
    folders: list[str] = []
    for _, _, target in binds:
        for folder in reversed(Path(target).parents[:-1]):
            folders += [] if str(folder) in folders else [str(folder)]
    bound = {target for _, _, target in binds}
    return [
        word for name in folders if name not in bound for word in ("--perms", "0755", "--dir", name)
    ]


def _furniture() -> list[str]:
    words = ["--proc", "/proc", "--dev", "/dev"]
    words += ["--perms", "1777", "--size", str(namespaces.WORK_BYTES), "--tmpfs", work_folder()]
    for name, value in environment().items():
        words += ["--setenv", name, value]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/"]
