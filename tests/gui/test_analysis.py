"""The analysis of a game that has ended (gui_adapter/analysis.py)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from gui_adapter.analysis import BLUNDER, analyse, forced, ranking
from gui_adapter.library import Library
from gui_adapter.match import Host
from skyclaim_engine.protocol.client import Answer
from tests.gui.stage import Message, Phone, Stage, quiet


async def game_of(stage: Stage, steps: int = 4) -> Message:
    match = await stage.against_bot(quiet, options={"Fog": "seam"})
    phone = Phone(match, 1)
    for _ in range(steps):
        await phone.act(quiet(phone.state["legal"]))
        await phone.mine()
    await match.resign(1, "r")
    await match.close()
    return await Library(stage.host()).game(await stage.person("Ann"), 1)


def points_of(stage: Stage, host: Host, game: Message, ms: int = 20) -> Any:
    lease = stage.engines.lease(lambda state, text: None, 1)
    return analyse(host, lease, game["header"], game["record"], game["moments"], ms)


def test_every_moment_has_a_point_and_they_come_one_by_one(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        game = await game_of(stage)
        messages = [message async for message in points_of(stage, stage.host(), game)]
        total = len(game["moments"])
        assert [message["done"] for message in messages] == list(range(1, total + 1))
        assert {message["total"] for message in messages} == {total}
        points = [point for message in messages for point in message["points"]]
        assert [point["moment"] for point in points] == list(range(total))
        for point, after in zip(points[:-1], game["moments"][1:], strict=True):
            assert point["played"] == after["step"] and 0 <= point["win"] <= 1 and len(point["best"]) == 3
            assert point["blunder"] == (point["loss"] >= BLUNDER) and 0 <= point["loss"] <= 1
            if point["played"] == point["best"][0]:
                assert point["loss"] == 0
        assert points[-1] == {
            "moment": total - 1, "win": 0.0, "best": [], "played": None, "loss": 0.0, "blunder": False, "forced": None,
        }  # fmt: skip

    stage.play(work)


class Thinks:
    """Engines whose searches say what the test wants of the steps."""

    def __init__(self, engines: Any, wins: dict[str, float]) -> None:
        self.engines, self.wins = engines, wins
        self.views: list[str] = []

    async def go(
        self, lease: Any, game: str, options: Any, view: str, limits: str, skill: int = 100, extra: Any = None
    ) -> Answer:
        assert skill == 100 and extra == {"MultiPV": 3}
        self.views.append(view)
        asked = limits.partition(" searchmoves ")[2]
        steps = [asked] if asked else sorted(self.wins, key=lambda step: -self.wins[step])[:3]
        infos = [f"depth 1 score win {self.wins[step]} multipv {n} pv {step}" for n, step in enumerate(steps, 1)]
        return Answer(steps[0], infos)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engines, name)


def test_the_win_is_that_of_seat_1_and_the_loss_that_of_who_played(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        game = await game_of(stage, 1)
        own, theirs = game["moments"][1]["step"], game["moments"][2]["step"]
        thinks = Thinks(stage.engines, {"a": 0.7, "b": 0.6, "c": 0.5, own: 0.45, theirs: 0.65})
        engines: Any = thinks
        host = Host(engines, stage.store)
        first, second, _ = [message["points"][0] async for message in points_of(stage, host, game)]
        assert first == {
            "moment": 0, "win": 0.7, "best": ["a", theirs, "b"], "played": own, "loss": 0.25, "blunder": True,
            "forced": None,
        }  # fmt: skip
        assert second == {
            "moment": 1, "win": 0.3, "best": ["a", theirs, "b"], "played": theirs, "loss": 0.05, "blunder": False,
            "forced": None,
        }  # fmt: skip
        assert len(thinks.views) == 3 and all("?" in view and view.endswith(" -") for view in thinks.views)

    stage.play(work)


def test_an_engine_that_says_nothing_leaves_the_win_open(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        game = await game_of(stage, 1)
        engines: Any = Thinks(stage.engines, {})
        engines.go = lambda *args, **more: asyncio.sleep(0, Answer("claim:e1", ["string nothing", "score win x"]))
        points = [message["points"][0] async for message in points_of(stage, Host(engines, stage.store), game)]
        assert points[0]["win"] is None and points[0]["best"] == [] and not points[0]["blunder"]

    stage.play(work)


def test_whoever_cancels_stops_the_engine(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        game = await game_of(stage)
        messages: list[Message] = []

        async def listen() -> None:
            async for message in points_of(stage, stage.host(), game, 5_000):
                messages.append(message)

        task = asyncio.create_task(listen())
        while not any(engine not in stage.engines.bots._free for engine in stage.engines.bots._engines):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        busy = [engine for engine in stage.engines.bots._engines if engine not in stage.engines.bots._free]
        begin = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert messages == [] and [engine.client for engine in busy] == [None], "it searches no more"
        assert time.monotonic() >= begin

    stage.play(work)


def test_the_last_ranking_counts() -> None:
    infos = [
        "depth 1 nodes 9 score win 0.5 multipv 1 pv a", "depth 1 score win 0.4 multipv 2 pv b",
        "string multipv 1", "depth 2 score win 0.6 land 1.0 multipv 1 pv b x", "depth 2 score win 0.125 multipv 2 pv a",
    ]  # fmt: skip
    assert ranking(Answer("b", infos)) == [("b", 0.6), ("a", 0.125)]
    assert ranking(Answer("b", [])) == []


def test_a_win_is_forced_only_where_it_is_proved() -> None:
    infos = ["depth 2 score win 0.9 land 3.0 multipv 1 pv a", "depth 1 seldepth 1 score win 1.000 multipv 1 pv b"]
    other = "depth 1 score win 1.000 multipv 2 pv a"
    assert forced(Answer("b", [*infos, other])) == 1
    assert forced(Answer("b", [infos[1].replace("depth 1", "depth 3")])) == 2
    assert forced(Answer("b", [*infos, "depth 2 score win 0.9 land 3.0 multipv 1 pv a"])) is None, "the last one counts"
    assert forced(Answer("b", ["depth 2 score win 1.000 land 9.0 multipv 1 pv a"])) is None, "an estimate is no proof"
    assert forced(Answer("b", [other])) is None and forced(Answer("b", [])) is None
