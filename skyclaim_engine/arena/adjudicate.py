"""When a game is decided before its end: by the count that players keep, or because all engines agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import SkyclaimError, quote
from ..game import Position

FIGURE = re.compile(r"\d{1,6}(?:\.\d{1,6})?", re.ASCII)
WIN = re.compile(r"\bscore win (\d+(?:\.\d+)?)", re.ASCII)


@dataclass(frozen=True)
class Rule:
    """A seat that is ahead at ``turns`` turn ends in a row has won.

    By ``lead``: it has so much more of the position's tally than any other. By ``win``: its engine expects so much,
    and every other at most the rest.
    """

    kind: str
    figure: float
    turns: int

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Read `lead=40 turns=6` or `win=0.98 turns=6`; raises SkyclaimError."""
        pairs = dict(word.partition("=")[::2] for word in text.split())
        kind = "lead" if "lead" in pairs else "win"
        if set(pairs) != {kind, "turns"} or len(pairs) != len(text.split()):
            raise SkyclaimError(f"adjudicate {quote(text)} is neither 'lead=N turns=N' nor 'win=P turns=N'")
        for name, word in pairs.items():
            if not FIGURE.fullmatch(word) or not float(word):
                raise SkyclaimError(f"adjudicate: {name} {quote(word)} is not a number above 0")
        if not pairs["turns"].isdigit():
            raise SkyclaimError(f"adjudicate: turns {quote(pairs['turns'])} is not a whole number")
        figure = float(pairs[kind])
        if kind == "win" and not 0.5 < figure <= 1:
            raise SkyclaimError(f"adjudicate: win {quote(pairs[kind])} is not above 0.5 and up to 1")
        return cls(kind, figure, int(pairs["turns"]))

    def ahead(self, position: Position, wins: Sequence[float | None]) -> int:
        """The seat that is ahead now by this rule, 0 for none; ``wins`` is what each seat last expected."""
        if self.kind == "lead":
            tally = position.tally or (0, 0)
            *_, second, best = sorted(tally)
            return tally.index(best) + 1 if best - second >= self.figure else 0
        for seat, win in enumerate(wins, 1):
            others = [other for number, other in enumerate(wins, 1) if number != seat]
            if win is not None and win >= self.figure:
                return seat if all(other is not None and other <= 1 - self.figure for other in others) else 0
        return 0


class Adjudicator:
    """Follows one game. ``wins`` by seat is kept up by ``hear``."""

    def __init__(self, rules: Sequence[Rule], seats: int) -> None:
        self._rules = rules
        self._wins: list[float | None] = [None] * seats
        #: for each rule who is ahead, and at how many turn ends in a row
        self._runs = [(0, 0)] * len(rules)

    def hear(self, seat: int, infos: Sequence[str]) -> None:
        """Take the expected result from the last `info` of a step that tells it."""
        if self._rules:
            told = (found for info in reversed(infos) if (found := WIN.search(info)))
            self._wins[seat - 1] = next((float(found[1]) for found in told), None)

    def end_turn(self, position: Position) -> tuple[int, str] | None:
        """The seat that has won and by which rule, in words; None while the game goes on."""
        for number, rule in enumerate(self._rules):
            seat = rule.ahead(position, self._wins)
            before, run = self._runs[number]
            run = run + 1 if seat == before else 1
            self._runs[number] = seat, run
            if seat and run >= rule.turns:
                return seat, f"{position.game.seat_name(seat)} wins by {rule.kind} {rule.figure:g} for {run} turns"
        return None
