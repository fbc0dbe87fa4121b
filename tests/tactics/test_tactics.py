"""The suite of tactics: its form, its proofs again for a part of it, and that the engine finds the good steps."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from skyclaim_engine._board import KINDS
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import NAMES
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag

from .make import EACH, SUITE
from .proof import PROOFS, winning
from .scenes import SKYCLAIM

#: what 200 ms give on one slow core
NODES = 20_000
#: of each class, how many positions are proven again
AGAIN = 2


def parsed(line: str) -> SkyclaimPosition:
    position = SKYCLAIM.parse(line)
    assert isinstance(position, SkyclaimPosition)
    return position


ENTRIES = [
    (name, tuple(good.split()), line)
    for name, good, line in (entry.split(" | ") for entry in SUITE.read_text().splitlines())
]
BY_CLASS: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
for _name, _good, _line in ENTRIES:
    BY_CLASS[_name].append((_good, _line))


def asked(name: str, position: SkyclaimPosition) -> tuple[str, ...]:
    """The steps to choose among: which take, where the siege goes, which shot; in all other classes, any.

    That a take is the best step of all is no certainty: what a drone is worth is a judgement. Which take it is, is one.
    """
    steps = position.legal()
    if name == "take":
        return tuple(step for step in steps if step.startswith("take:"))
    if name == "missile":
        return tuple(step for step in steps if step.startswith("fire:"))
    if name == "save-siege":
        drones = position.board.drones
        own = {NAMES[at] for at, side, kind, *_ in drones if side == position.board.mover and KINDS[kind] == "X"}
        of_drones = re.compile(f"(move|ram|stack|siege):({'|'.join(own)})[a-k].*")
        return tuple(filter(of_drones.fullmatch, steps))
    return ()


def chosen(name: str, line: str, algorithm: str, nodes: int) -> str | None:
    position = parsed(line)
    limits = Limits(nodes=nodes, searchmoves=asked(name, position))
    return Bot(Settings(seed=1, algorithm=algorithm)).decide(position, limits, StopFlag(), lambda told: None)


def test_there_is_enough_of_every_class() -> None:
    assert len(ENTRIES) >= 180
    assert list(BY_CLASS) == list(PROOFS) == list(EACH)
    assert min(len(entries) for entries in BY_CLASS.values()) >= 3


def test_every_position_is_canonical_and_asks_something() -> None:
    assert len({line for *_, line in ENTRIES}) == len(ENTRIES)
    for _, good, line in ENTRIES:
        position = parsed(line)
        legal = position.legal()
        assert position.line() == line
        assert set(good) <= set(legal)
        assert len(set(good)) == len(good)
        assert 0 < len(good) < len(legal)


@pytest.mark.parametrize("name", PROOFS)
def test_the_answers_are_proven(name: str) -> None:
    shortest = sorted(BY_CLASS[name], key=lambda entry: len(parsed(entry[1]).legal()))
    for good, line in shortest[:AGAIN]:
        assert set(PROOFS[name](parsed(line))) == set(good)


@pytest.mark.parametrize("algorithm", ["expectimax", "onestep"])
def test_a_win_of_this_turn_needs_no_search(algorithm: str) -> None:
    for name, good, line in ENTRIES:
        if PROOFS[name] is winning:
            assert chosen(name, line, algorithm, 400) in good


def test_full_strength_solves_the_suite() -> None:
    missed = [(name, line) for name, good, line in ENTRIES if chosen(name, line, "expectimax", NODES) not in good]
    assert len(missed) <= len(ENTRIES) // 20, missed
