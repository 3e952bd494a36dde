"""Builds the standalone script of a page from the very functions that the page ran.

The source of the functions is read from their modules, together with whatever they use of the
playground; nothing is written a second time.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

USUAL_IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "lax": "from jax import lax",
    "np": "import numpy as np",
}
PLAIN = (int, float, str, bool, bytes, tuple, dict, list, set, frozenset, type(None))


def format_headline(value: Any) -> str:
    """Write one headline number the way pages and scripts both show it.

    Floats get six significant digits, tuples their members in the same way, all else `str`.
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f":
        return f"{float(value):.6g}"
    if isinstance(value, (tuple, list)):
        members = ", ".join(format_headline(member) for member in value)
        return f"({members},)" if len(value) == 1 else f"({members})"
    return str(value)


def show_headlines(headlines: Mapping[str, Any]) -> None:
    """Print one line `name: value` for each headline."""
    for name, value in headlines.items():
        print(f"{name}: {format_headline(value)}")  # noqa: T201


def standalone(*functions: Callable[..., Any] | type, body: str, title: str) -> str:
    """Compose a script that runs in a fresh interpreter without the playground.

    Args:
        functions: module-level functions and classes that `body` uses.
        body: the statements that call them and print the headlines.
        title: one line that says what the script shows.

    Returns:
        Python source: title, imports, definitions in order of need, body.
    """
    collected = _Collected()
    body = textwrap.dedent(body).strip()
    for function in functions:
        collected.add(getattr(function, "__name__", "function"), function)
    for name in _global_names(body):
        if name in USUAL_IMPORTS:
            collected.imports.add(USUAL_IMPORTS[name])
    future = "from __future__ import annotations  # shapes are written, not evaluated"
    imports = "\n".join([future, "", *sorted(collected.imports, key=_import_order)])
    parts = [f'"""{title}"""\n\n{imports}', *collected.sources.values(), body]
    return "\n\n\n".join(part for part in parts if part) + "\n"


class _Collected:
    """Imports and sources that have been gathered so far, in order of need."""

    def __init__(self) -> None:
        self.imports: set[str] = set()
        self.sources: dict[str, str] = {}
        self._seen: dict[str, Any] = {}

    def add(self, name: str, value: Any) -> None:
        """Take in the object that a piece of source calls `name`."""
        if name in self._seen:
            if self._seen[name] is not value and self._seen[name] != value:
                message = f"two different objects are called {name!r} in one script"
                raise ValueError(message)
            return
        self._seen[name] = value
        module = getattr(value, "__module__", "") or ""
        if isinstance(value, ModuleType):
            plain = value.__name__ == name
            self.imports.add(f"import {name}" if plain else _import_as(value.__name__, name))
        elif isinstance(value, PLAIN):
            self.sources[name] = f"{name} = {value!r}"
        elif module.startswith("playground.") and hasattr(value, "__name__"):
            self._add_source(name, value)
        else:
            self._add_import(name, value, module)

    def _add_source(self, name: str, value: Any) -> None:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(value)))
        names = inspect.getmodule(inspect.unwrap(value)).__dict__  # type: ignore[union-attr]
        for used in _global_names(source):
            if used in names and used != name:
                self.add(used, names[used])
        self.sources[name] = source.rstrip()

    def _add_import(self, name: str, value: Any, module: str) -> None:
        original = getattr(value, "__name__", name)
        if module == "jaxtyping" or module.startswith("jaxtyping."):
            module = "jaxtyping"
        module = {"jax._src.basearray": "jax"}.get(module, module)
        if not module or module.startswith(("jax._src", "_")):
            message = f"cannot tell where {name!r} is imported from; use its module instead"
            raise ValueError(message)
        renamed = name if original == name else f"{original} as {name}"
        self.imports.add(f"from {module} import {renamed}")


def _import_as(module: str, name: str) -> str:
    known = {"jax.numpy": "jnp", "numpy": "np", "jax._src.numpy": "jnp"}
    if known.get(module) == name:
        return f"import {module} as {name}"
    parent, _, last = module.rpartition(".")
    return f"from {parent} import {last}" if last == name else f"import {module} as {name}"


def _global_names(source: str) -> list[str]:
    """Names that a piece of source reads when it runs, in order; annotations do not count."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return list(dict.fromkeys(n.id for n in ast.walk(tree) if isinstance(n, ast.Name)))


def _import_order(line: str) -> tuple[bool, str]:
    """Sort key of an import: the standard library first, then by name."""
    module = line.split()[1].partition(".")[0]
    return module not in sys.stdlib_module_names, line
