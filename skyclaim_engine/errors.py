"""Every error that the package raises on purpose, each with the words a person needs.

The protocol turns each into one `error CODE TEXT` line; ``code`` is that word.
"""

from __future__ import annotations

from collections.abc import Sequence


class SkyclaimError(ValueError):
    """The base of all errors here. ``code`` is the protocol's word for the kind of error."""

    code = "bad-argument"


class ParseError(SkyclaimError):
    """One field of a text is not what it should be: ``field`` names it, ``text`` is what stood there."""

    code = "bad-position"

    def __init__(self, field: str, text: str, reason: str) -> None:
        self.field, self.text, self.reason = field, text, reason
        super().__init__(f"{field} {quote(text)}: {reason}")


class RulesError(SkyclaimError):
    """A text that was read has faults; ``reasons`` holds every one of them, in the order of the fields."""

    code = "bad-position"

    def __init__(self, reasons: Sequence[ParseError]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(str(reason) for reason in self.reasons))


class OptionError(SkyclaimError):
    """An option's name or value is wrong; the old value stays."""

    code = "bad-option"


class IllegalStep(SkyclaimError):
    """A step that the position does not allow; ``step`` is its text, ``position`` the unchanged line."""

    code = "illegal-step"

    def __init__(self, step: str, position: str, reason: str) -> None:
        self.step, self.position, self.reason = step, position, reason
        super().__init__(f"step {quote(step)}: {reason}")


class StreamUnknown(SkyclaimError):
    """A step cannot be played because the position does not say what its stream of chance is."""

    code = "bad-position"


class LimitError(SkyclaimError):
    """The work asked for is over a limit that was set."""

    code = "limit"


class ProtocolError(SkyclaimError):
    """A line of the protocol that cannot be obeyed; ``code`` is one of the protocol's closed list."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def plain(text: str) -> str:
    """``text`` with what cannot be printed escaped, so that it does nothing to a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quote(text: str, limit: int = 60) -> str:
    """``text`` in quotation marks, what cannot be printed escaped, shortened when it is long."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return f"'{plain(shown)}'"
