"""Matches: steps, chance, undo, clocks, ends, restarts (gui_adapter/match.py)."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from typing import Any

import pytest

from gui_adapter import match as matches
from gui_adapter import record
from gui_adapter.errors import EngineDown, Refused
from gui_adapter.library import Library
from gui_adapter.match import GUIDED_SEED, Match
from gui_adapter.terms import Terms
from skyclaim_engine import ratings
from skyclaim_engine.arena.records import check_game, check_header, replay
from tests.gui.stage import Phone, Stage, quiet


def words(line: str) -> list[str]:
    """A position without its stream."""
    return line.split()[:-1]


@pytest.mark.parametrize("fog", ["off", "dark"])
def test_a_game_against_the_bot_becomes_a_record_that_replays(stage: Stage, fog: str) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(skill=0, options={"Fog": fog, "LandToWin": 60, "TurnLimit": 40})
        phone, chance = Phone(match, 1), random.Random(1)
        while not match.over:
            await phone.mine()
            if not match.over:
                assert phone.state["legal"] == match.facts.legal[1] and not phone.state["thinking"]
                await phone.act(chance.choice(phone.state["legal"]))
        await match.close()
        assert phone.state["result"]["text"] and phone.state["legal"] == []
        assert phone.state["line"] == match.facts.seen[1] and phone.state["line"].endswith(" -")
        kept = await stage.store.game((await stage.person("Ann")).ident, match.facts.outcome.game)
        check_header(kept["header"])
        check_game(kept["record"], kept["header"])
        *_, last = replay(kept["record"], kept["header"])
        assert last.position.result and words(last.position.line()) == words(match.facts.line)
        assert kept["record"]["result"] == list(last.position.result.scores)

    stage.play(work)


def test_the_same_request_twice_is_done_once(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        phone = Phone(match, 1)
        step = phone.state["legal"][0]
        answers = await asyncio.gather(*(match.act(1, "x", 1, step) for _ in range(3)))
        assert answers == [2, 2, 2] and len(match.facts.moves) == 1
        assert await match.act(1, "x", 1, step) == 2 and phone.seq == 2
        for _ in range(2):
            with pytest.raises(Refused) as error:
                await match.act(2, "y", match.facts.seqs[2], "claim:k11")
            assert error.value.code in ("illegal-step", "not-your-turn")
        assert len(match.facts.moves) == 1

    stage.play(work)


def test_what_cannot_be_done_is_refused_and_changes_nothing(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        phone = Phone(match, 1)
        before = match.facts.save(0)
        cases: list[tuple[int, int, str, str]] = [
            (2, 1, "claim:g11", "not-your-turn"), (1, 1, "claim:k11", "illegal-step"), (1, 1, "", "illegal-step"),
            (1, 1, "claim:e1\nquit", "bad-argument"), (1, 1, "x" * 9999, "bad-argument"), (1, 7, "claim:e1", "stale"),
        ]  # fmt: skip
        for number, (seat, seq, step, code) in enumerate(cases):
            with pytest.raises(Refused) as error:
                await match.act(seat, str(number), seq, step)
            if step:
                assert error.value.code == code
        with pytest.raises(Refused, match="Against a person nothing is taken back"):
            await match.undo(1, "u")
        assert match.facts.save(0) == before and match.facts.moves == []
        assert [message["t"] for message in phone.got] == ["snapshot"], "the stale one gets the whole state"

    stage.play(work)


def test_both_phones_see_the_same_board(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        phones = {seat: Phone(match, seat) for seat in (1, 2)}
        chance = random.Random(2)
        for _ in range(12):
            mover = phones[match.facts.mover]
            await mover.act(chance.choice(mover.state["legal"]))
            one, other = phones[1].state, phones[2].state
            assert (one["hash"], one["line"], one["moves"]) == (other["hash"], other["line"], other["moves"])
            assert not (one["legal"] and other["legal"])
            one, other = phones[1].last("event"), phones[2].last("event")
            assert (one["events"], one["text"]) == (other["events"], other["text"]) and one["text"]

    stage.play(work)


def test_an_undone_step_brings_the_same_again(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(quiet, skill=0, timers=True)
        phone = Phone(match, 1)
        swap = next(step for step in phone.state["legal"] if step.startswith("swap:"))
        stage.time += 7
        first = match.facts.line
        await phone.act(swap)
        await phone.mine()
        after = match.facts.line
        stage.time += 5
        assert phone.state["undo"]
        await match.undo(1, "u")
        assert match.facts.line == first and match.facts.moves == [] and phone.state["moves"] == []
        assert phone.state["clocks"] == {"ms": [1_193_000, 1_200_000], "running": 1, "move_ms": 53_000}
        await phone.act(swap, "again")
        await phone.mine()
        assert match.facts.line == after
        await match.close()

    stage.play(work)


def test_undo_goes_back_a_decision_at_a_time_and_not_beyond_the_start(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(quiet, practice=True, options={"Fog": "dark"})
        phone, lines = Phone(match, 1), []
        for _ in range(3):
            lines.append(match.facts.line)
            await phone.act(quiet(phone.state["legal"]))
            await phone.mine()
        while lines:
            await match.undo(1, f"u{len(lines)}")
            assert match.facts.line == lines.pop()
        with pytest.raises(Refused, match="nothing to take back"):
            await match.undo(1, "once more")
        assert not phone.state["undo"] and not phone.state["rated"]
        await match.close()

    stage.play(work)


@pytest.mark.parametrize("fog", ["off", "seam"])
def test_in_a_game_that_counts_only_what_showed_nothing_is_taken_back(stage: Stage, fog: str) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(quiet, skill=50, options={"Fog": fog})
        phone = Phone(match, 1)
        await phone.act(quiet(phone.state["legal"]))
        await phone.mine()
        assert phone.state["undo"] == (fog == "off")
        await phone.act(next(step for step in phone.state["legal"] if step.startswith("swap:")))
        await phone.mine()
        assert phone.state["rated"] and not phone.state["undo"]
        with pytest.raises(Refused, match="You have seen what was there"):
            await match.undo(1, "u")
        await match.close()

    stage.play(work)


@pytest.mark.parametrize(("wait", "turns", "over"), [(59.9, 1, False), (60, 1, True), (40, 29, False), (40, 30, True)])
def test_out_of_the_turn_or_of_the_game_loses(stage: Stage, wait: float, turns: int, over: bool) -> None:
    async def work(stage: Stage) -> None:
        stage.time = 100
        match = await stage.against_bot(quiet, skill=10, timers=True)
        phone = Phone(match, 1)
        for turn in range(turns):
            stage.time += wait
            if turn + 1 < turns:
                await phone.act(quiet(phone.state["legal"]))
                await phone.mine()
        await match.tick()
        assert match.over == over
        if over:
            assert phone.state["result"]["text"] == "You lose: you have run out of time."
            assert phone.state["result"]["line"] == "N wins time" and phone.state["clocks"]["running"] == 0
        await match.close()

    stage.play(work)


def test_a_step_that_comes_too_late_is_not_played(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair(timers=True)
        one, other = Phone(match, 1), Phone(match, 2)
        stage.time += 60.5
        with pytest.raises(Refused, match="The match is over"):
            await one.act("claim:e1")
        assert match.facts.moves == []
        assert other.state["result"]["text"] == "You win: the other side has run out of time."

    stage.play(work)


def test_the_alarm_rings_by_itself(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair(timers=True)
        stage.time += 59.99
        match.presence(2, "away")  # the alarm is set anew: it rings in 20 ms
        stage.time += 1
        async with asyncio.timeout(30):
            while not match.over:
                await asyncio.sleep(0.01)
        assert match.facts.outcome.line == "N wins time"

    stage.play(work)


def test_the_bots_time_is_on_its_own_clock(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        def slow(legal: list[str]) -> str:
            stage.time += 3
            return quiet(legal)

        match = await stage.against_bot(slow, skill=10, timers=True)
        phone = Phone(match, 1)
        stage.time += 1
        await phone.act("claim:e1")
        await phone.mine()
        assert phone.state["clocks"] == {"ms": [1_199_000, 1_197_000], "running": 1, "move_ms": 60_000}
        await match.close()

    stage.play(work)


def test_a_bot_that_thinks_for_too_long_loses(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        def sleepy(legal: list[str]) -> str:
            stage.time += 61
            return quiet(legal)

        match = await stage.against_bot(sleepy, skill=10, timers=True)
        phone = Phone(match, 1)
        await phone.act("claim:e1")
        await phone.mine()
        assert phone.state["result"]["line"] == "S wins time" and len(match.facts.moves) == 1
        await match.close()

    stage.play(work)


def test_the_end_of_a_pair_moves_both_ratings_in_full(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        one, other = Phone(match, 1), Phone(match, 2)
        await match.resign(2, "r")
        assert one.state["result"] == {
            "line": "S wins resign", "text": "You win: the other side has resigned.",
            "rating": {"before": 1000.0, "after": 1016.0}, "game": match.facts.outcome.game,
        }  # fmt: skip
        assert other.state["result"]["rating"] == {"before": 1000.0, "after": 984.0}
        assert other.state["result"]["text"] == "You have resigned."
        with pytest.raises(Refused, match="The match is over"):
            await match.resign(1, "too late")
        with pytest.raises(Refused, match="The match is over"):
            await one.act("claim:e1")
        await match.leave(1, "l")
        assert (await stage.person("Ann")).rating == 1016.0
        with pytest.raises(Refused, match="The match is over"):
            await match.undo(1, "u")

    stage.play(work)


@pytest.mark.parametrize(("skill", "settings", "after"), [
    (10, {}, ratings.updated(1000, 1000 - 920, 0, 0.1)),
    (100, {}, ratings.updated(1000, 1000 - 2000, 0, 1.0)),
    (100, {"handicap": True}, ratings.updated(1000, -1000 + 50 * (10 + 6), 0, 1.0)),  # 6 of 10 can be taken off
    (100, {"practice": True}, 1000.0),
    (0, {}, 1000.0),
])  # fmt: skip
def test_leaving_the_bot_loses_by_its_skill(stage: Stage, skill: int, settings: dict[str, Any], after: float) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(skill=skill, **settings)
        phone = Phone(match, 1)
        assert phone.state["rated"] == (after != 1000.0)
        await match.leave(1, "l")
        assert phone.state["result"]["text"] == "You have left the match, which counts as a loss."
        assert (await stage.person("Ann")).rating == after
        assert len(await stage.store.history(match.facts.seats[0].player)) == (after != 1000.0)
        await match.close()

    stage.play(work)


def test_the_handicap_sets_the_asteroids_of_both_halves(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(skill=40, handicap=True, asteroids=8)  # 1280: 280 more, so 5 rocks
        rows = match.facts.line.split()[0].split("/")
        assert sum(row.count("#") for row in rows[:5]) == 8 + 3 and sum(row.count("#") for row in rows[6:]) == 8 - 2
        assert match.facts.gap == -280 + 250
        await match.close()

    stage.play(work)


def test_the_guided_game_is_always_the_same_and_counts_for_nothing(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        boards = set()
        for skill in (10, 100):
            settings = {"skill": skill, "timers": True, "asteroids": 0, "options": {"Salvage": True}}
            match = await stage.against_bot(guided=True, **settings)
            phone = Phone(match, 1)
            boards.add(phone.state["line"])
            assert phone.state["guided"] and not phone.state["rated"] and phone.state["clocks"] is None
            assert phone.state["options"]["Fog"] == "dark" and phone.state["seats"][1]["skill"] == 0
            legal, engines, facts = phone.state["legal"], stage.engines, match.facts
            swaps = [step for step in legal if step.startswith("swap:")]
            said = [await engines.explain("skyclaim", facts.options, facts.seen[1], step, seen=True) for step in swaps]
            assert sum("pays a" in text for text in said) >= 3
            assert "claim:e1" in legal and any(step.startswith("move:e1") for step in legal)
            await match.close()
        assert len(boards) == 1 and match.facts.seed == GUIDED_SEED

    stage.play(work)


def test_a_match_goes_on_where_a_server_left_it(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        old = await stage.pair(timers=True, options={"Fog": "seam"})
        phones = [Phone(old, 1), Phone(old, 2)]
        for _ in range(5):
            stage.time += 2
            mover = phones[old.facts.mover - 1]
            await mover.act(quiet(mover.state["legal"]))
        states = [old.snapshot(seat) for seat in (1, 2)]
        await old.close()
        stage.time += 500  # the server is down; nobody's time
        [new] = await Match.load(stage.host())
        assert {seat["presence"] for seat in new.view(1)["seats"]} == {"lost"}
        for seat in (1, 2):
            new.presence(seat, "here")
        assert [new.snapshot(seat) for seat in (1, 2)] == states
        assert new.facts.line == old.facts.line and new.facts.moves == old.facts.moves
        mover = Phone(new, new.facts.mover)
        await mover.act(quiet(mover.state["legal"]))
        assert mover.seq == states[mover.seat - 1]["seq"] + 1
        await new.close()

    stage.play(work)


def test_nobody_loses_by_the_clock_or_by_absence_while_nobody_is_there(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        old = await stage.pair(timers=True)
        stage.time += 3
        await old.close()
        [new] = await Match.load(stage.host())
        stage.time += 50_000
        await new.tick()
        assert not new.over and new.view(1)["clocks"] == {"ms": [1_197_000, 1_200_000], "running": 1, "move_ms": 57_000}
        new.presence(2, "here")
        stage.time += 56
        await new.tick()
        assert not new.over, "who came back waits from then on"
        stage.time += 2
        await new.tick()
        assert new.facts.outcome.line == "N wins time"

    stage.play(work)


def test_a_match_that_cannot_be_read_keeps_no_server_from_starting(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        good = await stage.pair()
        for number, facts in enumerate(({}, {"seats": 3}, {**good.facts.save(0), "more": 1})):
            await stage.store.save(f"bad{number}", facts, 0, [])
        assert [match.ident for match in await Match.load(stage.host())] == [good.ident]

    stage.play(work)


def test_a_bot_on_turn_goes_on_after_a_restart(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        def never(legal: list[str]) -> str:
            raise EngineDown("The bot has failed.", 30)

        old = await stage.against_bot(never, skill=10)
        await Phone(old, 1).act("claim:e1")
        await asyncio.sleep(0.02)
        await old.close()
        [new] = await Match.load(stage.host(quiet))
        phone = Phone(new, 1)
        await phone.mine()
        assert [move.seat for move in new.facts.moves] == [1, 2]
        await match_undo_gives_back(new, phone)
        await new.close()

    async def match_undo_gives_back(match: Match, phone: Phone) -> None:
        await match.undo(1, "u")
        assert match.facts.moves == [] and phone.state["mover"] == 1
        assert (await stage.store.matches())[0][1] == []

    stage.play(work)


def test_a_bot_that_fails_plays_on_when_it_is_back(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        failures = iter([EngineDown("The bot has failed.", 0.01), Refused("limit", "no"), None])

        def falters(legal: list[str]) -> str:
            if error := next(failures, None):
                raise error
            return quiet(legal)

        match = await stage.against_bot(falters, skill=10)
        phone = Phone(match, 1)
        await phone.act("claim:e1")
        await phone.mine()
        assert [move.seat for move in match.facts.moves] == [1, 2]
        again = "The bot's step cannot be played. It tries again."
        told = [(message["state"], message["text"]) for message in phone.got if message["t"] == "engine"]
        assert told == [("down", "The bot has failed."), ("down", again)], "a real bot says by itself that it is back"
        await match.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "PAUSE", 0.01)
        stage.play(work)


def test_a_step_of_the_bot_that_is_not_legal_changes_nothing(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        lies = iter(["claim:a1", "swap:a1k11"])
        match = await stage.against_bot(lambda legal: next(lies, quiet(legal)), skill=10)
        phone = Phone(match, 1)
        await phone.act("claim:e1")
        await phone.mine()
        assert len(match.facts.moves) == 2 and match.facts.moves[1].step not in ("claim:a1", "swap:a1k11")
        await match.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "PAUSE", 0.01)
        stage.play(work)


def test_an_engine_that_is_down_leaves_the_step_to_be_made_again(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        phone, before = Phone(match, 1), match.facts.save(0)

        async def down(*args: Any) -> Any:
            raise EngineDown("The referee has failed.", 1)

        with monkeypatch.context() as patch:
            patch.setattr(stage.engines, "apply", down)
            with pytest.raises(EngineDown):
                await match.act(1, "x", phone.seq, "claim:e1")
        assert match.facts.save(0) == before and phone.got == []
        assert await match.act(1, "x", phone.seq, "claim:e1") == 2

    stage.play(work)


@pytest.mark.parametrize("line", ["", "nonsense", "a b c d e f g h i", "a b c S e f g 1"])
@pytest.mark.parametrize("result", [None, "S wins land"])
def test_a_referee_that_talks_nonsense_changes_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, line: str, result: str | None
) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        before = match.facts.save(0)

        async def nonsense(*args: Any) -> Any:
            return [], line, result

        with monkeypatch.context() as patch:
            patch.setattr(stage.engines, "apply", nonsense)
            with pytest.raises(Refused):
                await match.act(1, "x", 1, "claim:e1")
        assert match.facts.save(0) == before and not match.facts.moves
        assert await match.act(1, "y", 1, "claim:e1") == 2

    stage.play(work)


def test_a_full_disk_stops_no_game(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        phone = Phone(match, 1)

        async def full(*args: Any) -> Any:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(stage.store, "save", full)
        monkeypatch.setattr(stage.store, "finish", full)
        await phone.act("claim:e1")
        assert phone.last("notice")["text"] == "The match could not be saved: database or disk is full."
        await match.resign(1, "r")
        assert match.over and phone.state["result"]["rating"] is None

    stage.play(work)


def test_who_is_away_for_too_long_has_left(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        for timers, seconds in ((True, 60), (False, 86_400)):
            match = await stage.pair(timers=timers)
            phone = Phone(match, 1)
            match.presence(2, "lost")
            assert phone.last("presence")["seats"][1]["presence"] == "lost"
            stage.time += seconds / 2
            await match.tick()
            if timers:
                await phone.act("claim:e1")  # so that it is not the clock
            stage.time += seconds / 2 - 1
            match.presence(2, "here")
            match.presence(2, "lost")
            stage.time += 2
            await match.tick()
            assert not match.over, "it was here in between"
            if not timers:
                stage.time += seconds
                await match.tick()
                assert phone.state["result"]["line"] == "S wins left"
            await match.close()

    stage.play(work)


def test_the_bot_waits_for_a_person_for_ever(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot()
        match.presence(1, "lost")
        stage.time += 10_000_000
        await match.tick()
        assert not match.over
        await match.close()

    stage.play(work)


def test_the_newer_page_is_told_and_the_older_is_not(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        old, new = Phone(match, 1), Phone(match, 1)
        await new.act("claim:e1")
        assert new.seq == 2 and old.got == []
        match.unlisten(1, old.hear)
        await Phone(match, 2).act(match.facts.legal[2][0])
        assert new.seq == 3
        match.unlisten(1, new.hear)
        await match.resign(2, "r")
        assert new.seq == 3

    stage.play(work)


def test_what_is_asked_about_squares_and_steps(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        scout, enemy = await match.about(1, "e1"), await match.about(1, "g11")
        assert scout["text"].startswith("Your scout, power 1, rides ") and scout["text"].endswith(", 1 missile.")
        assert scout["go"] and "e4" in scout["fire"] and scout["take"] == []
        assert enemy["text"].startswith("The other side's scout") and enemy["go"] and enemy["fire"]
        theirs = await match.about(2, "e1")
        assert theirs.pop("text").startswith("The other side's scout") and scout.pop("text")
        assert theirs == scout, "whoever asks, and whoever is on turn"
        assert (await match.about(1, "f1"))["text"] == "Your Command."
        assert (await match.about(2, "e2"))["text"].endswith(" star on the other side's land.")
        assert (await match.about(1, "a6"))["text"].endswith(" star on open land.")
        with pytest.raises(Refused, match="square 'z9' is not on the board"):
            await match.about(1, "z9")
        claim = await match.preview(1, "claim:e1")
        assert sorted(claim["squares"]) == ["d1", "d2"] and claim["score"] == 2 and "2 squares" in claim["text"]
        fire = await match.preview(1, "fire:e1e4")
        assert fire["squares"] == ["e1", "e4"] and fire["score"] is None
        with pytest.raises(Refused) as error:
            await match.preview(1, "claim:f1")
        assert error.value.code == "illegal-step"
        with pytest.raises(Refused, match="other side's turn"):
            await match.preview(2, "claim:g11")

    stage.play(work)


def test_hints_are_counted_once_for_a_position_and_kept_with_the_game(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match, guided = await stage.against_bot(quiet), await stage.against_bot(quiet, guided=True)
        phone = Phone(match, 1)
        for _ in range(2):
            await match.hint(1)
            await match.hint(1)
            await phone.act(quiet(phone.state["legal"]))
            await phone.mine()
        await match.close()
        [again] = [each for each in await Match.load(stage.host(quiet)) if each.ident == match.ident]
        await again.hint(1)
        await again.resign(1, "r")
        await guided.hint(1)
        await guided.resign(1, "r")
        rows = await Library(stage.host()).games(await stage.person("Ann"))
        assert [row["hints"] for row in rows] == [0, 3], "those of the guided game are its own"
        for each in (again, guided):
            await each.close()

    stage.play(work)


def test_hints_are_swaps_and_for_beginners(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(skill=50)
        hint = await match.hint(1)
        assert hint["step"] in match.facts.legal[1] and hint["step"] == f"swap:{''.join(hint['squares'])}"
        strong, pair = await stage.against_bot(skill=60), await stage.pair()
        for other in (strong, pair):
            with pytest.raises(Refused, match="up to skill 50 only"):
                await other.hint(1)
        for each in (match, strong, pair):
            await each.close()

    stage.play(work)


@pytest.mark.parametrize(("field", "value", "sentence"), [
    ("skill", 101, "option skill: '101' is not in 0..100"),
    ("skill", "ten", "option skill: 'ten' is not a whole number"),
    ("asteroids", -1, "option asteroids: '-1' is not in 0..20"),
    ("timers", "yes", "timers 'yes' is neither true nor false"),
    ("options", {"Fog": "thick"}, "option Fog: 'thick' is not one of off, seam, dark"),
    ("options", {"Hash": 1}, "option 'Hash' is not known"),
    ("options", [1], "options '.*' are not values by name"),
    ("game", "islands", "game 'islands' cannot be played here: skyclaim can"),
    ("game", "chess", "game 'chess' cannot be played here: skyclaim can"),
])  # fmt: skip
def test_wrong_settings_are_refused_by_name(field: str, value: object, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as error:
        Terms.read({field: value})
    assert error.value.code == "bad-argument"


def test_names_in_a_record_are_different(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair()
        match.facts.seats[1].name = "Ann"
        await match.resign(1, "r")
        assert record.game(match.facts, match.facts.outcome)["engines"] == ["Ann", "Ann (2)"]

    stage.play(work)
