"""Skyclaim positions for hypothesis. Each is drawn by one number, so a failing example names it."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from tests.positions import OPTION_SETS, Options, crowded

GAME = GAMES["skyclaim"]

numbers = st.integers(0, 2**32 - 1)
option_sets = st.sampled_from(OPTION_SETS)


def a_crowded_one(number: int, options: Options) -> SkyclaimPosition:
    """A board that no game would reach, perhaps one whose game is over."""
    return GAME.parse(crowded(Random(number), options).line(), options)


def a_played_one(number: int, options: Options) -> SkyclaimPosition:
    """A position of a random game, perhaps its last."""
    rng = Random(number)
    asteroids = {"AsteroidsSouth": rng.randint(0, 20), "AsteroidsNorth": rng.randint(0, 20)}
    position = GAME.start(rng.getrandbits(64), {**options, **asteroids})
    for _ in range(rng.choice((0, 1, 5, 20, 60))):
        legal = position.legal()
        if not legal:
            break
        position.apply(rng.choice(legal))
    return position


positions = st.builds(a_crowded_one, numbers, option_sets) | st.builds(a_played_one, numbers, option_sets)
