"""The vectors of tests/vectors/islands, each on its position and on the turned map."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from skyclaim_engine.games.islands.position import GAME
from tests.vectors import ROOT, rows

from . import turning

ROWS = {"setup": 36, "games": 24, "orders": 166, "observe": 72}


def test_every_file_is_read_here_and_whole() -> None:
    assert {path.stem for path in (ROOT / "islands").iterdir()} == ROWS.keys()
    assert {name: len(rows("islands", name)) for name in ROWS} == ROWS


def test_setup() -> None:
    for row in rows("islands", "setup"):
        start = GAME.start(row["seed"], {"Seats": row["seats"]})
        assert start.line() == row["fen"]
        assert GAME.parse(row["fen"]) == start
        assert start.board.faults() == []


@pytest.mark.parametrize("number", range(ROWS["games"]))
def test_games(number: int) -> None:
    row = rows("islands", "games")[number]
    assert GAME.start(row["seed"], {"Seats": row["seats"]}).line() == row["fen"]
    plain, turned = GAME.parse(row["fen"]), GAME.parse(turning.line(row["fen"]))
    for step, after in row["rounds"]:
        assert plain.result is None
        plain.apply(step)
        assert plain.line() == after, step
        assert plain.board.faults() == []
        turned.apply(turning.step(step))
        assert turned.line() == turning.line(after), step
    assert plain.result is not None
    assert turned.result is not None
    assert plain.result.lines == (row["result"],)
    assert turned.result.scores == (plain.result.scores[-1], *plain.result.scores[:-1])


def check_orders(line: str, seat: int, row: Any, turned: bool = False) -> None:
    position = GAME.parse(line)
    assert position.orders(seat) == row["count"]
    singles = [text.partition("/")[0] for text in position.legal(seat)]
    sets = position.order_sets(seat)
    assert len(set(sets)) == row["count"]
    if turned:
        assert singles == sorted(turning.orders(single, position.board.seats) for single in row["single"])
    else:
        assert singles == row["single"]
        assert hashlib.sha256("\n".join(sets).encode()).hexdigest() == row["sha256"]


def test_orders() -> None:
    for row in rows("islands", "orders"):
        check_orders(row["fen"], row["seat"], row)


def test_orders_on_the_turned_map() -> None:
    for row in rows("islands", "orders"):
        seats = int(row["fen"].split()[0])
        check_orders(turning.line(row["fen"]), turning.seat(row["seat"], seats), row, turned=True)


def test_observations() -> None:
    for row in rows("islands", "observe"):
        position = GAME.parse(row["fen"])
        for word, line in row["seen"].items():
            seat = int(word)
            seen = position.observe(seat)
            assert seen.line() == line
            read = GAME.parse(line, observation=True)
            assert read == seen == read.observe(seat)
            assert read.stream is None
            assert read.deciders == (seat,)
            assert read.legal() == read.legal(seat) == position.legal(seat)
            assert read.orders(seat) == position.orders(seat)
            turned = GAME.parse(turning.line(row["fen"])).observe(turning.seat(seat, position.board.seats))
            assert turned.line() == turning.line(line)
