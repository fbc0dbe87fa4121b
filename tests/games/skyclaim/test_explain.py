"""What happened and what a step would do, in words: true, without chance, and without what the mover cannot know."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from skyclaim_engine.errors import IllegalStep
from skyclaim_engine.game import Event
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim import explain
from skyclaim_engine.games.skyclaim.narrate import Voice, narrate, witness
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import NAMES
from tests.strategies import numbers, positions

GAME = GAMES["skyclaim"]
STARS = "/".join(["12345123451", "34512345123"] * 5 + ["12345123451"])
OPEN = "/".join(["11"] * 11)
STREAM = "0123456789abcdef"


def place(drones: str, land: str = OPEN, side: str = "S", **options: object) -> SkyclaimPosition:
    """A position without a match, with these drones."""
    return GAME.parse(f"{STARS} {drones} {land} {side} 0 - - 7 {STREAM}", options)


# -- what happened


@pytest.mark.parametrize(
    ("events", "sentences"),
    [
        ([{"type": "swap", "from": "e4", "to": "e5"}], ["South swaps e4 and e5."]),
        (
            [
                {"type": "missile", "from": "e1", "to": "h4", "target": "drone", "power": 0},
                {"type": "destroyed", "square": "h4", "side": "N", "kind": "S", "by": "missile"},
                {"type": "stock", "side": "S", "missiles": 3},
            ],
            [
                "South fires a missile from e1 at h4.",
                "North's scout on h4 is destroyed by a missile; South's stock is now 3.",
            ],
        ),
        (
            [
                {"type": "move", "from": "c3", "to": "f3", "kind": "B", "how": "bomb"},
                {"type": "blast", "square": "f3", "squares": ["f3", "g4"]},
                {"type": "destroyed", "square": "f3", "side": "N", "kind": "R", "by": "bomb"},
                {"type": "wreck", "square": "f3", "countdown": 10},
                {"type": "destroyed", "square": "g4", "side": "N", "kind": "T", "by": "bomb"},
                {"type": "stock", "side": "S", "missiles": 1},
            ],
            [
                "South's bomb goes from c3 to f3 and goes off.",
                "North's raider on f3 and North's turret on g4 are destroyed in the blast and leave a wreck; "
                "South's stock is now 1.",
            ],
        ),
        (
            [
                {
                    "type": "clear",
                    "wave": 1,
                    "groups": [
                        {"squares": ["a1", "b1", "c1"], "colour": 2, "shape": None, "pays": []},
                        {"squares": ["e4", "e5", "e6", "e7"], "colour": 3, "shape": "line of 4", "pays": ["S"]},
                    ],
                },
                {
                    "type": "drone", "square": "e4", "side": "S", "kind": "S", "power": 1, "colours": [3],
                    "missiles": 0, "how": "placed",
                },
                {"type": "flow", "toward": "S", "falls": [], "new": []},
                {
                    "type": "clear",
                    "wave": 2,
                    "groups": [
                        {"squares": ["a1", "b1", "c1", "c2"], "colour": 5, "shape": "hook", "pays": ["R"]},
                    ],
                },
                {"type": "stock", "side": "S", "missiles": 4},
                {"type": "flow", "toward": "S", "falls": [], "new": []},
                {
                    "type": "clear",
                    "wave": 3,
                    "groups": [{"squares": ["a1", "a2", "a3"], "colour": 1, "shape": None, "pays": []}],
                },
                {"type": "flow", "toward": "S", "falls": [], "new": []},
                {"type": "turn", "turn": 2, "side": "N"},
            ],
            [
                "A line of 3 in colour 2 and a line of 4 in colour 3 clear 7 stars and pay a scout on e4.",
                "By falling, an L of 4 in colour 5 forms and pays a missile (the stock is now 4).",
                "Falling clears 7 stars.",
            ],
        ),
        (
            [
                {"type": "drift", "from": "a5", "to": "a4"},
                {"type": "drift", "from": "b5", "to": "b5", "hit": "b4", "power": 1},
                {"type": "win", "result": "N wins asteroid"},
            ],
            [
                "The asteroids drift one square toward South.",
                "The stack on b4 is hit and has power 1 left.",
                "North wins: an asteroid has landed on South's Command.",
            ],
        ),
        ([{"type": "win", "result": "draw turns"}], ["That was the last turn, and both own as much: a draw."]),
    ],
)  # fmt: skip
def test_events_become_sentences(events: list[Event], sentences: list[str]) -> None:
    assert narrate(events, "S") == sentences


def test_a_person_is_spoken_to() -> None:
    voice = Voice("you", "the bot")
    events: list[Event] = [{"type": "pass"}, {"type": "win", "result": "S wins land"}]
    assert narrate(events, "S", voice) == [
        "You pass: there is no action to take.",
        "You win: enough of the sky is yours.",
    ]
    assert narrate(events[:1], "N", voice) == ["The bot passes: there is no action to take."]


def play_on(position: SkyclaimPosition, number: int) -> tuple[str, list[Event]]:
    """A random step on a copy, with its events."""
    rng = Random(number)
    steps = position.legal()
    step = rng.choice(steps)
    return step, position.copy().apply(step)


@given(positions, numbers)
def test_every_step_can_be_told(position: SkyclaimPosition, number: int) -> None:
    if position.result is not None:
        return
    _, events = play_on(position, number)
    sentences = narrate(events, "SN"[position.board.mover])
    assert sentences
    assert all(text.endswith(".") and "\n" not in text and "?" not in text for text in sentences)


@given(positions, numbers)
def test_a_witness_is_told_of_seen_squares_only(position: SkyclaimPosition, number: int) -> None:
    if position.result is not None:
        return
    _, events = play_on(position, number)
    side = "NS"[position.board.mover]
    light = set(Random(number).sample(NAMES, 60))
    seen = witness(events, side, light)
    dark = set(NAMES) - light
    told = " ".join(narrate(seen, "SN"[position.board.mover]))
    assert "?" not in told
    assert not dark.intersection(told.replace(".", " ").replace(",", " ").replace(":", " ").replace(";", " ").split())
    assert {event["type"] for event in witness(events, side, set())} <= {"turn", "win", "stock", "flow"}
    assert all(event["side"] == side for event in seen if event["type"] == "stock")


def test_a_drone_goes_into_the_dark_and_out_of_it() -> None:
    move: Event = {"type": "move", "from": "e6", "to": "e7", "kind": "S", "how": "move"}
    assert narrate(witness([move], "S", {"e6"}), "N") == ["North's scout goes from e6 into the dark."]
    assert narrate(witness([move], "S", {"e7"}), "N") == ["North's scout goes out of the dark to e7."]
    assert witness([move], "S", {"e5"}) == []


# -- what a step would do


@given(positions, numbers)
def test_an_explanation_knows_no_chance_and_nothing_dark(position: SkyclaimPosition, number: int) -> None:
    if position.result is not None:
        return
    board, before = position.board, position.line()
    steps = position.steps()
    for step in Random(number).sample(sorted(steps), min(5, len(steps))):
        text = position.explain(step)
        assert text
        assert "\n" not in text
        assert position.observe(board.mover + 1).explain(step) == text
        for stream in (1, number, 2**64 - 1 - number):
            assert explain.step(board, steps[step], stream=stream) == text
        assert len(explain.gain(board, steps[step])) < 60
    assert position.line() == before


def test_only_legal_steps_are_explained() -> None:
    position = GAME.start(1)
    with pytest.raises(IllegalStep):
        position.explain("swap:a1a2")
    position = GAME.start(1, {"TurnLimit": 1})
    number = position.steps()["claim:e1"]
    position.apply("claim:e1")
    with pytest.raises(ValueError, match="over"):
        explain.step(position.board, number)


@pytest.mark.parametrize(
    ("step", "text", "gain"),
    [
        (
            "swap:e4e5",
            "South swaps e4 and e5. An L of 4 in colour 1 clears 4 stars and pays a raider on f4. Good: a raider more.",
            "raider",
        ),
        ("claim:e1", "South's scout on e1 claims 2 squares. Good: 2 squares more, 11 of the 69 that win.", "+2"),
        (
            "swap:g4h4",
            "South swaps g4 and h4. A line of 3 in colour 5 clears 3 stars. "
            "About equal: nothing is won or lost at once. What falls is chance.",
            "",
        ),
        (
            "fire:e1c3",
            "South fires a missile from e1 at the asteroid on c3. Bad: it costs a missile. What falls is chance.",
            "",
        ),
        (
            "move:e1d2",
            "South's scout goes from e1 to d2. Good: the scout could claim 6 squares next.",
            "",
        ),
        ("move:f1f2", "South's Command goes from f1 to f2. About equal: nothing is won or lost at once.", ""),
    ],
)
def test_the_first_steps_of_a_game(step: str, text: str, gain: str) -> None:
    position = GAME.start(1)
    assert position.explain(step) == text
    assert explain.gain(position.board, position.steps()[step]) == gain


def test_a_raider_that_could_take_what_moved() -> None:
    position = place("Me1,Gd4,rh9,mk11")
    assert "Bad: the raider on h9 could destroy the shield on d5." in position.explain("move:d4d5")
    assert "raider" not in position.explain("move:d4d3")
    position = place("Me1,Gd5,rh9,mk11")
    assert "Good: the shield is safe from the raider on h9." in position.explain("move:d5d4")


def test_a_drone_that_goes_away_may_leave_another_open() -> None:
    position = place("Me1,Xe6,Gd5,rh9,mk11")
    assert "Bad: the raider on h9 could destroy the shield on d5." in position.explain("move:e6f6")


def test_a_take_and_what_it_threatens() -> None:
    position = place("Me1,Rc3,sf6,hi9,mk11")
    text = position.explain("take:c3f6")
    assert text.startswith("South's raider goes from c3 to f6. North's scout on f6 is taken; South's stock is now 1.")
    assert "Good: North's scout is gone; a missile more; the raider on f6 threatens North's hunter on i9." in text
    assert explain.gain(position.board, position.steps()["take:c3f6"]) == "hits scout"


def test_winning_and_losing_at_once() -> None:
    position = place("Me1,Xj9,mk11")
    text = position.explain("move:j9j10")
    assert "South wins: a siege drone stands beside North's Command and no shield does." in text
    assert text.endswith("Good: this wins at once.")
    assert explain.gain(position.board, position.steps()["move:j9j10"]) == "wins"
    position = place("Me1,Ge2,xf2,mk11")
    assert "Bad: this loses at once" in position.explain("move:e2d3")
    assert explain.gain(position.board, position.steps()["move:e2d3"]) == "loses"


def test_a_command_in_the_dark_is_not_a_command_that_is_gone() -> None:
    position = GAME.start(1, {"Fog": "dark"})
    assert position.explain("move:f1f2").endswith("f2. About equal: nothing is won or lost at once.")
    # the own one is in danger all the same, though the core would end the game for the other reason first
    land = "/".join(["11"] * 8 + ["3S7", "11", "11"])
    position = place("Me1,Ge2,xf2,mk11", land, Fog="dark")
    assert "Bad: this loses at once" in position.explain("move:e2d3")


def test_what_lies_in_the_dark_may_add_to_a_match() -> None:
    position = GAME.start(1, {"Fog": "seam"})
    texts = [position.explain(step) for step in position.legal() if step.startswith("swap:")]
    near = [text for text in texts if "Stars in the dark may add to it." in text]
    assert 0 < len(near) < len(texts)
