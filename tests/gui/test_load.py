"""Many matches at once, with lines that break: nothing is lost, nothing is done twice, nothing is left over."""

from __future__ import annotations

import asyncio
import gc
import random
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from gui_adapter.hub import KEPT
from gui_adapter.security import Caps
from gui_adapter.server import Server

from .serving import Message, Page, serve

#: bytes by which the server may grow in the long run, seconds of which the time to warm up is made, and those it lasts
GROWTH, WARM, LONG = 8 << 20, 60, 600
#: the turns of a short match, the fewest and the most: so it ends and another begins, at a moment of its own
SHORT = (16, 48)
ROOMY = Caps(sockets=400, sockets_of_one=400, rate=1000, burst=1000)


@dataclass
class Visitor:
    """Somebody who plays one match after the other against a bot that plays at random, with a line that breaks."""

    page: Page
    chance: random.Random
    acts: int = 0
    ends: int = 0

    async def play(self, until: float) -> None:
        """Go on with the match that there is, if there is one."""
        match = (await self.page.join())["match"] or await self.begin()
        while time.monotonic() < until:
            if match["result"]:
                self.ends += 1
                match = await self.begin()
            elif match["mover"] == match["seat"]:
                match = await self.act(match)
            else:
                match = await self.wait(match)
            self.page.heard.clear()

    def hang_up(self) -> None:
        """Close the page, of which nothing stays; another one is not yet open."""
        self.page.close()
        Page.opened.remove(self.page)
        self.page = Page(self.page.server, self.page.me)

    async def begin(self) -> Message:
        """A short match."""
        return await self.page.ask("new", skill=0, options={"TurnLimit": self.chance.randint(*SHORT)})

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
            self.hang_up()
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


def crowd(server: Server, size: int, seed: int) -> list[Visitor]:
    """So many visitors."""
    return [Visitor(Page(server), random.Random(seed + number)) for number in range(size)]


async def play(visitors: list[Visitor], seconds: float) -> None:
    """All visitors play for so long, and go; raises what any of them found wrong."""
    until = time.monotonic() + seconds
    await asyncio.gather(*(visitor.play(until) for visitor in visitors))
    for visitor in visitors:
        visitor.hang_up()


def measured() -> tuple[int, int, int]:
    """The memory of this process, its open files, and its children."""
    gc.collect()
    process = psutil.Process()
    return process.memory_info().rss, process.num_fds(), len(process.children(recursive=True))


def test_a_few_matches_at_once() -> None:
    async def test(server: Server) -> None:
        await play(visitors := crowd(server, 8, seed=1), 4)
        assert all(visitor.acts for visitor in visitors)
        assert len(server.hub.people()) == 8
        while server.sockets:
            await asyncio.sleep(0.01)
        assert server.hub.people() == []

    serve(test, caps=ROOMY)


def test_what_has_ended_takes_no_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Counted in what Python holds, once all that is kept of a person is full."""
    monkeypatch.setattr("gui_adapter.hub.KEPT", 4)
    monkeypatch.setattr("gui_adapter.once.KEPT", 4)
    monkeypatch.setattr(f"{__name__}.SHORT", (2, 4))

    async def test(server: Server) -> None:
        visitors = crowd(server, 8, seed=1)
        tracemalloc.start()
        try:
            held = []
            for _ in range(2):
                for visitor in visitors:
                    visitor.ends = 0
                await play(visitors, 6)
                while server.sockets:
                    await asyncio.sleep(0.01)
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
        ends = sum(visitor.ends for visitor in visitors)
        assert ends > 10
        assert held[1] - held[0] < (64 << 10) + ends * (2 << 10)

    serve(test, caps=ROOMY, data=tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_fifty_matches_at_once_for_ten_minutes(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        visitors = crowd(server, 50, seed=1)
        while min(visitor.acts for visitor in visitors) < KEPT:  # then the server keeps as much of each as it ever does
            await play(visitors, WARM)
        memory, files, children = measured()
        for visitor in visitors:
            visitor.acts = visitor.ends = 0
        await play(visitors, LONG)
        after = measured()
        steps, ends = (sum(getattr(visitor, name) for visitor in visitors) for name in ("acts", "ends"))
        print(f"{steps} steps, {ends} matches ended; {memory >> 10} KiB before, {after[0] >> 10} KiB after")
        assert all(visitor.acts and visitor.ends for visitor in visitors)
        assert after[1] <= files + 10  # lines that have just broken
        assert after[2] == children
        assert after[0] - memory < GROWTH

    serve(test, caps=ROOMY, data=tmp_path)
