"""Who is there and what they ask for: people and their tabs, and the table from a message to what it does.

A person is known by the secret of their browser and sits in at most one match. Of two tabs the newer one plays. Every
request is done once, however often it comes: its answer is kept under its id and sent again.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack

from skyclaim_engine.errors import quote
from skyclaim_engine.protocol.version import version

from . import lobby
from .engines import Engines
from .errors import EngineDown, Refused
from .library import Library
from .match import Host, Match
from .meeting import Meeting
from .people import Person, text, whole
from .readers import READERS
from .security import Caps
from .shelf import Shelf
from .sockets import Message, Socket, is_word
from .store import Player, Store
from .terms import Terms

#: what a person is called who has not said
NOBODY = "Player"
SECRET = re.compile(r"[0-9a-f]{32}")
#: answers that are kept for each person
KEPT = 64
#: seconds without a word of the page's own code after which a person is not looking, and after which one who is not
#: connected and plays no match is forgotten
AWAY, FORGOTTEN = 9.0, 3600.0
#: characters of a step or a square
LONGEST_STEP = 400

#: requests that change nothing, so that their answers, which can be big, need not be kept
READING = frozenset("snapshot about preview hint ratings games game export".split())

Handler = Callable[[Person, Message], Awaitable[Message | None]]


class Hub:
    """All people and matches of a server. ``start`` comes first."""

    def __init__(self, store: Store, engines: Engines, *, caps: Caps, lan: bool = False) -> None:
        self.host = Host(engines, store)
        self.library = Library(self.host)
        self._caps, self._lan = caps, lan
        self._people: dict[int, Person] = {}
        self._at: dict[Socket, Person] = {}
        self._matches: dict[str, Match] = {}
        self._begun = 0  # matches that are being made
        #: what can be asked for, by the message's `t`; `ping`, `hello` and `cancel` are seen to elsewhere
        self._requests: Mapping[str, Handler] = {
            "new": self.new, "retry": self.retry, "act": self.act, "undo": self.undo, "resign": self.resign,
            "leave": self.leave_match, "snapshot": self.snapshot, "about": self.about, "preview": self.preview,
            "hint": self.hint, **Meeting(self).requests, **Shelf(self).requests,
        }  # fmt: skip

    async def start(self) -> None:
        """Pick up the matches that were under way when the last server ended."""
        self._matches = {match.ident: match for match in await Match.load(self.host)}

    async def close(self) -> None:
        """End what runs here; the matches stay in the store."""
        tasks = [person.analysis[1] for person in self._people.values() if person.analysis]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *(match.close() for match in self._matches.values()), return_exceptions=True)

    def engine_state(self, state: str, words: str) -> None:
        """Tell everybody how the referee is."""
        for person in self.people():
            person.post({"t": "engine", "state": state, "text": words})

    # --- who is there ------------------------------------------------------------------------------------------------

    def people(self) -> list[Person]:
        """Those who are connected."""
        return list(self._at.values())

    async def join(self, socket: Socket, hello: Message) -> None:
        """A page has said hello: it is this person's page from now on."""
        me, tab, name = hello.get("me"), hello.get("tab"), hello.get("name")
        if not (isinstance(me, str) and SECRET.fullmatch(me)):
            raise Refused("bad-hello", "me is not a secret of 32 hexadecimal digits")
        if not is_word(tab):
            raise Refused("bad-hello", f"tab {quote(str(tab))} is not a word")
        called, complaint = None, ""
        try:
            called = lobby.check_name(name) if name else None
        except Refused as error:  # the page's fault, for which nobody should be locked out
            complaint = error.text
        player = await self.host.store.player(me, called or NOBODY)
        if called and called != player.name:
            await self.host.store.rename(player.ident, called)
            player = await self.host.store.find(player.ident)
        if socket.closed:
            return
        person = self._people.setdefault(player.ident, Person(player))
        person.player = player
        self._sit_at(person, socket, str(tab))
        if person.match is None:
            self._find_match(person)
        if person.match:
            person.match.listen(person.seat, person.post)
            person.match.presence(person.seat, "here")
        person.post({
            "t": "welcome", "version": version(), "you": {"name": player.name, "rating": player.rating},
            "match": person.match and person.match.snapshot(person.seat), "lan": self._lan,
            "games": [{"name": name, "title": reader.title} for name, reader in READERS.items()],
        })  # fmt: skip
        self.show_lobby([person])
        if complaint:
            person.post({"t": "notice", "text": complaint})

    def leave(self, socket: Socket) -> None:
        """A page is gone. Its person keeps the match, but waits for nobody any more."""
        person = self._at.pop(socket, None)
        if person is None:
            return
        person.socket, person.seen = None, time.monotonic()
        if person.analysis:
            person.analysis[1].cancel()
        if person.match:
            person.match.presence(person.seat, "lost")
        self._wait_no_more(person)

    def tick(self) -> None:
        """What is due from time to time: who looks away, and what can be forgotten."""
        now = time.monotonic()
        for person in list(self._people.values()):
            if socket := person.socket:
                if person.match:
                    away = socket.hidden or now - socket.alive > AWAY
                    person.match.presence(person.seat, "away" if away else "here")
            elif not person.plays and now - person.seen > FORGOTTEN:
                del self._people[person.player.ident]
        seated = {person.match for person in self._people.values()}
        self._matches = {ident: match for ident, match in self._matches.items() if not match.over or match in seated}

    def _sit_at(self, person: Person, socket: Socket, tab: str) -> None:
        """Make it the person's page; another one that they have is closed."""
        if old := person.socket:
            del self._at[old]
            if person.tab == tab:
                old.close(1000)
            else:
                old.close(4409, "The game goes on in the tab that was opened last.")
        person.socket, person.tab = socket, tab
        self._at[socket] = person

    def _find_match(self, person: Person) -> None:
        """The match that was under way when the server ended, if there was one."""
        for match in self._matches.values():
            if not match.over and (seat := match.seat_of(person.player.ident)):
                person.match, person.seat = match, seat

    # --- requests ----------------------------------------------------------------------------------------------------

    async def handle(self, socket: Socket, message: Message) -> None:
        """Carry out a request, or send its answer again."""
        person, kind, ident = self._at.get(socket), str(message["t"]), message.get("id")
        if person is None:  # another tab has taken over
            return
        if kind == "cancel":
            if person.analysis and person.analysis[0] == ident:
                person.analysis[1].cancel()
            return
        if kind not in self._requests:
            raise Refused("unknown", f"t {quote(kind)} is not something that can be asked for")
        if ident is None:
            if kind != "snapshot":
                raise Refused("bad-message", f"id is missing in {quote(kind)}")
            person.post(await self.snapshot(person, message))
        elif ident not in person.answers:
            await self._answer(person, kind, ident, message)
        elif (answer := person.answers[ident]) is not None:
            person.post(answer)
        # else it is being made, and will come

    async def _answer(self, person: Person, kind: str, ident: str, message: Message) -> None:
        """Carry out a request that has not come before, and keep its answer, unless an engine was down."""
        person.answers[ident] = None
        while len(person.answers) > KEPT:
            person.answers.popitem(last=False)
        kept: Message | None = None
        try:
            if answer := await self._requests[kind](person, message):
                answer = {**answer, "id": ident}
                kept = None if kind in READING else answer
                person.post(answer)
        except EngineDown:
            raise
        except Refused as error:
            kept = {"t": "refused", "id": ident, "code": error.code, "text": error.text}
            person.post(kept)
        finally:
            if kept:
                person.answers[ident] = kept
            else:
                person.answers.pop(ident, None)

    # --- a match -----------------------------------------------------------------------------------------------------

    async def new(self, person: Person, message: Message) -> Message:
        """Begin a match against the bot."""
        terms = Terms.read(message)

        async def begin() -> Match:
            if message.get("force") is not True:
                person.need_free()
            await self._give_up(person, message)  # first, since it moves the rating with which the new one begins
            return await Match.new_bot(self.host, await self.refreshed(person), terms)

        return (await self.begin(begin, [person])).snapshot(person.seat)

    async def retry(self, person: Person, message: Message) -> Message:
        """Begin a match for practice at a moment of a game."""
        game, moment = whole(message, "game"), whole(message, "moment")

        async def begin() -> Match:
            if message.get("force") is not True:
                person.need_free()
            match = await self.library.retry(await self.refreshed(person), game, moment)
            await self._give_up(person, message)
            return match

        return (await self.begin(begin, [person])).snapshot(person.seat)

    async def act(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        step, seq = text(message, "step", LONGEST_STEP), whole(message, "seq")
        return {"t": "ack", "seq": await match.act(seat, message["id"], seq, step)}

    async def undo(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        return {"t": "ack", "seq": await match.undo(seat, message["id"])}

    async def resign(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        return {"t": "ack", "seq": await match.resign(seat, message["id"])}

    async def leave_match(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        seq = await match.leave(seat, message["id"])
        self._stand_up(person)
        return {"t": "ack", "seq": seq}

    async def snapshot(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        return match.snapshot(seat)

    async def about(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        return {"t": "about", **await match.about(seat, text(message, "square", LONGEST_STEP))}

    async def preview(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        return {"t": "preview", **await match.preview(seat, text(message, "step", LONGEST_STEP))}

    async def hint(self, person: Person, message: Message) -> Message:
        match, seat = person.place(message)
        return {"t": "hint", **await match.hint(seat)}

    async def begin(self, make: Callable[[], Awaitable[Match]], people: Sequence[Person]) -> Match:
        """Make a match and seat people in it, each of them in one at a time. Raises Refused if there are too many."""
        async with AsyncExitStack() as held:
            for person in sorted(people, key=lambda person: person.player.ident):
                await held.enter_async_context(person.starting)
            if self._begun + sum(not match.over for match in self._matches.values()) >= self._caps.games:
                raise Refused("full", "There are too many matches on this server. Try again later.")
            self._begun += 1
            try:
                match = await make()
            finally:
                self._begun -= 1
            self._matches[match.ident] = match
            for person in people:
                self._stand_up(person)
                self._wait_no_more(person)
                person.match, person.seat = match, match.seat_of(person.player.ident)
                match.listen(person.seat, person.post)
                match.presence(person.seat, "here" if person.socket else "lost")
        return match

    def _stand_up(self, person: Person) -> None:
        """Leave the seat, in whatever state the match is."""
        if match := person.match:
            match.unlisten(person.seat, person.post)
            match.presence(person.seat, "gone")
            person.match, person.seat = None, 0

    async def _give_up(self, person: Person, message: Message) -> None:
        """Lose the match that is under way, if there is one."""
        if person.match and person.plays:
            await person.match.leave(person.seat, message["id"])

    async def refreshed(self, person: Person) -> Player:
        """The player with the rating that they have now."""
        person.player = await self.host.store.find(person.player.ident)
        return person.player

    async def call(self, person: Person, message: Message) -> None:
        """Give a person the name in the message, if there is one."""
        if name := message.get("name"):
            await self.host.store.rename(person.player.ident, lobby.check_name(name))
            await self.refreshed(person)

    # --- who waits for a match ---------------------------------------------------------------------------------------

    def show_lobby(self, people: Iterable[Person] | None = None) -> None:
        """Send the list to everybody, or to some: to each the others who wait."""
        waiting = [(person, person.wish) for person in self.people() if person.wish]
        for viewer in self.people() if people is None else people:
            listed = [
                {"who": person.who, "name": person.player.name, "rating": person.player.rating, "game": wish.game,
                 "options": wish.options, "timers": wish.timers}
                for person, wish in waiting if person is not viewer
            ]  # fmt: skip
            viewer.post({"t": "lobby", "players": listed})

    def _wait_no_more(self, person: Person) -> None:
        listed, person.wish, person.code = person.wish, None, None
        person.invitations.clear()
        if listed:
            self.show_lobby()
