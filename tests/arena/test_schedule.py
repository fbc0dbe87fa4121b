"""Schedules: who meets whom and where they sit."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from skyclaim_engine.arena.schedule import Schedule, arrangements, encounters, missing, rotations, rounds_for_games
from skyclaim_engine.errors import SkyclaimError


@pytest.mark.parametrize(
    ("kind", "engines", "seeds", "expected"),
    [
        ("roundrobin", 3, 1, [(0, 1), (0, 2), (1, 2)]),
        ("gauntlet", 4, 1, [(0, 1), (0, 2), (0, 3)]),
        ("gauntlet", 4, 2, [(0, 2), (0, 3), (1, 2), (1, 3)]),
        ("pairs", 4, 1, [(0, 1), (2, 3)]),
        ("table", 2, 1, [(0, 1)]),
    ],
)
def test_encounters(kind: str, engines: int, seeds: int, expected: list[tuple[int, int]]) -> None:
    assert list(encounters(kind, engines, 2, seeds)) == expected


def test_a_table_has_a_seat_for_each() -> None:
    assert list(encounters("table", 4, 3)) == list(combinations(range(4), 3))


@pytest.mark.parametrize(
    ("kind", "engines", "seats", "seeds", "words"),
    [
        ("roundrobin", 1, 2, 1, "two engines or more, not '1'"),
        ("pairs", 3, 2, 1, "an even number of engines, not '3'"),
        ("table", 2, 3, 1, "each of 3 seats, not '2'"),
        ("gauntlet", 2, 2, 2, "seeds '2' is not in 1..1"),
        ("swiss", 2, 2, 1, "'swiss' is none of"),
    ],
)
def test_what_does_not_fit(kind: str, engines: int, seats: int, seeds: int, words: str) -> None:
    with pytest.raises(SkyclaimError, match=words):
        encounters(kind, engines, seats, seeds)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_block_is_all_rotations(seats: int) -> None:
    """In each block both engines sit on every seat equally often, and over the blocks nobody has more seats."""
    plan = Schedule(((0, 1),), seats, seed=5, rounds=12)
    held: Counter[int] = Counter()
    for number in range(plan.blocks):
        block = plan.block(number)
        assert len(set(block.seatings)) == seats
        assert set(block.seatings) == set(rotations(block.seatings[0]))
        for seat in range(seats):
            assert Counter(seating[seat] for seating in block.seatings) == Counter(block.seatings[0])
        held.update(block.seatings[0])
    assert held[0] == held[1]


def test_the_arrangements_of_six() -> None:
    assert arrangements(2) == ((0, 1),)
    assert arrangements(4) == ((0, 0, 1, 1),)
    assert set(arrangements(6)) == {(0, 0, 0, 1, 1, 1), (0, 0, 1, 0, 1, 1), (0, 0, 1, 1, 0, 1)}


def test_pairs_progress_evenly_and_seeds_are_their_own() -> None:
    plan = Schedule(encounters("roundrobin", 4, 2), 2, seed=1, rounds=3)
    assert (plan.blocks, plan.games) == (18, 36)
    blocks = [plan.block(number) for number in range(plan.blocks)]
    for done in range(0, 18, 6):
        assert {block.seatings[0] for block in blocks[done : done + 6]} == set(plan.encounters)
    assert len({block.seed for block in blocks}) == 18
    assert len({plan.engine_seed(block, engine) for block in range(18) for engine in range(4)}) == 72
    assert plan.block(3) == Schedule(plan.encounters, 2, seed=1, rounds=99).block(3)
    assert plan.block(3).seed != Schedule(plan.encounters, 2, seed=2, rounds=3).block(3).seed


def test_around_the_table_the_order_changes() -> None:
    plan = Schedule(encounters("table", 4, 4), 4, seed=1, rounds=7)
    orders = [plan.block(number).seatings[0] for number in range(7)]
    assert len(set(orders[:6])) == 6
    assert orders[6] == orders[0] == (0, 1, 2, 3)


def test_games_become_whole_blocks() -> None:
    assert [rounds_for_games(games, 2) for games in (1, 2, 3)] == [1, 1, 2]
    assert rounds_for_games(7, 6) == 2


def test_what_is_missing() -> None:
    plan = Schedule(((0, 1),), 2, seed=1, rounds=3)
    assert list(missing([], plan)) == [(0, (0, 1)), (1, (0, 1)), (2, (0, 1))]
    assert list(missing([(1, 0), (0, 1), (0, 0)], plan)) == [(1, (1,)), (2, (0, 1))]
