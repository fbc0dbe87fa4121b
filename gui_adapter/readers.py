"""What the host has to read in an engine's texts: who moves, what is dark, who has won. One reader for each game.

Everything else of a game is the engine's: its rules, its words, its legal steps. A game can be played here when it has
a reader, and a board module in the page.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from skyclaim_engine.errors import SkyclaimError, quote

Event = dict[str, Any]


class Reader(ABC):
    """The texts of one game for two seats, of which one decides at a time."""

    title: str
    #: the names of the seats in the notation
    sides: tuple[str, str]

    @abstractmethod
    def hidden(self, options: Mapping[str, object]) -> bool:
        """Whether a seat may know less than the other, by the rules that are chosen."""

    @abstractmethod
    def turn(self, line: str) -> tuple[int, int]:
        """The number of the turn of a position and the seat that has it."""

    def veiled(self, line: str, seat: int) -> str:
        """The observation of ``seat`` without what the notation tells but nobody sees."""
        return line

    @abstractmethod
    def scores(self, result: str) -> tuple[float, float]:
        """The share of the win by seat of an engine's result, which is the text after `result`."""

    @abstractmethod
    def sentence(self, result: str, seat: int) -> str:
        """The same in words, told to ``seat``."""

    @abstractmethod
    def witness(self, events: list[Event], seat: int, before: str, after: str) -> list[Event]:
        """What ``seat`` sees of its own step, between its observations ``before`` and ``after``."""

    @abstractmethod
    def noticed(self, before: str, after: str, seat: int) -> str:
        """What ``seat`` notices of a step of the other side: the difference of its observations, in words or empty."""

    @abstractmethod
    def facing(self, line: str, square: str, seat: int) -> tuple[str, str]:
        """What stands on a square of the observation of ``seat``, in words to it, and the line with that side on turn.

        The line is empty where nothing stands there that could go anywhere.
        """

    @abstractmethod
    def reach(self, steps: list[str], square: str) -> dict[str, list[str]]:
        """Where the legal ``steps`` lead from a square: `go`, `take` and `fire`, each a list of squares."""

    @abstractmethod
    def touched(self, line: str, step: str, options: Mapping[str, object]) -> tuple[list[str], int | None]:
        """The squares that a step is about, and by how many it adds to the score if that is certain."""

    def rekeyed(self, line: str, stream: int) -> str:
        """The position with another state of its stream of chance, which is the last word in every game."""
        words = line.split()
        return " ".join([*words[:-1], f"{stream:016x}"])

    def stream(self, line: str) -> str:
        """The last word of a position: its stream."""
        return line.rpartition(" ")[2]


COLUMNS = "abcdefghijk"
SIZE = len(COLUMNS)
KINDS = {
    "M": "Command", "S": "scout", "G": "shield", "R": "raider", "H": "hunter", "W": "warp drone", "X": "siege drone",
    "B": "bomb", "T": "turret",
}  # fmt: skip
COLOURS = ("", "red", "yellow", "green", "blue", "violet")
DRONE = re.compile(r"([MSGRHWXBT])([a-k](?:1[01]|[1-9]))(?:\*([23]))?(?:=([1-5]+))?(?:!(\d+))?", re.IGNORECASE)
SQUARE = re.compile(r"[a-k](?:1[01]|[1-9])")
#: what a step of each kind is to the squares it leads to
WAYS = {
    "move": "go", "stack": "go", "warp": "go", "take": "take", "bomb": "take", "ram": "take", "fire": "fire",
    "siege": "fire",
}  # fmt: skip
#: the fields of the notation (rules 11)
STARS, DRONES, LAND, SIDE, CLEARED, TURN = 0, 1, 2, 3, 4, 7


class Skyclaim(Reader):
    """Skyclaim: rules 9 (fog), 11 (notation) and docs/events.md."""

    title = "Skyclaim"
    sides = ("S", "N")

    def hidden(self, options: Mapping[str, object]) -> bool:
        return options.get("Fog", "off") != "off"

    def turn(self, line: str) -> tuple[int, int]:
        words = line.split()
        return int(words[TURN]), self.sides.index(words[SIDE]) + 1

    def veiled(self, line: str, seat: int) -> str:
        """Without the stars that the other side has cleared in its turn: some of them may have been in the dark."""
        words = line.split()
        if words[SIDE] != self.sides[seat - 1]:
            words[CLEARED] = "0"
        return " ".join(words)

    def scores(self, result: str) -> tuple[float, float]:
        winner = result.partition(" ")[0]
        return (0.5, 0.5) if winner == "draw" else (float(winner == "S"), float(winner == "N"))

    def sentence(self, result: str, seat: int) -> str:
        if result.startswith("draw"):
            return "A draw: that was the last turn, and both own as much."
        winner, _, reason = result.split()
        if self.sides[seat - 1] == winner:
            return {
                "land": "You win: enough of the sky is yours.",
                "siege": "You win: your siege drone stands beside the other Command, and no shield does.",
                "asteroid": "You win: an asteroid has landed on the other Command.",
                "turns": "You win: that was the last turn, and you own more.",
            }[reason]
        return {
            "land": "You lose: enough of the sky is the other side's.",
            "siege": "You lose: a siege drone stands beside your Command, and no shield does.",
            "asteroid": "You lose: an asteroid has landed on your Command.",
            "turns": "You lose: that was the last turn, and the other side owns more.",
        }[reason]

    def witness(self, events: list[Event], seat: int, before: str, after: str) -> list[Event]:
        """Only what happens on squares that are seen before and after; waves are numbered as they are seen."""
        light = _seen(before) & _seen(after)
        told, waves = [], 0
        for event in events:
            seen = _glimpse(event, self.sides[seat - 1], light)
            if seen is not None:
                if seen["type"] == "clear":
                    waves += 1
                    seen["wave"] = waves
                told.append(seen)
        return told

    def noticed(self, before: str, after: str, seat: int) -> str:
        """Own drones that are hit or gone, land that is lost, enemies that have come into sight."""
        own, was, now, told = self.sides[seat - 1], _drones(before), _drones(after), []
        for square, (side, kind, power) in was.items():
            left = now.get(square, ("", "", 0))
            if side == own and left[:2] != (side, kind):
                told.append(f"your {KINDS[kind]} on {square} is gone")
            elif side == own and left[2] < power:
                told.append(f"your {KINDS[kind]} on {square} has power {left[2]} left")
        for square, (side, kind, _) in now.items():
            if side != own and was.get(square, ("", "", 0))[:2] != (side, kind):
                told.append(f"{KINDS[kind]} of the other side in sight on {square}")
        land = _land(after)
        if lost := sum(owner == own != land[square] for square, owner in _land(before).items()):
            told.append(f"{lost} square{'' if lost == 1 else 's'} of yours lost")
        text = "; ".join(told)
        return f"{text[0].upper()}{text[1:]}." if text else ""

    def facing(self, line: str, square: str, seat: int) -> tuple[str, str]:
        words, own = line.split(), self.sides[seat - 1]
        for letter, at, power, rides, missiles in DRONE.findall(words[DRONES]):
            if at == square:
                side = "S" if letter.isupper() else "N"
                words[SIDE], words[CLEARED] = side, words[CLEARED] if side == words[SIDE] else "0"
                whose = "Your" if side == own else "The other side's"
                return f"{whose} {_description(letter.upper(), power, rides, missiles)}", " ".join(words)
        stars = _stars(line)
        if square not in stars:
            raise SkyclaimError(f"square {quote(square)} is not on the board")
        what = stars[square]
        if what == "?":
            return "This square is in the dark.", ""
        if what == "#":
            return "An asteroid: nothing passes it, and a missile clears it.", ""
        owner = _land(line)[square]
        land = "open land" if owner == "." else "your land" if owner == own else "the other side's land"
        return f"A {COLOURS[int(what)]} star on {land}.", ""

    def reach(self, steps: list[str], square: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {"go": [], "take": [], "fire": []}
        for step in steps:
            kind, _, rest = step.partition(":")
            squares = SQUARE.findall(rest)
            if kind in WAYS and squares[0] == square:
                found[WAYS[kind]] += squares[1:]
        return found

    def touched(self, line: str, step: str, options: Mapping[str, object]) -> tuple[list[str], int | None]:
        kind, _, rest = step.partition(":")
        squares = SQUARE.findall(rest)
        if kind not in ("claim", "warp") or not squares:
            return squares, None
        radius = 1 if kind == "warp" or options.get("ClaimRadius", 1) else 0
        land = _land(line)
        block = [at for at in land if _distance(at, squares[-1]) <= radius]
        taken = [at for at in block if land[at] == "."]
        # what a warp takes in the dark is not known before
        return taken, None if any(land[at] == "?" for at in block) else len(taken)


READERS: dict[str, Reader] = {"skyclaim": Skyclaim()}


def reader(game: str) -> Reader:
    """The reader of a game; raises SkyclaimError where there is none yet."""
    if game not in READERS:
        raise SkyclaimError(f"game {quote(game)} cannot be played here: {', '.join(READERS)} can")
    return READERS[game]


def _stars(line: str) -> dict[str, str]:
    """What each square shows: a colour's digit, `#`, or `?` where it is dark."""
    return dict(_squares(line.split()[STARS]))


def _land(line: str) -> dict[str, str]:
    """Whose each square is: `S`, `N`, `.` for open land, or `?` where it is dark."""
    return dict(_squares(re.sub(r"\d+", lambda found: "." * int(found[0]), line.split()[LAND])))


def _drones(line: str) -> dict[str, tuple[str, str, int]]:
    """Side, kind and power of the drones by square."""
    found = DRONE.findall(line.split()[DRONES])
    sides = {True: "S", False: "N"}
    return {at: (sides[letter.isupper()], letter.upper(), int(power or 1)) for letter, at, power, *_ in found}


def _squares(field: str) -> Iterator[tuple[str, str]]:
    for y, row in zip(range(SIZE, 0, -1), field.split("/"), strict=True):
        yield from ((f"{column}{y}", what) for column, what in zip(COLUMNS, row, strict=True))


def _seen(line: str) -> set[str]:
    return {square for square, what in _stars(line).items() if what != "?"}


def _distance(one: str, other: str) -> int:
    return max(abs(COLUMNS.index(one[0]) - COLUMNS.index(other[0])), abs(int(one[1:]) - int(other[1:])))


def _description(kind: str, power: str, rides: str, missiles: str) -> str:
    facts = [KINDS[kind]]
    if kind not in "MT":
        facts.append(f"power {power or 1}")
    if rides:
        colours = ["every colour"] if len(rides) == 5 else [COLOURS[int(colour)] for colour in rides]
        facts.append(f"rides {' and '.join(colours)}")
    if missiles:
        facts.append(f"{missiles} missile{'' if missiles == '1' else 's'}{' in stock' if kind == 'M' else ''}")
    return ", ".join(facts) + "."


def _glimpse(event: Event, side: str, light: set[str]) -> Event | None:
    """What can be told of one event to a side that sees the squares ``light``; None: nothing."""
    seen = dict(event)
    if event.get("side", side) != side and event["type"] == "stock":
        return None
    for name in ("from", "to", "square", "hit"):
        if event.get(name, "") not in light and name in event:
            return None
    for name in ("taken", "squares"):
        if name in event:
            seen[name] = [square for square in event[name] if square in light]
    if event["type"] == "clear":
        seen["groups"] = [group for group in event["groups"] if light.issuperset(group["squares"])]
        return seen if seen["groups"] else None
    if event["type"] == "flow":
        seen["falls"] = [pair for pair in event["falls"] if light.issuperset(pair)]
        seen["new"] = [pair for pair in event["new"] if pair[0] in light]
        return seen if seen["falls"] or seen["new"] else None
    return None if event["type"] == "surround" and not seen["squares"] else seen
