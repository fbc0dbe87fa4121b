"""What holds in every position: sets of orders counted, listed, drawn and judged alike; copies, keys and lines."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine.games.islands import orders
from skyclaim_engine.games.islands._core import LIMITS, Board, neighbours, structures, within_two
from skyclaim_engine.games.islands.position import GAME

from .games import SEATS, scene, walk

POSITIONS = [
    position for seats in SEATS for seed in range(4) for position, step in walk(seats, 500 + seed) if step is not None
]
#: with many squads on few islands, little and much energy, and 19 or 20 squads
CROWDED = [
    scene({7: "1.234.12", 1: "1.024.5", 18: "1.012.0"}, energy="3,0"),
    scene({7: "1.234.1", 1: "1.024.1", 2: "1.345.1", 3: "1.012.0", 8: "1.045.2"}, energy="12,1"),
    scene({7: "1.234.18", 1: "1.024.1"}, energy="5,12"),
    scene({7: "1.234.19", 1: "1.024.1"}, energy="12,2"),
    scene({7: "2.234.3", 13: "1.015.3"}, energy="2,3"),
]


def judged(position: object, seat: int, texts: tuple[str, ...]) -> bool:
    """Whether the door lets a set through."""
    return not orders.set_number(" ".join(texts) or "-", position.board, seat)[1]  # type: ignore[attr-defined]


@pytest.mark.parametrize("position", [*CROWDED, *POSITIONS[::9]])
def test_counted_listed_and_judged_alike(position: object) -> None:
    board = position.board  # type: ignore[attr-defined]
    for seat in range(1, board.seats + 1):
        listed = board.sets(seat)
        assert len(set(listed)) == len(listed) == board.count(seat)
        assert listed == sorted(listed)
        assert all(board.is_legal(seat, number) for number in listed[:: max(1, len(listed) // 300)])
        singles = [orders.set_text(number, board.seats) for number in board.legal(seat)]
        # every pair of legal orders, and some triples: listed if and only if the door lets it through
        found = {orders.set_text(number, board.seats) for number in listed}
        groups = [*combinations(singles, 2), *list(combinations(singles, 3))[::97]]
        for texts in groups[:: max(1, len(groups) // 1500)]:
            assert (" ".join(sorted(texts)) in found) == judged(position, seat, texts), texts


@pytest.mark.parametrize("position", [*CROWDED, *POSITIONS[::5]])
def test_the_single_orders_are_those_that_the_door_lets_through(position: object) -> None:
    board = position.board  # type: ignore[attr-defined]
    seats = board.seats
    islands = [number for number, structure in enumerate(structures(seats)) if structure]
    every = [f"{kind}:{n}" for kind in ("recruit", "fortify", "scan") for n in islands]
    every += [f"rotate:{n}{way}" for n in islands for way in "+-"]
    every += [
        f"march:{n}>{to}*{squads}"
        for n in islands for to in neighbours(seats)[n] if to is not None for squads in range(1, 21)
    ]  # fmt: skip
    for seat in range(1, seats + 1):
        legal = [text.partition("/")[0] for text in position.legal(seat)]  # type: ignore[attr-defined]
        assert legal == sorted(text for text in every if judged(position, seat, (text,)))


@given(st.sampled_from([*CROWDED, *POSITIONS]), st.integers(0, (1 << 64) - 1))
def test_sampled_sets_are_legal(position: object, stream: int) -> None:
    board = position.board  # type: ignore[attr-defined]
    for seat in range(1, board.seats + 1):
        number, after = board.sample(seat, stream)
        assert board.is_legal(seat, number)
        assert after != stream
        assert board.sample(seat, stream) == (number, after)
        text = orders.set_text(number, board.seats)
        assert orders.set_number(text, board, seat) == (number, [])
        assert orders.join(orders.split(number)) == number


def test_sampled_sets_are_of_every_size_and_kind() -> None:
    position = CROWDED[1]
    stream, sizes, kinds = 4, [0, 0, 0, 0], set()
    for _ in range(4000):
        text, stream = position.sample(1, stream)
        words = [] if text == "-" else text.split()
        sizes[len(words)] += 1
        kinds |= {word.partition(":")[0] for word in words}
    assert all(800 < size < 1200 for size in sizes), sizes
    assert kinds == {"march", "recruit", "rotate", "fortify", "scan"}


@given(st.sampled_from([*CROWDED, *POSITIONS]), st.integers(0, (1 << 64) - 1))
def test_any_number_may_be_asked_about(position: object, number: int) -> None:
    board = position.board  # type: ignore[attr-defined]
    for seat in range(1, board.seats + 1):
        assert not board.is_legal(seat, number | 1 << 60)
        if board.is_legal(seat, number & (1 << 60) - 1):
            assert number & (1 << 60) - 1 in board.sets(seat)


def test_numbers_that_are_no_sets() -> None:
    board = CROWDED[0].board
    legal = board.legal(1)
    one, two = legal[0], legal[1]
    assert board.is_legal(1, one)
    assert not board.is_legal(1, one << 20)  # an empty place below
    assert not board.is_legal(1, one | one << 20)
    assert not board.is_legal(1, max(one, two) | min(one, two) << 20)
    for order in range(1 << 17):
        assert board.is_legal(1, order) == (order == 0 or order in legal)


@pytest.mark.parametrize("seats", SEATS)
def test_along_games(seats: int) -> None:
    keys = {}
    for seed in range(10):
        for position, step in walk(seats, 700 + seed):
            line = position.line()
            board = position.board
            assert board.faults() == []
            assert keys.setdefault(position.key, board) == board
            assert GAME.parse(line) == position
            assert position.copy() == pickle.loads(pickle.dumps(position)) == position
            assert copy.copy(board) == copy.deepcopy(board) == board
            assert hash(position) == hash(position.copy())
            assert position.deciders == (tuple(range(1, seats + 1)) if step else ())
            if step is not None:
                after = position.copy()
                after.apply(step)
                assert position.line() == line
                assert after.stream == position.stream
                assert after.turn == position.turn + 1
                for seat in position.deciders:
                    assert board.total(seat) <= LIMITS[0]
                    steps = position.steps(seat)
                    assert list(steps) == sorted(steps)
                    assert [f"{position.text(n)}/{board.cost(seat, n)}" for n in steps.values()] == list(steps)
            else:
                assert sum(position.result.scores) == pytest.approx(1)  # type: ignore[union-attr]


@given(st.integers(0, (1 << 64) - 1), st.sampled_from(SEATS))
def test_every_seed_makes_a_fair_start(seed: int, seats: int) -> None:
    position = GAME.start(seed, {"Seats": seats})
    board = position.board
    assert board.faults() == []
    assert board.energy == (3,) * seats
    assert [board.total(seat) for seat in range(1, seats + 1)] == [5] * seats
    counts = {board.count(seat) for seat in range(1, seats + 1)}
    assert len(counts) == 1
    homes = [island for island, structure in enumerate(structures(seats)) if structure[:1] == "H"]
    assert all(board.bridges()[home] for home in homes)


def test_the_core_refuses_what_does_not_fit() -> None:
    good = GAME.start(1).board.__reduce__()[1]
    assert Board(*good) == GAME.start(1).board  # type: ignore[arg-type, misc]
    names = ("seats", "round", "hubs", "owners", "squads", "energy", "influence", "scans", "seen_by")
    fields = dict(zip(names, good, strict=True))  # type: ignore[call-overload]
    wrong = {
        "seats": (0, 1, 4, 7), "round": (0, 14), "hubs": ((0,) * 19, (7,) * 18, (64,) * 19), "owners": ((3,) * 19,),
        "squads": ((1,) * 19, (21,) * 19, (None,) * 19), "energy": ((13, 0), (3,), (None, 3), (-1, 3)),
        "influence": ((-1, 0), (20_000, 0), (0,)), "scans": ((0, None), (19, None), (None,)), "seen_by": (-1, 1, 3),
    }  # fmt: skip
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=r"."):
                Board(**{**fields, name: value})
    board = GAME.start(1).board
    for sets in ((0,), (0, 0, 0), (1, 0), (board.legal(1)[0], board.legal(1)[0])):
        with pytest.raises(ValueError, match=r"."):
            board.apply(sets)
    with pytest.raises(ValueError, match="observation"):
        board.observe(1).apply((0, 0))


#: the directions 0..5 in axial coordinates
WALK = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def coordinates(islands: int) -> list[tuple[int, int]]:
    """(q, r) by number: the spiral of rules 1."""
    found = [(0, 0)]
    ring = 1
    while len(found) < islands:
        q, r = ring, 0
        for direction in (2, 3, 4, 5, 0, 1):
            for _ in range(ring):
                found.append((q, r))
                q, r = q + WALK[direction][0], r + WALK[direction][1]
        ring += 1
    return found


@pytest.mark.parametrize("seats", SEATS)
def test_neighbours_and_distances(seats: int) -> None:
    there = structures(seats)
    at = coordinates(len(there))
    assert len(at) == len(there) == len(neighbours(seats)) == len(within_two(seats))
    for one, (q, r) in enumerate(at):
        for direction, (right, down) in enumerate(WALK):
            to = at.index((q + right, r + down)) if (q + right, r + down) in at else None
            expected = to if there[one] and to is not None and there[to] else None
            assert neighbours(seats)[one][direction] == expected
        near = {
            other for other, (u, v) in enumerate(at)
            if there[other] and max(abs(u - q), abs(v - r), abs(u + v - q - r)) <= 2
        }  # fmt: skip
        assert within_two(seats)[one] == (near if there[one] else set())
