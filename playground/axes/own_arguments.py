"""Arguments written as text, one a line: `x: (32, 8)`. Nothing that is written is evaluated.

x: (32, 8)                  a float32 array of this shape
n: int32[32]                another dtype, or short as in a jaxpr: i32[32]; i32[()] is a scalar
v: [1.0, 2.5]               the values themselves; int32([1, 2]) with a dtype
key: key(0)                 a typed random key; keys(0, 32) is that key split into 32
rate: 0.1                   a Python scalar, also True, "text" and None
params: {"w": (8,), "b": ()}        dictionaries, lists and tuples of these
scale = (32,)               an argument passed by keyword
"""

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playground.foundation.language import Language, pick

LONGEST_TEXT = 2_000
LONGEST_AXES = 200
DEEPEST = 6
MOST_ARGUMENTS = 12
MOST_LEAVES = 32
MOST_VALUES = 4_096
MOST_ELEMENTS = 10**12
MOST_AXES = 6

DTYPES = {
    "bool": "bool",
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
    "bf16": "bfloat16",
    "c64": "complex64",
}
_NAMES = {**DTYPES, **{name: name for name in DTYPES.values()}}


@dataclass(frozen=True)
class ArrayOf:
    """An array of which only shape and dtype are given."""

    shape: tuple[int, ...]
    dtype: str = "float32"


@dataclass(frozen=True)
class Values:
    """An array given by its numbers: nested lists, and a dtype or "" for JAX's own choice."""

    nested: Any
    dtype: str = ""


@dataclass(frozen=True)
class KeyOf:
    """A random key made from a seed; with a shape it is split into that many keys."""

    seed: int
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Arguments:
    """What is passed to a call.

    Attributes:
        args: positional arguments: pytrees whose leaves are ArrayOf, Values, KeyOf, Python values.
        names: what each of them is called, "" where it has no name.
        kwargs: keyword arguments.
    """

    args: tuple[Any, ...]
    names: tuple[str, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


class ArgumentsError(ValueError):
    """What was written cannot be read; says what is allowed, and in which line."""

    def __init__(self, english: str, chinese: str, line: int | None = None) -> None:
        super().__init__(english)
        self._pair, self.line = (english, chinese), line

    def message(self, language: Language) -> str:
        """Say what is wrong and what is allowed."""
        if self.line is None:
            return pick(language, *self._pair)
        where = pick(language, f"Line {self.line}: ", f"第 {self.line} 行：")
        return where + pick(language, *self._pair)


def read_arguments(text: str) -> Arguments:
    """Read the arguments of a call.

    Args:
        text: lines as at the top of this module.

    Returns:
        The arguments, in order.

    Raises:
        ArgumentsError: something else is written there.
    """
    if len(text) > LONGEST_TEXT:
        raise ArgumentsError(f"At most {LONGEST_TEXT} characters.", f"最多 {LONGEST_TEXT} 个字符。")
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise _unreadable(line, "it is not Python", "不是合法的 Python") from None
    args, names, kwargs = [], [], {}
    for statement in body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=node, value=None):
                args.append(_read(node, 0))
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=node):
                kwargs[name] = _read(node, 0)
            case ast.Expr(value=node):
                args.append(_read(node, 0))
                names.append("")
            case _:
                raise _unreadable(statement.lineno, "write `name: value`", "请写成“名称: 值”")
    if len(args) + len(kwargs) > MOST_ARGUMENTS:
        english, chinese = f"At most {MOST_ARGUMENTS} arguments.", f"最多 {MOST_ARGUMENTS} 个参数。"
        raise ArgumentsError(english, chinese)
    if sum(1 for _ in _leaves([*args, *kwargs.values()])) > MOST_LEAVES:
        raise ArgumentsError(f"At most {MOST_LEAVES} arrays.", f"最多 {MOST_LEAVES} 个数组。")
    return Arguments(tuple(args), tuple(names), kwargs)


def _unreadable(line: int | None, english: str, chinese: str) -> ArgumentsError:
    return ArgumentsError(
        f"{english}. Allowed are shapes such as `(32, 8)`, dtypes such as `int32[32]`, values "
        "such as `[1.0, 2.0]`, `key(0)`, `keys(0, 32)`, Python scalars, and dictionaries, lists "
        "and tuples of these.",
        f"{chinese}。可以写形状（如 `(32, 8)`）、带 dtype 的形状（如 `int32[32]`）、"
        "数值（如 `[1.0, 2.0]`）、`key(0)`、`keys(0, 32)`、Python 标量，"
        "以及由它们组成的字典、列表和元组。",
        line,
    )


def _read(node: ast.expr, depth: int) -> Any:
    if depth > DEEPEST:
        raise _unreadable(node.lineno, "it is nested too deeply", "嵌套太深")
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Tuple(elts=parts) if (sizes := _sizes(parts)) is not None:
            return _array(node, sizes, "float32")
        case ast.Tuple(elts=parts):
            return tuple(_read(part, depth + 1) for part in parts)
        case ast.List():
            nested = _numbers(node, 0)
            if nested is not None:
                return _values(node, nested, "")
            return [_read(part, depth + 1) for part in node.elts]
        case ast.Dict(keys=keys, values=values) if all(
            isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys
        ):
            pairs = zip(keys, values, strict=True)
            return {ast.literal_eval(key): _read(v, depth + 1) for key, v in pairs if key}
        case ast.Subscript(value=ast.Name(id=name), slice=inside) if name in _NAMES:
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            sizes = _sizes(parts)
            if sizes is not None:
                return _array(node, sizes, _NAMES[name])
        case ast.Call(func=ast.Name(id=name), args=[ast.List() as values], keywords=[]) if (
            name in _NAMES and (nested := _numbers(values, 0)) is not None
        ):
            return _values(node, nested, _NAMES[name])
        case ast.Call(func=ast.Name(id="key"), args=[ast.Constant(value=int() as seed)]):
            return KeyOf(seed % 2**31)
        case ast.Call(func=ast.Name(id="keys"), args=[ast.Constant(value=int() as seed), count]):
            parts = count.elts if isinstance(count, ast.Tuple) else [count]
            sizes = _sizes(parts)
            if sizes is not None:
                return KeyOf(seed % 2**31, _array(node, sizes, "").shape)
    raise _unreadable(node.lineno, f"`{ast.unparse(node)[:40]}`", f"`{ast.unparse(node)[:40]}`")


def _sizes(parts: list[ast.expr]) -> tuple[int, ...] | None:
    sizes = [part.value for part in parts if isinstance(part, ast.Constant)]
    whole = [size for size in sizes if type(size) is int]
    return tuple(whole) if len(whole) == len(parts) else None


def _array(node: ast.expr, shape: tuple[int, ...], dtype: str) -> ArrayOf:
    if len(shape) > MOST_AXES or math.prod(shape) > MOST_ELEMENTS:
        english = f"at most {MOST_AXES} axes and {MOST_ELEMENTS:,} numbers"
        chinese = f"最多 {MOST_AXES} 根轴、{MOST_ELEMENTS:,} 个数"
        raise _unreadable(node.lineno, english, chinese)
    return ArrayOf(shape, dtype)


def _values(node: ast.expr, nested: Any, dtype: str) -> Values:
    def shape(values: Any) -> tuple[int, ...] | None:
        if not isinstance(values, list):
            return ()
        inner = {shape(value) for value in values}
        if len(inner) > 1 or None in inner:
            return None
        return (len(values), *(next(iter(inner), ()) or ()))

    found = shape(nested)
    if found is None or math.prod(found) > MOST_VALUES:
        english = f"rows of equal length, at most {MOST_VALUES:,} numbers"
        raise _unreadable(node.lineno, english, f"各行长度须相同，最多 {MOST_VALUES:,} 个数")
    return Values(nested, dtype)


def _numbers(node: ast.expr, depth: int) -> Any:
    """Read nested lists of numbers, None when something else is in them."""
    if isinstance(node, ast.List) and depth < DEEPEST:
        parts = [_numbers(part, depth + 1) for part in node.elts]
        return None if None in parts else parts
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    return value if isinstance(value, bool | int | float) else None


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict):
        tree = list(tree.values())
    if not isinstance(tree, list | tuple):
        yield tree
        return
    for member in tree:
        yield from _leaves(member)
