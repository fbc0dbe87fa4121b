"""The compiled board as a value: what its constructor takes, copies, pickles, and the struct's own order."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given

from skyclaim_engine._board import KINDS, SIZE, Board, instruction_level, use_instruction_level
from skyclaim_engine.errors import IllegalStep, StreamUnknown
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from tests.positions import Options
from tests.strategies import a_played_one, numbers, option_sets, positions

GAME = GAMES["skyclaim"]
KIND = {letter: number for number, letter in enumerate(KINDS)}
COMMANDS = ((5, 0, KIND["M"], 1, 0, 0), (115, 1, KIND["M"], 1, 0, 0))


# ---------------------------------------------------------------- what the constructor takes


def build(**changes: Any) -> Board:
    """A plain board with some arguments of the constructor changed."""
    plain = {
        "stars": bytes([1 + (i % 11 + 2 * (i // 11)) % 5 for i in range(121)]), "drones": COMMANDS, "land": bytes(121),
        "lit": bytes(121), "wrecks": {},
    }  # fmt: skip
    return Board(**{**plain, **changes})


def with_byte(at: int, value: int) -> bytes:
    field = bytearray([1] * 121)
    field[at] = value
    return bytes(field)


def drone(square: int = 20, side: int = 0, kind: str = "S", power: int = 1, rides: int = 0, missiles: int = 0) -> tuple:
    return square, side, KIND[kind], power, rides, missiles


def test_a_plain_board() -> None:
    board = build(drones=(*COMMANDS, drone(missiles=1, rides=31, power=3)), stock=(99, 0), wrecks={0: 10}, turn=7)
    assert board.faults() == []
    assert board.drones[1] == drone(missiles=1, rides=31, power=3)
    assert (board.stock, board.wrecks, board.turn, board.over) == ((99, 0), {0: 10}, 7, False)


@pytest.mark.parametrize(
    "changes",
    [
        {"stars": bytes(120)}, {"stars": bytes([1] * 122)}, {"stars": b""}, {"land": bytes(120)}, {"lit": bytes(122)},
        {"stars": with_byte(0, 0)}, {"stars": with_byte(120, 8)}, {"stars": with_byte(7, 255)},
        {"land": with_byte(3, 3)}, {"land": with_byte(3, 255)}, {"lit": with_byte(3, 4)},
        {"mover": 2}, {"mover": -1}, {"seen_by": 3}, {"seen_by": -1}, {"turn": 0}, {"turn": -5}, {"turn": 10**10},
        {"cleared": -1}, {"cleared": 10**10}, {"turn": 2**64}, {"cleared": -(2**64)},
        {"stock": (100, 0)}, {"stock": (0, -1)}, {"stock": (0, 1), "drones": COMMANDS[:1]}, {"stock": (0, 2**40)},
        {"rules": (False, 3, 69, 1, 400)}, {"rules": (False, -1, 69, 1, 400)}, {"rules": (False, 0, 59, 1, 400)},
        {"rules": (False, 0, 101, 1, 400)}, {"rules": (False, 0, 69, 2, 400)}, {"rules": (False, 0, 69, 1, 0)},
        {"rules": (False, 0, 69, 1, 10_001)}, {"rules": (False, 0, 69, 1)}, {"rules": ()},
        {"drones": [drone(121)]}, {"drones": [drone(-1)]}, {"drones": [drone(side=2)]}, {"drones": [drone(side=-1)]},
        {"drones": [(20, 0, 0, 1, 0, 0)]}, {"drones": [(20, 0, 10, 1, 0, 0)]}, {"drones": [(20, 0, -1, 1, 0, 0)]},
        {"drones": [drone(power=0)]}, {"drones": [drone(power=4)]}, {"drones": [drone(rides=32)]},
        {"drones": [drone(rides=-1)]}, {"drones": [drone(missiles=2)]}, {"drones": [drone(missiles=-1)]},
        {"drones": [drone(kind="H", missiles=3)]}, {"drones": [drone(kind="G", missiles=1)]},
        {"drones": [drone(kind="M", missiles=1)]}, {"drones": [drone(), drone(side=1)]}, {"drones": [(1, 2, 3)]},
        {"stars": with_byte(20, 6), "drones": [drone()]}, {"stars": with_byte(20, 7), "drones": [drone()]},
        {"wrecks": {121: 3}}, {"wrecks": {-1: 3}}, {"wrecks": {0: 0}}, {"wrecks": {0: 11}}, {"wrecks": {5: 3}},
        {"stars": with_byte(20, 6), "drones": (), "wrecks": {20: 3}},
    ],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises((ValueError, OverflowError)):
        build(**changes)


@pytest.mark.parametrize("changes", [{"stars": None}, {"stars": "1" * 121}, {"mover": "S"}, {"drones": None}])
def test_values_of_a_wrong_type_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        build(**changes)


@pytest.mark.parametrize(("south", "north"), [(21, 0), (0, 21), (-1, 0)])
def test_a_setup_has_up_to_20_asteroids_a_side(south: int, north: int) -> None:
    with pytest.raises(ValueError, match=str(south or north)):
        Board.setup(1, south, north)


@pytest.mark.parametrize("level", ["", "AVX2", "native"])
def test_an_unknown_instruction_level_is_refused(level: str) -> None:
    before = instruction_level()
    with pytest.raises(ValueError, match="is not one of"):
        use_instruction_level(level)
    assert instruction_level() == before


def test_an_illegal_step_changes_nothing() -> None:
    position = GAME.start(3)
    before, raw = position.line(), position.raw()
    for step in ("swap:e5e4", "swap:a1a2", "move:e1a9", "pass", "fire:e1e1", "claim:f1", "take:e1f3", "", "x", "pass:"):
        with pytest.raises(IllegalStep) as found:
            position.apply(step)
        assert (found.value.step, found.value.position, found.value.code) == (step, before, "illegal-step")
        with pytest.raises(IllegalStep):
            position.explain(step)
    for number in (-1, 2**32 - 1, 2**70):
        with pytest.raises((ValueError, OverflowError)):
            position.board.apply(number, position.stream)
    assert (position.line(), position.raw()) == (before, raw)


def test_no_step_is_played_where_the_stream_is_not_known() -> None:
    line = GAME.start(3).line()
    position = GAME.parse(line[: line.rindex(" ")] + " -")
    before = position.raw()
    assert position.legal()
    with pytest.raises(StreamUnknown):
        position.apply(position.legal()[0])
    assert position.raw() == before


# ---------------------------------------------------------------- copies and pickles


def everything(position: SkyclaimPosition) -> tuple[Any, ...]:
    return position.line(), position.raw(), position.key, position.stream, position.result, tuple(position.legal())


@given(positions, numbers)
def test_copies_are_independent(position: SkyclaimPosition, number: int) -> None:
    rng = Random(number)
    twin = position.copy()
    assert twin == position
    assert hash(twin) == hash(position)
    assert everything(twin) == everything(position)
    before = everything(position)
    for _ in range(3):
        legal = twin.legal()
        if not legal:
            return
        twin.apply(rng.choice(legal))
        assert everything(position) == before
        assert twin != position
    after = everything(twin)
    if position.legal():
        position.apply(rng.choice(position.legal()))
    assert everything(twin) == after


@given(positions)
def test_every_legal_step_leaves_the_parent_untouched(position: SkyclaimPosition) -> None:
    before = everything(position)
    for step in position.legal()[::7]:
        child = position.copy()
        child.apply(step)
        assert child.board.faults() == []
    assert everything(position) == before


@given(positions)
def test_pickles_and_copies_are_the_same(position: SkyclaimPosition) -> None:
    seen = position.observe(1)
    for value in (position, seen):
        for twin in (
            pickle.loads(pickle.dumps(value)), pickle.loads(pickle.dumps(value, 0)), copy.copy(value),
            copy.deepcopy(value),
        ):  # fmt: skip
            assert twin == value
            assert everything(twin) == everything(value)
            assert twin.options == value.options
    for board in (position.board, seen.board):
        for other in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board), board.copy()):
            assert other == board
            assert other is not board
            assert (other.raw(), other.key, other.over, other.reason) == (
                board.raw(), board.key, board.over, board.reason,
            )  # fmt: skip


def test_other_things_are_not_equal() -> None:
    position = GAME.start(1)
    assert position != position.line()
    assert position.board != position
    assert position != GAME.start(1, {"TurnLimit": 399})


# ---------------------------------------------------------------- the struct in order


@given(positions, numbers)
def test_the_struct_stays_in_order(position: SkyclaimPosition, number: int) -> None:
    rng = Random(number)
    for _ in range(12):
        assert position.board.faults() == []
        assert position.observe(1).board.faults() == position.observe(2).board.faults() == []
        legal = position.legal()
        if not legal:
            return
        position.apply(rng.choice(legal))
    assert position.board.faults() == []


@given(numbers, option_sets)
def test_the_struct_has_no_chance_of_its_own(number: int, options: Options) -> None:
    """The same step with the same stream has the same end, and another stream only other new stars."""
    position = a_played_one(number, options)
    for step in position.legal()[:5]:
        one, two = position.copy(), position.copy()
        assert one.apply(step) == two.apply(step)
        assert one == two


@given(positions)
def test_boards_built_from_what_they_tell_are_equal(position: SkyclaimPosition) -> None:
    b = position.board
    twin = Board(b.stars, b.drones, b.land, b.lit, b.wrecks, b.mover, b.cleared, b.turn, b.stock, b.rules, b.seen_by)
    assert twin == b
    assert twin.key == b.key
    assert twin.raw() == b.raw()
    assert len(b.raw()) == SIZE <= 1024
