"""Drivers that run in the user's process after the user's code: they fetch, and judge nothing."""

import base64
import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.export
import jax.numpy as jnp

from playground.sandbox import child
from playground.sandbox.trees import KeyData, from_tree, to_tree

# Taken before user code runs, so that a patch of the public names does not reach this module.
_make_jaxpr, _jit, _export = jax.make_jaxpr, jax.jit, jax.export.export
_keys_of = jax.random.wrap_key_data


def answer(names: dict[str, Any], question: Any) -> dict[str, Any]:
    """Call functions of the user and hand back what they return.

    Args:
        names: the names the user's code left.
        question: `calls`, a list of `function`, `arguments` (a tree), `numpy`, `trace`, `export`,
            `run`; `setup`, code of ours that runs after the user's and may use its names.

    Returns:
        `functions`: parameter names of every function the code defines; `answers`: one per call.
    """
    functions = {name: _parameters(thing) for name, thing in names.items() if _is_own(name, thing)}
    exec(compile(question["setup"], "<setup>", "exec"), names)  # ours
    return {
        "functions": functions,
        "answers": [_answer(names, call) for call in question["calls"]],
    }


def execute(names: dict[str, Any], question: Any) -> dict[str, Any]:
    """Run an exported program, in a process where no code of the user ran.

    Args:
        names: not used.
        question: `program` (base64) and `arguments` (a list of trees of positional arguments).

    Returns:
        `values`: a tree for each; `operations`: how many operations the program has.
    """
    program = _deserialize(question["program"])
    values = [to_tree(program.call(*_arguments(tree, False))) for tree in question["arguments"]]
    return {"values": values, "operations": _operations(program)}


def count(names: dict[str, Any], question: Any) -> list[int]:
    """Count the operations of exported programs, in a process where no code of the user ran.

    Args:
        names: not used.
        question: programs, each in base64.

    Returns:
        The number of operations of each program.
    """
    return [_operations(_deserialize(program)) for program in question]


def _deserialize(program: str) -> jax.export.Exported:
    return jax.export.deserialize(bytearray(base64.b64decode(program)))


def _operations(program: jax.export.Exported) -> int:
    lines = program.mlir_module().splitlines()
    return sum(line.lstrip().startswith("%") for line in lines)


def _is_own(name: str, thing: Any) -> bool:
    return not name.startswith("_") and name not in ("jax", "jnp", "lax", "np") and callable(thing)


def _parameters(function: Any) -> list[str] | None:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None


def _arguments(tree: Any, as_numpy: bool) -> list[Any]:
    def made(value: Any) -> Any:
        if isinstance(value, KeyData):
            return _keys_of(jnp.asarray(value.words))
        if isinstance(value, list | tuple):
            return type(value)(made(item) for item in value)
        if isinstance(value, dict):
            return {name: made(item) for name, item in value.items()}
        # A copy, because arrays read from a tree share its bytes and cannot be written to.
        is_array = hasattr(value, "dtype")
        return value.copy() if is_array and as_numpy else jnp.asarray(value) if is_array else value

    return [made(value) for value in from_tree(tree)]


def _answer(names: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    name = call["function"]
    try:
        function = names[name]
        arguments = _arguments(call["arguments"], call["numpy"])
        found: dict[str, Any] = {"value": None}
        if call["run"]:
            found["value"] = to_tree(function(*arguments))
        if call["trace"]:
            found["primitives"] = _primitives(function, arguments)
        if call["export"]:
            program = _export(_jit(function), platforms=("cpu",))(*arguments).serialize()
            found["program"] = base64.b64encode(program).decode("ascii")
    except KeyError as error:
        if name in names:
            return child.describe(error)
        return {"error": ["NameError", f"the code defines no {name!r}", None]}
    except Exception as error:
        return child.describe(error)
    return found


def _primitives(function: Callable[..., Any], arguments: list[Any]) -> dict[str, int]:
    """Count the operations in the traced program, inner programs included, by name."""
    counts: dict[str, int] = {}

    def walk(program: Any) -> None:
        for equation in program.eqns:
            name = equation.primitive.name
            counts[name] = counts.get(name, 0) + 1
            for parameter in equation.params.values():
                for inner in parameter if isinstance(parameter, list | tuple) else [parameter]:
                    inner = getattr(inner, "jaxpr", inner)
                    if hasattr(inner, "eqns"):
                        walk(inner)

    walk(_make_jaxpr(function)(*arguments).jaxpr)
    return counts
