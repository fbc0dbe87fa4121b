"""Ratings, and the asteroids that even them out (rules 10). Pure arithmetic; nothing is stored here.

Ratings are kept to two decimals and shown rounded. Gaps are counted in hundredths, so that no rounding of floats can
move a game across a step of 50 points.
"""

from __future__ import annotations

from typing import NamedTuple

START = 1000.0
#: the bot at skill S is rated BASE + STEP * S
BASE, STEP = 800, 12
K = 32  # J24
#: points of a gap that one asteroid makes up for
ROCK_POINTS = 50
BASE_ASTEROIDS = 6
MOST_ASTEROIDS = 20
#: a game against a person counts in full
PERSON_WEIGHT = 1.0


class Handicap(NamedTuple):
    """Asteroid counts, and the gap that is left: South's rating less North's, in points."""

    south: int
    north: int
    gap: float


def bot_rating(skill: int) -> int:
    """The declared rating of a skill 0..100."""
    return BASE + STEP * skill


def bot_weight(skill: int) -> float:
    """How much a game against the bot counts: a tenth at skill 10, in full at 100."""
    return skill / 100


def expected(gap: float) -> float:
    """The expected score of a player who is rated ``gap`` points over the other."""
    return 1 / (1 + 10 ** (-gap / 400))


def change(gap: float, score: float, weight: float = PERSON_WEIGHT) -> float:
    """What a game moves the rating by: ``score`` is 1, ½ or 0, ``gap`` own less other, after the asteroids."""
    return K * weight * (score - expected(gap))


def updated(rating: float, gap: float, score: float, weight: float = PERSON_WEIGHT) -> float:
    """The rating after a game, to two decimals. A match that is left, or followed by a new one, scores 0."""
    return round(rating + change(gap, score, weight), 2)


def handicap(
    south_rating: float, north_rating: float, south_base: int = BASE_ASTEROIDS, north_base: int = BASE_ASTEROIDS
) -> Handicap:
    """The asteroids for two ratings: one for each 50 points, half added to the stronger half, half taken off the other.

    Counts stay within 0..20; only what was really added or taken makes the gap smaller.
    """
    gap = round(100 * (south_rating - north_rating))
    rocks = abs(gap) // (100 * ROCK_POINTS)
    strong, weak = (south_base, north_base) if gap >= 0 else (north_base, south_base)
    added = min(strong + (rocks + 1) // 2, MOST_ASTEROIDS) - strong
    taken = weak - max(weak - rocks // 2, 0)
    left = (abs(gap) - 100 * ROCK_POINTS * (added + taken)) / 100
    if gap >= 0:
        return Handicap(strong + added, weak - taken, left)
    return Handicap(weak - taken, strong + added, -left)
