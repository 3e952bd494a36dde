"""Settings of a page as a frozen dataclass whose fields say what is allowed.

A link, a crafted client or a test may hand over anything; what comes out is always legal.
"""

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Self

from playground.foundation.language import Language, pick

LONGEST_VALUE = 2_000


@dataclass(frozen=True)
class Complaint:
    """One value of a link that could not be taken as it was."""

    key: str
    given: str
    allowed: str
    used: str

    def message(self, language: Language) -> str:
        """Say what was given, what is allowed and what is used instead."""
        shown = self.given if len(self.given) <= 40 else self.given[:40] + "…"
        return pick(
            language,
            f"`{self.key}` cannot be “{shown}”: allowed is {self.allowed}. Used instead: "
            f"{self.used}.",
            f"`{self.key}` 不能取“{shown}”：允许的取值为 {self.allowed}，已改用 {self.used}。",
        )


class Rule:
    """What one field allows: parses text, and moves any value to the nearest legal one."""

    def legal(self, value: object, default: Any) -> Any:
        """Return the legal value nearest to `value`, or `default` when it means nothing."""
        raise NotImplementedError

    def allowed(self) -> str:
        """Name what is allowed, the same in every language."""
        raise NotImplementedError


def _number(value: object) -> float | None:
    if isinstance(value, bool | int | float | str):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            return None
        return None if math.isnan(number) else number
    return None


@dataclass(frozen=True)
class OneOf(Rule):
    """A value of a short list; a number that is not on it moves to the nearest one."""

    options: tuple[Any, ...]

    def legal(self, value: object, default: Any) -> Any:
        """Return the option that equals `value`, or the nearest number, or the default."""
        for option in self.options:
            if type(value) is type(option) and value == option:
                return option
        for option in self.options:
            if str(value) == str(option):
                return option
        number = _number(value)
        numeric = [option for option in self.options if isinstance(option, int | float)]
        if number is None or not numeric:
            return default
        clamped = min(max(number, min(numeric)), max(numeric))
        return min(numeric, key=lambda option: abs(option - clamped))

    def allowed(self) -> str:
        """Return the options, separated by commas."""
        return ", ".join(str(option) for option in self.options)


@dataclass(frozen=True)
class Between(Rule):
    """A number from `low` to `high`, whole or not."""

    low: float
    high: float
    is_whole: bool

    def legal(self, value: object, default: Any) -> Any:
        """Clamp `value` to the range; text that is no number gives the default."""
        number = _number(value)
        if number is None:
            return default
        clamped = min(max(number, self.low), self.high)
        return round(clamped) if self.is_whole else clamped

    def allowed(self) -> str:
        """Return the range."""
        return f"{self.low:g} … {self.high:g}"


@dataclass(frozen=True)
class Flag(Rule):
    """Yes or no; `true`, `1`, `on` and `yes` in a link mean yes."""

    def legal(self, value: object, default: Any) -> Any:
        """Read a Boolean from text or from itself."""
        words = {"true": True, "1": True, "on": True, "yes": True}
        words |= {"false": False, "0": False, "off": False, "no": False}
        return words.get(str(value).strip().lower(), default)

    def allowed(self) -> str:
        """Return the two values."""
        return "true, false"


@dataclass(frozen=True)
class Text(Rule):
    """Free text, cut to `longest` characters, without control characters."""

    longest: int

    def legal(self, value: object, default: Any) -> Any:
        """Keep printable characters and line breaks up to the longest length."""
        if not isinstance(value, str):
            return default
        return "".join(c for c in value if c.isprintable() or c in "\n\t")[: self.longest]

    def allowed(self) -> str:
        """Return the longest length."""
        return f"≤ {self.longest} characters"


def one_of(default: Any, options: tuple[Any, ...]) -> Any:
    """Declare a field that takes one value of a short list."""
    return field(default=default, metadata={"rule": OneOf(options)})


def whole(default: int, *, low: int, high: int) -> Any:
    """Declare a field that takes a whole number from `low` to `high`."""
    return field(default=default, metadata={"rule": Between(low, high, True)})


def number(default: float, *, low: float, high: float) -> Any:
    """Declare a field that takes a number from `low` to `high`."""
    return field(default=default, metadata={"rule": Between(low, high, False)})


def flag(default: bool) -> Any:
    """Declare a field that is true or false."""
    return field(default=default, metadata={"rule": Flag()})


def text(default: str, *, longest: int) -> Any:
    """Declare a field that takes free text of at most `longest` characters."""
    return field(default=default, metadata={"rule": Text(longest)})


@dataclass(frozen=True)
class Settings:
    """Base of all settings: every field is legal from the moment the object exists.

    Subclasses are frozen dataclasses declared with a prefix, and their fields with `one_of`,
    `whole`, `number`, `flag` or `text`:

        @dataclass(frozen=True)
        class WalkSettings(Settings, prefix="walk"):
            walkers: int = one_of(1000, (10, 100, 1000))
    """

    prefix: ClassVar[str] = ""

    def __init_subclass__(cls, prefix: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.prefix = prefix

    def __post_init__(self) -> None:
        for item in fields(self):
            value = item.metadata["rule"].legal(getattr(self, item.name), item.default)
            object.__setattr__(self, item.name, value)

    @classmethod
    def key(cls, name: str) -> str:
        """Return the name of a field in a link and in the session: prefix_field."""
        return f"{cls.prefix}_{name}"

    @classmethod
    def rule(cls, name: str) -> Any:
        """Return the rule of a field (`OneOf`, `Between`, `Flag` or `Text`)."""
        return cls.__dataclass_fields__[name].metadata["rule"]

    @classmethod
    def default(cls, name: str) -> Any:
        """Return the default of a field."""
        value = cls.__dataclass_fields__[name].default
        assert value is not MISSING
        return value

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Self, tuple[Complaint, ...]]:
        """Read settings from a link.

        Args:
            query: parameters of the link; keys of other pages are passed over.

        Returns:
            Legal settings, and one complaint for each value that had to be changed.
        """
        values: dict[str, Any] = {}
        complaints = []
        for item in fields(cls):
            key = cls.key(item.name)
            if key not in query:
                continue
            given = str(query[key])[:LONGEST_VALUE]
            rule = item.metadata["rule"]
            values[item.name] = used = rule.legal(given, item.default)
            if not _same(given, used):
                complaints.append(Complaint(key, given, rule.allowed(), str(used)))
        return cls(**values), tuple(complaints)

    def to_query(self) -> dict[str, str]:
        """Return the parameters of a link that restores these settings; defaults are left out."""
        return {
            self.key(item.name): written(getattr(self, item.name))
            for item in fields(self)
            if getattr(self, item.name) != item.default
        }


def written(value: Any) -> str:
    """Write one value as it stands in a link."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _same(given: str, used: Any) -> bool:
    if isinstance(used, bool):
        return Flag().legal(given, None) is used
    parsed = _number(given) if isinstance(used, int | float) else None
    return given == str(used) if parsed is None else parsed == used
