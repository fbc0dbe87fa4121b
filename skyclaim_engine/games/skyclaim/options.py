"""Skyclaim's rule options (rules 7 and protocol.md), and how they reach the core."""

from __future__ import annotations

from collections.abc import Mapping

from ...options import Option, Value
from .notation import Rules

FOGS = ("off", "seam", "dark")

OPTIONS = (
    Option("Fog", "combo", "off", choices=FOGS),
    Option("Salvage", "check", False),
    Option("LandToWin", "spin", 69, 60, 100),
    Option("ClaimRadius", "spin", 1, 0, 1),
    Option("TurnLimit", "spin", 400, 1, 10000),
    Option("AsteroidsSouth", "spin", 6, 0, 20),
    Option("AsteroidsNorth", "spin", 6, 0, 20),
)


def rules(options: Mapping[str, Value]) -> Rules:
    """The core's (salvage, fog, land_to_win, claim_radius, turn_limit) of complete options."""
    return (
        bool(options["Salvage"]),
        FOGS.index(str(options["Fog"])),
        int(options["LandToWin"]),
        int(options["ClaimRadius"]),
        int(options["TurnLimit"]),
    )
