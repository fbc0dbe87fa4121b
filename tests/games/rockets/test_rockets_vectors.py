"""The vectors of tests/vectors/rockets: what independent programs, written from the rules alone, answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skyclaim_engine.games.rockets.position import GAME
from skyclaim_engine.perft import divide, perft

ROOT = Path(__file__).resolve().parents[2] / "vectors" / "rockets"
Row = dict[str, Any]
#: rows by file; a file that lost rows must not pass unseen
SIZES = {"setup": 24, "legal": 196, "perft": 92, "games": 24, "observe": 84}


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (ROOT / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def options_of(text: str) -> dict[str, str]:
    """The options of `n=2;shields=1;…` as `setoption` would set them."""
    n, shields, *checks = (word.partition("=")[2] for word in text.split(";"))
    worms, rocks, up_to = ("true" if check == "1" else "false" for check in checks)
    return {"Pilots": n, "Shields": shields, "Wormholes": worms, "AsteroidBelt": rocks, "UpToRoll": up_to}


def test_every_file_is_read_here_and_whole() -> None:
    assert {path.stem for path in ROOT.iterdir()} == SIZES.keys()
    assert {name: len(rows(name)) for name in SIZES} == SIZES


@pytest.mark.parametrize("row", rows("setup"), ids=lambda row: str(row["seed"]))
def test_setup(row: Row) -> None:
    start = GAME.start(row["seed"], options_of(row["options"]))
    assert start.line() == row["fen"]
    assert GAME.parse(row["fen"]) == start
    assert start.board.faults() == []


def test_legal() -> None:
    for row in rows("legal"):
        position = GAME.parse(row["fen"])
        assert position.line() == row["fen"]
        assert position.legal() == sorted(row["legal"]), row["fen"]


@pytest.mark.parametrize("number", range(SIZES["perft"]))
def test_perft(number: int) -> None:
    row = rows("perft")[number]
    position = GAME.parse(row["fen"])
    counts = [perft(position, depth) for depth in range(1, len(row["perft"]) + 1)]
    assert counts == row["perft"], row["fen"]
    parts = divide(position, 2)
    assert list(parts) == position.legal() == sorted(parts)
    assert sum(parts.values()) == row["perft"][1]


@pytest.mark.parametrize("number", range(SIZES["games"]))
def test_games(number: int) -> None:
    row = rows("games")[number]
    position = GAME.parse(row["fen"])
    last: Row = {}
    for step, after in row["steps"]:
        assert position.result is None
        assert step in position.legal()
        last = position.apply(step)[-1]
        assert position.line() == after, (number, step)
        assert position.board.faults() == []
        assert GAME.parse(after) == position
    result = position.result
    assert (None if result is None else list(result.lines)) == row["end"]
    if result is not None:
        assert f"result {last['result']}" == result.lines[0]
        given = " ".join(f"{name}={''.join(map(str, pilots)) or '-'}" for name, pilots in last["awards"].items())
        assert f"awards {given}" == result.lines[1]
        assert sum(result.scores) == pytest.approx(1)
        assert position.legal() == []


def test_the_games_are_long_and_have_every_kind_of_step() -> None:
    played = rows("games")
    assert sum(len(row["steps"]) for row in played) == 7_075
    kinds = {step.partition(":")[0] for row in played for step, _ in row["steps"]}
    assert kinds == {"tile", "rock", "rocket", "shield", "fly", "aim", "trace", "drift", "stay"}


def test_observations() -> None:
    for row in rows("observe"):
        position = GAME.parse(row["fen"])
        for seat in range(1, position.board.rules[0] + 1):
            seen = position.observe(seat)
            assert seen.line() == row["obs"]
            assert seen.legal() == position.legal()
        assert GAME.parse(row["obs"], observation=True) == position.observe(1)
