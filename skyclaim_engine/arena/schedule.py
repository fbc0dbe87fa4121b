"""Who meets whom, where they sit, and by which seed: pure functions of a schedule and the number of a block.

A **block** is a set of games with the same seed and start in which the seats are exchanged: as many games as there are
seats, each arrangement turned by one seat. So no engine gains by its seat or by its luck, and the blocks, which are
independent of each other, are what statistics count.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import SkyclaimError, quote
from ..search.skill import mix

KINDS = ("roundrobin", "gauntlet", "pairs", "table")
#: what an engine's own chance may be seeded with
SEEDS = 1 << 63

#: an engine by its place in the list, for each seat
Seating = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """``seatings[game]`` says which engine sits where; all games have the ``seed`` in common."""

    number: int
    seed: int
    seatings: tuple[Seating, ...]


@dataclass(frozen=True)
class Schedule:
    """``encounters`` (engines by place, two of them or one for each seat) take turns, ``rounds`` blocks each."""

    encounters: tuple[tuple[int, ...], ...]
    seats: int
    seed: int
    rounds: int

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(self.encounters) * self.rounds

    @property
    def games(self) -> int:
        """How many games there are; each block has as many as seats."""
        return self.blocks * self.seats

    def cycle(self, block: int) -> int:
        """How many blocks each encounter had before the cycle of this block; it is the same for all encounters."""
        return block // len(self.encounters)

    def block(self, number: int) -> Block:
        """The block of that number, 0..``blocks`` - 1."""
        cycle, encounter = self.cycle(number), self.encounters[number % len(self.encounters)]
        if len(encounter) == self.seats:
            seating = _around_the_table(encounter, cycle)
        else:
            patterns = arrangements(self.seats)
            seating = tuple(encounter[which] for which in patterns[cycle % len(patterns)])
        return Block(number, mix(self.seed, number), tuple(rotations(seating)))

    def engine_seed(self, block: int, engine: int) -> int:
        """The seed of an engine's own chance in all games of a block: 1..2^63 - 1, since 0 means the clock."""
        return mix(self.seed, block, engine + 1) % (SEEDS - 1) + 1


def encounters(kind: str, engines: int, seats: int, seeds: int = 1) -> tuple[tuple[int, ...], ...]:
    """Who meets whom in a schedule of ``kind``; of a gauntlet the first ``seeds`` engines meet all others.

    Raises SkyclaimError where the number of engines does not fit.
    """
    if engines < 2:
        raise SkyclaimError(f"a match needs two engines or more, not {quote(str(engines))}")
    if kind == "roundrobin":
        return tuple(itertools.combinations(range(engines), 2))
    if kind == "gauntlet":
        if not 0 < seeds < engines:
            raise SkyclaimError(f"seeds {quote(str(seeds))} is not in 1..{engines - 1}: somebody must be left to meet")
        return tuple(itertools.product(range(seeds), range(seeds, engines)))
    if kind == "pairs":
        if engines % 2:
            raise SkyclaimError(f"schedule 'pairs' needs an even number of engines, not {quote(str(engines))}")
        return tuple((first, first + 1) for first in range(0, engines, 2))
    if kind == "table":
        if engines < seats:
            raise SkyclaimError(f"schedule 'table' needs one for each of {seats} seats, not {quote(str(engines))}")
        return tuple(itertools.combinations(range(engines), seats))
    raise SkyclaimError(f"schedule {quote(kind)} is none of {', '.join(KINDS)}")


def rotations(seating: Sequence[int]) -> Iterator[Seating]:
    """The seating turned by 0, 1, … seats."""
    for turn in range(len(seating)):
        yield (*seating[turn:], *seating[:turn])


@functools.cache
def arrangements(seats: int) -> tuple[Seating, ...]:
    """The ways to seat two engines, 0 and 1, on half of the seats each, one for each set of rotations.

    With an odd number of seats now one and now the other has one seat more. Left out is what a turn by less than the
    whole table brings back (such as 0101), so that each block has as many different games as there are seats.
    """
    few = [_necklaces(seats, seats // 2)]
    if seats % 2:
        few.append(_necklaces(seats, seats - seats // 2))
    return tuple(itertools.chain.from_iterable(zip(*few, strict=True)))


def _necklaces(seats: int, zeros: int) -> list[Seating]:
    """The smallest of each set of ``seats`` different rotations, in order."""
    found = []
    for places in itertools.combinations(range(seats), zeros):
        seating = tuple(0 if seat in places else 1 for seat in range(seats))
        turned = set(rotations(seating))
        if len(turned) == seats and seating == min(turned):
            found.append(seating)
    return found


def _around_the_table(engines: tuple[int, ...], cycle: int) -> Seating:
    """One of the orders around the table in which the first engine keeps its seat."""
    first, *others = engines
    orders = itertools.permutations(others)
    return (first, *next(itertools.islice(orders, cycle % math.factorial(len(others)), None)))


def rounds_for_games(games: int, seats: int) -> int:
    """The number of blocks for each encounter that has at least so many games."""
    return -(-games // seats)


def missing(done: Iterable[tuple[int, int]], schedule: Schedule) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each block that is not complete, with the numbers of its games that are not in ``done`` (block, game)."""
    have: dict[int, int] = {}
    for block, game in done:
        have[block] = have.get(block, 0) | 1 << game
    for block in range(schedule.blocks):
        games = tuple(game for game in range(schedule.seats) if not have.get(block, 0) >> game & 1)
        if games:
            yield block, games
