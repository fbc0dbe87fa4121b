"""The key of a position is the identity of all that can be known of it: of every field but the stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from tests.positions import OPTION_SETS, Options, crowded_going_on
from tests.reference.skyclaim import Model
from tests.reference.skyclaim_notation import ASTEROID, COLOURS, OPEN, SIDES, SQUARES, other
from tests.strategies import a_played_one

GAME = GAMES["skyclaim"]
#: makes a change of a model: one thing of a field, where a drone stands and on an empty square
Change = Callable[[Model, int, int], None]


def set_star(star: int | str) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        model.stars[empty] = star

    return change


def set_drone(**fields: Any) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        for name, value in fields.items():
            setattr(model.drones[soldier], name, value)

    return change


def other_side(model: Model, soldier: int, empty: int) -> None:
    model.drones[soldier].side = other(model.drones[soldier].side)


def elsewhere(model: Model, soldier: int, empty: int) -> None:
    model.drones[empty] = model.drones.pop(soldier)


def gone(model: Model, soldier: int, empty: int) -> None:
    del model.drones[soldier]


def set_stock(side: str) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        command = model.drones[model.command_square(side)]
        command.missiles = (command.missiles + 1) % 100

    return change


def set_land(owner: str) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        model.land[empty] = owner

    return change


def set_wreck(countdown: int) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        model.wrecks[empty] = countdown

    return change


def set_light(sides: str) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        for side in SIDES:
            model.lit[side] = model.lit[side] - {empty} | ({empty} if side in sides else set())

    return change


def set_number(name: str, more: int) -> Change:
    def change(model: Model, soldier: int, empty: int) -> None:
        setattr(model, name, getattr(model, name) + more)

    return change


def set_side(model: Model, soldier: int, empty: int) -> None:
    model.side = other(model.side)


#: by field; of those that set a value, one changes nothing
CHANGES: dict[str, list[Change]] = {
    "STARS": [set_star(star) for star in (*COLOURS, ASTEROID)],
    "DRONES": [
        *(set_drone(kind=kind, missiles=0) for kind in "SGRHWXB"),
        *(set_drone(power=power) for power in (1, 2, 3)),
        *(set_drone(rides=set(rides)) for rides in ((), (1,), (5,), (1, 5), COLOURS)),
        *(set_drone(missiles=missiles) for missiles in (0, 1)),
        set_drone(kind="H", missiles=2), set_stock("S"), set_stock("N"), other_side, elsewhere, gone,
    ],
    "LAND": [set_land(owner) for owner in (*SIDES, OPEN)],
    "SIDE": [set_side],
    "CLEARED": [set_number("cleared", 1), set_number("cleared", 256)],
    "WRECKS": [set_wreck(1), set_wreck(10)],
    "LIT": [set_light(sides) for sides in ("", "S", "N", "SN")],
    "TURN": [set_number("turn", 1), set_number("turn", 256)],
}  # fmt: skip


def changed(model: Model, field: str) -> Iterator[str]:
    """The lines with one thing of a field changed, each time another thing."""
    soldier = next(i for i, drone in model.drones.items() if drone.kind == "S")
    empty = next(i for i in SQUARES if i not in model.drones and i not in model.wrecks and model.is_star(i))
    for change in CHANGES[field]:
        twin = model.copy()
        change(twin, soldier, empty)
        if twin.line() != model.line():
            yield twin.line()


@pytest.mark.parametrize("number", range(40))
def test_changing_any_field_changes_the_key(number: int) -> None:
    rng = Random(number)
    options = {"Salvage": True, "Fog": rng.choice(("seam", "dark")), "TurnLimit": 10_000}
    model = crowded_going_on(rng, options)
    while not any(drone.kind == "S" for drone in model.drones.values()):
        model = crowded_going_on(rng, options)
    keys = {GAME.parse(model.line(), options).key: model.line()}
    for field in CHANGES:
        lines = set(changed(model, field))
        assert len(lines) >= len(CHANGES[field]) - 4, field
        for line in lines:
            key = GAME.parse(line, options).key
            assert keys.setdefault(key, line) == line, field
            assert 0 <= key < 1 << 64
    assert len(keys) >= 35


def test_changing_any_option_changes_the_key() -> None:
    line = GAME.start(1).line()
    changes: list[Options] = [
        {}, {"Salvage": True}, {"Fog": "seam"}, {"Fog": "dark"}, {"LandToWin": 70}, {"ClaimRadius": 0},
        {"TurnLimit": 401},
    ]  # fmt: skip
    assert len({GAME.parse(line, options).key for options in changes}) == len(changes)


def test_the_stream_is_not_in_the_key_but_in_the_position() -> None:
    position = GAME.start(1)
    words = position.line().split(" ")
    for stream in ("0000000000000000", "ffffffffffffffff", "-"):
        twin = GAME.parse(" ".join([*words[:8], stream]))
        assert twin.key == position.key
        assert twin.board == position.board
        assert twin != position


def test_an_observation_has_a_key_of_its_own() -> None:
    for options in ({}, {"Fog": "dark"}):
        position = GAME.start(1, options)
        assert len({position.key, position.observe(1).key, position.observe(2).key}) == 3


def by_route(position: SkyclaimPosition, first: str, last: str, rng: Random) -> SkyclaimPosition | None:
    """The position after a step, the other side's turn and a step of the next turn; None where it cannot be played."""
    position = position.copy()
    seat = position.seat
    position.apply(first)
    while position.seat not in (0, seat):
        position.apply(rng.choice(position.legal()))
    if last not in position.legal():
        return None
    position.apply(last)
    return position


def test_equal_positions_by_two_routes_have_equal_keys() -> None:
    met = 0
    for number in range(60):
        rng = Random(number)
        position = a_played_one(number, OPTION_SETS[number % 12])
        mine = [step for step in position.legal() if step.startswith(("move", "claim", "turret"))]
        for _ in range(20 if len(mine) > 1 else 0):
            first, last = rng.sample(mine, 2)
            reply = rng.getrandbits(32)
            one, two = (by_route(position, *steps, Random(reply)) for steps in ((first, last), (last, first)))
            if one is not None and two is not None and one.line() == two.line():
                met += 1
                assert one == two
                assert (one.key, one.raw(), hash(one)) == (two.key, two.raw(), hash(two))
    assert met > 100
