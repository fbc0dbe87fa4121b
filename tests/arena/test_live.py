"""The live view: one line where there is a terminal, faults and tables in any case."""

from __future__ import annotations

import io
from typing import Any

import pytest

from skyclaim_engine.arena import live
from skyclaim_engine.arena.live import Live
from skyclaim_engine.arena.summary import Summary

HEADER = {"game": "skyclaim", "seed": 1, "engines": [{"name": "a"}, {"name": "b"}]}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def record(block: int, game: int, **more: Any) -> dict[str, Any]:
    return {
        "record": "game", "block": block, "game": game, "engines": ["a", "b"][:: 1 - 2 * game], "result": [1.0, 0.0],
        "ended": "rules", "how": "S wins land", "turns": 30, "steps": [], "seats": [], "times": [], **more,
    }  # fmt: skip


FAULT = {"seat": 2, "engine": "b", "kind": "crash", "text": "it ended\nlast lines exchanged:\n  > go"}


def shown(
    monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO, *records: dict[str, Any], every: int | None = None
) -> str:
    monkeypatch.setattr("sys.stderr", stderr)
    summary = Summary(HEADER)
    view = Live(summary, 12, 2, every)
    for one in records:
        summary.add(one)
        view.show(one)
    view.close()
    return stderr.getvalue()


def test_nothing_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), record(0, 0), record(0, 1)) == ""


def test_the_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown(monkeypatch, Terminal(), record(0, 0), record(0, 1))
    last = said.split("\r")[-1]
    assert last.startswith("4/12 games  a 50.0 %, Elo +0.0")
    assert " games/h  " in last
    assert last.rstrip().endswith(" left")


def test_a_fault_is_told_whole_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown(monkeypatch, io.StringIO(), *(record(block, 0, ended="fault", fault=FAULT) for block in range(3)))
    assert said.splitlines() == [
        "game 0.0: b loses by crash: it ended", "last lines exchanged:", "  > go",
        "game 1.0: b loses by crash: it ended", "game 2.0: b loses by crash: it ended",
    ]  # fmt: skip


def test_the_table_every_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [record(block, game) for block in range(2) for game in range(2)]
    said = shown(monkeypatch, io.StringIO(), *games, every=3)
    assert said.count("engine  against") == 1
    assert "3 games" in said


@pytest.mark.parametrize(("seconds", "text"), [(5.4, "5 s"), (90, "1.5 min"), (7200, "2.0 h"), (200_000, "2.3 d")])
def test_spans(seconds: float, text: str) -> None:
    assert live._span(seconds) == text
