"""Typed options in the manner of UCI, used for a game's rules and for the engine's settings alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import OptionError, quote

Value = bool | int | str
#: a string of no letters, in a line
EMPTY = "<empty>"


@dataclass(frozen=True)
class Option:
    """One option: ``kind`` is `check`, `spin` (``low``..``high``), `combo` (one of ``choices``) or `string`.

    An empty string is written `<empty>`, as in UCI.
    """

    name: str
    kind: str
    default: Value
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def describe(self) -> str:
        """The UCI declaration, `option name … type … default …`."""
        default = str(self.default).lower() if self.kind == "check" else str(self.default) or EMPTY
        line = f"option name {self.name} type {self.kind} default {default}"
        if self.kind == "spin":
            line += f" min {self.low} max {self.high}"
        return line + "".join(f" var {choice}" for choice in self.choices)

    def check(self, value: object) -> Value:
        """The typed value of a text or of a Python value; raises OptionError naming the option."""
        text = str(value).strip()
        if self.kind == "check":
            if text.lower() in ("true", "false"):
                return text.lower() == "true"
            raise OptionError(f"option {self.name}: {quote(text)} is neither true nor false")
        if self.kind == "spin":
            digits = text.removeprefix("-")
            if isinstance(value, bool) or not (digits.isascii() and digits.isdigit() and len(digits) < 20):
                raise OptionError(f"option {self.name}: {quote(text)} is not a whole number")
            number = int(text)
            if not self.low <= number <= self.high:
                raise OptionError(f"option {self.name}: {quote(text)} is not in {self.low}..{self.high}")
            return number
        if self.kind == "string":
            return "" if text == EMPTY else text
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise OptionError(f"option {self.name}: {quote(text)} is not one of {', '.join(self.choices)}")


def complete(options: Iterable[Option], given: Mapping[str, object] | None) -> dict[str, Value]:
    """All ``options`` by name with the ``given`` values checked and the defaults filled in.

    Names are matched without case; an unknown one raises OptionError.
    """
    table = {option.name.lower(): option for option in options}
    values = {option.name: option.default for option in table.values()}
    for name, value in (given or {}).items():
        option = table.get(name.lower())
        if option is None:
            raise OptionError(f"option {quote(name)} is not known")
        values[option.name] = option.check(value)
    return values
