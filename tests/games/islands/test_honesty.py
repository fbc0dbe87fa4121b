"""What a seat sees never changes with what it may not see (rules 6), and neither does anything made from it."""

from __future__ import annotations

from random import Random

import pytest

from skyclaim_engine.games.islands.position import GAME, IslandsPosition
from skyclaim_engine.search import Bot, Settings
from skyclaim_engine.search.onestep import candidates

from .games import SEATS, walk


def altered(position: IslandsPosition, seat: int, rng: Random) -> IslandsPosition:
    """The same to the seat, with other squads where it does not see, other energy and scans of the others, another
    stream."""
    seats, number, islands, energy, influence, scans, _ = position.line().split()
    seen = position.board.seen(seat)
    words = islands.split(",")
    for island, owner in enumerate(position.board.owners):
        if owner not in (0, seat) and island not in seen:
            # 37 islands at most: 0 to 2 squads on each keep below 20 for a seat only with few islands
            head = words[island].rpartition(".")[0]
            words[island] = f"{head}.{rng.randint(0, 2) if position.board.owners.count(owner) < 9 else 0}"
    stores = energy.split(",")
    spies = dict(word.split("@") for word in scans.split(",") if word != "-")
    for other in range(1, int(seats) + 1):
        if other != seat:
            stores[other - 1] = str(rng.randint(0, 12))
            spies.pop(str(other), None)
            if rng.random() < 0.5:
                spies[str(other)] = str(rng.randint(1, 18))
    spied = ",".join(f"{who}@{where}" for who, where in sorted(spies.items())) or "-"
    return GAME.parse(
        " ".join((seats, number, ",".join(words), ",".join(stores), influence, spied, f"{rng.getrandbits(64):016x}"))
    )


@pytest.mark.parametrize("seats", SEATS)
def test_an_observation_shows_nothing_hidden(seats: int) -> None:
    rng = Random(5)
    differing = 0
    for seed in range(30):
        for position, _ in walk(seats, 40 + seed):
            for seat in range(1, seats + 1):
                other = altered(position, seat, rng)
                differing += other.board != position.board
                one, two = position.observe(seat), other.observe(seat)
                assert one == two
                assert one.line() == two.line()
                assert one.raw() == two.raw()
                assert one.key == two.key
                if position.result is None:
                    assert one.legal() == two.legal() == position.legal(seat)
                    assert candidates(one, seat, 7, 20) == candidates(two, seat, 7, 20)
    assert differing > 700


def test_what_is_explained_comes_from_the_observation() -> None:
    rng, bot = Random(6), Bot(Settings(seed=3))
    for position, step in walk(3, 77):
        if step is None:
            break
        other = altered(position, 2, rng)
        orders = step.split(" | ")[1]
        assert position.explain(orders) == other.explain(orders) == position.observe(2).explain(orders[2:])
        told = bot.explain(position, orders)
        assert told == bot.explain(other, orders) == bot.explain(position.observe(2), orders[2:])


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_imagined_looks_the_same(seats: int) -> None:
    for seed in range(20):
        stream = seed
        for position, _ in walk(seats, 140 + seed):
            for seat in range(1, seats + 1):
                seen = position.observe(seat).board
                truth, stream = seen.imagine(stream)
                assert truth.faults() == []
                assert truth.observe(seat) == seen
                assert truth.seen_by == 0
                assert None not in truth.energy
                if position.turn == 1:
                    assert truth == position.board


def test_imagined_truths_differ() -> None:
    position = [position for position, _ in walk(2, 3)][8]
    seen = position.observe(1).board
    assert len({seen.imagine(stream)[0].raw() for stream in range(50)}) > 20
    assert seen.imagine(9) == seen.imagine(9)
    with pytest.raises(ValueError, match="observation"):
        position.board.imagine(1)
