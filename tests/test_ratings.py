"""Ratings and handicaps against values worked out by hand (rules 10)."""

from __future__ import annotations

import pytest

from skyclaim_engine import ratings


@pytest.mark.parametrize(("skill", "rating"), [(0, 800), (10, 920), (50, 1400), (100, 2000)])
def test_the_bots_declared_ratings(skill: int, rating: int) -> None:
    assert ratings.bot_rating(skill) == rating


@pytest.mark.parametrize(("gap", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (800, 100 / 101)])
def test_the_expected_score(gap: float, score: float) -> None:
    assert ratings.expected(gap) == pytest.approx(score)


def test_a_win_between_equals_moves_half_of_k() -> None:
    assert ratings.updated(1000, 0, 1) == 1016
    assert ratings.updated(1000, 0, 0) == 984
    assert ratings.updated(1000, 0, 0.5) == 1000


def test_a_game_against_the_bot_counts_by_its_skill() -> None:
    # 1000 against skill 10 (920): expected 1 / (1 + 10^(-0.2)) = 0.613137, a tenth of 32 times 0.386863 = 1.237962
    weight = ratings.bot_weight(10)
    assert ratings.updated(1000, 1000 - ratings.bot_rating(10), 1, weight) == 1001.24
    # against skill 0 nothing moves
    assert ratings.updated(1000, 200, 0, ratings.bot_weight(0)) == 1000


def test_changes_of_both_sides_cancel() -> None:
    for gap in (-350.0, -12.5, 0.0, 77.25, 800.0):
        assert ratings.change(gap, 1) == pytest.approx(-ratings.change(-gap, 0))


@pytest.mark.parametrize(
    ("south", "north", "base", "want"),
    [
        (1000, 1000, (6, 6), (6, 6, 0)),
        (1049.99, 1000, (6, 6), (6, 6, 49.99)),  # under 50: no rock
        (1050, 1000, (6, 6), (7, 6, 0)),  # one rock goes to the stronger
        (1000, 1050, (6, 6), (6, 7, 0)),
        (1100, 1000, (6, 6), (7, 5, 0)),
        (1175, 1000, (6, 6), (8, 5, 25)),  # three rocks: two added, one taken off
        (1000, 2000, (6, 6), (0, 16, -200)),  # twenty: ten added, six of ten taken off count
        (2000, 1000, (15, 6), (20, 0, 450)),  # five of ten added, six of ten taken off
        (1300, 1000, (20, 0), (20, 0, 300)),  # none can move
        (1150.1, 1100.1, (6, 6), (7, 6, 0)),  # 50 to the cent, whatever floats make of it
    ],
)
def test_handicaps(south: float, north: float, base: tuple[int, int], want: tuple[int, int, float]) -> None:
    assert ratings.handicap(south, north, *base) == want


def test_a_handicap_turned_around_is_the_same() -> None:
    for gap in range(0, 1500, 37):
        one, other = ratings.handicap(1000 + gap, 1000, 9, 4), ratings.handicap(1000, 1000 + gap, 4, 9)
        assert (one.south, one.north, one.gap) == (other.north, other.south, -other.gap)
