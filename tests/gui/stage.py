"""What the tests of the host side stand on: real engines, a store in memory, a clock that is moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from gui_adapter.engines import Engines
from gui_adapter.facts import Facts, Seat
from gui_adapter.match import Host, Match
from gui_adapter.store import Player, Store
from gui_adapter.terms import Terms
from skyclaim_engine.protocol.client import Answer

T = TypeVar("T")
Message = dict[str, Any]
#: decides for the bot: the legal steps in, the step out
Choice = Callable[[list[str]], str]


class Puppets:
    """The engines, with a bot that does what the test says; the referee is the real one."""

    def __init__(self, engines: Engines, choose: Choice) -> None:
        self.engines, self.choose = engines, choose
        self.asked = 0

    async def go(self, lease: Any, game: str, options: Any, view: str, limits: str = "", skill: int = 100) -> Answer:
        self.asked += 1
        await asyncio.sleep(0)
        return Answer(self.choose(await self.engines.legal(game, options, view, seen=True)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engines, name)


class Stage:
    """A loop with engines that live as long as it does; every ``play`` has a store and a clock of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.engines = Engines()
        self.time = 0.0
        self.store: Store

    def play(self, work: Callable[[Stage], Coroutine[Any, Any, T]]) -> T:
        """Run a test."""
        return self.loop.run_until_complete(self._with_store(work))

    async def _with_store(self, work: Callable[[Stage], Coroutine[Any, Any, T]]) -> T:
        self.store = Store(":memory:")
        try:
            return await work(self)
        finally:
            await self.store.close()

    def host(self, choose: Choice | None = None) -> Host:
        engines: Any = Puppets(self.engines, choose) if choose else self.engines
        return Host(engines, self.store, lambda: self.time)

    async def person(self, name: str) -> Player:
        return await self.store.player(name, name)

    async def against_bot(self, choose: Choice | None = None, **settings: Any) -> Match:
        """Ann's match against the bot."""
        return await Match.new_bot(self.host(choose), await self.person("Ann"), Terms.read(settings))

    async def pair(self, **settings: Any) -> Match:
        """Ann's match, in the South, against Bob."""
        host, terms = self.host(), Terms.read(settings)
        return await Match.new_pair(host, await self.person("Ann"), await self.person("Bob"), terms)

    async def at(self, line: str, options: Mapping[str, Any]) -> Match:
        """A match of two people that stands at a position."""
        terms = Terms.read({"options": options})
        seats = Seat("Ann", 1000.0, 1), Seat("Bob", 1000.0, 2)
        facts = Facts(
            "m", "skyclaim", terms.options, 1, line, line, seats, 0.0, 0.0, False, None, {}, {}
        )  # fmt: skip
        match = Match(self.host(), facts)
        facts.seen, facts.legal = await match._survey(line)
        return match

    def close(self) -> None:
        self.loop.run_until_complete(self.engines.close())
        self.loop.close()


class Phone:
    """A page: it keeps what it is sent and checks that no number is left out."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match, self.seat = match, seat
        self.got: list[Message] = []
        self.state = match.snapshot(seat)
        self.seq: int = self.state["seq"]
        match.listen(seat, self.hear)

    def hear(self, message: Message) -> None:
        self.got.append(message)
        if message["t"] == "event":
            assert message["seq"] == self.seq + 1, "a message is missing"
            self.seq, self.state = message["seq"], message["state"]
        elif message["t"] == "snapshot":
            assert message["seq"] >= self.seq
            self.seq, self.state = message["seq"], message

    async def act(self, step: str, ident: str | None = None) -> int:
        """Play a step, as the page would."""
        return await self.match.act(self.seat, ident or f"{self.seat}-{self.seq}-{step}", self.seq, step)

    async def mine(self) -> None:
        """Wait until this seat is on turn, or the match is over."""
        async with asyncio.timeout(60):
            while self.state["mover"] not in (self.seat, 0):
                await asyncio.sleep(0.005)

    def last(self, kind: str) -> Message:
        return next(message for message in reversed(self.got) if message["t"] == kind)


def quiet(legal: list[str]) -> str:
    """A step that draws nothing from the stream, if there is one."""
    return next((step for step in legal if step.startswith(("move:", "claim:", "pass"))), legal[0])
