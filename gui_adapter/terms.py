"""What a person has chosen for a match: the door for settings that come from a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from skyclaim_engine import ratings
from skyclaim_engine.errors import SkyclaimError, quote
from skyclaim_engine.games import game as find_game
from skyclaim_engine.options import Option, Value, complete

from .errors import Refused
from .readers import reader

#: the rulebook's beginner setting is the default
SKILL = Option("skill", "spin", 10, 0, 100)
ASTEROIDS = Option("asteroids", "spin", ratings.BASE_ASTEROIDS, 0, ratings.MOST_ASTEROIDS)
CHOICES = ("timers", "handicap", "guided", "practice")
#: rule options that are not chosen but follow from the ratings and from ``asteroids``
COUNTS = ("AsteroidsSouth", "AsteroidsNorth")


@dataclass(frozen=True)
class Terms:
    """``options`` are all rule options of ``game``; a match for ``practice``, or ``guided``, moves no rating.

    ``gap`` is seat 1's rating less seat 2's, after the asteroids; it is there once ``against`` has set them.
    """

    game: str
    options: dict[str, Value]
    skill: int
    asteroids: int
    timers: bool = False
    handicap: bool = False
    guided: bool = False
    practice: bool = False
    gap: float = 0.0

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> Terms:
        """The terms in a message of the page, defaults filled in; raises Refused that names the field."""
        chosen = {}
        for name in CHOICES:
            chosen[name] = message.get(name, False)
            if not isinstance(chosen[name], bool):
                raise Refused("bad-argument", f"{name} {quote(str(chosen[name]))} is neither true nor false")
        given = message.get("options", {})
        if not isinstance(given, dict):
            raise Refused("bad-argument", f"options {quote(str(given))} are not values by name")
        try:
            game = str(message.get("game", "skyclaim"))
            reader(game)
            options = complete(find_game(game).options, given)
            skill = int(SKILL.check(message.get("skill", SKILL.default))) // 10 * 10
            asteroids = int(ASTEROIDS.check(message.get("asteroids", ASTEROIDS.default)))
        except SkyclaimError as error:
            raise Refused("bad-argument", str(error)) from None
        terms = cls(game, options, skill, asteroids, **chosen)
        return terms.for_guidance() if terms.guided else terms

    def for_guidance(self) -> Terms:
        """The first game: a dark board, a bot that plays at random, no clock."""
        options = complete(find_game(self.game).options, {"Fog": "dark"})
        base = ratings.BASE_ASTEROIDS
        return replace(self, options=options, skill=0, asteroids=base, timers=False, handicap=False)

    def against(self, south: float, north: float) -> Terms:
        """The same with the asteroids that the ratings of the two seats bring (rules 10)."""
        base = self.asteroids
        even = ratings.Handicap(base, base, south - north)
        counts = ratings.handicap(south, north, base, base) if self.handicap else even
        options = {**self.options, **dict(zip(COUNTS, counts[:2], strict=True))}
        return replace(self, options=options, gap=counts.gap)
