"""Full strength against random seats in games of two and of six. The fixed seeds leave room to what is demanded."""

from __future__ import annotations

import pytest

from skyclaim_engine import game
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag


def silent(told: object) -> None:
    """Hears nothing."""


def rockets(pilots: int, number: int) -> dict[str, object]:
    """Every choice of the other options in turn."""
    checks = {name: bool(number >> place & 1) for place, name in enumerate(("Wormholes", "AsteroidBelt", "UpToRoll"))}
    return {"Pilots": pilots, "Shields": 1 + number % 3, **checks}


def share(name: str, options: dict[str, object], strong: int, seed: int, nodes: int) -> float:
    """The part of the win that the only strong seat gets; all others play at random."""
    position = game(name).start(seed, options)
    bots: dict[int, Bot] = {}
    while position.deciders:
        chosen = {}
        for seat in position.deciders:
            settings = Settings(skill=100 if seat == strong else 0, seed=100 * seed + seat)
            bot = bots.setdefault(seat, Bot(settings))
            step = bot.decide(position.observe(seat), Limits(nodes=nodes), StopFlag(), silent)
            assert step is not None
            chosen[seat] = step
        position.apply(position.joint(chosen))
    assert position.result is not None
    return position.result.scores[strong - 1]


#: more than nine tenths of the games of two, more than two and a half times the fair share of six
LEAST = {2: 0.9, 6: 2.5 / 6}


@pytest.mark.parametrize(("seats", "games"), [(2, 100), (6, 120)])
def test_islands(seats: int, games: int) -> None:
    won = sum(share("islands", {"Seats": seats}, 1 + seed % seats, seed, 600) for seed in range(games))
    assert won > LEAST[seats] * games


@pytest.mark.parametrize(("pilots", "games"), [(2, 200), (6, 120)])
def test_rockets(pilots: int, games: int) -> None:
    tables = [(rockets(pilots, seed // pilots), 1 + seed % pilots, seed) for seed in range(games)]
    won = sum(share("rockets", options, strong, seed, 200) for options, strong, seed in tables)
    assert won > LEAST[pilots] * games
