"""Every game is played alike again, and by what the seat sees alone: with one seed, after `ucinewgame`."""

from __future__ import annotations

import re

import pytest

from skyclaim_engine.protocol.session import Session

#: how fast it went is all that may differ
TIMES = re.compile(r" nps \d+ time \d+")
GAMES = {
    "open": ("skyclaim", {}),
    "seam": ("skyclaim", {"Fog": "seam"}),
    "dark": ("skyclaim", {"Fog": "dark", "Salvage": True}),
    "islands": ("islands", {"Seats": "3"}),
    "rockets": ("rockets", {"Pilots": 3, "Wormholes": True, "AsteroidBelt": True, "UpToRoll": True}),
}


def settings(name: str, options: dict[str, object], skill: int) -> list[str]:
    own = {"UCI_Variant": name, "Skill": skill, "Seed": 11, "MultiPV": 2, "Explain": "true", **options}
    return [f"setoption name {option} value {value}" for option, value in own.items()]


def positions(name: str, options: dict[str, object], skill: int) -> list[tuple[str, str]]:
    """A game by the bot of that skill: each position as a `position fen` and as a `position obs`."""
    said: list[str] = []
    session = Session(lambda *lines: said.extend(lines))
    for line in (*settings(name, options, skill), "position startpos seed 5"):
        session.handle(line)
    met = []
    while (position := session.position) and position.seat and len(met) < 8:
        met.append((f"position fen {position.line()}", f"position obs {position.observe(position.seat).line()}"))
        session.handle("go nodes 100")
        assert session.wait(60)
        step = said[-1].removeprefix("bestmove ")
        joint = position.joint({seat: step if seat == position.seat else "-" for seat in position.deciders})
        session.handle(f"apply {joint}")
        assert not said[-1].startswith("error")
    return met


@pytest.mark.parametrize("skill", [10, 60, 100])
@pytest.mark.parametrize("name", GAMES)
def test_the_answers_are_the_same_again(name: str, skill: int) -> None:
    """Twice, and once more by a host that is given no more than what the seat sees."""
    variant, options = GAMES[name]
    met = positions(variant, options, skill)
    assert len(met) == 8
    said: list[str] = []
    session = Session(lambda *lines: said.extend(lines))

    def answers(places: list[str]) -> list[str]:
        said.clear()
        session.handle("ucinewgame")
        for place in places:
            session.handle(place)
            session.handle("go nodes 300")
            assert session.wait(60)
        return [TIMES.sub("", line) for line in said]

    for line in settings(variant, options, skill):
        session.handle(line)
    whole, seen = ([place[i] for place in met] for i in range(2))
    first, second, third = answers(whole), answers(whole), answers(seen)
    assert sum(line.startswith("bestmove ") for line in first) == len(met)
    assert not [line for line in first if line.startswith("error") or "failed" in line]
    assert first == second == third
