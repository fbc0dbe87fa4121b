"""Requests about games that have ended, ratings and names."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from . import analysis, lobby
from .errors import Refused
from .people import Person, text, whole
from .sockets import Message

if TYPE_CHECKING:
    from .hub import Hub

#: characters of a ledger that is brought in: it comes in one message
LONGEST_LEDGER = 60_000


class Shelf:
    """What a person has played, and what they are called."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.requests = {
            "name": self.name, "ratings": self.ratings, "games": self.games, "game": self.game,
            "export": self.export, "import": self.take, "analyse": self.analyse,
        }  # fmt: skip

    async def name(self, person: Person, message: Message) -> Message:
        lobby.check_name(message.get("name"))
        await self._hub.call(person, message)
        if person.wish:
            self._hub.show_lobby()
        return {"t": "ack"}

    async def ratings(self, person: Person, message: Message) -> Message:
        player = await self._hub.refreshed(person)
        history = await self._hub.host.store.history(player.ident)
        return {"t": "ratings", "name": player.name, "rating": player.rating, "history": history}

    async def games(self, person: Person, message: Message) -> Message:
        before = None if message.get("before") is None else whole(message, "before")
        return {"t": "games", "rows": await self._hub.library.games(person.player, before)}

    async def game(self, person: Person, message: Message) -> Message:
        ident = whole(message, "game")
        return {"t": "game", "game": ident, **await self._hub.library.game(person.player, ident)}

    async def export(self, person: Person, message: Message) -> Message:
        return {"t": "export", **await self._hub.library.export(person.player, whole(message, "game"))}

    async def take(self, person: Person, message: Message) -> Message:
        ledger = text(message, "text", LONGEST_LEDGER)
        return {"t": "imported", "game": await self._hub.library.take(person.player, ledger)}

    async def analyse(self, person: Person, message: Message) -> None:
        """Send what the engine thinks of a game, moment by moment; of two analyses of a person the newer goes on."""
        ident, game = message["id"], whole(message, "game")
        ms = analysis.USUAL_MS if message.get("ms") is None else whole(message, "ms")
        if person.analysis:
            person.analysis[1].cancel()
        task = asyncio.create_task(self._analyse(person, ident, game, ms))
        person.analysis = ident, task
        try:
            await task
        except asyncio.CancelledError:
            task.cancel()  # where it is this request that was cancelled
            if person.analysis and person.analysis[1] is not task:
                raise Refused("superseded", "Another analysis has begun.") from None
        finally:
            if person.analysis and person.analysis[1] is task:
                person.analysis = None

    async def _analyse(self, person: Person, ident: str, game: int, ms: int) -> None:
        def report(state: str, words: str) -> None:
            person.post({"t": "engine", "state": state, "text": words})

        kept = await self._hub.library.game(person.player, game)
        host = self._hub.host
        lease = host.engines.lease(report)
        async for part in analysis.analyse(host, lease, kept["header"], kept["record"], kept["moments"], ms):
            person.post({"t": "analysis", "id": ident, **part})
