"""Search knows the table of functions in `game.pxd` and nothing of any game."""

from .bot import Bot
from .settings import ENGINE_OPTIONS, Info, Limits, Settings
from .stop import StopFlag

__all__ = ["ENGINE_OPTIONS", "Bot", "Info", "Limits", "Settings", "StopFlag"]
