"""Games that have ended: list, moments, export and import, another try (gui_adapter/library.py and record.py)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from gui_adapter import record
from gui_adapter.errors import Refused
from gui_adapter.library import REMEMBERED, Library
from gui_adapter.match import Match
from gui_adapter.store import Player
from skyclaim_engine.arena import ledger
from skyclaim_engine.arena.records import replay
from tests.gui.stage import Phone, Stage, quiet

Json = dict[str, Any]


async def played(stage: Stage, turns: int = 6, **settings: Any) -> tuple[Library, Player, Match]:
    """A match of Ann against the bot, which she gives up after some turns."""
    chance = random.Random(3)
    with mock.patch("secrets.randbits", chance.getrandbits):  # on some boards an asteroid ends the match
        match = await stage.against_bot(quiet, **settings)
    phone = Phone(match, 1)
    for _ in range(turns):
        await phone.act(chance.choice(phone.state["legal"]))
        await phone.mine()
    await match.resign(1, "r")
    await match.close()
    return Library(stage.host(quiet)), await stage.person("Ann"), match


def test_the_list_says_against_whom_and_how(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, skill=20)
        pair = await stage.pair()
        await pair.resign(2, "r")
        newer, older = await library.games(ann)
        assert older.pop("when") and newer.pop("when")
        ratings = [match.facts.outcome.ratings[0], pair.facts.outcome.ratings[0]]
        assert older == {
            "game": 1, "kind": "skyclaim", "versus": "the bot", "skill": 20, "result": "lost", "how": "resigns",
            "turns": len({move.turn for move in match.facts.moves}), "rating_after": ratings[0][1],
            "hints": 0,
        }  # fmt: skip
        assert newer == {
            "game": 2, "kind": "skyclaim", "versus": "Bob", "result": "won", "how": "resigns", "turns": 0,
            "rating_after": ratings[1][1], "hints": 0,
        }  # fmt: skip
        assert await library.games(ann, 2) == [{**older, "when": (await library.games(ann))[1]["when"]}]

    stage.play(work)


@pytest.mark.parametrize("fog", ["off", "dark"])
def test_the_moments_are_those_that_were_played(stage: Stage, fog: str) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, options={"Fog": fog})
        game = await library.game(ann, match.facts.outcome.game)
        moments, moves = game["moments"], match.facts.moves
        assert [moment["step"] for moment in moments] == [None, *(move.step for move in moves)]
        assert [moment["seat"] for moment in moments] == [0, *(move.seat for move in moves)]
        assert [moment["text"] for moment in moments] == ["", *(move.text for move in moves)]
        assert [moment["turn"] for moment in moments] == [1, *(move.turn for move in moves)]
        assert moments[0]["line"] == match.facts.start and moments[0]["events"] == []
        assert moments[-1]["line"].split()[:-1] == match.facts.line.split()[:-1]
        theirs = list(replay(game["record"], game["header"]))
        assert [moment["events"] for moment in moments] == [list(moment.events) for moment in theirs]
        assert game["seat"] == 1

    stage.play(work)


def test_what_is_taken_away_is_a_ledger_and_can_be_brought_back(stage: Stage, tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, options={"Salvage": True, "LandToWin": 80})
        first = match.facts.outcome.game
        taken = await library.export(ann, first)
        assert taken["name"] == f"skyclaim-{first}.jsonl"
        path = tmp_path / taken["name"]
        path.write_text(taken["text"])
        [game] = ledger.read_games(path)
        assert len(list(replay(game, ledger.read_header(path)))) == len(match.facts.moves) + 1
        again = await library.take(ann, taken["text"])
        assert again != first and await library.export(ann, again) == {
            "text": taken["text"], "name": f"skyclaim-{again}.jsonl",
        }  # fmt: skip
        assert (await library.game(ann, again))["moments"] == (await library.game(ann, first))["moments"]
        row = (await library.games(ann))[0]
        assert (row["versus"], row["result"], row["rating_after"]) == ("Ann – the bot", "watched", None)
        assert (await stage.person("Ann")).rating == match.facts.outcome.ratings[0][1], "nothing is rated twice"

    stage.play(work)


def test_games_are_for_their_players(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        library, _, match = await played(stage, 1)
        eve = await stage.person("Eve")
        for ask in (library.game, library.export):
            with pytest.raises(Refused, match="is not one of yours"):
                await ask(eve, match.facts.outcome.game)
        with pytest.raises(Refused, match="is not one of yours"):
            await library.retry(eve, match.facts.outcome.game, 0)

    stage.play(work)


def test_another_try_goes_on_from_the_moment_and_counts_for_nothing(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, skill=50)
        moment = next(n for n, move in enumerate(match.facts.moves) if n > 4 and move.seat == 1)
        again = await library.retry(ann, match.facts.outcome.game, moment)
        phone = Phone(again, 1)
        assert phone.state["line"].split()[:8] == (await library.game(ann, 1))["moments"][moment]["line"].split()[:8]
        assert not phone.state["rated"] and phone.state["seats"][1]["skill"] == 50
        # the turn began there, so the same step brings the same
        if match.facts.moves[moment].turn != match.facts.moves[moment - 1].turn:
            await phone.act(match.facts.moves[moment].step)
            kept = (await library.game(ann, 1))["moments"][moment + 1]["line"]
            assert again.facts.moves[0].step == match.facts.moves[moment].step
            assert phone.got[0]["state"]["line"].split()[:8] == kept.split()[:8]
        await again.close()
        for wrong in (-1, 99):
            with pytest.raises(Refused, match=f"moment '{wrong}' is not in 0..{len(match.facts.moves)}"):
                await library.retry(ann, 1, wrong)

    stage.play(work)


def test_nothing_goes_on_after_the_end(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.against_bot(quiet, skill=0, options={"TurnLimit": 2})
        phone = Phone(match, 1)
        await phone.act("claim:e1")
        await phone.mine()
        assert match.over
        library, ann = Library(stage.host()), await stage.person("Ann")
        with pytest.raises(Refused, match="The game is over there"):
            await library.retry(ann, 1, 2)
        assert await stage.store.matches() == []

    stage.play(work)


def changed(**fields: Any) -> Callable[[Json, Json], None]:
    return lambda header, game: game.update(fields)


def first_step(step: str) -> Callable[[Json, Json], None]:
    def change(header: Json, game: Json) -> None:
        game["steps"][0] = step

    return change


def header(**fields: Any) -> Callable[[Json, Json], None]:
    return lambda header, game: header.update(fields)


@pytest.mark.parametrize(("change", "sentence"), [
    (first_step("claim:a1"), "step 1 'claim:a1': .*is not legal here"),
    (first_step("claim:e1\nquit"), "step 1 'claim:e1.*': .*is not one line of text"),
    (first_step("hello"), "step 1 'hello': .*is not a step"),
    (changed(steps=[], seats=[]), "steps, seats and times are not equally many"),
    (changed(result=[1, 1]), r"result '\[1, 1\]' is not a share of the win for each seat"),
    (changed(ended="rules"), r"The record's result '\[0.0, 1.0\]' is not that of its last step"),
    (changed(start="nonsense"), "start: "),
    (changed(start="x" * 9000), "start: "),
    (changed(seed=-1), "seed '-1' is not a whole number of 64 bits"),
    (changed(seats=[2]), "steps, seats and times are not equally many"),
    (changed(engines=["Ann", "Eve"]), "engines 'Eve' is not one of the match"),
    (header(game="rockets", rules={}), "game 'rockets' cannot be played here"),
    (header(game=["x"]), "game .* is not a text"),
    (header(rules={"Fog": "thick"}), "option Fog: 'thick' is not one of"),
    (header(rules=3), "the ledger's rules '3' are not options by name"),
    (header(version=9), "version '9' is not 1"),
    (header(record="games"), "its first line is not about a match"),
    (header(seats=3), "is not a name for each seat|is not a share|games of two"),
])  # fmt: skip
def test_a_record_that_is_wrong_is_refused_in_a_sentence(
    stage: Stage, change: Callable[[Json, Json], None], sentence: str
) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, 1)
        first, game = record.parse((await library.export(ann, match.facts.outcome.game))["text"])
        change(first, game)
        with pytest.raises(Refused, match=sentence) as error:
            await library.take(ann, record.text(first, game))
        assert error.value.code == "bad-record"
        assert len(await library.games(ann)) == 1

    stage.play(work)


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "There is no game in it"),
    ("{}", "There is no game in it"),
    ("hello", "Line 1 is not a JSON object: 'hello'"),
    ("{}\n[1]", r"Line 2 is not a JSON object: '\[1\]'"),
    ('{"a": NaN}', "Line 1 is not a JSON object"),
    ("[" * 60_000, "Line 1 is not a JSON object"),
    ('{"record":"match"}\n{"record":"game"}', "version 'null' is not 1"),
])  # fmt: skip
def test_what_is_no_ledger_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        record.parse(text)


def test_long_games_and_names_are_refused(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, 1)
        first, game = record.parse((await library.export(ann, match.facts.outcome.game))["text"])
        long = {**game, **{name: game[name][:1] * 5001 for name in ("steps", "seats", "times")}}
        with pytest.raises(Refused, match="The game has 5001 steps"):
            await library.take(ann, record.text(first, long))
        for name in ("x" * 41, "a\u202eb"):
            names = [name, "the bot"]
            renamed = {**first, "engines": [{"name": each} for each in names]}, {**game, "engines": names}
            with pytest.raises(Refused, match="that is no name of at most 40 characters"):
                await library.take(ann, record.text(*renamed))

    stage.play(work)


def test_few_games_are_kept_in_memory(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        library, ann, match = await played(stage, 1)
        text = (await library.export(ann, match.facts.outcome.game))["text"]
        for _ in range(REMEMBERED + 2):
            await library.take(ann, text)
        assert len(library._moments) == REMEMBERED
        assert len((await library.game(ann, 1))["moments"]) == len(match.facts.moves) + 1
        assert json.loads(text.splitlines()[0])["record"] == "match"

    stage.play(work)
