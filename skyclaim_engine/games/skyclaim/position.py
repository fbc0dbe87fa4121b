"""Skyclaim behind the common interface: texts in, texts out, the compiled core between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..._board import Board
from ...errors import IllegalStep, SkyclaimError, StreamUnknown, quote
from ...game import Ask, BoardPosition, Event, Game, GameInfo, Result, whole_number
from ...options import complete
from . import evaluate, events, explain, narrate, notation, picture, skill, table, tuning
from .options import OPTIONS, rules
from .squares import INDEX, squares_of, step_number, step_text

SEATS = ("S", "N")


class Skyclaim(Game):
    """The main game (rules/skyclaim.md). Seats: South = 1 = S, North = 2 = N."""

    info = GameInfo("skyclaim", (2, 2), chance=True, hidden=True, simultaneous=False)
    options = OPTIONS
    table = table.TABLE
    plans = skill.PLANS
    scales = tuning.SCALES

    @property
    def weights(self) -> Mapping[str, float]:  # type: ignore[override]
        return evaluate.in_use()

    def seat(self, word: str) -> int:
        if word.upper() in SEATS:
            return SEATS.index(word.upper()) + 1
        if word in ("1", "2"):
            return int(word)
        raise SkyclaimError(f"seat {quote(word)} is none of S, N, 1, 2")

    def seat_name(self, seat: int) -> str:
        return SEATS[seat - 1]

    def start(self, seed: int, options: Mapping[str, object] | None = None) -> SkyclaimPosition:
        values = complete(OPTIONS, options)
        south, north = int(values["AsteroidsSouth"]), int(values["AsteroidsNorth"])
        board, stream = Board.setup(whole_number("seed", seed), south, north, rules(values))
        return SkyclaimPosition(board, stream, values)

    def parse(
        self, line: str, options: Mapping[str, object] | None = None, *, observation: bool = False
    ) -> SkyclaimPosition:
        values = complete(OPTIONS, options)
        board, stream = notation.parse(line, rules(values), observation)
        return SkyclaimPosition(board, stream, values)

    def use(self, weights: Mapping[str, float] | None, rival: bool = False) -> None:
        evaluate.use(evaluate.OWN if weights is None else weights, rival)

    def narrate(self, events: Sequence[Event], mover: int) -> list[str]:
        return narrate.narrate(events, self.seat_name(mover))


GAME = Skyclaim()


class SkyclaimPosition(BoardPosition):
    """A Board, its stream and the rule options. ``board`` is for reading; ``apply`` alone changes it."""

    game = GAME

    board: Board

    @property
    def turn(self) -> int:
        return self.board.turn

    @property
    def deciders(self) -> tuple[int, ...]:
        return () if self.board.over else (self.board.mover + 1,)

    @property
    def result(self) -> Result | None:
        if not self.board.over:
            return None
        winner = self.board.winner
        scores = (0.5, 0.5) if winner is None else (1.0 - winner, float(winner))
        return Result(scores, (f"result {events.result_text(winner, self.board.reason)}",))

    @property
    def situation(self) -> int:
        return self.board.situation

    @property
    def tally(self) -> tuple[float, ...]:
        """The squares of land."""
        return self.board.land_owned

    def line(self) -> str:
        return notation.line(self.board, self._stream)

    def steps(self, seat: int | None = None) -> dict[str, int]:
        if seat is not None and seat not in self.deciders:
            return {}
        return dict(sorted((step_text(number), number) for number in self.board.legal()))

    def number(self, step: str, seat: int) -> int:
        if seat not in self.deciders:
            raise IllegalStep(step, self.line(), "is not legal here")
        return self._number(step)

    def _number(self, step: str) -> int:
        """The number of a legal step; raises IllegalStep."""
        number = step_number(step)
        if number is None:
            raise IllegalStep(step, self.line(), "is not a step: kind:square or kind:squaresquare")
        if number not in self.board.legal():
            raise IllegalStep(step, self.line(), "the game is over" if self.board.over else "is not legal here")
        return number

    def text(self, number: int) -> str:
        try:
            return step_text(whole_number("step", number))
        except IndexError:
            raise SkyclaimError(f"step {quote(str(number))} is not the number of a step") from None

    def apply(self, step: str) -> list[Event]:
        number = self._number(step)
        if self._stream is None:
            raise StreamUnknown(f"step {quote(step)}: RNG '-' says that the stream is unknown: nothing can be played")
        self._stream, numbers = self.board.apply(number, self._stream)
        return events.decode(numbers)

    def observe(self, seat: int) -> SkyclaimPosition:
        if seat not in (1, 2):
            raise SkyclaimError(f"seat {quote(str(seat))} is neither 1 nor 2")
        return SkyclaimPosition(self.board.observe(seat - 1), None, self.options)

    def copy(self) -> SkyclaimPosition:
        return SkyclaimPosition(self.board.copy(), self._stream, self.options)

    def picture(self, colour: bool = False) -> str:
        return picture.draw(self.board, colour)

    def evaluate(self) -> list[tuple[str, float]]:
        return evaluate.terms(self.board)

    def explain(self, step: str, ask: Ask | None = None) -> str:
        number = self._number(step)
        facts = ask(self.observe(self.seat), self.seat, number) if ask else None
        return explain.step(self.board, number, facts=facts)

    def is_hint(self, step: str) -> bool:
        return step.startswith("swap:")

    def sees(self, number: int, seat: int) -> bool:
        stars = self.board.stars
        return all(stars[INDEX[square]] != picture.DARK for square in squares_of(step_text(number)))

    def __reduce__(self) -> tuple[Any, ...]:
        return SkyclaimPosition, (self.board, self._stream, dict(self.options))
