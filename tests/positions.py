"""Random Skyclaim positions for tests, as the slow model holds them: played, crowded, and settled boards.

All randomness comes from the ``random.Random`` handed in, so that a number stands for a position.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from tests.reference.skyclaim import Model
from tests.reference.skyclaim_notation import ASTEROID, COLOURS, SIDES, SQUARES, Drone, square_named, view
from tests.reference.skyclaim_position import HOLD, START_LAND
from tests.reference.skyclaim_shapes import is_matched

Options = dict[str, Any]

#: fog, salvage and claim radius in every way; land to win and turn limits beside them
OPTION_SETS: list[Options] = [
    {
        "Fog": fog,
        "Salvage": salvage,
        "ClaimRadius": radius,
        "LandToWin": (69, 60, 100)[number % 3],
        "TurnLimit": (400, 30, 400, 8, 60, 10_000, 1)[number % 7],
    }
    for number, (fog, salvage, radius) in enumerate(product(("off", "seam", "dark"), (False, True), (1, 0)))
]

KINDS = "SGRHWXBT"


def new_seed(rng: Random) -> int:
    """A state of the stream."""
    return rng.getrandbits(64)


def fresh_board(rng: Random, options: Options, side: str = "S") -> Model:
    """An empty board of no land, ``side`` to move; its stream and turn are set."""
    model = Model(options)
    model.side = side
    model.stream = new_seed(rng)
    limit = model.options["TurnLimit"]
    model.turn = rng.randint(1, min(limit, 500))
    return model


def settle(model: Model, rng: Random, colours: tuple[int, ...] = COLOURS, keep: frozenset[int] = frozenset()) -> None:
    """Stars of ``colours`` on all squares without asteroids, with no match; ``keep`` stays as it is."""
    squares = [i for i in SQUARES if model.stars[i] != ASTEROID and i not in keep]
    while True:
        for i in squares:
            model.stars[i] = 0
        for i in squares:
            for colour in rng.sample(colours, len(colours)):
                model.stars[i] = colour
                if not is_matched(model.stars, i):
                    break
            else:
                break
        else:
            return


def put(model: Model, square: int, side: str, kind: str, power: int = 1, rides: str = "", missiles: int = 0) -> None:
    """A drone or turret; an asteroid under it becomes a star, a wreck is gone."""
    model.drones[square] = Drone(side, kind, power, {int(c) for c in rides}, missiles)
    model.wrecks.pop(square, None)
    if model.stars[square] == ASTEROID:
        model.stars[square] = 1


def random_drone(rng: Random, side: str) -> Drone:
    """Any kind but Command, with any power, ride colours and missiles that it can have."""
    kind = rng.choice(KINDS)
    if kind == "T":
        return Drone(side, "T")
    power = rng.choice((1, 1, 2, 3))
    rides = set(COLOURS) if kind == "H" else set(rng.sample(COLOURS, rng.choice((0, 1, 1, 2, 5))))
    return Drone(side, kind, power, rides, rng.randint(0, HOLD.get(kind, 0)))


def start_land(model: Model) -> None:
    """The blocks that the sides own at the start."""
    for text in START_LAND:
        for side in SIDES:
            model.land[view(side, square_named(text))] = side


def random_land(model: Model, rng: Random) -> None:
    """The blocks of the start, or land strewn over the board, or some rows."""
    way = rng.choice(("start", "strewn", "rows"))
    if way == "start":
        start_land(model)
    elif way == "strewn":
        part = rng.choice((0.05, 0.2, 0.4))
        for i in SQUARES:
            if rng.random() < 2 * part:
                model.land[i] = rng.choice(SIDES)
    else:
        for side in SIDES:
            for place in range(11 * rng.randint(0, 5)):
                if rng.random() < 0.9:
                    model.land[view(side, place)] = side


def random_light(model: Model, rng: Random) -> None:
    """With fog: the land owned now, and some squares that were owned once."""
    if not model.has_fog():
        return
    for side in SIDES:
        model.lit[side] = model.owned(side) | {i for i in SQUARES if rng.random() < 0.1}


def crowded(rng: Random, options: Options) -> Model:
    """A board that no game would reach: many drones and turrets, wrecks, asteroids, perhaps standing matches."""
    model = fresh_board(rng, options, rng.choice(SIDES))
    rocks = rng.choice((0.0, 0.05, 0.1, 0.3))
    model.stars = [ASTEROID if rng.random() < rocks else 0 for _ in SQUARES]
    if rng.random() < 0.4:
        colours = rng.sample(COLOURS, rng.randint(2, 5))
        model.stars = [star or rng.choice(colours) for star in model.stars]
    else:
        settle(model, rng)
    random_land(model, rng)
    free = [i for i in SQUARES if model.stars[i] != ASTEROID]
    rng.shuffle(free)
    for side in SIDES:
        put(model, free.pop(), side, "M", missiles=rng.choice((0, 1, 5, 10, 30, 97, 99)))
        for _ in range(rng.choice((0, 3, 6, 8, 9, 12, 16))):
            model.drones[free.pop()] = random_drone(rng, side)
            if len(free) < 20:
                break
    if model.options["Salvage"]:
        for i in free[: rng.choice((0, 2, 10))]:
            model.wrecks[i] = rng.randint(1, 10)
    model.cleared = rng.choice((0, 0, 3, 8, 20))
    if rng.random() < 0.1:
        model.turn = model.options["TurnLimit"]
    random_light(model, rng)
    return model


def crowded_going_on(rng: Random, options: Options) -> Model:
    """A crowded board whose game is not over."""
    while True:
        model = crowded(rng, options)
        if model.result() is None:
            return model


def set_up(rng: Random, options: Options) -> Model:
    """A start position with any number of asteroids."""
    return Model.start(new_seed(rng), rng.randint(0, 20), rng.randint(0, 20), options)

