"""Made positions of Rockets, at the beginning of a turn; random play seldom comes to these.

A scene is a maker: a number stands for a position. Tiles are laid as in a game, the rest is put where it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.reference.rockets import Model
from tests.reference.rockets_notation import SPACE, Hex, around
from tests.reference.rockets_position import ROUND_LIMIT, SPACE_TILES, WORMHOLE_TILES, is_one_group

Options = dict[str, Any]


@dataclass
class Way:
    """Which options a scene is played with, where it matters; how many makings, and how many steps of each."""

    make: Callable[[Model, Random], None]
    options: Options
    number: int = 24
    steps: int = 12


def lay(model: Model, place: Callable[[list[str]], str]) -> None:
    """Lay all tiles and tokens, each where ``place`` says."""
    while model.phase in ("tile", "rock"):
        model.apply_unchecked(place(model.legal()))


def compactly(rng: Random, tried: int) -> Callable[[list[str]], str]:
    """Of some places at random the nearest to the middle; the more are tried, the denser the board."""

    def place(legal: list[str]) -> str:
        some = rng.sample(legal, min(tried, len(legal)))
        return min(some, key=lambda step: sum(abs(int(number)) for number in step.split(":")[1].split(",")))

    return place


def board(rng: Random, options: Options) -> Model:
    """All tiles laid, denser or wider; rockets on any tiles, with few shields, and some shields boarded."""
    model = Model.start(rng.getrandbits(64), options)
    lay(model, compactly(rng, rng.choice((1, 1, 2, 6))))
    model.order = []
    for pilot, rocket in model.rockets.items():
        rocket.place = any_space(model, rng)
        rocket.shields = rng.choice((0, 0, 1, 2))
        if rng.random() < 0.7:
            model.boarded[pilot] = any_space(model, rng)
    return model


def any_space(model: Model, rng: Random) -> Hex:
    """A space without a token."""
    return model.space(rng.choice([place for place in model.tiles if place not in model.tokens]))


def begin(model: Model, rng: Random) -> None:
    """The turn of a pilot in some round begins; rockets under tokens are set aside first."""
    for rocket in model.rockets.values():
        if not rocket.destroyed and rocket.place in model.tokens:
            rocket.place = any_space(model, rng)
    model.round = model.round or rng.choice((1, 7, ROUND_LIMIT - 1))
    model.order = model.order or rng.sample(model.alive(), len(model.alive()))
    model.start_turn()


# ---------------------------------------------------------------- belts


def plain_around(model: Model, place: Hex) -> list[Hex]:
    """The neighbours on which a token can lie."""
    return [n for n in around(place) if model.tiles.get(n) == SPACE]


def belt(model: Model, rng: Random, size: int) -> list[Hex]:
    """A belt of so many tokens where there are few neighbours; the free neighbours of its tokens."""
    plain = [place for place, kind in model.tiles.items() if kind == SPACE]
    few = min(rng.sample(plain, 4), key=lambda place: len(plain_around(model, place)))
    model.tokens = {few}
    while len(model.tokens) < size:
        free = edge(model)
        if not free:
            return free
        model.tokens.add(min(free, key=lambda place: (len(plain_around(model, place)), rng.random())))
    return edge(model)


def edge(model: Model) -> list[Hex]:
    """The places that touch a token, without one."""
    return sorted({n for token in model.tokens for n in plain_around(model, token)} - model.tokens)


def jam(model: Model, rng: Random) -> None:
    """A belt whose neighbours hold rockets, as far as there are rockets; shields under and beside tokens."""
    free = belt(model, rng, rng.choice((1, 2, 3, 3, 3)))
    for pilot, rocket in model.rockets.items():
        rocket.place = free[pilot % len(free)] if free else any_space(model, rng)
    for pilot in model.boarded:
        model.boarded[pilot] = rng.choice([*sorted(model.tokens), *(free or sorted(model.tokens))])


def row_jam(model: Model, rng: Random) -> None:
    """Three tokens in a row with a rocket on every place beside them, if there are enough."""
    rows = [
        (one, middle, other)
        for middle in sorted(model.tiles)
        for one in plain_around(model, middle)
        for other in plain_around(model, middle)
        if model.tiles[middle] == SPACE and other > one and not is_one_group({one, other})
    ]
    best = min(rows, key=lambda row: (len({n for t in row for n in plain_around(model, t)}), rng.random()))
    model.tokens = set(best)
    free = edge(model)
    for pilot, rocket in model.rockets.items():
        rocket.place = free[pilot % len(free)] if free else any_space(model, rng)


def split(model: Model, rng: Random) -> None:
    """A belt in two parts, with a place between them."""
    plain = [place for place, kind in model.tiles.items() if kind == SPACE]
    gaps = [place for place in plain if len(plain_around(model, place)) > 1]
    gap = rng.choice(gaps)
    while True:
        one, other = rng.sample(plain_around(model, gap), 2)
        model.tokens = {one, other}
        if not is_one_group(model.tokens) or rng.random() < 0.2:
            break
    if rng.random() < 0.5:
        beside = [place for place in plain_around(model, one) if place not in (gap, other)]
        model.tokens |= set(beside[:1])
    for pilot in model.boarded:
        model.boarded[pilot] = rng.choice((one, gap))


def single(model: Model, rng: Random) -> None:
    """One token left."""
    belt(model, rng, 1)


def no_tokens(model: Model, rng: Random) -> None:
    """A belt that is gone."""
    model.tokens = set()


# ---------------------------------------------------------------- rockets


def crowd(model: Model, rng: Random) -> None:
    """All rivals on one space, and the pilot on turn beside it."""
    home = any_space(model, rng)
    for rocket in model.rockets.values():
        rocket.place = home
    beside = model.open_beside(home) or [home]
    first = rng.choice(sorted(model.rockets))
    model.rockets[first].place = rng.choice(beside)
    model.order = [first, *(pilot for pilot in model.rockets if pilot != first)]


def one_pile(model: Model, rng: Random) -> None:
    """All rockets on one space, so that none can be aimed at unless one flies off it."""
    crowd(model, rng)
    first = model.rockets[model.order[0]]
    others = next(rocket for pilot, rocket in model.rockets.items() if pilot != model.order[0])
    first.place = others.place


def in_the_wormhole(model: Model, rng: Random) -> None:
    """Rockets and shields in and around the wormhole."""
    hole = model.wormholes()[0]
    near = [hole, *model.open_beside(hole)]
    for rocket in model.rockets.values():
        rocket.place = rng.choice(near)
    for pilot in model.boarded:
        model.boarded[pilot] = rng.choice((hole, rng.choice(near)))


def bare(model: Model, rng: Random) -> None:
    """Nobody holds a shield, all are near."""
    crowd(model, rng)
    for rocket in model.rockets.values():
        rocket.shields = 0


def last_two(model: Model, rng: Random) -> None:
    """Two are left, their dead rivals' shields lie about."""
    alive = rng.sample(sorted(model.rockets), 2)
    for pilot, rocket in model.rockets.items():
        if pilot in alive:
            rocket.shields = rng.choice((0, 0, 1))
        else:
            rocket.destroyed, rocket.place, rocket.shields = True, None, 0
            model.boarded[pilot] = any_space(model, rng)
    first, second = (model.rockets[pilot] for pilot in alive)
    second.place = rng.choice(model.open_beside(first.place) or [first.place])


def last_turns(model: Model, rng: Random) -> None:
    """The last round, one or two still to move."""
    model.round = ROUND_LIMIT
    alive = model.alive()
    model.order = rng.sample(alive, min(len(alive), rng.choice((1, 1, 2))))
    for rocket in model.rockets.values():
        rocket.shields = rng.choice((1, 1, 2))


def closed_in(model: Model, rng: Random) -> None:
    """The pilot on turn where the fewest ways lead on, with tokens on these as far as there are any."""
    spaces = sorted({model.space(place) for place in model.tiles})
    model.tokens = set()
    place = min(spaces, key=lambda space: (len(model.beside(space)), rng.random()))
    first = rng.choice(sorted(model.rockets))
    model.tokens = {n for n in model.beside(place) if model.tiles[n] == SPACE}
    if len(model.tokens) > 3 or rng.random() < 0.2:
        model.tokens = set(sorted(model.tokens)[:1])
    for pilot, rocket in model.rockets.items():
        rocket.place = place if pilot == first else any_space(model, rng)
    model.order = [first, *(pilot for pilot in model.rockets if pilot != first)]


BELT, MANY = {"AsteroidBelt": True}, {"Pilots": 6}
SCENES = {
    "jam": Way(jam, BELT, 40),
    "jam of six": Way(jam, {**BELT, **MANY}, 60),
    "jam in a row": Way(row_jam, {**BELT, **MANY}, 60, 8),
    "split belt": Way(split, BELT, 30),
    "single token": Way(single, BELT),
    "no tokens": Way(no_tokens, BELT),
    "crowd": Way(crowd, {}, 40),
    "crowd of six": Way(crowd, MANY, 40),
    "one pile": Way(one_pile, {}),
    "one pile with a belt": Way(one_pile, BELT),
    "in the wormhole": Way(in_the_wormhole, {"Wormholes": True}, 50),
    "bare": Way(bare, {}, 60),
    "last two": Way(last_two, {}, 60, 20),
    "last turns": Way(last_turns, {}, 50),
    "closed in": Way(closed_in, BELT, 40, 6),
}


def random_options(number: int, rng: Random) -> Options:
    """Every number of pilots with every way of the three switches, and any number of shields."""
    ways = number // 5
    return {
        "Pilots": 2 + number % 5,
        "Shields": rng.choice((1, 1, 1, 2, 5)),
        "Wormholes": bool(ways & 1),
        "AsteroidBelt": bool(ways & 2),
        "UpToRoll": bool(ways & 4),
    }


def made(scene: str, number: int, rng: Random) -> Model:
    """The scene of a number."""
    way = SCENES[scene]
    model = board(rng, {**random_options(number, rng), **way.options})
    way.make(model, rng)
    begin(model, rng)
    return model


# ---------------------------------------------------------------- the asteroid tile

WORMS, SPACES = "w" * WORMHOLE_TILES, "o" * SPACE_TILES
#: the tiles that lie, the stack, the pilots still to lay; the asteroid tile is in hand, and the step lays it.
#: A token without a legal place is left out (rules 2), as where wormholes are all around the asteroid tile.
LAYING = {
    "one token left out": ("-1,0;0,0w;1,0w;2,0w", SPACES[1:], "12", "tile:-2,0"),
    "two tokens left out": ("0,0w;1,0w;2,0w", SPACES, "2", "tile:-1,0"),
    "the first tile": ("-", WORMS + SPACES, "12", "tile:0,0"),
}


def laying(which: str) -> tuple[str, str]:
    """A line at which the asteroid tile is in hand, and the step that lays it."""
    tiles, stack, order, step = LAYING[which]
    options = "n=2;shields=1;wormholes=1;asteroids=1;upto=0"
    return f"{options} tile:a {tiles}+{stack} off:1;off:1 - 0:{order} 0.0.-;0.0.- {15:016x}", step
