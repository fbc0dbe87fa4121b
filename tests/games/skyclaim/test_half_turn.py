"""The half turn of a game with the sides exchanged is the same game (rules 1, J1): steps, lines, events, results."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from tests import half_turn
from tests.positions import OPTION_SETS
from tests.strategies import numbers, positions
from tests.vectors import rows

GAME = GAMES["skyclaim"]


def results(position: SkyclaimPosition) -> str | None:
    """The words after `result`."""
    return position.result.lines[0].removeprefix("result ") if position.result else None


def same(position: SkyclaimPosition, turned: SkyclaimPosition) -> None:
    """The second is the half turn of the first, in all that can be asked."""
    line = position.line()
    assert turned.line() == half_turn.line(line)
    assert turned.legal() == sorted(map(half_turn.step, position.legal())), line
    assert results(turned) == half_turn.result(results(position))
    for seat in (1, 2):
        assert turned.observe(3 - seat).line() == half_turn.line(position.observe(seat).line()), line
    if position.seat:
        assert turned.seat == 3 - position.seat


def play(position: SkyclaimPosition, rng: Random, most: int) -> int:
    """Play at random on both; the number of steps."""
    turned = GAME.parse(half_turn.line(position.line()), position.options)
    same(position, turned)
    for number in range(most):
        legal = position.legal()
        if not legal:
            return number
        step = rng.choice(legal)
        events = position.apply(step)
        assert turned.apply(half_turn.step(step)) == list(map(half_turn.event, events)), step
        same(position, turned)
    return most


@given(positions, numbers)
def test_positions_and_the_steps_from_them(position: SkyclaimPosition, number: int) -> None:
    play(position, Random(number), 5)


@pytest.mark.parametrize("number", range(len(OPTION_SETS)))
def test_whole_games(number: int) -> None:
    position = GAME.start(number, OPTION_SETS[number])
    assert play(position, Random(number), 500) == 500 or position.result is not None


def test_the_set_up_is_its_own_half_turn_but_for_stars_and_asteroids() -> None:
    stars, drones, land, *_ = GAME.start(1).line().split(" ")
    turned = half_turn.line(GAME.start(1).line()).split(" ")
    assert turned[0] == stars[::-1]
    assert [text.split("=")[0] for text in turned[1].split(",")] == [text.split("=")[0] for text in drones.split(",")]
    assert turned[2] == land


def test_two_half_turns_are_none() -> None:
    for row in rows("skyclaim", "legal"):
        assert half_turn.line(half_turn.line(row["fen"])) == row["fen"]
        assert [half_turn.step(half_turn.step(step)) for step in row["legal"]] == row["legal"]
