"""The likelihood of placements against sums over all orders, and ratings of games with more than two seats."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine.arena.all_play import rate
from skyclaim_engine.arena.elo import LOGISTIC
from skyclaim_engine.arena.plackett_luce import UNPLACED, Placement, likelihood, placement


def _order(strengths: Sequence[float], order: Sequence[int]) -> float:
    """The logarithm of the chance that the seats of ``order`` come in first, in that order."""
    left, total = set(range(len(strengths))), 0.0
    for seat in order:
        total += strengths[seat] - math.log(sum(math.exp(strengths[other]) for other in left))
        left.remove(seat)
    return total


def _mean_over_orders(strengths: Sequence[float], places: Sequence[int]) -> float:
    placed = [seat for seat, place in enumerate(places) if place != UNPLACED]
    orders = [
        order
        for order in itertools.permutations(placed)
        if [places[seat] for seat in order] == sorted(places[seat] for seat in placed)
    ]
    return sum(_order(strengths, order) for order in orders) / len(orders)


def test_shares_become_places() -> None:
    assert placement(["a", "b"], [0.5, 0.5]) == Placement(("a", "b"), (0, 0))
    assert placement(["a", "b", "a"], [0.5, 0.0, 0.5]).places == (0, UNPLACED, 0)
    assert placement(["a", "b", "c"], [0.2, 0.5, 0.3]).places == (2, 0, 1)


@given(st.lists(st.tuples(st.floats(-3, 3), st.integers(-1, 2)), min_size=2, max_size=5))
def test_the_likelihood_is_the_mean_over_all_orders(seats: list[tuple[float, int]]) -> None:
    strengths, places = [x for x, _ in seats], tuple(place for _, place in seats)
    if set(places) == {UNPLACED}:
        return
    value, gradient, hessian = likelihood(places).at(np.array(strengths))
    assert value == pytest.approx(_mean_over_orders(strengths, places), abs=1e-9)
    for seat in range(len(places)):
        step = np.eye(len(places))[seat] * 1e-5
        above, below = (likelihood(places).at(np.array(strengths) + sign * step) for sign in (1, -1))
        assert gradient[seat] == pytest.approx((above[0] - below[0]) / 2e-5, abs=1e-5)
        assert hessian[seat] == pytest.approx((above[1] - below[1]) / 2e-5, abs=1e-5)


def test_two_seats_are_the_logistic_model() -> None:
    x = np.array([0.7, -0.2])
    win, draw, loss = (likelihood(places).at(x)[0] for places in ((0, UNPLACED), (0, 0), (UNPLACED, 0)))
    assert math.exp(win) == pytest.approx(1 / (1 + math.exp(-0.9)))
    assert math.exp(win) + math.exp(loss) == pytest.approx(1)
    assert draw == pytest.approx((win + loss) / 2)


def test_far_apart_is_finite() -> None:
    value, gradient, hessian = likelihood((0, UNPLACED, 0)).at(np.array([-3000.0, 3000.0, 0.0]))
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
    assert np.isfinite(hessian).all()


def test_ratings_of_three_engines_on_four_seats_are_found_again() -> None:
    truth = {"a": 120.0, "b": 0.0, "c": -120.0}
    advantage = [60.0, 0.0, -20.0, -40.0]
    random, blocks = Random(6), Counter[tuple[Placement, ...]]()
    for number in range(2500):
        # an engine may hold several seats
        seats = [*random.sample(sorted(truth), 3), "abc"[number % 3]]
        games = []
        for turn in range(4):
            sitting = seats[turn:] + seats[:turn]
            strengths = [math.exp((truth[name] + advantage[i]) / LOGISTIC) for i, name in enumerate(sitting)]
            (winner,) = random.choices(range(4), strengths)
            games.append(placement(sitting, [float(seat == winner) for seat in range(4)]))
        blocks[tuple(sorted(games))] += 1
    ratings = rate(blocks)
    assert ratings
    assert list(ratings.engines) == ["a", "b", "c"]
    for name, rating in ratings.engines.items():
        assert rating
        assert rating.low <= truth[name] <= rating.high
        assert rating.error < 12
    for seat, estimate in enumerate(ratings.seats):
        assert estimate.low <= advantage[seat] <= estimate.high
    # 60 against the mean of 0, -20 and -40
    assert ratings.first_seat.low <= 80 <= ratings.first_seat.high
