"""Requests by which two people find each other: the list of who waits, invitations, and codes."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from skyclaim_engine.errors import quote

from . import lobby
from .errors import Refused
from .match import Match
from .people import Person, text
from .sockets import Message
from .terms import Terms

if TYPE_CHECKING:
    from .hub import Hub


class Meeting:
    """How a match between two people comes about. Whoever waits sets the terms, and has the last word."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tries = lobby.Tries()
        self.requests = {
            "wait": self.wait, "invite": self.invite, "accept": self.accept, "decline": self.decline,
            "code": self.code, "usecode": self.use_code,
        }  # fmt: skip

    async def wait(self, person: Person, message: Message) -> Message:
        """Onto the list, or off it."""
        on = message.get("on")
        if not isinstance(on, bool):
            raise Refused("bad-argument", f"on {quote(str(on))} is neither true nor false")
        if on:
            terms = Terms.read(message)
            person.need_free()
            await self._hub.call(person, message)
            person.wish = terms
        else:
            person.wish = None
        self._hub.show_lobby()
        return {"t": "ack"}

    async def invite(self, person: Person, message: Message) -> Message:
        """Ask somebody on the list."""
        other = next((other for other in self._hub.people() if other.who == message.get("who")), None)
        if other is None or other is person or other.wish is None:
            raise Refused("gone", "Nobody waits under that name any more.")
        person.need_free()
        self._invite(person, other, other.wish)
        return {"t": "ack"}

    async def accept(self, person: Person, message: Message) -> Message:
        """Play with somebody who has asked; who begins is drawn."""
        other, terms = self._invitation(person, message)
        pair = [person, other]
        secrets.SystemRandom().shuffle(pair)

        async def begin() -> Match:
            person.need_free()
            if other.socket is None or other.plays:
                raise Refused("gone", f"{other.player.name} is not there any more.")
            south, north = [await self._hub.refreshed(each) for each in pair]
            return await Match.new_pair(self._hub.host, south, north, terms)

        match = await self._hub.begin(begin, pair)
        other.post(match.snapshot(other.seat))
        return match.snapshot(person.seat)

    async def decline(self, person: Person, message: Message) -> Message:
        other, _ = self._invitation(person, message)
        other.post({"t": "notice", "text": f"{person.player.name} does not want to play now."})
        return {"t": "ack"}

    async def code(self, person: Person, message: Message) -> Message:
        """Four letters by which a friend finds this person."""
        terms = Terms.read(message)
        person.need_free()
        await self._hub.call(person, message)
        code = lobby.make_code({other.code[0] for other in self._hub.people() if other.code})
        person.code = code, terms, time.monotonic() + lobby.CODE_LIFE
        return {"t": "code", "code": code}

    async def use_code(self, person: Person, message: Message) -> Message:
        """Ask whoever has the code."""
        client = person.socket.address if person.socket else ""
        self._tries.check(client)
        code = text(message, "code", 100).strip().upper()
        for other in self._hub.people():
            if other.code and other is not person:
                letters, terms, end = other.code
                if letters == code and time.monotonic() < end:
                    person.need_free()
                    await self._hub.call(person, message)
                    self._invite(person, other, terms)
                    return {"t": "ack"}
        self._tries.wrong(client)
        raise Refused("no-code", f"code {quote(code)}: nobody waits with it. Codes live ten minutes.")

    def _invite(self, person: Person, other: Person, terms: Terms) -> None:
        """Ask somebody, who is not asked again before they have answered."""
        asked = person.who in other.invitations
        other.invitations[person.who] = person, terms
        if asked:
            return
        other.post({"t": "invited", "who": person.who, "name": person.player.name, "rating": person.player.rating})

    def _invitation(self, person: Person, message: Message) -> tuple[Person, Terms]:
        """Who asked, and for what; it is answered then."""
        found = person.invitations.pop(str(message.get("who")), None)
        if found is None:
            raise Refused("gone", "That invitation is not there any more.")
        return found
