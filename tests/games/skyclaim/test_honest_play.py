"""Nothing that a player cannot know has any effect on what it is shown and what the bot decides (rules 9).

A twin of a position under fog is made that differs in everything that the side to move cannot see: what the dark
squares hold, the other side's stock and light, and the stream. Both must look the same and be played the same.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag
from tests.positions import Options, crowded_going_on, random_drone
from tests.reference.skyclaim import Model
from tests.reference.skyclaim_notation import ASTEROID, COLOURS, OPEN, SQUARES, Drone, other
from tests.strategies import a_played_one, numbers, option_sets

GAME = GAMES["skyclaim"]
FOGS: list[Options] = [{"Fog": fog, "Salvage": salvage} for fog in ("seam", "dark") for salvage in (False, True)]


def twin_of(line: str, options: Options, rng: Random) -> str:
    """The line with all that its side to move cannot see made anew; the game goes on there too."""
    while True:
        model = Model.parse(line, options)
        me, you = model.side, other(model.side)
        dark = [i for i in SQUARES if i not in model.seen(me)]
        for i in dark:
            hide_something(model, i, rng)
        home = model.command_square(you)
        if home is None and dark:
            home = rng.choice(dark)
            model.stars[home] = rng.choice(COLOURS)
            model.drones[home] = Drone(you, "M", missiles=rng.randint(0, 99))
            model.wrecks.pop(home, None)
        model.lit[you] = {i for i in SQUARES if rng.random() < 0.3} | model.owned(you)
        model.stream = rng.getrandbits(64)
        if model.result() is None:
            return model.line()


def hide_something(model: Model, square: int, rng: Random) -> None:
    """Something else on a dark square: star or asteroid, land, an enemy drone, a wreck."""
    you = other(model.side)
    model.drones.pop(square, None)
    model.wrecks.pop(square, None)
    model.stars[square] = rng.choice((*COLOURS, ASTEROID))
    model.land[square] = rng.choice((OPEN, OPEN, you))
    if model.stars[square] == ASTEROID:
        return
    if rng.random() < 0.15:
        model.drones[square] = random_drone(rng, you)
    elif model.options["Salvage"] and rng.random() < 0.1:
        model.wrecks[square] = rng.randint(1, 10)


def pair(number: int, options: Options, played: bool) -> tuple[SkyclaimPosition, SkyclaimPosition] | None:
    """A position that goes on and its twin; None where the game is over or nothing is dark."""
    rng = Random(number)
    line = a_played_one(number, options).line() if played else crowded_going_on(rng, options).line()
    model = Model.parse(line, options)
    if model.result() is not None or len(model.seen(model.side)) == len(SQUARES):
        return None
    return GAME.parse(line, options), GAME.parse(twin_of(line, options, rng), options)


def thoughts(position: SkyclaimPosition, skill: int, nodes: int) -> tuple[str | None, str | None, list[object]]:
    """What the bot decides, hints, tells and explains with a fixed seed, but for the time that it took."""
    told: list[object] = []

    def report(said: object) -> None:
        told.append(said if isinstance(said, str) else (said.nodes, said.win, said.land, said.multipv, said.pv))

    bot = Bot(Settings(skill=skill, seed=7, multipv=3, explain=True))
    step = bot.decide(position, Limits(nodes=nodes), StopFlag(), report)
    told += [bot.explain(position, other) for other in (step, position.legal()[0]) if other]
    return step, bot.hint(position, Limits(nodes=nodes), StopFlag(), report), told


@pytest.mark.parametrize("played", [False, True])
@given(numbers, option_sets.filter(lambda options: options["Fog"] != "off"))
def test_what_is_hidden_changes_neither_view_nor_steps(played: bool, number: int, options: Options) -> None:
    made = pair(number, options, played)
    if made is None:
        return
    one, two = made
    assert one.line() != two.line()
    seat = one.seat
    assert two.seat == seat
    assert one.observe(seat) == two.observe(seat)
    assert one.observe(seat).line() == two.observe(seat).line()
    assert one.observe(seat).raw() == two.observe(seat).raw()
    assert one.legal() == two.legal() == one.observe(seat).legal()
    assert one.steps() == two.steps()


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("skill", [0, 50, 100])
def test_what_is_hidden_does_not_change_what_the_bot_plays(number: int, skill: int) -> None:
    made = pair(number, FOGS[number % len(FOGS)], number % 3 > 0)
    if made is None:
        return
    one, two = made
    seen = GAME.parse(one.observe(one.seat).line(), one.options, observation=True)
    before = one.raw(), two.raw()
    thought = thoughts(one, skill, 400)
    assert thought == thoughts(two, skill, 400) == thoughts(seen, skill, 400)
    assert thought[0] in one.legal()
    assert thought[1] is None or thought[1] in one.legal()
    assert (one.raw(), two.raw()) == before


def test_most_of_these_positions_have_something_to_hide() -> None:
    assert sum(pair(number, FOGS[number % len(FOGS)], number % 3 > 0) is not None for number in range(40)) > 30


@pytest.mark.parametrize("skill", [0, 50, 100])
def test_without_fog_the_stream_alone_is_hidden(skill: int) -> None:
    for number in range(10):
        position = a_played_one(number, {})
        words = position.line().split(" ")
        twin = GAME.parse(" ".join([*words[:8], f"{number:016x}"]))
        assert twin.observe(1) == position.observe(1)
        assert thoughts(twin, skill, 300) == thoughts(position, skill, 300)


def test_what_happens_in_the_dark_does_not_reach_the_other_side_at_once() -> None:
    """An observation holds no more than its line: whoever reads the line knows as much."""
    for number in range(60):
        position = a_played_one(number, FOGS[number % len(FOGS)])
        for seat in (1, 2):
            seen = position.observe(seat)
            assert seen.stream is None
            assert seen.result is None
            assert seen.board.lit == bytes(light & seat for light in position.board.lit)
            for dark, star, land in zip(position.board.seen(seat - 1), seen.board.stars, seen.board.land, strict=True):
                assert dark or (star == 7 and land == 0)
