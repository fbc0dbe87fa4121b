"""What a seat supposes about the dark: it agrees with what was seen, it remembers, it forgets, and it never looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from benchmarks.belief import BOARD, places
from skyclaim_engine import game
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.protocol.session import Session
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.algorithms import ALGORITHMS, Budget
from skyclaim_engine.search.belief import Belief
from tests.games.skyclaim.test_honest_play import twin_of

SKYCLAIM = game("skyclaim")
DARK = {"Fog": "dark"}
#: a board without a match
STARS = (
    "12345123451/34512345123/51234512345/23451234512/45123451234/12345123451/34512345123/51234512345/23451234512/"
    "45123451234/12345123451"
)


def place(square: str) -> int:
    """The place of a square as `_lanes.h` draws it."""
    return 16 * "abcdefghijk".index(square[0]) + int(square[1:]) - 1


def each(belief: Belief) -> list[bytes]:
    size = len(SKYCLAIM.start(1).raw())
    return [belief.worlds[at : at + size] for at in range(0, len(belief.worlds), size)]


def play_on(position: SkyclaimPosition, rng: Random, turns: int) -> Iterator[tuple[SkyclaimPosition, str]]:
    """A game of any steps, free ones too: each position that is met, and the step that is then played."""
    last = position.turn + turns
    while position.result is None and position.turn < last:
        steps = position.legal()
        keen = [step for step in steps if step.startswith(("claim", "fire", "take", "warp"))]
        step = rng.choice(keen if keen and rng.random() < 0.7 else steps)
        yield position.copy(), step
        position.apply(step)


@cache
def a_game(seed: int, options: tuple[tuple[str, object], ...]) -> tuple[tuple[SkyclaimPosition, str], ...]:
    return tuple(play_on(SKYCLAIM.start(seed, dict(options)), Random(seed), 60))


def told(bot: Bot, position: SkyclaimPosition) -> list[object]:
    """Everything that a bot says about a position, but for the time that it took."""
    said: list[object] = []

    def report(info: Info | str) -> None:
        said.append(info if isinstance(info, str) else (info.nodes, info.win, info.land, info.multipv, info.pv))

    return [bot.decide(position, Limits(nodes=200), StopFlag(), report), said]


@pytest.mark.parametrize("fog", ["dark", "seam"])
@pytest.mark.parametrize("salvage", [False, True])
def test_every_world_looks_like_what_was_seen(fog: str, salvage: bool) -> None:
    for seed in range(6):
        beliefs = [Belief(SKYCLAIM.table, seat, seed) for seat in (1, 2)]
        for position, step in a_game(seed, (("Fog", fog), ("Salvage", salvage))):
            seat = position.seat
            seen = position.observe(seat)
            beliefs[seat - 1].see(seen)
            assert set(beliefs[seat - 1].views()) == {seen.raw()}
            beliefs[seat - 1].played(position.number(step, seat))


def test_every_world_is_one_in_which_the_game_goes_on() -> None:
    """One Command of the other side, no drone on an asteroid or on another, and less land than wins."""
    for seed in range(6):
        belief = Belief(SKYCLAIM.table, 1, seed)
        for position, step in a_game(seed, (("Fog", "dark"),)):
            if position.seat != 1:
                continue
            belief.see(position.observe(1))
            belief.played(position.number(step, 1))
            for world in each(belief)[::8]:
                low, middle, high = (places(world, name) for name in ("low", "middle", "high"))
                drones = places(world, "drones", 1)
                assert low | middle | high == BOARD  # no square is empty,
                assert not low & middle & high  # and none is dark
                assert len(drones & places(world, "kind3") - places(world, "kind0")) == 1
                assert not drones & ((middle & high) | places(world, "drones", 0))
                assert len(places(world, "land", 1)) < 69
                assert not places(world, "land", 0) & places(world, "land", 1)


def test_at_the_start_the_other_side_is_where_the_rules_put_it() -> None:
    belief = Belief(SKYCLAIM.table, 1, 3)
    belief.see(SKYCLAIM.start(8, DARK).observe(1))
    worlds = each(belief)
    assert len(set(worlds)) == len(worlds) > 1
    for world in worlds:
        assert places(world, "drones", 1) == {place(square) for square in ("f11", "g11", "e11", "f9")}
        assert places(world, "land", 1) == {place(column + row) for column in "efg" for row in ("9", "10", "11")}


def test_land_that_was_seen_is_remembered() -> None:
    """North's land that a hunter flew by is still North's when it is dark again, in every world."""
    line = f"{STARS} Mf1,Hc6=12345,mf11 11/11/11/11/NNN8/NNN8/NNN8/11/4SSS4/4SSS4/4SSS4 S 0 - - 9 0000000000000007"
    position = SKYCLAIM.parse(line, DARK)
    belief = Belief(SKYCLAIM.table, 1, 5)
    belief.see(position.observe(1))
    step = "move:c6d7"
    belief.played(position.number(step, 1))
    position.apply(step)
    position.apply(next(step for step in position.legal() if step.startswith("move:f11")))
    seen = position.observe(1)
    assert [row[1:4] for row in seen.line().split(" ")[2].split("/")[4:7]] == ["?N2", "?N2", "???"]
    belief.see(seen)
    flown_by = {place(square) for square in ("b5", "b6", "b7", "c5")}
    assert all(flown_by <= places(world, "land", 1) for world in each(belief))


def test_land_that_nobody_saw_is_supposed_too() -> None:
    """Claims that North is likely to have made by now, many of them at the right place."""
    right = supposed = true = 0
    for seed in range(3):
        belief = Belief(SKYCLAIM.table, 1, seed)
        for position, step in a_game(seed, (("Fog", "dark"),)):
            if position.seat == 1:
                belief.see(position.observe(1))
                belief.played(position.number(step, 1))
                theirs = places(position.raw(), "land", 1)
        for world in each(belief):
            right += len(places(world, "land", 1) & theirs)
            supposed += len(places(world, "land", 1))
            true += len(theirs)
    assert 0.5 * true < supposed < 2 * true
    assert right > 0.5 * supposed


def test_a_drone_that_went_into_the_dark_is_near_where_it_was() -> None:
    """A hunter sees a siege, flies on, and the siege moves unseen: it is still there, a few steps on at most."""
    line = f"{STARS} Mf1,Hd7=12345,xe8,mf11 11/11/11/11/11/11/11/11/4SSS4/4SSS4/4SSS4 S 0 - - 9 0000000000000007"
    position = SKYCLAIM.parse(line, DARK)
    belief = Belief(SKYCLAIM.table, 1, 5)
    belief.see(position.observe(1))
    assert all(place("e8") in places(world, "drones", 1) for world in each(belief))
    step = "move:d7c6"
    belief.played(position.number(step, 1))
    position.apply(step)
    position.apply("move:e8e9")
    seen = position.observe(1)
    assert "x" not in seen.line().split(" ")[1]
    belief.see(seen)
    near = {place(column + row) for column in "cdefg" for row in ("7", "8", "9", "10")}
    for world in each(belief):
        assert near & places(world, "drones", 1) & places(world, "kind2") & places(world, "kind1")


def test_an_observation_that_is_asked_again_changes_nothing() -> None:
    seen = SKYCLAIM.start(4, DARK).observe(1)
    belief = Belief(SKYCLAIM.table, 1, 9)
    belief.see(seen)
    before = belief.worlds
    belief.see(seen)
    assert belief.worlds is before


def test_the_same_observations_and_seed_make_the_same_worlds() -> None:
    def worlds(seed: int) -> bytes:
        belief = Belief(SKYCLAIM.table, 1, seed)
        for position, step in a_game(2, (("Fog", "dark"),))[:30]:
            if position.seat == 1:
                belief.see(position.observe(1))
                belief.played(position.number(step, 1))
        return belief.worlds

    assert worlds(5) == worlds(5) != worlds(6)


@pytest.mark.parametrize(("first", "then"), [(20, 4), (4, 40), (12, 12)], ids=["earlier", "far later", "same turn"])
def test_what_does_not_follow_begins_anew(first: int, then: int) -> None:
    """An earlier turn, one too far on, or another view of the same turn though no free step was played."""

    def south_at(seed: int, turn: int) -> SkyclaimPosition:
        met = a_game(seed, (("Fog", "dark"),))
        return next(position for position, _ in met if position.seat == 1 and position.turn >= turn).observe(1)

    belief, fresh = Belief(SKYCLAIM.table, 1, 7), Belief(SKYCLAIM.table, 1, 7)
    belief.see(south_at(3, first))
    belief.see(south_at(4, then))
    fresh.see(south_at(4, then))
    assert belief.worlds == fresh.worlds


def test_what_follows_does_not() -> None:
    belief, fresh = Belief(SKYCLAIM.table, 1, 7), Belief(SKYCLAIM.table, 1, 7)
    for position, step in a_game(3, (("Fog", "dark"),))[:20]:
        if position.seat == 1:
            belief.see(position.observe(1))
            belief.played(position.number(step, 1))
            last = position.observe(1)
    fresh.see(last)
    assert belief.worlds != fresh.worlds


@pytest.mark.parametrize("name", ["skyclaim", "islands", "rockets"])
def test_where_nothing_is_hidden_or_remembered_nothing_is_supposed(name: str) -> None:
    belief = Belief(game(name).table, 1, 1)
    belief.see(game(name).start(5).observe(1))
    assert belief.worlds == b""
    assert belief.views() == []


@pytest.mark.parametrize("name", ["expectimax", "mcts", "onestep"])
def test_each_algorithm_looks_at_what_is_supposed(name: str) -> None:
    """The lead after a step that takes no land is that of the worlds, and without them that of what is seen."""
    *_, (position, _) = a_game(3, (("Fog", "dark"),))
    seat = position.seat
    view, steps = position.observe(seat), position.steps()
    own, other = (position.tally or ())[seat - 1], (position.tally or ())[2 - seat]
    seen = (view.tally or ())[2 - seat]
    assert seen < other
    numbers = [number for step, number in steps.items() if step.startswith("move")][:8]

    def leads(worlds: bytes) -> set[float | None]:
        budget = Budget(None, 200, 1, 0, False, 1, 100, StopFlag(), worlds)
        *_, last = ALGORITHMS[name].think(view, seat, numbers, 5, budget)
        return {lead for _, _, lead in last.steps}

    assert leads(position.raw() * 3) == {own - other}
    assert leads(b"") == {own - seen}


@pytest.mark.parametrize(("algorithm", "skill"), [("onestep", 50), ("expectimax", 100), ("mcts", 100)])
def test_the_hidden_truth_changes_no_answer(algorithm: str, skill: int) -> None:
    """Three bots follow a game: one is given the positions, one their twins, one what the seat sees: 240 such pairs."""
    settings = Settings(seed=7, algorithm=algorithm, skill=skill, multipv=2)
    pairs = 0
    for seed in range(10):
        options: dict[str, object] = {"Fog": ("dark", "seam")[seed % 2], "Salvage": seed % 4 > 1}
        bots = [Bot(settings) for _ in range(3)]
        rng = Random(seed)
        for position, _ in a_game(seed, tuple(options.items()))[:24]:
            twin = SKYCLAIM.parse(twin_of(position.line(), options, rng), options)
            seen = SKYCLAIM.parse(position.observe(position.seat).line(), options, observation=True)
            assert twin.line() != position.line()
            answers = [told(bot, given) for bot, given in zip(bots, (position, twin, seen), strict=True)]
            assert answers[0] == answers[1] == answers[2]
            pairs += 1
    assert pairs == 240


def test_a_new_game_forgets() -> None:
    """After `ucinewgame` the same game is played in the same way; without it what was seen counts."""
    met = [position for position, _ in a_game(5, (("Fog", "dark"),)) if position.seat == 1][:12]
    bot = Bot(Settings(seed=3))
    first = [told(bot, position) for position in met]
    bot.new_game()
    assert [told(bot, position) for position in met] == first
    assert told(Bot(Settings(seed=3)), met[-1]) != first[-1]


def test_without_the_option_the_past_is_nothing() -> None:
    met = [position for position, _ in a_game(5, (("Fog", "dark"),)) if position.seat == 1][:12]
    bot = Bot(Settings(seed=3, belief=False))
    last = [told(bot, position) for position in met][-1]
    assert told(Bot(Settings(seed=3, belief=False)), met[-1]) == last


def test_turned_on_in_the_middle_of_a_game_it_begins_there() -> None:
    """What was played while it was off is not taken for what followed on what was seen before."""
    met = [position for position, _ in a_game(5, (("Fog", "dark"),)) if position.seat == 1][:6]
    bot = Bot(Settings(seed=3))
    told(bot, met[0])
    bot.settings = Settings(seed=3, belief=False)
    told(bot, met[1])
    bot.settings = Settings(seed=3)
    fresh = Bot(Settings(seed=3))
    for position in met[2:]:
        assert told(bot, position) == told(fresh, position)


def test_observations_by_the_protocol_are_followed() -> None:
    def timeless(said: list[str]) -> list[str]:
        return [re.sub(r" nps \d+ time \d+", "", line) for line in said]

    def answers(lines: list[str], given: str, ask: bool = True) -> list[str]:
        said: list[str] = []
        session = Session(lambda *words: said.extend(words))
        for line in ("setoption name Fog value dark", "setoption name Seed value 4"):
            session.handle(line)
        for line in lines:
            session.handle(f"position {given} {line}")
            if ask or line is lines[-1]:
                session.handle("go nodes 300")
                assert session.wait(20)
        session.close()
        return [word for word in said if word.startswith(("bestmove", "error", "info"))]

    met = [position for position, _ in a_game(6, (("Fog", "dark"),)) if position.seat == 2][:8]
    lines = [position.observe(2).line() for position in met]
    seen = answers(lines, "obs")
    assert sum(word.startswith("bestmove") for word in seen) == len(met)
    assert timeless(seen) == timeless(answers([position.line() for position in met], "fen"))
    # what was seen without a question counts as well
    assert timeless(answers(lines, "obs", ask=False)) != timeless(answers(lines[-1:], "obs"))
