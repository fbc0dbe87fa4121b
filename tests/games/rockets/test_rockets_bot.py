"""The one-step bot over the table: dice averaged, whole games, and better than chance by far."""

from __future__ import annotations

import random

import pytest

from skyclaim_engine.games.rockets.position import GAME
from skyclaim_engine.perft import divide, perft
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.onestep import OneStep, random_step


def options_of(number: int, pilots: int) -> dict[str, object]:
    return {
        "Pilots": pilots, "Wormholes": bool(number & 1), "AsteroidBelt": bool(number & 2), "UpToRoll": bool(number & 4),
    }  # fmt: skip


def play(seed: int, pilots: int, skills: dict[int, int]) -> tuple[float, ...]:
    """A whole game of bots of these skills, the other seats random; the result."""
    position = GAME.start(seed, options_of(seed, pilots))
    bots = {seat: Bot(Settings(seed=seed + seat, skill=skill)) for seat, skill in skills.items()}
    rng = random.Random(seed)
    while position.result is None:
        seat = position.seat
        if seat in bots:
            step = bots[seat].decide(position, Limits(nodes=200), StopFlag(), lambda told: None)
            assert step in position.legal()
        else:
            step = position.text(random_step(position, seat, rng.getrandbits(63)))
        position.apply(step)
    return position.result.scores


@pytest.mark.parametrize(("pilots", "games", "least"), [(2, 48, 0.85), (4, 32, 0.65), (6, 24, 0.55)])
def test_it_beats_random_pilots(pilots: int, games: int, least: float) -> None:
    """Measured over 600 games: 0.96 of 2, 0.87 of 4, 0.85 of 6."""
    won = sum(play(seed, pilots, {seed // 8 % pilots + 1: 100})[seed // 8 % pilots] for seed in range(games))
    assert won / games > least


@pytest.mark.parametrize("skill", range(0, 101, 20))
def test_bots_play_whole_games_at_every_skill(skill: int) -> None:
    pilots = 2 + skill // 20 % 5
    scores = play(skill, pilots, dict.fromkeys(range(1, pilots + 1), skill))
    assert sum(scores) == pytest.approx(1)


def test_the_red_die_is_averaged_over_its_faces() -> None:
    position = GAME.start(3, {"Pilots": 3})
    rng = random.Random(3)
    while position.board.phase != "aim":
        position.apply(rng.choice(position.legal()))
    view = position.observe(position.seat)
    steps = view.steps()
    search = OneStep(view, view.seat, list(steps.values()), 1)
    search.run(1, 10**6, 0.0, StopFlag())
    assert search.nodes == 6 * len(steps)


def test_what_the_bot_may_not_know_does_not_matter() -> None:
    line = GAME.start(5, {"Pilots": 2, "Wormholes": True, "AsteroidBelt": True}).line().split()
    chosen = set()
    for seed in range(3):
        laid, stack = line[2].split("+")
        mixed = "".join(random.Random(seed).sample(stack, len(stack)))
        fields = [*line[:2], f"{laid}+{mixed}", *line[3:7], f"{seed:016x}"]
        position = GAME.parse(" ".join(fields))
        bot, told = Bot(Settings(seed=9)), list[Info | str]()
        chosen.add((bot.decide(position, Limits(nodes=200), StopFlag(), told.append), str(told[-1].win)))
    assert len(chosen) == 1


def test_the_evaluation_knows_who_stands_better() -> None:
    rng = random.Random(1)
    for seed in range(20):
        position = GAME.start(seed, options_of(seed, 2 + seed % 5))
        for _ in range(200):
            terms = position.evaluate()
            assert [name for name, _ in terms] == ["lives", "spare", "danger", "attack", "sum"]
            assert sum(value for _, value in terms[:-1]) == pytest.approx(terms[-1][1], abs=0.01)
            if position.result:
                break
            position.apply(rng.choice(position.legal()))


def test_perft_over_the_table() -> None:
    position = GAME.start(2, {"Pilots": 2})
    assert perft(position, 3) == sum(divide(position, 3).values()) == perft(position, 3, leaves=True)
