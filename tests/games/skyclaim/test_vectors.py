"""The vectors of tests/vectors/skyclaim, each on its position and on the half turn of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from skyclaim_engine.games import GAMES
from skyclaim_engine.perft import divide, perft
from tests import half_turn
from tests.vectors import ROOT, SKYCLAIM_ROWS, rows

GAME = GAMES["skyclaim"]
Row = dict[str, Any]
#: how a vector is read: as it stands, or turned with the sides exchanged
Turn = Callable[[Any], Any]


class Straight:
    """Reads a vector as it stands."""

    line = step = result = staticmethod(lambda text: text)


WAYS = [pytest.param(Straight, id="straight"), pytest.param(half_turn, id="half_turn")]


def play(options: Row, line: str, step: str) -> tuple[str, str | None]:
    """The position after a step and the result; what the events say of the result must agree."""
    position = GAME.parse(line, options)
    events = position.apply(step)
    assert position.board.faults() == []
    return position.line(), result_of(position, events)


def result_of(position: Any, events: list[Row]) -> str | None:
    """The result of the position after a step; the step's last event must tell the same, and no other may."""
    told = [event["result"] for event in events if event["type"] == "win"]
    result = position.result
    if result is None:
        assert not told
        return None
    assert position.legal() == []
    (line,) = result.lines
    assert told == [events[-1]["result"]] == [line.removeprefix("result ")]
    assert result.scores == {"S": (1.0, 0.0), "N": (0.0, 1.0), "d": (0.5, 0.5)}[told[0][0]]
    return told[0]


def test_every_file_is_read_here_and_whole() -> None:
    assert {path.stem for path in (ROOT / "skyclaim").iterdir()} == SKYCLAIM_ROWS.keys()
    assert {name: len(rows("skyclaim", name)) for name in SKYCLAIM_ROWS} == SKYCLAIM_ROWS


@pytest.mark.parametrize("row", rows("skyclaim", "setup"), ids=lambda row: str(row["seed"]))
def test_setup(row: Row) -> None:
    start = GAME.start(row["seed"], {"AsteroidsSouth": row["south"], "AsteroidsNorth": row["north"]})
    assert start.line() == row["fen"]
    assert GAME.parse(row["fen"]) == start
    assert start.board.faults() == []


@pytest.mark.parametrize("way", WAYS)
def test_legal(way: Any) -> None:
    for row in rows("skyclaim", "legal"):
        position = GAME.parse(way.line(row["fen"]), row["options"])
        assert position.line() == way.line(row["fen"])
        assert position.legal() == sorted(map(way.step, row["legal"])), position.line()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", range(SKYCLAIM_ROWS["perft"]))
def test_perft(number: int, way: Any) -> None:
    row = rows("skyclaim", "perft")[number]
    position = GAME.parse(way.line(row["fen"]), row["options"])
    counts = [perft(position, depth) for depth in range(1, len(row["perft"]) + 1)]
    assert counts == row["perft"], position.line()
    if "divide2" in row:
        parts = divide(position, 2)
        assert parts == {way.step(step): count for step, count in row["divide2"].items()}
        assert list(parts) == sorted(parts)


def test_the_perft_rows_have_divides_and_a_third_depth() -> None:
    found = rows("skyclaim", "perft")
    assert sum("divide2" in row for row in found) == 5
    assert sum(len(row["perft"]) == 3 for row in found) == 10


def test_perft_of_depth_0_is_1() -> None:
    assert perft(GAME.start(1), 0) == 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", range(SKYCLAIM_ROWS["games"]))
def test_games(number: int, way: Any) -> None:
    row = rows("skyclaim", "games")[number]
    position = GAME.parse(way.line(row["fen"]), row["options"])
    found = None
    for step, after in row["steps"]:
        assert found is None
        events = position.apply(way.step(step))
        assert position.line() == way.line(after), (number, step)
        found = result_of(position, events)
    assert found == way.result(row["result"])
    assert position.board.faults() == []


def test_the_games_are_long_and_end_in_many_ways() -> None:
    found = rows("skyclaim", "games")
    assert sum(len(row["steps"]) for row in found) == 6_485
    assert {row["result"] for row in found} == {
        None, "S wins asteroid", "N wins asteroid", "N wins land", "S wins turns", "N wins turns", "draw turns",
    }  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_cases(way: Any) -> None:
    for row in rows("skyclaim", "cases"):
        after, result = play(row["options"], way.line(row["fen"]), way.step(row["step"]))
        assert after == way.line(row["after"]), row["case"]
        assert result == way.result(row["result"]), row["case"]


def test_there_is_a_case_for_every_way_to_win() -> None:
    assert {row["result"] for row in rows("skyclaim", "cases")} == {
        None, "draw turns", *(f"{side} wins {why}" for side in "SN" for why in ("land", "siege", "asteroid", "turns")),
    }  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_chaos(way: Any) -> None:
    played = 0
    for row in rows("skyclaim", "chaos"):
        line = way.line(row["fen"])
        assert GAME.parse(line, row["options"]).legal() == sorted(map(way.step, row["legal"])), line
        for step, (after, result) in row["apply"].items():
            expected = (way.line(after), way.result(result))
            assert play(row["options"], line, way.step(step)) == expected, (line, step)
            played += 1
    assert played == sum(len(row["apply"]) for row in rows("skyclaim", "chaos")) > 1000


@pytest.mark.parametrize("way", WAYS)
def test_observations(way: Any) -> None:
    for row in rows("skyclaim", "observe"):
        position = GAME.parse(way.line(row["fen"]), row["options"])
        seen = {side: way.line(row[side]) for side in "SN"}
        if way is half_turn:
            seen = {"S": seen["N"], "N": seen["S"]}
        for side, line in seen.items():
            assert position.observe(GAME.seat(side)).line() == line, position.line()
        mine = seen["SN"[position.board.mover]]
        observation = GAME.parse(mine, row["options"], observation=True)
        assert observation.line() == mine
        assert observation == position.observe(position.seat or position.board.mover + 1)
        assert observation.stream is None
        if position.result is None:
            assert observation.legal() == position.legal()


def test_the_observations_are_of_both_fogs_and_both_sides() -> None:
    found = rows("skyclaim", "observe")
    assert {row["options"]["Fog"] for row in found} >= {"seam", "dark"}
    assert {row["fen"].split()[3] for row in found} == {"S", "N"}
