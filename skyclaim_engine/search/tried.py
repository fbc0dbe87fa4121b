"""What a bot has tried where it stands: steps that have led back to the same situation, so that nothing came of them.

Two sides can undo each other's steps for ever: a siege opens a square, a scout claims it back, and at the limit of
turns the one with less land has lost. Every round of this looks fair to a search that sees a few turns, so the side
that is behind must not go round again.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..game import Position

#: decisions that are remembered, over all games
LONGEST = 10_000


class Tried:
    """Steps by situation (`Position.situation`) and seat, with the turn in which each was first played.

    Only what was played in an earlier turn counts, so that who asks again gets the same answer.
    """

    def __init__(self) -> None:
        self._turns: dict[tuple[int, int, int], int] = {}

    def clear(self) -> None:
        """Forget all."""
        self._turns.clear()

    def played(self, view: Position, seat: int, number: int) -> None:
        """Remember a step that ``seat`` plays in what it sees."""
        if view.situation is None:
            return
        entry = view.situation, seat, number
        self._turns[entry] = min(view.turn, self._turns.get(entry, view.turn))
        if len(self._turns) > LONGEST:
            del self._turns[next(iter(self._turns))]

    def in_vain(self, view: Position, seat: int, numbers: Iterable[int]) -> frozenset[int]:
        """Those of the steps that ``seat`` played here in an earlier turn, if it is not ahead as far as it sees."""
        situation, turn, tally = view.situation, view.turn, view.tally
        if situation is None or tally is None or tally[seat - 1] > max(tally[: seat - 1] + tally[seat:]):
            return frozenset()
        return frozenset(number for number in numbers if self._turns.get((situation, seat, number), turn) < turn)
