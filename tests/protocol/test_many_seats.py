"""Whole games of Islands and Rockets by a host that knows no rules, with any number of seats.

One engine is the referee. Who plays, sees of it only what `observe` shows to the seat that decides.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from skyclaim_engine.protocol.client import Client

from .host import GUARD
from .processes import ROOT
from .test_full_game import real

ISLANDS, ROCKETS = "islands", "rockets"
SKILLS = tuple(range(0, 101, 10))
SEATS = (2, 3, 6)


class Table(NamedTuple):
    """A game to play: its options, and how it starts."""

    game: str
    options: dict[str, str]
    seed: int

    def __str__(self) -> str:
        return "-".join((self.game, *self.options.values()))

    @property
    def seats(self) -> int:
        return int(self.options["Seats" if self.game == ISLANDS else "Pilots"])

    @property
    def start(self) -> str:
        return f"position startpos seed {self.seed}"

    def prepare(self, engine: Client, skill: int) -> None:
        for name, value in {"UCI_Variant": self.game, **self.options, "Skill": skill, "Seed": 5}.items():
            assert engine.ask(f"setoption name {name} value {value}") == []


def rockets(number: int) -> Table:
    """Over eleven numbers every value of every option, and all eight choices of the last three."""
    checks = {
        name: str(bool(5 * number >> place & 1)).lower()
        for place, name in enumerate(("Wormholes", "AsteroidBelt", "UpToRoll"))
    }
    shields = 1 + (2 * number + number // 5) % 5
    return Table(ROCKETS, {"Pilots": str(2 + number % 5), "Shields": str(shields), **checks}, number)


TABLES = [
    *((skill, Table(ISLANDS, {"Seats": str(seats)}, skill)) for skill in SKILLS for seats in SEATS),
    *((skill, rockets(skill // 10)) for skill in SKILLS),
]


def asked(player: Client, observation: str, nodes: int) -> str:
    """What the player does with what a seat sees."""
    player.send(f"position {observation}")
    step = player.go(f"nodes {nodes}", GUARD).step
    assert step is not None
    return step


def joint_step(referee: Client, player: Client, seats: int) -> str:
    """One set of orders of every seat; each of its orders is one of those that the referee lists for the seat."""
    parts = []
    for seat in range(1, seats + 1):
        observation, legal = referee.ask(f"observe {seat}\nlegal {seat}")
        chosen = asked(player, observation, 200)
        assert {*chosen.split()} - {"-"} <= {order.partition("/")[0] for order in legal.split()[1:]}
        parts.append(f"{seat}:{chosen}")
    return " | ".join(parts)


def single_step(referee: Client, player: Client, seats: int) -> str:
    """The step of the one seat that has legal steps; it is one of them."""
    listed = referee.ask("\n".join(f"legal {seat}" for seat in range(1, seats + 1)))
    [(seat, steps)] = ((seat, line.split()[1:]) for seat, line in enumerate(listed, 1) if line != "legal")
    [observation] = referee.ask(f"observe {seat}")
    step = asked(player, observation, 40)
    assert step in steps
    return step


def read(said: list[str]) -> tuple[list[dict[str, object]], str, list[str]]:
    """The events, the position and the lines of the result in the answer to an `apply`."""
    events = [json.loads(line.removeprefix("event ")) for line in said if line.startswith("event ")]
    assert events
    assert all(isinstance(event["type"], str) for event in events)
    fen, *results = said[len(events) :]
    assert fen.startswith("fen ")
    assert bool(results) == (events[-1]["type"] == "win")
    if results:
        assert results[0] == f"result {events[-1]['result']}"
    return events, fen, results


def play(referee: Client, player: Client, table: Table) -> tuple[list[str], str, list[str]]:
    """A whole game: its steps, its last position, its result."""
    choose = joint_step if table.game == ISLANDS else single_step
    steps: list[str] = []
    assert referee.ask(table.start) == []
    while True:
        steps.append(choose(referee, player, table.seats))
        _, fen, results = read(referee.ask(f"apply {steps[-1]}"))
        if results:
            return steps, fen, results


def check_result(table: Table, results: Sequence[str]) -> None:
    if table.game == ISLANDS:
        share = r"(0|1(/[2-6])?)"
        assert re.fullmatch("result " + " ".join(f"{seat}:{share}" for seat in range(1, table.seats + 1)), results[0])
        assert len(results) == 1
    else:
        pilots = f"[1-{table.seats}]"
        assert re.fullmatch(f"result {pilots}+ (last|together|rounds)", results[0])
        assert re.fullmatch(r"awards damage=\S+ kills=\S+ peace=\S+ pain=\S+", results[1])
        assert len(results) == 2


def check_end(engine: Client, table: Table, end: str) -> None:
    """The engine stands at the end of the game, and so does who sees it; the engine is left with the observation."""
    assert engine.ask("d")[-1] == end
    assert engine.ask("legal") == ["legal"]
    for seat in range(1, table.seats + 1):
        assert engine.ask(f"legal {seat}") == ["legal"]
        assert engine.ask(f"observe {seat}")[0].startswith("obs ")
    assert engine.go().step is None
    assert engine.go("hint").step is None
    assert engine.ask(f"position {engine.ask('observe 1')[0]}") == []
    assert engine.go().step is None


@pytest.mark.parametrize(("skill", "table"), TABLES, ids=str)
def test_a_whole_game(skill: int, table: Table) -> None:
    with real() as referee, real() as player:
        table.prepare(referee, 100)
        # the options of a rule are in the position; the player needs the game alone
        Table(table.game, {}, 0).prepare(player, skill)
        steps, end, results = play(referee, player, table)
        check_result(table, results)
        check_end(referee, table, end)
        # The same steps from the same seed lead to the same end, and its line is read as it was written.
        assert referee.ask(f"{table.start} moves {' '.join(steps)}") == []
        check_end(referee, table, end)
        assert player.ask(f"position {end}") == []
        check_end(player, table, end)


def test_every_value_of_every_option_is_played() -> None:
    with real() as engine:
        declared = dict(re.findall(r"option name (\w+) type (.*)", "\n".join(engine.uci())))
    for name in ("Seats", "Pilots", "Shields", "Wormholes", "AsteroidBelt", "UpToRoll"):
        played = {table.options[name] for _, table in TABLES if name in table.options}
        kind, *rest = declared[name].split()
        if kind == "spin":
            low, high = int(rest[rest.index("min") + 1]), int(rest[rest.index("max") + 1])
            assert played == {str(value) for value in range(low, high + 1)}
        else:
            values = {"true", "false"} if kind == "check" else {*re.findall(r"var (\S+)", declared[name])}
            assert played == values


@pytest.mark.parametrize("table", [Table(ISLANDS, {"Seats": "6"}, 4), rockets(4)], ids=[ISLANDS, ROCKETS])
def test_one_process_is_referee_and_plays_all_seats(table: Table) -> None:
    """It plays as six processes would that see one seat each: sharing a process tells nobody anything."""
    others = [real() for _ in range(table.seats)]
    try:
        with real() as engine:
            for process in (engine, *others):
                table.prepare(process, 100)
            assert engine.ask(table.start) == []
            fen, count = engine.ask("d")[-1], 0
            results: list[str] = []
            while not results:
                seats = list(range(1, table.seats + 1))
                seen = engine.ask("\n".join(f"observe {seat}" for seat in seats))
                if table.game == ROCKETS:
                    listed = engine.ask("\n".join(f"legal {seat}" for seat in seats))
                    seats = [seat for seat in seats if listed[seat - 1] != "legal"]
                chosen = {seat: asked(engine, seen[seat - 1], 60) for seat in seats}
                if count < 40:
                    assert chosen == {seat: asked(others[seat - 1], seen[seat - 1], 60) for seat in seats}
                joined = " | ".join(f"{seat}:{step}" for seat, step in chosen.items())
                step = joined if table.game == ISLANDS else chosen[seats[0]]
                _, fen, results = read(engine.ask(f"position {fen}\napply {step}"))
                count += 1
            check_result(table, results)
            check_end(engine, table, fen)
    finally:
        for process in others:
            process.quit()


def test_the_example_for_programs() -> None:
    """The page about the protocol has a host of six bots; it plays its game to the end."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("## Bots in any seat")[1]
    example = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)[0]
    names: dict[str, object] = {}
    exec(example.replace('"python ', f'"{sys.executable} '), names)
    said = names["said"]
    assert isinstance(said, list)
    check_result(Table(ISLANDS, {"Seats": "6"}, 1), read(said)[2])
