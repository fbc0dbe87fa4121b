"""The games, by name. This registry is the one place that knows which there are."""

from __future__ import annotations

from ..errors import SkyclaimError, quote
from ..game import Game
from .islands.position import GAME as ISLANDS
from .rockets.position import GAME as ROCKETS
from .skyclaim.position import GAME as SKYCLAIM

GAMES: dict[str, Game] = {game.info.name: game for game in (SKYCLAIM, ISLANDS, ROCKETS)}


def game(name: str) -> Game:
    """The game of that name; raises SkyclaimError for another."""
    if name not in GAMES:
        raise SkyclaimError(f"game {quote(name)} is none of {', '.join(GAMES)}")
    return GAMES[name]
