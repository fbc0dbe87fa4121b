"""Many matches at once, with lines that break: nothing is lost, nothing is done twice, nothing is left over."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from dataclasses import dataclass

import psutil
import pytest

from gui_adapter.security import Caps
from gui_adapter.server import Server

from .serving import Message, Page, serve

#: bytes by which the server may grow in the long run, and seconds that it has to warm up
GROWTH, WARM = 1 << 20, 60
ROOMY = Caps(sockets=400, sockets_of_one=400, rate=1000, burst=1000)


@dataclass
class Visitor:
    """Somebody who plays one match after the other against a bot that plays at random, with a line that breaks."""

    page: Page
    chance: random.Random
    acts: int = 0

    async def play(self, until: float) -> None:
        await self.page.join()
        match = await self.page.ask("new", skill=0)
        while time.monotonic() < until:
            if match["result"]:
                match = await self.page.ask("new", skill=0)
            elif match["mover"] == match["seat"]:
                match = await self.act(match)
            else:
                match = await self.wait(match)
            self.page.heard.clear()

    async def wait(self, match: Message) -> Message:
        """The match once the bot has moved, or it is over; what came before `match` was asked for is not new."""
        while match["mover"] != match["seat"] and not match["result"]:
            told = await self.page.until("event", "snapshot", match=match["match"])
            match = {**match, **told.get("state", told), "seq": told["seq"]}
        return match

    async def act(self, match: Message) -> Message:
        """Play a step, now and then while the line breaks; what it is then."""
        step, ident = self.chance.choice(match["legal"]), f"{self.chance.getrandbits(64):x}"
        request = {"t": "act", "id": ident, "match": match["match"], "seq": match["seq"], "step": step}
        own = sum(move["seat"] == match["seat"] for move in match["moves"])
        if self.chance.random() < 0.05:
            await self.page.send(**request)
            self.page.close()
            self.page = Page(self.page.server, self.page.me)
            assert (await self.page.join())["match"]["match"] == match["match"]
        answer = await self.page.ask("act", **{name: request[name] for name in ("id", "match", "seq", "step")})
        assert answer["t"] == "ack", answer
        self.acts += 1
        now = await self.page.ask("snapshot", match=match["match"])
        if len(now["moves"]) < 200:  # of more only the last are told
            mine = [move for move in now["moves"] if move["seat"] == match["seat"]]
            assert len(mine) == own + 1
            assert mine[-1]["step"] == step
        return now


async def crowd(server: Server, size: int, seconds: float, seed: int) -> list[Visitor]:
    """So many visitors play for so long; raises what any of them found wrong."""
    until = time.monotonic() + seconds
    visitors = [Visitor(Page(server), random.Random(seed + number)) for number in range(size)]
    await asyncio.gather(*(visitor.play(until) for visitor in visitors))
    return visitors


def measured() -> tuple[int, int, int]:
    """The memory of this process, its open files, and its children."""
    gc.collect()
    process = psutil.Process()
    return process.memory_info().rss, process.num_fds(), len(process.children(recursive=True))


def test_a_few_matches_at_once() -> None:
    async def test(server: Server) -> None:
        visitors = await crowd(server, 8, 4, seed=1)
        assert all(visitor.acts for visitor in visitors)
        assert len(server.hub.people()) == 8
        for visitor in visitors:
            visitor.page.close()
        while server.sockets:
            await asyncio.sleep(0.01)
        assert server.hub.people() == []

    serve(test, caps=ROOMY)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_fifty_matches_at_once_for_ten_minutes() -> None:
    async def test(server: Server) -> None:
        await crowd(server, 50, WARM, seed=1)
        memory, files, children = measured()
        visitors = await crowd(server, 50, 600, seed=1000)
        assert all(visitor.acts for visitor in visitors)
        after = measured()
        assert after[1] <= files + 60  # those of the first crowd have come undone, or not yet
        assert after[2] == children
        assert after[0] - memory < 50 * GROWTH

    serve(test, caps=ROOMY)
