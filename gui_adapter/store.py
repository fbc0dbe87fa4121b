"""What is kept: players, ratings, games that have ended, and matches under way, in one SQLite file.

One thread does all the work on the file, so that nothing in the event loop waits for the disk and no two writes meet.
What a method has done survives the end of this process, however it ends.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from skyclaim_engine.errors import quote
from skyclaim_engine.ratings import START

from .errors import Refused

T = TypeVar("T")
Json = dict[str, Any]

#: the steps from an empty file to the present one; a file of version n has had the first n
MIGRATIONS = (
    """
    CREATE TABLE players (
        id INTEGER PRIMARY KEY, secret TEXT NOT NULL UNIQUE, name TEXT NOT NULL, rating REAL NOT NULL
    );
    CREATE TABLE games (
        id INTEGER PRIMARY KEY, ended TEXT NOT NULL, header TEXT NOT NULL, record TEXT NOT NULL,
        owner INTEGER REFERENCES players
    );
    CREATE TABLE seats (
        game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, seat INTEGER NOT NULL,
        player INTEGER REFERENCES players, name TEXT NOT NULL, skill INTEGER,
        before REAL, after REAL, PRIMARY KEY (game, seat)
    );
    CREATE INDEX seats_of_players ON seats (player, game);
    CREATE TABLE matches (id TEXT PRIMARY KEY, facts TEXT NOT NULL);
    CREATE TABLE steps (
        match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE, number INTEGER NOT NULL, step TEXT NOT NULL,
        PRIMARY KEY (match, number)
    );
    """,
)
#: rows of a page of the list of games
PAGE = 50


@dataclass(frozen=True)
class Player:
    """Somebody who plays here; ``ident`` is the row, never shown to anybody."""

    ident: int
    name: str
    rating: float


@dataclass(frozen=True)
class Place:
    """A seat in a game that has ended. ``change`` is what it does to the rating, None where the game does not count."""

    player: int | None
    name: str
    skill: int | None = None
    change: float | None = None


def secret_hash(me: str) -> str:
    """What is kept of a player's secret."""
    return hashlib.sha256(me.encode()).hexdigest()


class Store:
    """The file, opened by the first method that is awaited. All methods raise sqlite3.Error if the disk fails."""

    def __init__(self, path: str | Path) -> None:
        """``path`` may be `:memory:`."""
        self._path = str(path)
        self._thread = ThreadPoolExecutor(1, "store")
        self._file: sqlite3.Connection | None = None

    # --- players -----------------------------------------------------------------------------------------------------

    async def player(self, me: str, name: str) -> Player:
        """The player with the secret ``me``; a new one is called ``name``."""

        def work(db: sqlite3.Connection) -> Player:
            secret = secret_hash(me)
            db.execute("INSERT OR IGNORE INTO players (secret, name, rating) VALUES (?, ?, ?)", (secret, name, START))
            return Player(*db.execute("SELECT id, name, rating FROM players WHERE secret = ?", (secret,)).fetchone())

        return await self._do(work)

    async def find(self, ident: int) -> Player:
        """The player as they are now."""
        query = "SELECT id, name, rating FROM players WHERE id = ?"
        return await self._do(lambda db: Player(*db.execute(query, (ident,)).fetchone()))

    async def rename(self, ident: int, name: str) -> None:
        """Give the player another name; games that have ended keep the old one."""
        await self._do(lambda db: db.execute("UPDATE players SET name = ? WHERE id = ?", (name, ident)))

    async def history(self, ident: int) -> list[Json]:
        """The player's rated games, the oldest first: when, rating, versus, result (their share of the win)."""
        query = """
            SELECT ended, mine.after, other.name, json_extract(record, '$.result[' || (mine.seat - 1) || ']')
            FROM seats AS mine JOIN games ON games.id = mine.game
            JOIN seats AS other ON other.game = mine.game AND other.seat != mine.seat
            WHERE mine.player = ? AND mine.after IS NOT NULL ORDER BY games.id
        """
        rows = await self._do(lambda db: db.execute(query, (ident,)).fetchall())
        return [dict(zip(("when", "rating", "versus", "result"), row, strict=True)) for row in rows]

    # --- matches under way -------------------------------------------------------------------------------------------

    async def save(self, match: str, facts: Json, count: int, last: Iterable[tuple[int, Json]]) -> None:
        """Keep a match: its facts, and of its ``count`` steps the ``last`` ones, each with its number from 0."""
        text, rows = _compact(facts), [(match, number, _compact(step)) for number, step in last]

        def work(db: sqlite3.Connection) -> None:
            query = "INSERT INTO matches VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET facts = excluded.facts"
            db.execute(query, (match, text))
            db.executemany("INSERT OR REPLACE INTO steps VALUES (?, ?, ?)", rows)
            db.execute("DELETE FROM steps WHERE match = ? AND number >= ?", (match, count))

        await self._do(work)

    async def matches(self) -> list[tuple[Json, list[Json]]]:
        """The facts and the steps of every match under way."""

        def work(db: sqlite3.Connection) -> list[tuple[Json, list[Json]]]:
            found = []
            for ident, facts in db.execute("SELECT id, facts FROM matches").fetchall():
                steps = db.execute("SELECT step FROM steps WHERE match = ? ORDER BY number", (ident,)).fetchall()
                found.append((json.loads(facts), [json.loads(step) for (step,) in steps]))
            return found

        return await self._do(work)

    async def finish(
        self, match: str | None, header: Json, record: Json, places: Sequence[Place], owner: int | None = None
    ) -> tuple[int, list[tuple[float, float] | None]]:
        """Keep a game that has ended, with the ratings that it moves, and drop the match that it was: all or nothing.

        Returns its number and, by seat, the rating before and after; None for a seat without a change. ``owner`` is
        the player who brought the game in from elsewhere.
        """
        when = datetime.now(UTC).isoformat(timespec="seconds")
        texts = _compact(header), _compact(record)

        def work(db: sqlite3.Connection) -> tuple[int, list[tuple[float, float] | None]]:
            query = "INSERT INTO games (ended, header, record, owner) VALUES (?, ?, ?, ?)"
            game = db.execute(query, (when, *texts, owner)).lastrowid
            assert game is not None
            moved = []
            for seat, place in enumerate(places, 1):
                change = _rate(db, place)
                moved.append(change)
                row = (game, seat, place.player, place.name, place.skill, *(change or (None, None)))
                db.execute("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            db.execute("DELETE FROM matches WHERE id = ?", (match,))
            return game, moved

        return await self._do(work)

    async def drop(self, match: str) -> None:
        """Forget a match under way."""
        await self._do(lambda db: db.execute("DELETE FROM matches WHERE id = ?", (match,)))

    # --- games that have ended ---------------------------------------------------------------------------------------

    async def games(self, player: int, before: int | None = None) -> list[Json]:
        """A page of the games that a player has played or brought in, the newest first, those before a number."""
        query = """
            SELECT games.id, ended, header, record, seat, after FROM games
            LEFT JOIN seats ON seats.game = games.id AND seats.player = :player
            WHERE (seats.seat IS NOT NULL OR owner = :player) AND games.id < :before ORDER BY games.id DESC LIMIT :page
        """
        values = {"player": player, "before": before or 1 << 62, "page": PAGE}

        def work(db: sqlite3.Connection) -> list[Json]:
            rows = []
            for ident, when, header, text, seat, after in db.execute(query, values).fetchall():
                places = _places(db, ident)
                rows.append({
                    "game": ident, "when": when, "kind": json.loads(header)["game"], "seat": seat,
                    "rating_after": after, "record": json.loads(text), "places": places,
                })  # fmt: skip
            return rows

        return await self._do(work)

    async def game(self, player: int, ident: int) -> Json:
        """The header, the record, the places and the player's own seat of a game; raises Refused for another's."""

        def work(db: sqlite3.Connection) -> Json | None:
            query = "SELECT header, record, owner FROM games WHERE id = ?"
            row = db.execute(query, (ident,)).fetchone()
            if row is None:
                return None
            header, record, owner = row
            places = _places(db, ident)
            seat = next((place["seat"] for place in places if place["player"] == player), None)
            if seat is None and owner != player:
                return None
            return {"header": json.loads(header), "record": json.loads(record), "places": places, "seat": seat}

        # a number over 64 bits is none that the file could have
        found = await self._do(work) if 0 < ident < 1 << 62 else None
        if found is None:
            raise Refused("no-game", f"game {quote(str(ident))} is not one of yours")
        return found

    # --- inside ------------------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Finish what was begun and close the file."""
        await self._run(self._close)
        self._thread.shutdown()

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._run(lambda: self._transaction(work))

    async def _run(self, work: Callable[[], T]) -> T:
        # whoever loses interest in a write does not undo it
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._file is None:
            self._file = _open(self._path)
        self._file.execute("BEGIN IMMEDIATE")
        try:
            result = work(self._file)
            self._file.execute("COMMIT")
            return result
        except BaseException:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            raise

    def _close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None


def _open(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            db.execute(f"PRAGMA {pragma}")
        _migrate(db)
    except BaseException:
        db.close()
        raise
    return db


def _migrate(db: sqlite3.Connection) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise sqlite3.DatabaseError(f"the data are of version {version}, which is newer than this program knows")
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT")


def _rate(db: sqlite3.Connection, place: Place) -> tuple[float, float] | None:
    """Move the rating of a player; what it was and what it is."""
    if place.player is None or place.change is None:
        return None
    (before,) = db.execute("SELECT rating FROM players WHERE id = ?", (place.player,)).fetchone()
    after = round(before + place.change, 2)
    db.execute("UPDATE players SET rating = ? WHERE id = ?", (after, place.player))
    return before, after


def _places(db: sqlite3.Connection, game: int) -> list[Json]:
    query = "SELECT seat, player, name, skill FROM seats WHERE game = ? ORDER BY seat"
    rows = db.execute(query, (game,)).fetchall()
    return [dict(zip(("seat", "player", "name", "skill"), row, strict=True)) for row in rows]


def _compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
