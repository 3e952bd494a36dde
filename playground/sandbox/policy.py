"""Whether user code may run here, and inside which walls. No process is started in this module.

`PLAYGROUND_USER_CODE` decides:

- `off`: never.
- `auto` (default): in the jail; without one only when the server listens on loopback alone,
  that is, when whoever types the code owns the machine it runs on.
- `trusted`: in the jail, and without one too, whoever connects.

Any other value is read as `off`: a misspelt wish must not open the door.
"""

import ipaddress
import os
import shutil
import sys
from dataclasses import dataclass
from typing import Literal

Walls = Literal["jail", "bare"]
Reason = Literal["", "off", "unknown_setting", "no_jail", "no_processes"]

_server_address: str | None = None


@dataclass(frozen=True)
class Decision:
    """Where user code may run.

    Attributes:
        walls: the kinds of walls to try, best first; empty when user code is refused.
        reason: why it is refused, or would be if the walls listed cannot be put up.
    """

    walls: tuple[Walls, ...]
    reason: Reason = ""


def tell_server_address(address: str | None) -> None:
    """Say which address the server listens on.

    Args:
        address: host name or IP address; None or "" means every interface, the safe reading.
    """
    global _server_address
    _server_address = address


def server_address() -> str | None:
    """Return the address told, else `PLAYGROUND_SERVER_ADDRESS`, else None (every interface)."""
    return _server_address or os.environ.get("PLAYGROUND_SERVER_ADDRESS") or None


def is_loopback(address: str | None) -> bool:
    """Whether a server bound to this address can be reached from its own machine only."""
    if not address:
        return False
    if address.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def bubblewrap() -> str | None:
    """Return the path of bubblewrap, or None where there is none."""
    return shutil.which("bwrap") if sys.platform == "linux" else None


def decide() -> Decision:
    """Decide from the environment, the address and the tools present, anew for every run."""
    setting = os.environ.get("PLAYGROUND_USER_CODE", "auto").strip().lower() or "auto"
    if setting == "off":
        return Decision((), "off")
    if setting not in ("auto", "trusted"):
        return Decision((), "unknown_setting")
    if not hasattr(os, "fork"):
        return Decision((), "no_processes")
    jail: tuple[Walls, ...] = ("jail",) if bubblewrap() else ()
    if setting == "trusted" or is_loopback(server_address()):
        return Decision((*jail, "bare"))
    return Decision(jail, "no_jail")
