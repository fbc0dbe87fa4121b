"""Who plays here: a person, their page, their seat; and the readers of what a page says."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from skyclaim_engine.errors import quote

from .errors import Refused
from .match import Match
from .sockets import Message, Socket
from .store import Player
from .terms import Terms


@dataclass(eq=False)
class Person:
    """Somebody who is or was connected. ``who`` is what others know them by, for as long as the server runs."""

    player: Player
    who: str = field(default_factory=lambda: secrets.token_hex(8))
    socket: Socket | None = None
    tab: str = ""
    match: Match | None = None
    seat: int = 0
    #: what they would play, if they are on the list; their code, with what they would play and when it ends
    wish: Terms | None = None
    code: tuple[str, Terms, float] | None = None
    #: by ``who``: who wants to play them, and on which terms
    invitations: dict[str, tuple[Person, Terms]] = field(default_factory=dict)
    #: by id: the answer, None as long as there is none
    answers: OrderedDict[str, Message | None] = field(default_factory=OrderedDict)
    #: the analysis that runs for them, with the id of its request
    analysis: tuple[str, asyncio.Task[None]] | None = None
    #: held while a match begins for them, so that they do not get into two
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: float = field(default_factory=time.monotonic)

    def post(self, message: Message) -> None:
        """Send a message, if there is a page to take it."""
        if self.socket:
            self.socket.post(message)

    @property
    def plays(self) -> bool:
        """Whether they are in a match that is under way."""
        return self.match is not None and not self.match.over

    def need_free(self) -> None:
        """Raise Refused if they play."""
        if self.plays:
            raise Refused("under-way", "A match is under way. To begin another one counts as a loss.")

    def place(self, message: Message) -> tuple[Match, int]:
        """Their match and seat, if it is the match that the message is about; raises Refused."""
        if self.match is None or message.get("match") != self.match.ident:
            raise Refused("no-match", f"match {quote(str(message.get('match')))} is not the one that you play")
        return self.match, self.seat


def whole(message: Message, name: str) -> int:
    """A number of a message; raises Refused."""
    value: Any = message.get(name)
    if not (type(value) is int and 0 <= value < 1 << 62):
        raise Refused("bad-argument", f"{name} {quote(str(value))} is not a whole number")
    return int(value)


def text(message: Message, name: str, longest: int) -> str:
    """A text of a message, of at most so many characters; raises Refused."""
    value = message.get(name)
    if not isinstance(value, str):
        raise Refused("bad-argument", f"{name} {quote(str(value))} is not a text")
    if len(value) > longest:
        raise Refused("bad-argument", f"{name} {quote(value)} is longer than {longest} characters")
    return value
