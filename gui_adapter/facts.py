"""Everything that is true of a match, as data. What of it a person may know is decided in ``view`` alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from skyclaim_engine.options import Value

from .clocks import Clocks
from .readers import Reader, reader

Json = dict[str, Any]


@dataclass
class Seat:
    """Who sits there: a player by their number in the store, or the bot with its skill; ``rating`` is at the start.

    ``presence`` is here, away (the page is hidden), lost (no connection) or gone (has left).
    """

    name: str
    rating: float
    player: int | None = None
    skill: int | None = None
    presence: str = "here"

    @property
    def is_bot(self) -> bool:
        return self.player is None


@dataclass(frozen=True)
class Move:
    """A step that was played: in which turn, by which seat, what the engine said of it to the mover, its time in ms.

    ``chance`` tells whether it drew from the stream, and so showed what could not be known before; ``noticed`` is what
    the other seat saw of it, where it does not see all.
    """

    turn: int
    seat: int
    step: str
    text: str
    ms: int
    chance: bool
    noticed: str = ""


@dataclass(frozen=True)
class Point:
    """A decision of a person, to go back to: so many moves had been made, and the clocks showed that."""

    count: int
    line: str
    clocks: Json | None


@dataclass(frozen=True)
class Outcome:
    """How the match ended. ``line`` is the engine's result, or `S wins resign`, `S wins time`, `S wins left`.

    ``ended`` and ``how`` are the record's words; ``ratings`` by seat are before and after; ``game`` is the number in
    the store.
    """

    line: str
    scores: tuple[float, float]
    ended: str
    how: str
    ratings: tuple[tuple[float, float] | None, ...] = (None, None)
    game: int | None = None


@dataclass
class Facts:
    """``line`` is the true position with its stream, ``seed`` the secret one of the chance of the whole match.

    ``seen`` and ``legal`` are by seat; ``seqs`` counts what each seat has been sent. ``gap`` is seat 1's rating less
    seat 2's after the asteroids; ``weight`` what the game counts for the ratings, 0 where it does not. ``hints`` counts
    those that the person was given.
    """

    ident: str
    game: str
    options: dict[str, Value]
    seed: int
    start: str
    line: str
    seats: tuple[Seat, Seat]
    gap: float
    weight: float
    guided: bool
    clocks: Clocks | None
    seen: dict[int, str]
    legal: dict[int, list[str]]
    moves: list[Move] = field(default_factory=list)
    past: list[Point] = field(default_factory=list)
    seqs: dict[int, int] = field(default_factory=lambda: {1: 1, 2: 1})
    hints: int = 0
    outcome: Outcome | None = None

    @property
    def reader(self) -> Reader:
        return reader(self.game)

    @property
    def hidden(self) -> bool:
        """Whether one seat may know less than the other."""
        return self.reader.hidden(self.options)

    @property
    def turn(self) -> int:
        return self.reader.turn(self.line)[0]

    @property
    def mover(self) -> int:
        """The seat that decides, 0 when the match is over."""
        return 0 if self.outcome else self.reader.turn(self.line)[1]

    @property
    def bot(self) -> int:
        """The seat of the bot, 0 where two people play."""
        return next((number for number, seat in enumerate(self.seats, 1) if seat.is_bot), 0)

    @property
    def can_undo(self) -> bool:
        """Against the bot only; in a game that counts only if nothing has come to light since."""
        if self.outcome or not self.bot or not self.past:
            return False
        return not self.weight or not (self.hidden or any(move.chance for move in self.moves[self.past[-1].count :]))

    def save(self, now: float) -> Json:
        """All but the moves, as JSON, for ``load``."""
        saved = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("moves", "clocks")}
        saved["seats"] = [asdict(seat) for seat in self.seats]
        saved["past"] = [asdict(point) for point in self.past]
        saved["clocks"] = self.clocks and self.clocks.save(now)
        return saved

    @classmethod
    def load(cls, saved: Mapping[str, Any], moves: list[Json], now: float) -> Facts:
        """What was saved, of a match that is not over; its clocks are paused."""
        values = dict(saved)
        values["seats"] = tuple(Seat(**seat) for seat in saved["seats"])
        values["past"] = [Point(**point) for point in saved["past"]]
        values["clocks"] = saved["clocks"] and Clocks.load(saved["clocks"], now, paused=True)
        for name in ("seen", "legal", "seqs"):
            values[name] = {int(seat): value for seat, value in saved[name].items()}
        return cls(**values, moves=[Move(**move) for move in moves])
