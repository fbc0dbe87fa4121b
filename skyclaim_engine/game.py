"""The interface that every game stands behind. There is no game in this file.

A game has two faces. The one here is for people, front ends and the protocol: texts, checked, with
errors. The one in `game.pxd` is for search: a table of C functions over a plain struct, unchecked,
without the interpreter lock. ``Game.table`` and ``Position.raw`` lead from the first to the second.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import IllegalStep, SkyclaimError, StreamUnknown, quote
from .facts import Facts
from .options import Option, Value

Event = dict[str, Any]


@dataclass(frozen=True)
class GameInfo:
    """What kind of game it is: its name, its range of seats, and which kinds of node it has."""

    name: str
    seats: tuple[int, int]
    chance: bool
    hidden: bool
    simultaneous: bool


@dataclass(frozen=True)
class Result:
    """How a game ended: a share of the win for each seat (they sum to 1), and the protocol's lines that say so."""

    scores: tuple[float, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """How a bot of some skill looks for its best step: ``depth`` turns at most, with a ``share`` of what it may use.

    ``algorithm`` is one of the registry of search, or `auto`.
    """

    depth: int | None = None
    share: float = 1.0
    algorithm: str = "auto"


def whole_number(name: str, value: object) -> int:
    """``value`` as a number of 64 bits without sign; raises SkyclaimError that names it."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise SkyclaimError(f"{name} {quote(str(value))} is not a whole number") from None
    if not 0 <= number < 1 << 64:
        raise SkyclaimError(f"{name} {quote(str(number))} is not in 0..2^64 - 1")
    return number


class Game(ABC):
    """One game: its options and the doors from a seed or a text to a position."""

    info: GameInfo
    options: tuple[Option, ...]
    #: capsule of the C table in `game.pxd`
    table: Any
    #: how the best step is looked for, by the least skill that does so
    plans: Mapping[int, Plan] = {0: Plan()}
    #: the weights of the evaluation that can be tuned, each with the size of a change that matters
    scales: Mapping[str, float] = {}
    #: all weights in use, by name
    weights: Mapping[str, float] = {}

    @abstractmethod
    def seat(self, word: str) -> int:
        """The seat (1..n) that ``word`` names; raises SkyclaimError."""

    @abstractmethod
    def seat_name(self, seat: int) -> str:
        """The seat as the game writes it."""

    @abstractmethod
    def start(self, seed: int, options: Mapping[str, object] | None = None) -> Position:
        """The set-up made from a 64-bit seed."""

    @abstractmethod
    def parse(self, line: str, options: Mapping[str, object] | None = None, *, observation: bool = False) -> Position:
        """The one door: a position (or an observation) from its notation.

        Raises RulesError with every reason at once.
        """

    def use(self, weights: Mapping[str, float] | None, rival: bool = False) -> None:
        """Evaluate by these weights in this process from now on, or let the rival do so whom a tuner sets beside us.

        None stands for the game's own.
        Raises SkyclaimError for a name that is none of a weight, or a game that has none.
        """
        raise SkyclaimError(f"{self.info.name} has no weights that could be changed")

    def narrate(self, events: Sequence[Event], mover: int) -> list[str]:
        """What happened in a step of seat ``mover``, in sentences; a game without words of its own gives the types."""
        return [f"{event['type']}." for event in events]


class Position(ABC):
    """A checked position that can be played. It is changed by ``apply`` and by nothing else."""

    game: Game
    #: every rule option of the game by name
    options: Mapping[str, Value]

    @property
    @abstractmethod
    def turn(self) -> int:
        """The number of the turn (or round), from 1."""

    @property
    @abstractmethod
    def deciders(self) -> tuple[int, ...]:
        """The seats that decide now: one in a decision node, several in a joint node, none when it is over."""

    @property
    @abstractmethod
    def result(self) -> Result | None:
        """None while the game goes on."""

    @property
    @abstractmethod
    def stream(self) -> int | None:
        """The state of the stream of chance; None where it is not known."""

    @property
    @abstractmethod
    def key(self) -> int:
        """The 64-bit identity of everything but the stream."""

    @property
    def situation(self) -> int | None:
        """The 64-bit identity of everything but the stream and the turn, where the same can come again; else None."""
        return None

    @property
    def seat(self) -> int:
        """The first seat that decides now, 0 when the game is over."""
        return self.deciders[0] if self.deciders else 0

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.game.info.seats[1]

    @property
    def tally(self) -> tuple[float, ...] | None:
        """What the players count, by seat (land, influence); None in a game that is not won by such a count."""
        return None

    @abstractmethod
    def line(self) -> str:
        """The position in its notation, canonical."""

    @abstractmethod
    def steps(self, seat: int | None = None) -> dict[str, int]:
        """The legal steps, sorted as text, each with the number that stands for it in search.

        Of ``seat`` (of the decider when None); empty when it is over. In games with orders: the single orders, each
        `ORDER/COST`, of which steps are made.
        """

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal steps as ``steps`` gives them, texts only."""
        return list(self.steps(seat))

    @abstractmethod
    def apply(self, step: str) -> list[Event]:
        """Play one step with the position's own stream and return what happened, in order.

        Raises IllegalStep or StreamUnknown and then leaves the position as it was.
        """

    @abstractmethod
    def restream(self, stream: int) -> None:
        """Set the state of the stream of chance (64 bits), so that what it brings from now on is chosen from outside.

        Raises StreamUnknown where the stream is not known, as in an observation.
        """

    @abstractmethod
    def observe(self, seat: int) -> Position:
        """What ``seat`` sees: the same kind of object, with the hidden facts gone and the stream unknown."""

    @abstractmethod
    def copy(self) -> Position:
        """An independent copy."""

    @abstractmethod
    def text(self, number: int) -> str:
        """The text of a step's number; raises SkyclaimError for a number that stands for none."""

    @abstractmethod
    def raw(self) -> bytes:
        """A copy of the C struct."""

    @abstractmethod
    def picture(self, colour: bool = False) -> str:
        """The board as lines of text; with ``colour``, with terminal colours."""

    @abstractmethod
    def evaluate(self) -> list[tuple[str, float]]:
        """The static evaluation term by term, for the seat to move (positive is good for it)."""

    @abstractmethod
    def explain(self, step: str, ask: Ask | None = None) -> str:
        """In plain English what a legal step does, and with ``ask`` how good that is by search; raises IllegalStep."""

    def number(self, step: str, seat: int) -> int:
        """The number of one seat's step as ``joint`` takes it; raises IllegalStep."""
        steps = self.steps(seat)
        if step not in steps:
            raise IllegalStep(step, self.line(), "is not legal here")
        return steps[step]

    def joint(self, steps: Mapping[int, str]) -> str:
        """What ``apply`` takes, made of the step of each decider by seat; raises SkyclaimError for other seats."""
        if list(steps) != list(self.deciders):
            raise SkyclaimError(f"seats {quote(str(list(steps)))} are not those that decide: {list(self.deciders)}")
        return steps[self.seat]

    def is_hint(self, step: str) -> bool:
        """Whether a hint to a person may name this legal step."""
        return True

    def sees(self, number: int, seat: int) -> bool:
        """Of an observation: whether it shows all that a step of another seat is about."""
        return True

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __str__(self) -> str:
        return self.line()


#: finds the facts about a step, from an observation, the seat that sees it, and the step's number
Ask = Callable[[Position, int, int], Facts]


class BoardPosition(Position):
    """A position made of a compiled board, which is for reading only, and the state of its stream."""

    def __init__(self, board: Any, stream: int | None, options: Mapping[str, Value]) -> None:
        self.board = board
        self.options = options
        self._stream = stream

    @property
    def stream(self) -> int | None:
        return self._stream

    @property
    def key(self) -> int:
        return int(self.board.key)

    def restream(self, stream: int) -> None:
        if self._stream is None:
            raise StreamUnknown("the stream of chance of this position is not known, so it cannot be set")
        self._stream = whole_number("stream", stream)

    def raw(self) -> bytes:
        return bytes(self.board.raw())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self.board == other.board and self._stream == other._stream)

    def __hash__(self) -> int:
        return hash((self.board, self._stream))
