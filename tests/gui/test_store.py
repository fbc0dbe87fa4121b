"""The file of players, games and matches (gui_adapter/store.py)."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gui_adapter.errors import Refused
from gui_adapter.store import MIGRATIONS, PAGE, Place, Store, secret_hash

HEADER = {"game": "skyclaim"}
RECORD = {"result": [1.0, 0.0]}


def run(work: Callable[[Store], Coroutine[Any, Any, Any]], path: str | Path = ":memory:") -> Any:
    async def main() -> Any:
        store = Store(path)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(main())


def test_a_player_is_found_again_by_the_secret_and_begins_at_1000() -> None:
    async def work(store: Store) -> None:
        ann = await store.player("a" * 32, "Ann")
        assert (ann.name, ann.rating) == ("Ann", 1000.0)
        assert await store.player("a" * 32, "Somebody else") == ann
        assert (await store.player("b" * 32, "Ann")).ident != ann.ident
        await store.rename(ann.ident, "Anna")
        assert (await store.find(ann.ident)).name == "Anna"

    run(work)


def test_the_secret_itself_is_not_in_the_file(tmp_path: Path) -> None:
    me = "0123456789abcdef" * 2
    run(lambda store: store.player(me, "Ann"), tmp_path / "data")
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert me.encode() not in kept and secret_hash(me).encode() in kept


def test_a_game_moves_the_ratings_and_ends_the_match() -> None:
    async def work(store: Store) -> None:
        ann, bob = await store.player("a", "Ann"), await store.player("b", "Bob")
        await store.save("m", {"x": 1}, 0, [])
        places = [Place(ann.ident, "Ann", change=16.004), Place(bob.ident, "Bob", change=-16.004)]
        game, moved = await store.finish("m", HEADER, RECORD, places)
        assert moved == [(1000.0, 1016.0), (1000.0, 984.0)] and await store.matches() == []
        _, moved = await store.finish(None, HEADER, RECORD, [places[0], Place(None, "bot", 10)])
        assert moved == [(1016.0, 1032.0), None]
        assert [row["rating"] for row in await store.history(ann.ident)] == [1016.0, 1032.0]
        [row] = await store.history(bob.ident)
        assert (row["rating"], row["versus"], row["result"]) == (984.0, "Ann", 0.0)
        found = await store.game(bob.ident, game)
        assert (found["seat"], found["record"]) == (2, RECORD)
        assert [place["name"] for place in found["places"]] == ["Ann", "Bob"]

    run(work)


def test_a_game_that_cannot_be_kept_moves_no_rating_and_leaves_the_match() -> None:
    async def work(store: Store) -> None:
        ann = await store.player("a", "Ann")
        await store.save("m", {"x": 1}, 0, [])
        with pytest.raises(TypeError):  # the second seat's player is nobody: found out after the first was rated
            await store.finish("m", HEADER, RECORD, [Place(ann.ident, "Ann", change=9), Place(77, "Bob", change=-9)])
        assert (await store.find(ann.ident)).rating == 1000.0
        assert len(await store.matches()) == 1 and await store.games(ann.ident) == []

    run(work)


def test_games_come_in_pages_and_to_their_players_only() -> None:
    async def work(store: Store) -> None:
        ann, eve = await store.player("a", "Ann"), await store.player("e", "Eve")
        for _ in range(PAGE + 3):
            game, _ = await store.finish(None, HEADER, RECORD, [Place(ann.ident, "Ann"), Place(None, "bot", 10)])
        first = await store.games(ann.ident)
        assert [row["game"] for row in first] == list(range(game, game - PAGE, -1))
        assert len(await store.games(ann.ident, first[-1]["game"])) == 3
        assert await store.games(eve.ident) == []
        for ident in (game, 0, -1, 10**30):
            with pytest.raises(Refused, match=f"game '{ident}' is not one of yours"):
                await store.game(eve.ident, ident)

    run(work)


def test_a_game_from_elsewhere_belongs_to_who_brought_it() -> None:
    async def work(store: Store) -> None:
        ann = await store.player("a", "Ann")
        game, _ = await store.finish(None, HEADER, RECORD, [Place(None, "X"), Place(None, "Y")], owner=ann.ident)
        assert (await store.game(ann.ident, game))["seat"] is None
        assert [row["game"] for row in await store.games(ann.ident)] == [game]
        assert await store.history(ann.ident) == []

    run(work)


def test_a_match_keeps_the_steps_it_has_and_loses_those_taken_back() -> None:
    async def work(store: Store) -> None:
        await store.save("m", {"n": 0}, 0, [])
        for number in range(4):
            await store.save("m", {"n": number + 1}, number + 1, [(number, {"s": number})])
        await store.save("m", {"n": 2}, 2, [])
        assert await store.matches() == [({"n": 2}, [{"s": 0}, {"s": 1}])]
        await store.save("m", {"n": 3}, 3, [(2, {"s": "other"})])
        assert await store.matches() == [({"n": 3}, [{"s": 0}, {"s": 1}, {"s": "other"}])]
        await store.drop("m")
        assert await store.matches() == []

    run(work)


def test_what_was_saved_survives_a_kill(tmp_path: Path) -> None:
    script = """
import asyncio, os, signal, sys
from gui_adapter.store import Store
async def main():
    store = Store(sys.argv[1])
    await store.save("m", {"n": 1}, 1, [(0, {"s": "é"})])
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    path = tmp_path / "data"
    subprocess.run([sys.executable, "-c", script, str(path)], check=False, timeout=60)
    assert run(lambda store: store.matches(), path) == [({"n": 1}, [{"s": "é"}])]


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "data"
    run(lambda store: store.player("a", "Ann"), path)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(sqlite3.DatabaseError, match="version 99, which is newer"):
        run(lambda store: store.player("b", "Bob"), path)
