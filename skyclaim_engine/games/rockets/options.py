"""Rockets' rule options (rules 1), and how they reach the core."""

from __future__ import annotations

from collections.abc import Mapping

from ...options import Option, Value

#: pilots, shields, wormholes, asteroids, up to roll
Rules = tuple[int, int, bool, bool, bool]

FEWEST_PILOTS, MOST_PILOTS = 2, 6  # J1

OPTIONS = (
    Option("Pilots", "spin", 2, FEWEST_PILOTS, MOST_PILOTS),
    Option("Shields", "spin", 1, 1, 5),
    Option("Wormholes", "check", False),
    Option("AsteroidBelt", "check", False),
    Option("UpToRoll", "check", False),
)


def rules(options: Mapping[str, Value]) -> Rules:
    """The core's rules of complete options."""
    pilots, shields, worms, rocks, up_to = (options[option.name] for option in OPTIONS)
    return int(pilots), int(shields), bool(worms), bool(rocks), bool(up_to)


def values(rules: Rules) -> dict[str, Value]:
    """The options that stand for these rules."""
    return dict(zip((option.name for option in OPTIONS), rules, strict=True))
