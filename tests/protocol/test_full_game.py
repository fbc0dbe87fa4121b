"""Whole games by a host that knows no rules: it sends `legal`, `go` and `apply` and reads what comes back."""

from __future__ import annotations

import json

import pytest

from skyclaim_engine.protocol.client import Client

from .host import GUARD
from .processes import ENGINES, ROOT


def real() -> Client:
    return Client(ENGINES["real"], cwd=str(ROOT))


@pytest.mark.parametrize("skill", range(0, 101, 10))
def test_a_game_of_the_bot_against_itself_at_every_skill(skill: int) -> None:
    start = f"position startpos seed {skill}"
    steps = []
    with real() as engine:
        for line in (f"setoption name Skill value {skill}", "setoption name Seed value 5", start):
            assert engine.ask(line) == []
        while (step := engine.go("nodes 300", GUARD).step) is not None:
            [legal] = engine.ask("legal")
            assert step in legal.split()[1:]
            said = engine.ask(f"apply {step}")
            steps.append(step)
            events = [json.loads(line.removeprefix("event ")) for line in said if line.startswith("event ")]
            assert events
            assert all(isinstance(event["type"], str) for event in events)
            assert said[len(events)].startswith("fen ")
            over = len(said) > len(events) + 1
            assert over == (events[-1]["type"] == "win")
        assert over
        assert said[-1] == f"result {events[-1]['result']}"
        assert engine.ask("legal") == ["legal"]
        # The same steps from the same seed lead to the same end, and its line is read as it was written.
        end = said[len(events)]
        assert engine.ask(f"{start} moves {' '.join(steps)}") == []
        assert engine.ask("d")[-1] == end
        assert engine.ask(f"position {end}") == []
        assert engine.ask("d")[-1] == end
        assert engine.go().step is None


@pytest.mark.parametrize("fog", ["off", "seam", "dark"])
def test_a_bot_that_is_shown_only_what_it_may_see(fog: str) -> None:
    """One engine is the referee, another decides for both sides and never sees more than `observe` shows."""
    with real() as referee, real() as player:
        for engine in (referee, player):
            engine.ask(f"setoption name Fog value {fog}")
            engine.ask("setoption name Seed value 9")
        referee.ask("position startpos seed 3")
        for _ in range(150):
            [observation] = referee.ask(f"observe {side(referee)}")
            assert player.ask(f"position {observation}") == []
            assert player.ask("legal") == referee.ask("legal")
            step = player.go("nodes 200", GUARD).step
            assert step is not None
            # whoever knows everything decides alike
            assert referee.go("nodes 200", GUARD).step == step
            said = referee.ask(f"apply {step}")
            if not said[-1].startswith("fen "):
                break


def side(engine: Client) -> str:
    """The side to move, by the field of the position."""
    return engine.ask("d")[-1].split()[4]


def test_the_stream_of_the_position_does_not_matter_to_the_bot() -> None:
    with real() as engine:
        engine.ask("setoption name Seed value 9")
        engine.ask("position startpos seed 3")
        line = engine.ask("d")[-1].split()[1:-1]
        chosen = set()
        for stream in ("0000000000000000", "c83888ad2a34a5ee", "-"):
            engine.ask(f"position fen {' '.join(line)} {stream}")
            chosen.add(engine.go("nodes 500", GUARD).step)
        assert len(chosen) == 1
