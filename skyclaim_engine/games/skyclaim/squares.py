"""Squares by name, index 0..120 and place, and steps as text: the bijections, and nothing about rules."""

from __future__ import annotations

from functools import lru_cache

from ..._board import STEP_KINDS

COLUMNS = "abcdefghijk"
#: names by index 0..120 (11 * row + column)
NAMES = tuple(f"{column}{row}" for row in range(1, 12) for column in COLUMNS)
INDEX = {name: index for index, name in enumerate(NAMES)}
#: names by place (16 * column + row), the core's own numbering; empty where no square is
NAMES_BY_PLACE = tuple(f"{COLUMNS[p >> 4]}{(p & 15) + 1}" if p & 15 < 11 else "" for p in range(176))
PLACE = {name: place for place, name in enumerate(NAMES_BY_PLACE) if name}

#: steps written with one square, with none, and the rest with two
ONE_SQUARE = {"turret", "claim"}
NO_SQUARE = {"pass"}


@lru_cache(1 << 14)
def step_text(number: int) -> str:
    """The text of a step's number (rules 5), `swap:e4e5`."""
    kind = STEP_KINDS[number >> 16]
    if kind in NO_SQUARE:
        return kind
    start, end = NAMES_BY_PLACE[number >> 8 & 255], NAMES_BY_PLACE[number & 255]
    return f"{kind}:{start}" if kind in ONE_SQUARE else f"{kind}:{start}{end}"


def step_number(text: str) -> int | None:
    """The number of a step's text, whether legal or not; None for a text that is no step at all."""
    kind, colon, rest = text.partition(":")
    if kind not in STEP_KINDS:
        return None
    code = STEP_KINDS.index(kind) << 16
    if kind in NO_SQUARE:
        return None if colon else code
    if kind in ONE_SQUARE:
        return code | PLACE[rest] << 8 if rest in PLACE else None
    start, end = _parted(rest)
    return code | PLACE[start] << 8 | PLACE[end] if start in PLACE and end in PLACE else None


def squares_of(text: str) -> list[str]:
    """The squares of a step's text, in order."""
    return [square for square in _parted(text.partition(":")[2]) if square]


def _parted(text: str) -> tuple[str, str]:
    """Two squares written together."""
    cut = next((i for i, c in enumerate(text) if i and c.isalpha()), len(text))
    return text[:cut], text[cut:]
