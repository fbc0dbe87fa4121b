"""The events of a round tell all of it: played on a plain picture of the map, they lead to the next position."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from skyclaim_engine.games.islands._core import neighbours
from skyclaim_engine.games.islands.narrate import narrate
from skyclaim_engine.games.islands.position import GAME, IslandsPosition
from tests.vectors import rows

from .games import SEATS, walk

NEIGHBOURS = {seats: neighbours(seats) for seats in SEATS}

DOCS = Path(__file__).resolve().parents[3] / "docs" / "events-islands.md"
#: the step of a round to which each type belongs, as in the document; `failed` is of two
STEPS = {
    "orders": 1, "scan": 2, "rotate": 3, "bridge": 3.5, "cut_off": 4, "recruit": 5, "fortify": 5, "failed": None,
    "march": 6, "battle": 7, "capture": 7, "beacon": 8, "contest": 8.3, "influence": 8.6, "income": 9,
    "round": 9.5, "win": 9.5,
}  # fmt: skip


class Screen:
    """What a front end without rules would show: it changes by events only."""

    def __init__(self, position: IslandsPosition) -> None:
        board = position.board
        self.owners, self.hubs = list(board.owners), list(board.hubs)
        there = zip(board.owners, board.squads, strict=True)
        self.squads = [{owner: squads} if squads else {} for owner, squads in there]
        self.energy, self.influence = list(board.energy), [half / 2 for half in board.influence]
        self.scans: list[int | None] = [None] * board.seats
        self.round = board.round
        self.open = {
            (min(a, b), max(a, b)) for a, bits in enumerate(board.bridges()) for d in range(6)
            if bits >> d & 1 for b in [NEIGHBOURS[board.seats][a][d]]
        }  # fmt: skip

    def show(self, event: dict[str, Any]) -> None:
        getattr(self, f"show_{event['type']}", lambda event: None)(event)

    def show_orders(self, event: dict[str, Any]) -> None:
        self.energy[event["seat"] - 1] -= event["cost"]
        assert self.energy[event["seat"] - 1] == event["energy"]

    def show_scan(self, event: dict[str, Any]) -> None:
        self.scans[event["seat"] - 1] = event["island"]

    def show_rotate(self, event: dict[str, Any]) -> None:
        hub, by = self.hubs[event["island"]], event["by"] % 6
        self.hubs[event["island"]] = sum(1 << (port + by) % 6 for port in range(6) if hub >> port & 1)
        assert event["ports"] == [port for port in range(6) if self.hubs[event["island"]] >> port & 1]

    def show_bridge(self, event: dict[str, Any]) -> None:
        pair = tuple(event["islands"])
        assert (pair in self.open) != event["open"]
        self.open ^= {pair}

    def show_recruit(self, event: dict[str, Any]) -> None:
        there = self.squads[event["island"]]
        there[event["seat"]] = there.get(event["seat"], 0) + event["added"]
        assert there == {event["seat"]: event["squads"]}

    def show_failed(self, event: dict[str, Any]) -> None:
        self.energy[event["seat"] - 1] += event["refund"]
        assert self.energy[event["seat"] - 1] == event["energy"]

    def show_march(self, event: dict[str, Any]) -> None:
        assert (min(event["from"], event["to"]), max(event["from"], event["to"])) in self.open
        for island, squads in ((event["from"], -event["squads"]), (event["to"], event["squads"])):
            there = self.squads[island]
            there[event["seat"]] = there.get(event["seat"], 0) + squads
            if not there[event["seat"]]:
                del there[event["seat"]]

    def show_battle(self, event: dict[str, Any]) -> None:
        assert {side["seat"]: side["squads"] for side in event["sides"]} == self.squads[event["island"]]
        self.squads[event["island"]] = {event["winner"]: event["left"]} if event["winner"] else {}

    def show_capture(self, event: dict[str, Any]) -> None:
        assert self.owners[event["island"]] == event["from"] != event["seat"]
        self.owners[event["island"]] = event["seat"]

    def show_influence(self, event: dict[str, Any]) -> None:
        self.influence[event["seat"] - 1] += event["points"]
        assert self.influence[event["seat"] - 1] == event["influence"]

    def show_income(self, event: dict[str, Any]) -> None:
        self.energy[event["seat"] - 1] += event["added"]
        assert self.energy[event["seat"] - 1] == event["energy"]

    def show_round(self, event: dict[str, Any]) -> None:
        self.round = event["round"]

    def show_win(self, event: dict[str, Any]) -> None:
        self.round = 13


def check_round(position: IslandsPosition, step: str) -> list[dict[str, Any]]:
    """Play a step; what the events tell must lead to the position after it."""
    screen = Screen(position)
    events = position.apply(step)
    assert json.loads(json.dumps(events)) == events
    place = 0.0
    for event in events:
        now = STEPS[event["type"]] or (6 if event["reason"] == "bridge" else 5)
        assert now >= place, (event, place)
        place = now
        screen.show(event)
    shown, board = Screen(position), position.board
    assert screen.owners == shown.owners
    assert screen.hubs == shown.hubs
    assert screen.squads == shown.squads
    assert screen.energy == shown.energy
    assert screen.influence == shown.influence
    assert screen.open == shown.open
    assert screen.round == board.round
    assert tuple(screen.scans) == board.scans
    given = [event["orders"] for event in events if event["type"] == "orders"]
    assert given == [[] if part.endswith(":-") else part.partition(":")[2].split() for part in step.split(" | ")]
    paid = dict.fromkeys(range(1, board.seats + 1), 0.0)
    for event in events:
        if event["type"] == "beacon":
            paid[event["seat"]] += event["points"]
        elif event["type"] == "contest":
            for seat in event["seats"]:
                paid[seat] += event["points"]
    told = {event["seat"]: event["points"] for event in events if event["type"] == "influence"}
    assert told == {seat: points for seat, points in paid.items() if points}
    assert (events[-1]["type"] == "win") == (position.result is not None)
    assert all(sentence.endswith(".") for sentence in narrate(events))
    return events


@pytest.mark.parametrize("seats", SEATS)
def test_random_games(seats: int) -> None:
    for seed in range(25):
        for position, step in walk(seats, 60 + seed):
            if step is not None:
                check_round(position.copy(), step)


def test_the_vectors_and_every_type_of_event() -> None:
    seen = set()
    for row in rows("islands", "games"):
        position = GAME.parse(row["fen"])
        for step, _ in row["rounds"]:
            for event in check_round(position, step):
                seen.add((event["type"], event.get("reason")))
    assert {kind for kind, _ in seen} == STEPS.keys()
    assert {reason for kind, reason in seen if kind == "failed"} >= {"supply", "bridge"}


def test_the_document_names_every_type_and_field() -> None:
    table = DOCS.read_text(encoding="utf-8")
    described: dict[str, set[str]] = {}
    for kind, fields in re.findall(r"^\| \d \| `(\w+)` \| (.*?) \|", table, re.MULTILINE):
        described.setdefault(kind, set()).update(re.findall(r"`(\w+)`", fields))
    assert described.keys() == STEPS.keys()
    for row in rows("islands", "games")[:8]:
        position = GAME.parse(row["fen"])
        for step, _ in row["rounds"]:
            for event in position.apply(step):
                assert event.keys() - {"type"} <= described[event["type"]], event
