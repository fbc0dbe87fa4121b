"""Rockets behind the common interface: texts in, texts out, the compiled core between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import IllegalStep, SkyclaimError, StreamUnknown, quote
from ...game import Ask, BoardPosition, Event, Game, GameInfo, Result, whole_number
from ...options import complete
from . import evaluate, events, explain, narrate, notation, picture, table
from ._core import NAMES, Board
from .options import FEWEST_PILOTS, MOST_PILOTS, OPTIONS, rules, values
from .spaces import NotAStep, path_of, step_number, step_text


class Rockets(Game):
    """Rockets (docs/rules/rockets.md). Seats are the pilots 1..n."""

    info = GameInfo("rockets", (FEWEST_PILOTS, MOST_PILOTS), chance=True, hidden=True, simultaneous=False)
    options = OPTIONS
    table = table.TABLE

    def seat(self, word: str) -> int:
        if word in tuple("123456"):
            return int(word)
        raise SkyclaimError(f"seat {quote(word)} is not a pilot 1..6")

    def seat_name(self, seat: int) -> str:
        return str(seat)

    def start(self, seed: int, options: Mapping[str, object] | None = None) -> RocketsPosition:
        given = complete(OPTIONS, options)
        return RocketsPosition(*Board.setup(whole_number("seed", seed), rules(given)))

    def parse(
        self, line: str, options: Mapping[str, object] | None = None, *, observation: bool = False
    ) -> RocketsPosition:
        """As the interface says. The line has its own options; those given are checked and have no effect."""
        complete(OPTIONS, options)
        return RocketsPosition(*notation.parse(line, observation))

    def narrate(self, events: Sequence[Event], mover: int) -> list[str]:
        return narrate.narrate(events)


GAME = Rockets()


class RocketsPosition(BoardPosition):
    """A Board and its stream. ``board`` is for reading; ``apply`` alone changes it."""

    game = GAME
    board: Board

    def __init__(self, board: Board, stream: int | None) -> None:
        super().__init__(board, stream, values(board.rules))

    @property
    def turn(self) -> int:
        return self.board.turn

    @property
    def deciders(self) -> tuple[int, ...]:
        return () if self.board.over else (self.board.mover,)

    @property
    def result(self) -> Result | None:
        board = self.board
        if not board.over:
            return None
        share = 1 / len(board.winners)
        scores = tuple(share if seat in board.winners else 0.0 for seat in range(1, board.rules[0] + 1))
        lines = (
            f"result {events.result_text(board.winners, board.how)}",
            f"awards {events.awards_text(board.awards)}",
        )
        return Result(scores, lines)

    @property
    def seats(self) -> int:
        return self.board.rules[0]

    def line(self) -> str:
        return notation.line(self.board, self._stream)

    def steps(self, seat: int | None = None) -> dict[str, int]:
        if seat is not None and seat not in self.deciders:
            return {}
        return dict(sorted((step_text(number), number) for number in self.board.legal()))

    def _number(self, step: str) -> int:
        """The number of a step that can be played, listed or not; raises IllegalStep."""
        try:
            number = self.board.canonical(step_number(step))
        except NotAStep as error:
            raise IllegalStep(step, self.line(), str(error)) from None
        why, where = self.board.refusal(number)
        if why:
            raise IllegalStep(step, self.line(), self._reason(number, why, where))
        return number

    def _reason(self, number: int, why: str, where: int) -> str:
        board, path = self.board, path_of(number)
        if board.over:
            return "the game is over"
        if why == "now":
            return f"is not a step of the phase {board.phase}"
        if why == "legal":
            return "is not legal here"
        if why == "short":
            return f"the die shows {board.die} and the way goes on"
        if why == "long":
            return f"has more spaces than the {board.die} of the die"
        space = NAMES[path[where]]
        return {
            "tile": f"there is no tile at {space}",
            "touch": f"{space} does not touch the space before it",
            "twice": f"{space} is visited twice",
            "blocked": f"an asteroid token is on {space}",
            "burst": f"the shot bursts before {space}",
        }[why]

    def text(self, number: int) -> str:
        try:
            return step_text(whole_number("step", number))
        except IndexError:
            raise SkyclaimError(f"step {quote(str(number))} is not the number of a step") from None

    def apply(self, step: str) -> list[Event]:
        number = self._number(step)
        if self._stream is None:
            reason = "RNG '-' means that the stream is not known, so no step can be played"
            raise StreamUnknown(f"step {quote(step)}: {reason}")
        self._stream, numbers = self.board.apply(number, self._stream)
        return events.decode(numbers)

    def observe(self, seat: int) -> RocketsPosition:
        if not 1 <= seat <= self.board.rules[0]:
            raise SkyclaimError(f"seat {quote(str(seat))} is not one of the pilots 1..{self.board.rules[0]}")
        return RocketsPosition(self.board.observe(), None)

    def copy(self) -> RocketsPosition:
        return RocketsPosition(self.board.copy(), self._stream)

    def picture(self, colour: bool = False) -> str:
        return picture.draw(self.board, colour)

    def evaluate(self) -> list[tuple[str, float]]:
        return evaluate.terms(self.board)

    def explain(self, step: str, ask: Ask | None = None) -> str:
        number = self._number(step)
        facts = ask(self.observe(self.seat), self.seat, number) if ask else None
        return explain.step(self.board, number, facts=facts)

    def __reduce__(self) -> tuple[Any, ...]:
        return RocketsPosition, (self.board, self._stream)
