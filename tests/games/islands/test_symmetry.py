"""The map turned by 360°/n with the seats renamed plays exactly the same (rules 1)."""

from __future__ import annotations

import pytest

from skyclaim_engine.games.islands.evaluate import terms
from skyclaim_engine.games.islands.position import GAME

from . import turning
from .games import SEATS, walk


def test_n_turns_come_back() -> None:
    for seats in SEATS:
        line = GAME.start(3, {"Seats": seats}).line()
        turned = line
        for _ in range(seats):
            turned = turning.line(turned)
        assert turned == line


@pytest.mark.parametrize("seats", SEATS)
def test_a_start_is_its_own_turn(seats: int) -> None:
    for seed in range(50):
        line = GAME.start(seed, {"Seats": seats}).line()
        assert turning.line(line) == line


@pytest.mark.parametrize("seats", SEATS)
def test_random_games(seats: int) -> None:
    for seed in range(40):
        turned = None
        for position, step in walk(seats, 900 + seed):
            line = turning.line(position.line())
            if turned is not None:
                assert turned.line() == line
            turned = GAME.parse(line)
            for seat in range(1, seats + 1):
                other = turning.seat(seat, seats)
                assert turned.orders(other) == position.orders(seat)
                assert turned.observe(other).line() == turning.line(position.observe(seat).line())
                if step is not None:
                    assert terms(turned.board, other) == terms(position.board, seat)
            if step is not None:
                turned.apply(turning.step(step))
