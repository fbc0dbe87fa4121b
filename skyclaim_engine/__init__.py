"""Skyclaim's engine: the rules, a bot, and the protocol that any front end can speak.

>>> from skyclaim_engine import game
>>> position = game("skyclaim").start(seed=1)
>>> len(position.legal()) > 20
True
"""

from .errors import IllegalStep, ParseError, ProtocolError, RulesError, SkyclaimError
from .game import Game, Position, Result
from .games import GAMES, game

__all__ = [
    "GAMES",
    "Game",
    "IllegalStep",
    "ParseError",
    "Position",
    "ProtocolError",
    "Result",
    "RulesError",
    "SkyclaimError",
    "game",
]
