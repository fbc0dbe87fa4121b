"""What a search found out about one step, for a game to put into words. There is no game and no search in this file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

#: steps whose expected results differ by less are about equal
EQUAL = 0.02

#: why the step is explained: it is played, shown to a person, the draw of a random turn, or what was asked about
Role = Literal["played", "hint", "random", "asked"]


class Choice(NamedTuple):
    """A step of the seat that decides, its expected result (0..1), and its expected lead where one is counted."""

    step: str
    win: float
    lead: float | None


class Reply(NamedTuple):
    """A step of another ``seat``, and what it takes from the expected result of the seat that decides."""

    seat: int
    step: str
    cost: float


@dataclass(frozen=True)
class Facts:
    """A step, and what was found out by one who knows what skill ``knowledge`` knows.

    ``chosen`` and ``other``, the best one besides it, come from the same search; both are None where nothing was
    compared. ``reply`` is the answer that costs most; ``prevented`` one that costs so much more after other steps.
    One step ahead, a free step is compared with free steps only, and the others with others (``of_a_kind``); then
    ``gain`` is what a free step adds to the expected result at once.
    """

    role: Role
    knowledge: int = 100
    chosen: Choice | None = None
    other: Choice | None = None
    reply: Reply | None = None
    prevented: Reply | None = None
    of_a_kind: bool = True
    gain: float | None = None

    @property
    def margin(self) -> float:
        """By how much the step is better than the other one; 0 where nothing was compared."""
        return self.chosen.win - self.other.win if self.chosen and self.other else 0.0

    @property
    def lead(self) -> float:
        """By how much the step leads to a greater lead than the other one; 0 where no lead is counted."""
        if not self.chosen or not self.other or self.chosen.lead is None or self.other.lead is None:
            return 0.0
        return self.chosen.lead - self.other.lead
