"""What machine this is: JAX version, device, cores."""

from dataclasses import dataclass

import jax
import jaxlib

from playground.foundation.limits import cores


@dataclass(frozen=True)
class Machine:
    """The facts that belong beside every measured number.

    Attributes:
        jax: version of JAX.
        jaxlib: version of jaxlib, which carries the compiler.
        device: kind of the first device, such as "cpu".
        cores: processor cores that this process may use.
    """

    jax: str
    jaxlib: str
    device: str
    cores: int


def machine() -> Machine:
    """Ask the installed JAX and the operating system."""
    return Machine(jax.__version__, jaxlib.__version__, jax.devices()[0].device_kind, cores())
