"""A host for tests: it talks to a session in the same process and hears every line."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from skyclaim_engine.game import Game
from skyclaim_engine.protocol.session import Session

from . import toy

#: seconds after which a test that waits is taken to hang
GUARD = 60.0
CODES = {
    "unknown-command",
    "bad-argument",
    "bad-option",
    "bad-position",
    "illegal-step",
    "no-position",
    "busy",
    "too-long",
    "limit",
}


class Host:
    """Sends lines to a session of the toy games (or of others) and keeps what it says."""

    def __init__(self, games: Mapping[str, Game] = toy.GAMES, **parts: Any) -> None:
        self.said: list[str] = []
        self.logged: list[str] = []
        self._heard = threading.Condition()
        if games is toy.GAMES:
            parts = {"bot": toy.ToyBot, "divide": toy.divide, **parts}
        self.session = Session(self._hear, games=games, log=self.logged.append, **parts)

    @property
    def bot(self) -> Any:
        return self.session.bot

    def _hear(self, *lines: str) -> None:
        with self._heard:
            self.said.extend(lines)
            self._heard.notify_all()

    def send(self, line: bytes | str) -> list[str]:
        """The lines that are said until the line is obeyed."""
        start = len(self.said)
        self.session.handle(line)
        return self.said[start:]

    def finish(self, line: str) -> list[str]:
        """The lines that are said until the search or count that the line starts has ended by itself."""
        start = len(self.said)
        self.session.handle(line)
        assert self.session.wait(GUARD)
        return self.said[start:]

    def ponder(self, words: str = "") -> None:
        """Start a search without end and wait until it runs."""
        self.bot.thinking.clear()
        assert not [line for line in self.send(f"go infinite {words}") if line.startswith("error")]
        assert self.bot.thinking.wait(GUARD)

    def until(self, line: str) -> None:
        """Wait until ``line`` has been said."""
        with self._heard:
            assert self._heard.wait_for(lambda: line in self.said, GUARD)

    def state(self) -> tuple[object, ...]:
        """Everything that a refused line must leave as it is."""
        session = self.session
        position = session.position
        place = (position.game.info.name, position.line(), dict(position.options)) if position else None
        return place, dict(session.values), session.bot.settings, session.ended
