"""Two toy games, a toy bot and a toy perft: whatever the session does, it does for any game.

`dice` has chance, an option and two to four seats; `bids` has orders given at the same time, so steps with blanks.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skyclaim_engine.errors import IllegalStep, ParseError, RulesError, SkyclaimError, StreamUnknown, quote
from skyclaim_engine.game import Ask, Event, Game, GameInfo, Position, Result
from skyclaim_engine.options import Option, Value, complete
from skyclaim_engine.search import Info, Limits, Settings, StopFlag

MASK = 2**64 - 1


def roll(stream: int) -> tuple[int, int]:
    """A die and the stream after it."""
    stream = (stream * 6364136223846793005 + 1442695040888963407) & MASK
    return 1 + (stream >> 33) % 6, stream


class ToyGame(Game):
    """What both games share. A position is one line of fields, the last one its stream."""

    table: Any = None
    position: type[ToyPosition]
    fields: tuple[tuple[str, str], ...]

    def seat(self, word: str) -> int:
        if word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= self.info.seats[1]:
            return int(word)
        raise SkyclaimError(f"{quote(word)}: not a seat")

    def seat_name(self, seat: int) -> str:
        return str(seat)

    def parse(self, line: str, options: Mapping[str, object] | None = None, *, observation: bool = False) -> Position:
        words = line.split()
        names = [name for name, _ in self.fields]
        if len(words) != len(names):
            raise RulesError([ParseError("line", line, f"has {len(words)} fields, not {' '.join(names)}")])
        faults = [
            ParseError(name, word, "is not right")
            for word, (name, pattern) in zip(words, self.fields, strict=True)
            if not re.fullmatch(pattern, word)
        ]
        if observation and words[-1] != "-":
            faults.append(ParseError(names[-1], words[-1], "is not known in an observation"))
        if faults:
            raise RulesError(faults)
        points = tuple(int(word) for word in words[0].split(","))
        stream = None if words[-1] == "-" else int(words[-1], 16)
        return self.position(self, complete(self.options, options), points, int(words[1]), stream)


class ToyPosition(Position):
    """Points by seat, a turn, a stream; the first with the goal's points wins."""

    game: ToyGame

    def __init__(
        self, game: ToyGame, options: Mapping[str, Value], points: tuple[int, ...], turn: int, stream: int | None
    ) -> None:
        self.game, self.options, self.points = game, options, points
        self._turn, self._stream = turn, stream

    @property
    def turn(self) -> int:
        return self._turn

    @property
    def stream(self) -> int | None:
        return self._stream

    @property
    def key(self) -> int:
        return hash((self.points, self._turn)) & MASK

    @property
    def result(self) -> Result | None:
        best = max(self.points)
        if best < int(self.options["Goal"]):
            return None
        winner = self.points.index(best)
        scores = tuple(float(seat == winner) for seat in range(len(self.points)))
        return Result(scores, (f"result {winner + 1} wins", f"awards points={best}"))

    def line(self) -> str:
        stream = "-" if self._stream is None else f"{self._stream:016x}"
        return f"{','.join(map(str, self.points))} {self._turn} {stream}"

    def copy(self) -> Position:
        return type(self)(self.game, self.options, self.points, self._turn, self._stream)

    def restream(self, stream: int) -> None:
        self._stream = stream

    def observe(self, seat: int) -> Position:
        return type(self)(self.game, self.options, self.points, self._turn, None)

    def raw(self) -> bytes:
        return self.line().encode()

    def picture(self, colour: bool = False) -> str:
        return "\n".join(f"{seat}: {'*' * points}" for seat, points in enumerate(self.points, 1))

    def evaluate(self) -> list[tuple[str, float]]:
        return [("points", float(self.points[self.seat - 1]) if self.seat else 0.0), ("the goal", -1.0)]

    def explain(self, step: str, ask: Ask | None = None) -> str:
        self.number(step, self.seat)
        return f"{step} brings\npoints"

    def text(self, number: int) -> str:
        return list(self.steps())[number]


class Dice(ToyPosition):
    """In turn, each seat rolls one to three dice and gets what they show."""

    @property
    def deciders(self) -> tuple[int, ...]:
        return () if self.result else (1 + (self._turn - 1) % len(self.points),)

    def steps(self, seat: int | None = None) -> dict[str, int]:
        legal = seat in (None, self.seat) and not self.result
        return {"pass": 0, "roll:1": 1, "roll:2": 2, "roll:3": 3} if legal else {}

    def apply(self, step: str) -> list[Event]:
        number = self.number(step, self.seat)
        if self._stream is None:
            raise StreamUnknown(f"step {quote(step)}: the stream is not known")
        seat, dice = self.seat, []
        for _ in range(number):
            die, self._stream = roll(self._stream)
            dice.append(die)
        points = list(self.points)
        points[seat - 1] += sum(dice)
        self.points = tuple(points)
        self._turn += 1
        events: list[Event] = [{"type": "roll", "seat": seat, "dice": dice}]
        return [*events, {"type": "win", "seat": seat}] if self.result else events


class Bids(ToyPosition):
    """All seats give a set of orders at the same time and get a point for each bid."""

    ORDERS = ("bid:1", "bid:2", "wait:1")

    @property
    def deciders(self) -> tuple[int, ...]:
        return () if self.result else tuple(range(1, len(self.points) + 1))

    def steps(self, seat: int | None = None) -> dict[str, int]:
        sets = sorted(" ".join(sets) or "-" for size in range(3) for sets in itertools.combinations(self.ORDERS, size))
        return {} if self.result else {chosen: number for number, chosen in enumerate(sets)}

    def orders(self, seat: int) -> int:
        return len(self.steps())

    def legal(self, seat: int | None = None) -> list[str]:
        return [] if self.result else [f"{order}/0" for order in self.ORDERS]

    def apply(self, step: str) -> list[Event]:
        parts = [part.strip() for part in step.split("|")]
        points = list(self.points)
        if len(parts) != len(points) or self.result:
            raise IllegalStep(step, self.line(), "is not one part for each seat")
        for seat, part in enumerate(parts, 1):
            if not part.startswith(f"{seat}:"):
                raise IllegalStep(step, self.line(), f"{quote(part)} is not the part of seat {seat}")
            self.number(part.removeprefix(f"{seat}:"), seat)
            points[seat - 1] += part.count("bid:")
        self.points = tuple(points)
        self._turn += 1
        return [{"type": "round", "round": self._turn}]


REST = (("TURN", r"[1-9]\d{0,5}"), ("RNG", r"[0-9a-f]{16}|-"))


class DiceGame(ToyGame):
    info = GameInfo("dice", (2, 4), chance=True, hidden=False, simultaneous=False)
    options = (Option("Goal", "spin", 20, 2, 900), Option("Players", "combo", "2", choices=("2", "3", "4")))
    position = Dice
    fields = (("POINTS", r"\d{1,3}(,\d{1,3}){1,3}"), *REST)

    def start(self, seed: int, options: Mapping[str, object] | None = None) -> Position:
        values = complete(self.options, options)
        return Dice(self, values, (0,) * int(values["Players"]), 1, seed)


class BidsGame(ToyGame):
    info = GameInfo("bids", (2, 2), chance=False, hidden=True, simultaneous=True)
    options = (Option("Goal", "spin", 20, 2, 900), Option("Sealed", "check", True))
    position = Bids
    fields = (("POINTS", r"\d{1,3},\d{1,3}"), *REST)

    def start(self, seed: int, options: Mapping[str, object] | None = None) -> Position:
        return Bids(self, complete(self.options, options), (0, 0), 1, seed)


GAMES: dict[str, Game] = {"dice": DiceGame(), "bids": BidsGame()}


class ToyBot:
    """Plays the last legal step at once; with `infinite` it thinks until it is stopped, or not, if it is ``hasty``.

    What a test wants to go wrong, ``fault`` does, in the middle of a search.
    """

    fault: Callable[[], str | None] | None = None
    hasty = False

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.games = 0
        self.asked: list[tuple[str, Limits]] = []
        #: set as soon as a search runs
        self.thinking = threading.Event()

    def new_game(self) -> None:
        self.games += 1

    def see(self, position: Position) -> None:
        """Needs nothing to remember."""

    def decide(
        self, position: Position, limits: Limits, stop: StopFlag, report: Callable[[Info | str], None]
    ) -> str | None:
        assert isinstance(position, ToyPosition)
        self.asked.append((position.line(), replace(limits)))
        report("I begin")
        self.thinking.set()
        if self.fault:
            return self.fault()
        while limits.infinite and not self.hasty and not stop.is_set():
            threading.Event().wait(0.001)
        step = limits.searchmoves[-1] if limits.searchmoves else list(position.steps())[-1]
        report(Info(1, 1, nodes=4, time_ms=0, win=0.5, land=None, multipv=1, pv=(step,)))
        return step

    def hint(
        self, position: Position, limits: Limits, stop: StopFlag, report: Callable[[Info | str], None]
    ) -> str | None:
        self.decide(position, limits, stop, report)
        return "roll:1" if isinstance(position, Dice) else None

    def explain(self, position: Position, step: str) -> str:
        return position.explain(step)


def divide(position: Position, depth: int, *, threads: int = 1, stop: StopFlag | None = None) -> dict[str, int]:
    """The summands of perft, by step or joint step."""
    steps = position.legal()
    if isinstance(position, Bids):
        steps = [f"1:{one} | 2:{two}" for one, two in itertools.product(position.steps(), repeat=2)]
    counts = {}
    for step in steps:
        if stop is not None and stop.is_set():
            break
        child = position.copy()
        child.apply(step)
        counts[step] = sum(divide(child, depth - 1, stop=stop).values()) if depth > 1 else 1
    return dict(sorted(counts.items()))
