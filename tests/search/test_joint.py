"""Regret matching where all seats decide at once: its limits, what it refuses, what it may not know, what it finds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from skyclaim_engine import game
from skyclaim_engine.game import Position
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.algorithms import ALGORITHMS, choose
from skyclaim_engine.search.joint import Joint, solve
from skyclaim_engine.search.onestep import candidates
from tests.games.islands.games import SEATS, walk
from tests.games.islands.test_honesty import altered

PLENTY = 1 << 40


def joint(view: Position, seat: int, seed: int = 5) -> tuple[Joint, list[int]]:
    numbers = candidates(view, seat, 3, 100)
    return Joint(view, seat, numbers, seed), numbers


def decide(position: Position, settings: Settings, limits: Limits) -> tuple[str, list[Info]]:
    told: list[Info | str] = []
    settings = replace(settings, algorithm="regrets")
    step = Bot(settings).decide(position, limits, StopFlag(), told.append)
    assert step is not None
    return step, [line for line in told if isinstance(line, Info)]


@pytest.mark.parametrize("seats", SEATS)
def test_answers_are_legal_and_limits_exact(seats: int) -> None:
    for position, step in list(walk(seats, 9))[::3]:
        if step is None:
            break
        for nodes in (1, 50, 700, 4000):
            answer, told = decide(position, Settings(seed=4, multipv=3), Limits(nodes=nodes))
            position.number(answer, position.seat)  # raises where it is not legal
            assert told[-1].nodes == nodes
            assert 0 <= told[-1].win <= 1


@pytest.mark.parametrize("seats", SEATS)
def test_the_same_seed_gives_the_same_answer_and_another_does_not(seats: int) -> None:
    position = next(position for position, _ in walk(seats, 5) if position.turn == 5)

    def told(seed: int) -> list[tuple[int, float, tuple[str, ...]]]:
        lines = decide(position, Settings(seed=seed, multipv=5), Limits(nodes=6000))[1]
        return [(line.nodes, line.win, line.pv) for line in lines]

    assert told(7) == told(7) != told(8)


def test_the_screening_keeps_the_best() -> None:
    search, numbers = joint(next(position for position, _ in walk(2, 5) if position.turn == 5).observe(1), 1)
    search.screen(PLENTY, 0.0, StopFlag())
    means = search.screened()
    kept = search.played()
    assert search.nodes == 8 * len(numbers) + 7 * 100
    worst = min(mean for number, mean in zip(numbers, means, strict=True) if mean is not None and number in kept)
    assert sum(mean is not None and mean > worst for mean in means) < len(kept) == 20


def test_the_average_strategy_is_one() -> None:
    search, _ = joint(game("islands").start(3, {"Seats": 3}).observe(2), 2)
    search.screen(PLENTY, 0.0, StopFlag())
    search.run(search.nodes + 5000, 0.0, StopFlag())
    rounds = search.iterations
    assert rounds > 20
    weights = [weight for weight, _ in search.played().values()]
    assert sum(weights) == pytest.approx(rounds * (rounds + 1) / 2)
    assert all(0 <= value <= rounds for _, value in search.played().values())


def test_a_cut_iteration_does_not_count() -> None:
    search, _ = joint(game("islands").start(3).observe(1), 1)
    search.screen(PLENTY, 0.0, StopFlag())
    search.run(search.nodes + 40, 0.0, StopFlag())
    assert search.iterations == 0
    assert all(weight == value == 0 for weight, value in search.played().values())


def test_two_threads_share_the_nodes() -> None:
    position = game("islands").start(3)
    answer, told = decide(position, Settings(seed=3, threads=2), Limits(nodes=6000))
    position.number(answer, 1)
    assert 5000 < told[-1].nodes <= 6000


def test_a_stop_ends_it_at_once() -> None:
    flag = StopFlag()
    flag.set()
    search, numbers = joint(game("islands").start(3).observe(1), 1)
    search.screen(PLENTY, 0.0, flag)
    search.run(PLENTY, 0.0, flag)
    assert search.nodes == 0
    assert search.screened() == [None] * len(numbers)


@pytest.mark.parametrize("name", ["skyclaim", "rockets"])
def test_where_one_decides_at_a_time_it_is_refused(name: str) -> None:
    view = game(name).start(3).observe(1)
    algorithm, reason = choose("regrets", view.game)
    assert algorithm is not ALGORITHMS["regrets"]
    assert name in reason
    with pytest.raises(ValueError, match="at a time"):
        Joint(view, 1, [0], 1)


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_hidden_does_not_matter(seats: int) -> None:
    rng = Random(5)
    for position, step in list(walk(seats, 12))[1::3]:
        if step is None:
            break
        other = altered(position, 1, rng)
        assert (
            decide(position, Settings(seed=6), Limits(nodes=2500))[0]
            == (decide(other, Settings(seed=6), Limits(nodes=2500))[0])
        )


#: rock, paper, scissors, where rock against scissors counts more: (1, 2, 1) in 4 are played
BIASED = [[0.5, 0.25, 1.0], [0.75, 0.5, 0.25], [0.0, 0.75, 0.5]]


@pytest.mark.parametrize("seed", range(5))
def test_regret_matching_nears_what_nobody_can_exploit(seed: int) -> None:
    chances = solve(BIASED, 20_000, seed)
    assert sum(chances) == pytest.approx(1)
    worth = [sum(chances[row] * BIASED[row][column] for row in range(3)) for column in range(3)]
    assert min(worth) > 0.48
    assert solve(BIASED, 20_000, seed) == chances


def test_what_is_dominated_is_not_played() -> None:
    assert solve([[0.2, 0.3], [0.6, 0.7], [0.1, 0.2]], 2000, 1)[1] > 0.99
