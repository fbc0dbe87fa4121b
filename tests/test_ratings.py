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


def test_every_tens_rating_and_weight() -> None:
    assert [ratings.bot_rating(skill) for skill in range(0, 101, 10)] == list(range(800, 2001, 120))
    assert [ratings.bot_weight(skill) for skill in (0, 10, 50, 100)] == [0, 0.1, 0.5, 1]
    assert ratings.START == 1000


@pytest.mark.parametrize(
    ("gap", "want"),
    [
        (25, 0.535916),  # 1 / (1 + 10^-0.0625) = 1 / 1.865964
        (100, 0.640065),  # 1 / (1 + 10^-0.25) = 1 / 1.562341
        (200, 0.759747),  # 1 / (1 + 10^-0.5) = 1 / 1.316228
        (-1000, 0.003152),  # 1 / (1 + 10^2.5) = 1 / 317.227766
    ],
)
def test_expected_scores_by_hand(gap: float, want: float) -> None:
    assert ratings.expected(gap) == pytest.approx(want, abs=1e-6)
    assert ratings.expected(gap) + ratings.expected(-gap) == pytest.approx(1)


@pytest.mark.parametrize(
    ("skill", "score", "want"),
    [
        # a player of 1000; skill 50 is 1400: expected 1/11, weight 0.5, so 16 * (score - 0.090909)
        (50, 1, 1014.55),
        (50, 0.5, 1006.55),
        (50, 0, 998.55),
        # skill 100 is 2000: 32 * (score - 0.003152)
        (100, 1, 1031.90),
        (100, 0, 999.90),
        # skill 20 is 1040: expected 1 / (1 + 10^0.1) = 0.442688, weight 0.2
        (20, 1, 1003.57),
        (20, 0, 997.17),
    ],
)
def test_games_against_the_bot_by_hand(skill: int, score: float, want: float) -> None:
    gap = 1000 - ratings.bot_rating(skill)
    assert ratings.updated(1000, gap, score, ratings.bot_weight(skill)) == want


def test_the_gap_left_by_the_asteroids_counts_for_both() -> None:
    # 275 points: five rocks, three added and two taken off, 25 left: 32 * (1 - 0.535916) = 14.85
    rocks = ratings.handicap(1275, 1000)
    assert rocks == (9, 4, 25)
    assert ratings.updated(1275, rocks.gap, 1) == 1289.85
    assert ratings.updated(1000, -rocks.gap, 0) == 985.15
    # and the upset: 32 * 0.535916 = 17.15
    assert ratings.updated(1275, rocks.gap, 0) == 1257.85
    assert ratings.updated(1000, -rocks.gap, 1) == 1017.15


def rocks_one_by_one(gap: int, strong: int, weak: int) -> tuple[int, int, int]:
    """The stronger side's and the weaker side's count and the gap left, in whole points: rock after rock."""
    left = gap
    for number in range(gap // 50):
        if number % 2 == 0 and strong < 20:
            strong, left = strong + 1, left - 50
        elif number % 2 and weak > 0:
            weak, left = weak - 1, left - 50
    return strong, weak, left


def test_handicaps_rock_by_rock() -> None:
    for strong in range(21):
        for weak in range(21):
            for gap in (0, 1, 49, 50, 51, 99, 100, 149, 150, 333, 500, 999, 1000, 1950, 2500):
                want = rocks_one_by_one(gap, strong, weak)
                assert ratings.handicap(1000 + gap, 1000, strong, weak) == want
                south, north, left = ratings.handicap(1000, 1000 + gap, weak, strong)
                assert (north, south, -left) == want
                assert 0 <= min(south, north) <= max(south, north) <= 20
