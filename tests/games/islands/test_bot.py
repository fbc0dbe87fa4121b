"""One-step lookahead in joint nodes, on Islands."""

from __future__ import annotations

from random import Random

import pytest

from skyclaim_engine.games.islands.position import GAME, IslandsPosition
from skyclaim_engine.search import StopFlag
from skyclaim_engine.search.onestep import OneStep, candidates

from .games import scene
from .test_honesty import altered

ENDLESS = 1 << 62


def best_of(view: IslandsPosition, seat: int, seed: int) -> str:
    """The best of some sampled sets."""
    numbers = candidates(view, seat, seed, 300)
    search = OneStep(view, seat, numbers, seed)
    search.run(4, ENDLESS, 0.0, StopFlag())
    means = [mean[0] for mean in search.means() if mean is not None]
    return view.text(numbers[means.index(max(means))])


def play(seats: int, seed: int) -> float:
    """The result of the bot in one seat against random players."""
    me = seed % seats + 1
    position, stream = GAME.start(seed, {"Seats": seats}), seed
    while position.result is None:
        sets = {me: best_of(position.observe(me), me, 100 * seed + position.turn)}
        for seat in position.deciders:
            if seat != me:
                sets[seat], stream = position.sample(seat, stream)
        position.apply(position.joint(sets))
    return position.result.scores[me - 1]


@pytest.mark.parametrize(("seats", "games", "least"), [(2, 30, 27), (3, 18, 16), (6, 18, 14)])
def test_the_bot_beats_random_players(seats: int, games: int, least: int) -> None:
    assert sum(play(seats, 50 + seed) for seed in range(games)) >= least


def test_candidates() -> None:
    view = GAME.start(3).observe(2)
    numbers = candidates(view, 2, 5, 400)
    assert numbers[0] == 0
    assert len(set(numbers)) == len(numbers) > 150
    assert all(view.board.is_legal(2, number) for number in numbers)
    assert numbers == candidates(view, 2, 5, 400)
    assert numbers != candidates(view, 2, 6, 400)
    assert candidates(view, 2, 5, 0) == [0]


def test_means_and_limits() -> None:
    view = GAME.start(3).observe(1)
    numbers = candidates(view, 1, 5, 50)
    search = OneStep(view, 1, numbers, 9)
    assert search.means() == [None] * len(numbers)
    assert search.standing() == 0
    assert not search.run(1, 10, 0.0, StopFlag())
    assert search.nodes == 10
    assert [mean is None for mean in search.means()] == [False] * 10 + [True] * (len(numbers) - 10)
    stop = StopFlag()
    stop.set()
    assert not search.run(1, ENDLESS, 0.0, stop)
    again, other = OneStep(view, 1, numbers, 9), OneStep(view, 1, numbers, 9)
    assert again.run(3, ENDLESS, 0.0, StopFlag())
    assert again.run(2, ENDLESS, 0.0, StopFlag())
    assert other.run(5, ENDLESS, 0.0, StopFlag())
    assert again.means() == other.means()
    assert again.free_steps == [False] * len(numbers)
    for mean in again.means():
        assert mean is not None
        assert 0 < mean[1] < 1
        assert mean[2] is None
    # long past its deadline it still makes the first round, and no other
    late = OneStep(view, 1, numbers, 9)
    assert not late.run(5, ENDLESS, 1e-9, StopFlag())
    assert late.nodes == len(numbers)


def test_the_bot_answers_the_same_whatever_it_may_not_see() -> None:
    rng = Random(8)
    position, stream = GAME.start(11, {"Seats": 3}), 5
    while position.result is None:
        other = altered(position, 2, rng)
        assert best_of(position.observe(2), 2, 7) == best_of(other.observe(2), 2, 7)
        sets = {}
        for seat in position.deciders:
            sets[seat], stream = position.sample(seat, stream)
        position.apply(position.joint(sets))


def test_the_bot_takes_what_lies_open() -> None:
    # the last round but one: a beacon next to the squads, over an open bridge
    position = scene({1: "1.024.6", 2: "0.135.0", 7: "1.234.2"}, number=11)
    assert "march:1>2" in best_of(position.observe(1), 1, 3)
