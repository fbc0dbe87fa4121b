"""People and what they ask for: tabs, matches, the lobby, codes, games that have ended; over a real socket."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import pytest

from gui_adapter import hub as hub_module
from gui_adapter import lobby
from gui_adapter.engines import COMMAND
from gui_adapter.errors import Refused
from gui_adapter.security import Caps
from gui_adapter.server import Server

from .serving import Message, Page, serve, serving
from .test_engines import bad


async def joined(server: Server, name: str = "Ada", me: str | None = None, tab: str = "t1") -> Page:
    page = Page(server, me)
    await page.join(tab, name=name)
    return page


async def act(page: Page, match: Message, step: str | None = None, **fields: Any) -> Message:
    """Play a step (the first legal one) of a snapshot; the answer."""
    values = {"match": match["match"], "seq": match["seq"], "step": step or match["legal"][0], **fields}
    return await page.ask("act", **values)


async def listed(page: Page, count: int) -> list[Message]:
    """Who waits, once the list has so many names."""
    while len(players := (await page.until("lobby"))["players"]) != count:
        pass
    return list(players)


async def pair(server: Server, **terms: Any) -> tuple[Page, Message, Page, Message]:
    """Two people in a match, South first."""
    host, guest = await joined(server, "Host"), await joined(server, "Guest")
    await host.ask("wait", on=True, **terms)
    (entry,) = await listed(guest, 1)
    await guest.ask("invite", who=entry["who"])
    invited = await host.until("invited")
    here = await host.ask("accept", who=invited["who"])
    there = await guest.until("snapshot")
    return (host, here, guest, there) if here["seat"] == 1 else (guest, there, host, here)


# -- being there


def test_welcome() -> None:
    async def test(server: Server) -> None:
        welcome = await Page(server).join()
        assert welcome["you"] == {"name": "Player", "rating": 1000.0}
        assert welcome["match"] is None
        assert welcome["games"] == [{"name": "skyclaim", "title": "Skyclaim"}]
        assert welcome["lan"] is False

    serve(test)


def test_the_same_browser_is_the_same_person() -> None:
    async def test(server: Server) -> None:
        page = await joined(server, "Ada")
        match = await page.ask("new", skill=50)
        page.close()
        await page.closed()
        again = Page(server, page.me)
        welcome = await again.join()
        assert welcome["you"]["name"] == "Ada"
        assert welcome["match"]["match"] == match["match"]
        assert welcome["match"]["line"] == match["line"]
        assert (await act(again, match, "claim:e1"))["t"] == "ack"
        assert (await (other := Page(server)).join())["match"] is None
        assert (await act(other, match))["code"] == "no-match"

    serve(test)


def test_of_two_tabs_the_newer_plays() -> None:
    async def test(server: Server) -> None:
        old = await joined(server)
        match = await old.ask("new")
        new = await joined(server, me=old.me, tab="t2")
        code, reason = await old.closed()
        assert code == 4409
        assert reason
        assert (await act(new, match))["t"] == "ack"
        # and a tab that comes back takes its own place, without a word
        back = await joined(server, me=old.me, tab="t2")
        assert (await new.closed())[0] == 1000
        assert (await back.ask("snapshot", match=match["match"]))["seq"] >= 2

    serve(test)


def test_who_looks_away_is_away_and_who_is_gone_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui_adapter.server.TICK", 0.02)

    async def test(server: Server) -> None:
        south, _, north, _ = await pair(server)

        async def presence(word: str) -> None:
            while (await south.until("presence"))["seats"][1]["presence"] != word:
                pass

        await north.send(t="ping", n=1, hidden=True)
        await presence("away")
        await north.send(t="ping", n=2)
        await presence("here")
        monkeypatch.setattr(hub_module, "AWAY", 0.1)
        await presence("away")
        north.close()
        await presence("lost")
        await joined(server, "Guest", north.me)
        await presence("here")

    serve(test)


# -- a match


def test_a_match_against_the_bot() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new", game="skyclaim", options={"Fog": "seam"}, skill=30, timers=True)
        assert (match["t"], match["seq"], match["seat"], match["mover"]) == ("snapshot", 1, 1, 1)
        assert match["options"]["Fog"] == "seam"
        assert match["seats"][1]["skill"] == 30
        assert match["line"].endswith(" -")
        square = await page.ask("about", match=match["match"], square="e1")
        assert "scout" in square["text"]
        preview = await page.ask("preview", match=match["match"], step="claim:e1")
        assert preview["score"] == 2
        hint = await page.ask("hint", match=match["match"])
        assert hint["step"].startswith("swap:")
        ack = await act(page, match, "claim:e1")
        own = next(message for message in page.heard if message["t"] == "event")
        assert (own["seq"], own["seat"], own["step"]) == (2, 1, "claim:e1")
        assert ack["seq"] == 2
        reply = await page.until("event")
        assert reply["seat"] == 2
        back = await page.ask("undo", match=match["match"])
        assert back["t"] in ("ack", "refused")
        assert (await page.ask("resign", match=match["match"]))["t"] == "ack"
        over = await page.ask("snapshot", match=match["match"])
        assert over["result"]["text"] == "You have resigned."
        assert (await page.ask("leave", match=match["match"]))["t"] == "ack"
        assert (await page.ask("snapshot", match=match["match"]))["code"] == "no-match"

    serve(test)


WRONG: list[tuple[str, Message, str]] = [
    ("act", {"step": "claim:a1"}, "illegal-step"),
    ("act", {"step": "claim:e1\nquit"}, "bad-argument"),
    ("act", {"step": 1}, "bad-argument"),
    ("act", {"step": "x" * 500}, "bad-argument"),
    ("act", {"seq": "1"}, "bad-argument"),
    ("act", {"seq": -1}, "bad-argument"),
    ("act", {"seq": True}, "bad-argument"),
    ("act", {"seq": 7}, "stale"),
    ("act", {"match": "x"}, "no-match"),
    ("act", {"match": None}, "no-match"),
    ("about", {"square": "z9"}, "bad-argument"),
    ("preview", {"step": "claim:a1"}, "illegal-step"),
    ("undo", {}, "no-undo"),
    ("new", {"skill": 101}, "bad-argument"),
    ("new", {"skill": "x"}, "bad-argument"),
    ("new", {"game": "chess"}, "bad-argument"),
    ("new", {"options": {"Fog": "thick"}}, "bad-argument"),
    ("new", {"options": {"Fog\nquit": "off"}}, "bad-argument"),
    ("new", {"options": [1]}, "bad-argument"),
    ("new", {"timers": "yes"}, "bad-argument"),
    ("new", {"asteroids": 21}, "bad-argument"),
    ("new", {"force": "true"}, "under-way"),
    ("new", {}, "under-way"),
    ("wait", {"on": True}, "under-way"),
    ("wait", {"on": 1}, "bad-argument"),
    ("code", {}, "under-way"),
    ("invite", {"who": "x"}, "gone"),
    ("accept", {"who": ["x"]}, "gone"),
    ("decline", {}, "gone"),
    ("usecode", {"code": 7}, "bad-argument"),
    ("usecode", {"code": "BCDF"}, "no-code"),
    ("game", {"game": 1}, "no-game"),
    ("game", {"game": "1"}, "bad-argument"),
    ("export", {"game": 1 << 70}, "bad-argument"),
    ("import", {"text": "x"}, "bad-record"),
    ("import", {"text": {}}, "bad-argument"),
    ("retry", {"game": 1, "moment": 0, "force": True}, "no-game"),
    ("analyse", {"game": 1}, "no-game"),
    ("games", {"before": "x"}, "bad-argument"),
    ("name", {}, "bad-name"),
]


def test_a_wrong_request_is_refused_and_changes_nothing() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new")
        here = {"match": match["match"], "seq": 1, "step": "claim:e1"}
        for kind, fields, word in WRONG:
            values = here if kind in ("act", "about", "preview", "undo") else {}
            answer = await page.ask(kind, **{**values, **fields})
            assert (answer["t"], answer.get("code")) == ("refused", word), (kind, fields)
            assert answer["text"].isprintable()
            now = await page.ask("snapshot", match=match["match"])
            assert {**now, "id": 0} == {**match, "id": 0}, (kind, fields)

    serve(test, caps=Caps(rate=1000, burst=1000))


def test_the_same_request_is_done_once() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        first = await page.ask("new", id="n")
        assert (await page.ask("new", id="n"))["match"] == first["match"]
        for _ in range(3):
            await page.send(t="act", id="a", match=first["match"], seq=1, step="claim:e1")
        assert (await page.until("ack"))["seq"] == 2
        page.close()
        await page.closed()
        page = await joined(server, me=page.me)
        assert (await act(page, first, "claim:e1", id="a"))["seq"] == 2
        now = await page.ask("snapshot", match=first["match"])
        assert sum(move["step"] == "claim:e1" for move in now["moves"]) == 1

    serve(test)


def test_a_new_match_while_one_is_under_way_is_a_loss_after_asking() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        first = await page.ask("new", skill=100)
        assert (await page.ask("new"))["code"] == "under-way"
        second = await page.ask("new", force=True)
        assert second["match"] != first["match"]
        (row,) = (await page.ask("games"))["rows"]
        assert (row["result"], row["rating_after"]) == ("lost", (await page.ask("ratings"))["rating"])
        assert row["rating_after"] < 1000
        # and nothing of the old match is heard any more
        page.heard.clear()
        await act(page, second, "claim:e1")
        assert {message["match"] for message in page.heard if "match" in message} == {second["match"]}

    serve(test)


def test_a_match_goes_on_after_the_server_was_started_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(data=tmp_path) as server:
            page = await joined(server)
            match = await page.ask("new", skill=20)
            await act(page, match, "claim:e1")
            await page.until("event")
            me = page.me
        async with serving(data=tmp_path) as server:
            page = Page(server, me)
            again = (await page.join())["match"]
            assert again["match"] == match["match"]
            assert again["moves"][0]["step"] == "claim:e1"
            while again["mover"] != 1:
                again = await page.ask("snapshot", match=match["match"])
            assert (await act(page, again))["t"] == "ack"

    asyncio.run(test())


def test_engines_that_are_killed_are_spoken_of_and_the_game_goes_on() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new", skill=100)
        for pid in server.engines.referee.pids() + server.engines.bots.pids():
            os.kill(pid, 9)
        assert (await act(page, match, "claim:e1"))["t"] == "ack"
        words = [message["state"] for message in page.heard if message["t"] == "engine"]
        assert words[0] == "restarting"
        while (await page.until("event"))["seat"] != 2:
            pass
        assert [message for message in page.heard if message["t"] == "engine"][-1]["state"] == "ok"

    serve(test)


@pytest.mark.parametrize("kind", ["liar", "crasher", "no-id"])
def test_a_bot_that_lies_is_found_out_and_the_game_goes_on(kind: str) -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new", skill=100)
        steps = waits = 0
        while steps < 3 or not any(m["t"] == "engine" and m["state"] == "restarting" for m in page.heard):
            if match["mover"] == 1:
                assert (await act(page, match))["t"] == "ack"
                steps += 1
            match = {**match, **(await page.ask("snapshot", match=match["match"]))}
            waits += 1
            assert waits < 400, "nothing was said of the engine"
            await asyncio.sleep(0.05)

    serve(test, bots=bad(kind, 2))


def test_an_engine_that_is_down_is_said_to_be_and_may_be_asked_again() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        answer = await page.ask("new", id="n")
        assert answer["code"] == "engine"
        assert "no such program" in answer["text"]
        server.engines.referee._engines[0]._command = COMMAND
        assert (await page.ask("new", id="n"))["t"] == "snapshot"

    serve(test, command=["/nowhere/engine"])


# -- finding each other


def test_the_list_and_an_invitation() -> None:
    async def test(server: Server) -> None:
        host, guest = await joined(server, "Host"), await joined(server, "Guest")
        await host.ask("wait", on=True, options={"Salvage": True}, timers=True)
        (entry,) = await listed(guest, 1)
        assert (entry["name"], entry["rating"], entry["game"], entry["timers"]) == ("Host", 1000.0, "skyclaim", True)
        assert entry["options"]["Salvage"] is True
        assert host.me not in str(guest.heard)
        assert (await guest.ask("invite", who=entry["who"]))["t"] == "ack"
        invited = await host.until("invited")
        assert (invited["name"], invited["rating"]) == ("Guest", 1000.0)
        assert (await host.ask("decline", who=invited["who"]))["t"] == "ack"
        assert "Host" in (await guest.until("notice"))["text"]
        assert (await host.ask("accept", who=invited["who"]))["code"] == "gone"
        await guest.ask("invite", who=entry["who"])
        invited = await host.until("invited")
        match = await host.ask("accept", who=invited["who"])
        other = await guest.until("snapshot")
        assert match["match"] == other["match"]
        assert {match["seat"], other["seat"]} == {1, 2}
        assert match["options"]["Salvage"] is True
        assert match["clocks"] is not None
        assert match["rated"] is True
        third = await joined(server, "Third")
        assert (await third.until("lobby"))["players"] == []

    serve(test)


def test_two_people_play() -> None:
    async def test(server: Server) -> None:
        south, match, north, seen = await pair(server)
        assert (await act(north, {**seen, "legal": match["legal"]}))["code"] == "not-your-turn"
        ack = await act(south, match, "claim:e1")
        told = await north.until("event")
        mine = next(message for message in south.heard if message["t"] == "event")
        assert told["seq"] == mine["seq"] == ack["seq"]
        assert told["state"]["hash"] == mine["state"]["hash"]
        assert (await act(north, told["state"] | {"match": match["match"], "seq": told["seq"]}))["t"] == "ack"
        assert (await south.ask("leave", match=match["match"]))["t"] == "ack"
        over = await north.until("snapshot")
        assert over["result"]["text"].startswith("You win")
        assert over["result"]["rating"] == {"before": 1000.0, "after": 1016.0}
        assert (await south.ask("ratings"))["rating"] == 984.0

    serve(test)


def test_a_lost_line_in_the_middle_of_a_step() -> None:
    async def test(server: Server) -> None:
        south, match, north, _ = await pair(server)
        await south.send(t="act", id="a", match=match["match"], seq=match["seq"], step="claim:e1")
        south.close()
        told = await north.until("event")
        again = Page(server, south.me)
        welcome = await again.join()
        assert welcome["match"]["seq"] in (1, 2)
        assert (await act(again, match, "claim:e1", id="a"))["seq"] == 2
        now = await again.ask("snapshot", match=match["match"])
        assert now["hash"] == told["state"]["hash"]
        assert len(now["moves"]) == 1

    serve(test)


def test_who_goes_waits_no_more() -> None:
    async def test(server: Server) -> None:
        host, guest = await joined(server, "Host"), await joined(server, "Guest")
        await host.ask("wait", on=True)
        (entry,) = await listed(guest, 1)
        code = (await host.ask("code"))["code"]
        await guest.ask("invite", who=entry["who"])
        invited = await host.until("invited")
        host.close()
        assert await listed(guest, 0) == []
        assert (await guest.ask("invite", who=entry["who"]))["code"] == "gone"
        assert (await guest.ask("usecode", code=code))["code"] == "no-code"
        back = await joined(server, "Host", host.me)
        assert (await back.ask("accept", who=invited["who"]))["code"] == "gone"

    serve(test)


def test_off_the_list_again() -> None:
    async def test(server: Server) -> None:
        host, guest = await joined(server, "Host"), await joined(server, "Guest")
        await host.ask("wait", on=True)
        (entry,) = await listed(guest, 1)
        await host.ask("name", name="Hostess")
        assert [player["name"] for player in await listed(guest, 1)] == ["Hostess"]
        await host.ask("wait", on=False)
        assert await listed(guest, 0) == []
        assert (await guest.ask("invite", who=entry["who"]))["code"] == "gone"

    serve(test)


def test_who_has_begun_to_play_cannot_be_got_into_another_match() -> None:
    async def test(server: Server) -> None:
        host, one, two = [await joined(server, name) for name in ("Host", "One", "Two")]
        await host.ask("wait", on=True)
        (entry,) = await listed(one, 1)
        for guest in (one, two):
            await guest.ask("invite", who=entry["who"])
        first, second = await host.until("invited"), await host.until("invited")
        await one.ask("new")
        assert (await host.ask("accept", who=first["who"]))["code"] == "gone"
        # both answers at once: one match begins
        await asyncio.gather(host.send(t="accept", id="x", who=second["who"]), host.send(t="new", id="y"))
        answers = {(await host.until("snapshot", "refused"))["t"] for _ in range(2)}
        assert answers == {"snapshot", "refused"}

    serve(test)


def test_a_code() -> None:
    async def test(server: Server) -> None:
        host, guest = await joined(server, "Host"), await joined(server, "Guest")
        code = (await host.ask("code", options={"LandToWin": 75}))["code"]
        assert re.fullmatch(f"[{lobby.LETTERS}]{{4}}", code)
        assert (await host.ask("usecode", code=code))["code"] == "no-code"  # not against oneself
        assert (await guest.ask("usecode", code=f" {code.lower()} ", name="Gus"))["t"] == "ack"
        invited = await host.until("invited")
        assert invited["name"] == "Gus"
        match = await host.ask("accept", who=invited["who"])
        assert match["options"]["LandToWin"] == 75
        assert (await guest.until("snapshot"))["match"] == match["match"]

    serve(test)


def test_wrong_codes_make_wait_whoever_tries_them() -> None:
    async def test(server: Server) -> None:
        host, guest = await joined(server, "Host"), await joined(server, "Guest")
        code = (await host.ask("code"))["code"]
        for _ in range(lobby.TRIES):
            assert (await guest.ask("usecode", code="BBBB"))["code"] == "no-code"
        assert (await guest.ask("usecode", code=code))["code"] == "wait"
        another = await joined(server, "Another")  # of the same address
        assert (await another.ask("usecode", code=code))["code"] == "wait"

    serve(test)


def test_the_wait_doubles() -> None:
    now = 0.0
    tries = lobby.Tries(lambda: now)
    for _ in range(lobby.TRIES - 1):
        tries.wrong("a")
    tries.check("a")
    waits = []
    for _ in range(12):
        tries.wrong("a")
        tries.check("b")
        waits.append(tries._of["a"].until - now)
        with pytest.raises(Refused, match="Try again in"):
            tries.check("a")
        now = tries._of["a"].until
        tries.check("a")
    assert waits[:3] == [10, 20, 40]
    assert waits[-1] == lobby.LONGEST_WAIT
    slow = lobby.Tries(lambda: now)
    for _ in range(20):
        slow.wrong("a")
        now += lobby.WITHIN / 2
        slow.check("a")


def test_when_too_many_try_nobody_new_may() -> None:
    now = 0.0
    tries = lobby.Tries(lambda: now)
    for client in range(lobby.REMEMBERED):
        for _ in range(lobby.TRIES):
            tries.wrong(str(client))
    with pytest.raises(Refused, match="Too many people"):
        tries.check("new")
    now = 2 * lobby.LONGEST_WAIT
    tries.check("new")


def test_codes_are_not_words_and_not_twice_the_same() -> None:
    taken: set[str] = set()
    for _ in range(2000):
        code = lobby.make_code(taken)
        assert not lobby.UNWANTED.search(code)
        assert code not in taken
        taken.add(code)
    assert not set("AEIOUY018") & set(lobby.LETTERS)


# -- games that have ended


def test_games_and_what_can_be_done_with_them() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new", skill=20)
        await act(page, match, "claim:e1")
        await page.until("event")
        await page.ask("resign", match=match["match"])
        (row,) = (await page.ask("games"))["rows"]
        assert (row["versus"], row["result"], row["skill"]) == ("the bot", "lost", 20)
        whole = await page.ask("game", game=row["game"])
        assert whole["moments"][1]["step"] == "claim:e1"
        ledger = await page.ask("export", game=row["game"])
        assert ledger["name"].endswith(".jsonl")
        taken = await page.ask("import", text=ledger["text"])
        assert (await page.ask("game", game=taken["game"]))["moments"] == whole["moments"]
        other = await joined(server, "Other")
        assert (await other.ask("game", game=row["game"]))["code"] == "no-game"
        again = await page.ask("retry", game=row["game"], moment=0)
        assert again["rated"] is False
        assert again["line"] == match["line"]
        assert (await page.ask("retry", game=row["game"], moment=0))["code"] == "under-way"
        assert (await page.ask("retry", game=row["game"], moment=0, force=True))["t"] == "snapshot"
        history = await page.ask("ratings")
        assert [entry["versus"] for entry in history["history"]] == ["the bot"]

    serve(test)


def test_an_analysis_is_sent_moment_by_moment_and_can_be_cancelled() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new", skill=20)
        await act(page, match, "claim:e1")
        await page.until("event")
        await page.ask("resign", match=match["match"])
        game = (await page.ask("games"))["rows"][0]["game"]
        await page.send(t="analyse", id="x", game=game, ms=20)
        parts = [await page.until("analysis")]
        while parts[-1]["done"] < parts[-1]["total"]:
            parts.append(await page.until("analysis"))
        assert [part["points"][0]["moment"] for part in parts] == list(range(parts[-1]["total"]))
        assert {part["id"] for part in parts} == {"x"}
        await page.send(t="analyse", id="y", game=game, ms=5000)
        while not (person := server.hub.people()[0]).analysis:
            await asyncio.sleep(0.01)
        await page.send(t="cancel", id="other")
        await page.send(t="cancel", id="y")
        while person.analysis:
            await asyncio.sleep(0.01)
        # the same request again is a new analysis, and a lost line ends it
        await page.send(t="analyse", id="y", game=game, ms=5000)
        while not person.analysis:
            await asyncio.sleep(0.01)
        page.close()
        while person.analysis:
            await asyncio.sleep(0.01)
        assert "y" not in person.answers

    serve(test)


def test_who_is_long_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        match = await page.ask("new")
        page.close()
        monkeypatch.setattr(hub_module, "FORGOTTEN", -1)
        while server.hub.people():
            await asyncio.sleep(0.01)
        server.hub.tick()
        assert len(server.hub._people) == len(server.hub._matches) == 1  # the match is under way
        page = await joined(server, me=page.me)
        await page.ask("resign", match=match["match"])
        page.close()
        while server.hub.people():
            await asyncio.sleep(0.01)
        server.hub.tick()
        assert not server.hub._people
        assert not server.hub._matches
        again = Page(server, page.me)
        assert (await again.join())["you"]["name"] == "Ada"

    serve(test)
