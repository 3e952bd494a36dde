"""Asks the compiler what a program will need, before anything runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax


@dataclass(frozen=True)
class Memory:
    """What the compiler plans for one program, in bytes.

    `peak_memory_in_bytes` of the same analysis does not follow the chunk size on the CPU, so it
    is not used.
    """

    temporary_bytes: int
    output_bytes: int
    argument_bytes: int

    @property
    def predicted_bytes(self) -> int:
        """Temporaries and outputs: what a call adds to the arguments that exist already."""
        return self.temporary_bytes + self.output_bytes


def compiled_with_memory(
    program: Callable[..., Any], *arguments: Any
) -> tuple[jax.stages.Compiled, Memory]:
    """Compile a program for these arguments and read its memory; nothing is run.

    Args:
        program: a function of arrays, compiled or not.
        arguments: arrays, or `jax.ShapeDtypeStruct` in their place.

    Returns:
        The compiled program and its memory.
    """
    jitted = program if isinstance(program, jax.stages.Wrapped) else jax.jit(program)
    compiled = jitted.lower(*arguments).compile()
    facts = compiled.memory_analysis()
    if facts is None:
        message = "this device's compiler does not say how much memory a program needs"
        raise NotImplementedError(message)
    sizes = (facts.temp_size_in_bytes, facts.output_size_in_bytes, facts.argument_size_in_bytes)
    return compiled, Memory(*(int(size) for size in sizes))


def memory_of(program: Callable[..., Any], *arguments: Any) -> Memory:
    """Read the memory of a program from the compiler; see `compiled_with_memory`."""
    return compiled_with_memory(program, *arguments)[1]
