"""Says on what a number was measured: device, cores, JAX version, date. No host names."""

import datetime
import platform
from dataclasses import dataclass
from pathlib import Path

import jax

from playground.foundation.language import Language, pick
from playground.foundation.limits import cores


@dataclass(frozen=True)
class MachineFacts:
    """What a reader must know to judge a measurement.

    Attributes:
        device: kind of the JAX device, such as "cpu".
        processor: model name of the processor, as the system says it; may be empty.
        cores: processor cores that this process may use.
        jax_version: of the JAX that ran.
        dtype: of the numbers that were computed.
        date: ISO date and time in UTC of the measurement.
    """

    device: str
    processor: str
    cores: int
    jax_version: str
    dtype: str
    date: str

    def caption(self, language: Language) -> str:
        """Write the line that stands under a plot."""
        processor = f" ({self.processor})" if self.processor else ""
        return pick(
            language,
            f"{self.device}{processor}, {self.cores} cores, JAX {self.jax_version}, {self.dtype}, "
            f"{self.date} UTC, shared machine",
            f"{self.device}{processor}，{self.cores} 核，JAX {self.jax_version}，{self.dtype}，"
            f"{self.date} UTC，机器与他人共用",
        )


def machine_facts(dtype: str = "float32") -> MachineFacts:
    """Read the facts of this machine now."""
    now = datetime.datetime.now(datetime.UTC)
    return MachineFacts(
        device=jax.devices()[0].device_kind,
        processor=_processor(),
        cores=cores(),
        jax_version=jax.__version__,
        dtype=dtype,
        date=now.strftime("%Y-%m-%d %H:%M"),
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
