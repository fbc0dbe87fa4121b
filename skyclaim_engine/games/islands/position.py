"""Islands behind the common interface: texts in, texts out, the compiled core between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import IllegalStep, SkyclaimError, StreamUnknown, quote
from ...game import Ask, BoardPosition, Event, Game, GameInfo, Result, whole_number
from ...options import complete
from . import evaluate, events, explain, narrate, notation, orders, picture, table
from ._core import SEATS, Board
from .options import OPTIONS

#: between the parts of a joint step
BETWEEN = " | "


class Islands(Game):
    """Floating islands, rotating bridges, secret orders (rules/islands.md). Seats are numbers."""

    info = GameInfo("islands", (min(SEATS), max(SEATS)), chance=False, hidden=True, simultaneous=True)
    options = OPTIONS
    table = table.TABLE

    def seat(self, word: str) -> int:
        if word in map(str, range(1, max(SEATS) + 1)):
            return int(word)
        raise SkyclaimError(f"seat {quote(word)} is not one of 1..{max(SEATS)}")

    def seat_name(self, seat: int) -> str:
        return str(seat)

    def start(self, seed: int, options: Mapping[str, object] | None = None) -> IslandsPosition:
        values = complete(OPTIONS, options)
        return IslandsPosition(*Board.setup(whole_number("seed", seed), int(values["Seats"])))

    def parse(
        self, line: str, options: Mapping[str, object] | None = None, *, observation: bool = False
    ) -> IslandsPosition:
        """The position of a line; how many seats there are is said by the line, whatever the option ``Seats`` is."""
        complete(OPTIONS, options)
        return IslandsPosition(*notation.parse(line, observation))

    def narrate(self, events: Sequence[Event], mover: int) -> list[str]:
        return narrate.narrate(events)


GAME = Islands()


class IslandsPosition(BoardPosition):
    """A Board and its stream. ``board`` is for reading; ``apply`` alone changes it.

    A step is a set of orders, `-` or orders with blanks between; what ``apply`` takes is a joint step,
    `1:ORDERS | 2:ORDERS`, with a set of every seat.
    """

    game = GAME
    board: Board

    def __init__(self, board: Board, stream: int | None) -> None:
        super().__init__(board, stream, {"Seats": str(board.seats)})

    @property
    def turn(self) -> int:
        return self.board.round

    @property
    def deciders(self) -> tuple[int, ...]:
        """All seats; of an observation the one that sees."""
        if self.board.over:
            return ()
        return (self.board.seen_by,) if self.board.seen_by else tuple(range(1, self.board.seats + 1))

    @property
    def result(self) -> Result | None:
        if not self.board.over:
            return None
        shares = self.board.shares
        return Result(shares, (f"result {events.result_text(shares)}",))

    @property
    def seats(self) -> int:
        return self.board.seats

    @property
    def tally(self) -> tuple[float, ...]:
        """The points of influence."""
        return tuple(halves / 2 for halves in self.board.influence)

    def line(self) -> str:
        return notation.line(self.board, self._stream)

    def steps(self, seat: int | None = None) -> dict[str, int]:
        """The legal single orders of a seat, each written `ORDER/COST`, with its number as a set of one."""
        seat = self.seat if seat is None else seat
        if seat not in self.deciders:
            return {}
        board = self.board
        found = ((self.text(number), number) for number in board.legal(seat))
        return dict(sorted((f"{text}/{board.cost(seat, number)}", number) for text, number in found))

    def orders(self, seat: int) -> int:
        """The number of different legal order sets of ``seat``, the empty one included; 0 when the game is over."""
        return self.board.count(self._own(seat))

    def perft(self, depth: int, most: int | None = None) -> int:
        """The number of sequences of ``depth`` joint steps (rules 8); LimitError if it takes over ``most`` rounds."""
        return self.board.perft(depth, most=most)

    def order_sets(self, seat: int) -> list[str]:
        """All legal order sets of ``seat``, sorted. There can be tens of thousands."""
        return sorted(map(self.text, self.board.sets(self._own(seat))))

    def sample(self, seat: int, stream: int) -> tuple[str, int]:
        """A legal order set as a random player draws it from a stream, and the stream after that."""
        number, stream = self.board.sample(self._own(seat), stream)
        return self.text(number), stream

    def number(self, step: str, seat: int) -> int:
        """The number of a legal order set of ``seat``; raises IllegalStep with every reason why it is none."""
        if self.board.over:
            raise IllegalStep(step, self.line(), "the game is over")
        number, reasons = orders.set_number(step, self.board, self._own(seat))
        if reasons:
            raise IllegalStep(step, self.line(), "; ".join(reasons))
        return number

    def text(self, number: int) -> str:
        try:
            return orders.set_text(whole_number("step", number), self.board.seats)
        except IndexError:
            raise SkyclaimError(f"step {quote(str(number))} is not the number of a step") from None

    def joint(self, sets: Mapping[int, str]) -> str:
        """The joint step of the sets by seat; a seat without one gives no orders."""
        return BETWEEN.join(f"{seat}:{sets.get(seat, '-')}" for seat in range(1, self.board.seats + 1))

    def apply(self, step: str) -> list[Event]:
        if self.board.seen_by:
            reason = "an observation does not say what the others have, so no round can be played"
            raise StreamUnknown(f"step {quote(step)}: {reason}")
        return events.decode(self.board.apply(self._numbers(step)), self.board.seats)

    def _numbers(self, step: str) -> list[int]:
        """The set of every seat in a joint step; raises IllegalStep with every reason."""
        if self.board.over:
            raise IllegalStep(step, self.line(), "the game is over")
        parts, seats = step.split("|"), self.board.seats
        reasons, numbers = [], []
        if len(parts) != seats:
            reasons.append(f"has {len(parts)} parts, not one for each of {seats} seats: 1:ORDERS | 2:ORDERS")
        for seat, part in enumerate(parts[:seats], 1):
            name, colon, text = part.strip().partition(":")
            if name != str(seat) or not colon:
                reasons.append(f"{quote(part.strip())} does not begin with {seat}:")
                continue
            number, why = orders.set_number(text, self.board, seat)
            reasons += (f"seat {seat}: {reason}" for reason in why)
            numbers.append(number)
        if reasons:
            raise IllegalStep(step, self.line(), "; ".join(reasons))
        return numbers

    def _own(self, seat: int) -> int:
        """The seat, if there is such a one and its orders are known here; raises SkyclaimError."""
        board = self.board
        if not 1 <= seat <= board.seats:
            raise SkyclaimError(f"seat {quote(str(seat))} is not one of 1..{board.seats}")
        if board.seen_by not in (0, seat):
            reason = f"the observation of seat {board.seen_by} does not show what it sees"
            raise SkyclaimError(f"seat {quote(str(seat))}: {reason}")
        return seat

    def observe(self, seat: int) -> IslandsPosition:
        return IslandsPosition(self.board.observe(self._own(seat)), None)

    def copy(self) -> IslandsPosition:
        return IslandsPosition(self.board.copy(), self._stream)

    def picture(self, colour: bool = False) -> str:
        return picture.draw(self.board, colour)

    def evaluate(self) -> list[tuple[str, float]]:
        """The terms for the seat that sees, of a whole position for seat 1."""
        return evaluate.terms(self.board, self.board.seen_by or 1)

    def explain(self, step: str, ask: Ask | None = None) -> str:
        """What an order set does: of seat 1, or of seat s where it begins `s:`, or of the seat that sees.

        A joint step is explained seat by seat, and an order may be followed by its cost, as ``legal`` writes it.
        """
        parts = []
        for part in step.split("|"):
            name, colon, text = part.strip().partition(":")
            seat, text = (int(name), text) if name in map(str, range(1, 10)) and colon else (self.seat, part)
            words = [word.partition("/")[0] for word in text.split()]
            number = self.number(" ".join(words), seat)
            facts = ask(self.observe(seat), seat, number) if ask else None
            told = explain.orders(self.board, seat, number, facts)
            parts.append(f"Seat {seat}: {told}" if "|" in step else told)
        return " ".join(parts)

    def sees(self, number: int, seat: int) -> bool:
        """Whether the order is a march of squads that are seen; what costs energy may not be possible."""
        order = number & (1 << orders.ORDER_BITS) - 1
        return order >> 14 == orders.MARCH and self.board.squads[order >> 8 & 63] is not None

    def __reduce__(self) -> tuple[Any, ...]:
        return IslandsPosition, (self.board, self._stream)
