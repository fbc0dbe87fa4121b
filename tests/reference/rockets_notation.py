"""Rockets on paper: hexagons, rockets, the options and the one-line position text.

Plain data and text only. The rules that act on them are in ``rockets_position.py`` and
``rockets.py``; the sections named here are those of ``docs/rules/rockets.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# A hexagon: its axial coordinates (q, r).
Hex = tuple[int, int]

# What a tile of the stack is: a space, a wormhole, the asteroid tile.
SPACE, WORMHOLE, ASTEROID = "o", "w", "a"

# The options by the names of the protocol, with the name that each has in the OPTIONS field.
OPTION_DEFAULTS = {"Pilots": 2, "Shields": 1, "Wormholes": False, "AsteroidBelt": False, "UpToRoll": False}
OPTION_KEYS = {"Pilots": "n", "Shields": "shields", "Wormholes": "wormholes", "AsteroidBelt": "asteroids"}
OPTION_KEYS["UpToRoll"] = "upto"

# [J1] How many pilots can play, and how many shields they can hold at the start.
PILOTS = range(2, 7)
SHIELDS = range(1, 6)

# The phases of a game (rules 7). Only FLY, AIM and TRACE remember that the turn's drift is used.
TILE, ROCK, ROCKET, SHIELD = "tile", "rock", "rocket", "shield"
FLY, AIM, TRACE, AFTER, OVER = "fly", "aim", "trace", "after", "over"

# ---------------------------------------------------------------- hexagons (rules 1)

# E, NE, NW, W, SW, SE.
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def around(place: Hex) -> list[Hex]:
    """The six neighbours of a hexagon, in the order of the rules (rules 1)."""
    q, r = place
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS]


def row_order(place: Hex) -> tuple[int, int]:
    """What hexagons are sorted by: (r, q) (rules 4, 7)."""
    q, r = place
    return (r, q)


def in_rows(places: Iterable[Hex]) -> list[Hex]:
    """The hexagons sorted by (r, q) (rules 7)."""
    return sorted(places, key=row_order)


def name(place: Hex) -> str:
    """The text of a hexagon, such as ``-2,3``."""
    return f"{place[0]},{place[1]}"


def hex_named(text: str) -> Hex:
    """The hexagon with this text; ValueError where it is no such text."""
    if not re.fullmatch(r"(0|-?[1-9][0-9]*),(0|-?[1-9][0-9]*)", text):
        raise ValueError(f"no hexagon {text!r}")
    q, r = text.split(",")
    return (int(q), int(r))


def format_path(kind: str, path: Iterable[Hex]) -> str:
    """A step with a path, such as ``fly:0,1;0,2`` or ``trace:-`` (rules 5)."""
    return f"{kind}:{';'.join(name(place) for place in path) or '-'}"


def parse_path(text: str) -> list[Hex]:
    """The hexagons of a path, none for ``-``; ValueError where it is no such text (rules 5)."""
    return [] if text == "-" else [hex_named(part) for part in text.split(";")]


# ---------------------------------------------------------------- pilots (rules 1, 6)


@dataclass
class Rocket:
    """A pilot's rocket: where it is (None off the board), the shields held, and what it did."""

    shields: int
    place: Hex | None = None
    destroyed: bool = False
    hits: int = 0
    kills: int = 0
    victims: set[int] = field(default_factory=set)

    def copy(self) -> Rocket:
        """A rocket of its own, equal to this one."""
        return Rocket(self.shields, self.place, self.destroyed, self.hits, self.kills, set(self.victims))


def digits(pilots: Iterable[int]) -> str:
    """Pilots as digits, in the order given."""
    return "".join(str(pilot) for pilot in pilots)


def digits_or_dash(pilots: Iterable[int]) -> str:
    """Pilots as ascending digits, or ``-`` for none (rules 6, 7)."""
    return digits(sorted(pilots)) or "-"


# ---------------------------------------------------------------- position text (rules 7)


def format_options(options: dict) -> str:
    """The OPTIONS field (rules 7)."""
    return ";".join(f"{key}={int(options[option])}" for option, key in OPTION_KEYS.items())


def parse_options(text: str) -> dict:
    """The OPTIONS field: complete, and in its order (rules 7)."""
    entries = [entry.partition("=") for entry in text.split(";")]
    if [key for key, _, _ in entries] != list(OPTION_KEYS.values()):
        raise ValueError(f"wrong options {text!r}")
    options = {}
    for option, (_, _, value) in zip(OPTION_KEYS, entries, strict=True):
        options[option] = value == "1" if OPTION_DEFAULTS[option] is False else int(value)
    check_options(options)
    if format_options(options) != text:
        raise ValueError(f"wrong options {text!r}")
    return options


def check_options(options: dict) -> None:
    """ValueError where an option is none of the rules or out of its range (rules 1)."""
    if set(options) != set(OPTION_DEFAULTS):
        raise ValueError(f"wrong options {options}")
    if options["Pilots"] not in PILOTS or options["Shields"] not in SHIELDS:
        raise ValueError(f"an option out of its range in {options}")


def format_rocket(rocket: Rocket) -> str:
    """One entry of the ROCKETS field (rules 7)."""
    if rocket.destroyed:
        return "x"
    return f"{'off' if rocket.place is None else name(rocket.place)}:{rocket.shields}"


def parse_rocket(text: str) -> Rocket:
    """One entry of the ROCKETS field (rules 7)."""
    if text == "x":
        return Rocket(0, destroyed=True)
    place, colon, shields = text.partition(":")
    if not colon:
        raise ValueError(f"no rocket {text!r}")
    return Rocket(int(shields), None if place == "off" else hex_named(place))


def format_stats(rocket: Rocket) -> str:
    """One entry of the STATS field (rules 7)."""
    return f"{rocket.hits}.{rocket.kills}.{digits_or_dash(rocket.victims)}"


def parse_stats(text: str, rocket: Rocket) -> None:
    """Read one entry of the STATS field into the rocket (rules 7)."""
    hits, kills, victims = text.split(".")
    rocket.hits, rocket.kills = int(hits), int(kills)
    rocket.victims = {int(digit) for digit in victims if victims != "-"}


def format_counts(stack: list[str]) -> str:
    """The stack as an observation shows it, such as ``o12w1a0`` (rules 7)."""
    return "".join(f"{kind}{stack.count(kind)}" for kind in (SPACE, WORMHOLE, ASTEROID))


def parse_stack(text: str) -> tuple[list[str], bool]:
    """The stack, and whether only its counts are known; they stand in no order then (rules 7)."""
    counts = re.fullmatch(r"o(\d+)w(\d+)a(\d+)", text)
    if counts:
        spaces, wormholes, asteroids = (int(count) for count in counts.groups())
        return [SPACE] * spaces + [WORMHOLE] * wormholes + [ASTEROID] * asteroids, True
    if set(text) - {SPACE, WORMHOLE, ASTEROID}:
        raise ValueError(f"no stack {text!r}")
    return list(text), False


def parse_list(text: str) -> list[str]:
    """The entries of a list separated by ``;``, none for ``-`` (rules 7)."""
    return [] if text == "-" else text.split(";")
