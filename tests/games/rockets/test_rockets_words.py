"""The picture, the sentences and the explanations: complete, in words, and the same for whoever knows less."""

from __future__ import annotations

import random
import re

import pytest

from skyclaim_engine.facts import Choice, Facts
from skyclaim_engine.games.rockets import picture
from skyclaim_engine.games.rockets.narrate import SENTENCES, Voice, narrate
from skyclaim_engine.games.rockets.position import GAME

LINE = (
    "n=3;shields=1;wormholes=0;asteroids=1;upto=0 fly:6* 0,-5;1,-5;2,-5;0,-4;1,-4;2,-4;0,-3;2,-3;3,-3;0,-2;1,-2;2,-2;"
    "3,-2;0,-1;-3,0;-2,0;-1,0;0,0;1,0;2,0a;3,0;-1,1;1,1a;2,1a;-2,2;0,2;1,2;-3,3;-2,3;-3,4;-2,4;-2,5;-3,6+ "
    "0,-4:0;-1,0:3;-2,3:0 1@3,0;2@0,-4;3@-2,5 2:231 0.0.-;2.0.13;0.0.- cfc0659b6017d016"
)


def test_the_picture_shows_every_tile_and_pilot() -> None:
    position = GAME.parse(LINE)
    drawn = position.picture()
    board, standing = drawn.split("\n\n")
    for cell in LINE.split()[2].rstrip("+").split(";"):
        assert re.search(rf"/ *{re.escape(cell.rstrip('a'))} *\\", board), cell
    assert board.count("##") == 3
    assert board.count("/") == board.count("\\") == 66
    assert standing.splitlines() == [
        "round 2 of 200: pilot 2 flies 6, the drift is used, then 3 1",
        "pilot 1  at 0,-4, 0 shields, spare shield on 3,0",
        "pilot 2  at -1,0, 3 shields, spare shield on 0,-4, 2 hits (of 1 3), 0 kills",
        "pilot 3  at -2,3, 0 shields, spare shield on -2,5",
    ]
    assert "\x1b" not in drawn
    assert re.sub(r"\x1b\[[0-9;]*m", "", position.picture(colour=True)) == drawn
    assert max(map(len, drawn.splitlines())) <= 80
    assert picture.legend()


def test_neighbouring_tiles_touch_in_the_picture() -> None:
    lines = GAME.parse(LINE).picture().split("\n\n")[0].splitlines()
    where = {
        name: (row, text.index(name)) for row, text in enumerate(lines) for name in re.findall(r"-?\d+,-?\d+", text)
    }
    # E is eight characters on, SE half a tile on and two lines down
    assert where["1,-5"][0] == where["2,-5"][0]
    assert abs(where["2,-5"][1] - where["1,-5"][1]) == 8
    assert where["0,-4"][0] - where["0,-5"][0] == 2
    assert abs(where["0,-4"][1] - where["0,-5"][1] - 4) <= 1


def test_the_widest_board_and_the_fullest_tile() -> None:
    row = ";".join([f"{q},0" for q in range(-12, 13)] + [f"{q},1" for q in range(-12, -5)])
    line = (
        f"n=6;shields=1;wormholes=0;asteroids=0;upto=0 fly:2 {row}+ {';'.join(['0,0:1'] * 5 + ['1,0:1'])} "
        "1@0,0;2@0,0;3@0,0;4@0,0;5@0,0;6@0,0 1:123456 0.0.-;0.0.-;0.0.-;0.0.-;0.0.-;0.0.- -"
    )
    drawn = GAME.parse(line).picture()
    assert "+" in drawn
    assert "pilot 5  at 0,0, 1 shield, spare shield on 0,0" in drawn


def test_every_step_is_explained_and_every_event_told() -> None:
    told = set()
    # an asteroid tile that is the first to be laid
    lonely = GAME.start(44, {"AsteroidBelt": True}).apply("tile:0,0")
    assert narrate(lonely)[2] == "There is no place for 2 more asteroid tokens."
    types = {event["type"] for event in lonely}
    for seed in range(40):
        rng = random.Random(seed)
        options = {
            "Pilots": 2 + seed % 4, "Wormholes": seed % 2 == 0, "AsteroidBelt": seed % 4 < 3, "UpToRoll": seed % 3 == 0,
        }  # fmt: skip
        position = GAME.start(seed, options)
        assert position.picture().startswith("no tile lies yet")
        for _ in range(160):
            legal = position.legal()
            if not legal:
                break
            step = rng.choice(legal)
            seen = position.observe(position.seat)
            assert seen.explain(step) == position.explain(step)
            text = position.explain(step)
            assert text[0].isupper()
            assert text.endswith(".")
            assert "None" not in text
            told.add(step.partition(":")[0])
            assert position.picture()
            events = position.apply(step)
            types |= {event["type"] for event in events}
            for voice in (Voice(), Voice(1)):
                sentences = narrate(events, voice)
                assert len(sentences) == len(events)
                for sentence in sentences:
                    assert re.fullmatch(r"[A-Z].*\.", sentence)
                    assert "None" not in sentence
                    assert "you has" not in sentence.lower()
                    assert "you is" not in sentence.lower()
        if position.result:
            assert "won" in position.picture()
    assert told == {"tile", "rock", "rocket", "shield", "fly", "aim", "trace", "drift", "stay"}
    assert types | {"removed"} == set(SENTENCES)


def test_an_explanation() -> None:
    position = GAME.parse(LINE)
    assert position.explain("fly:0,-1;0,-2;0,-3;0,-4;1,-5;0,-5") == (
        "Pilot 2 flies from -1,0 by 0,-1 0,-2 0,-3 0,-4 1,-5 0,-5. Pilot 2 picks up its own shield on 0,-4 and now "
        "holds 4 shields. Good: a shield more. With a 3 a shot can hit pilot 1."
    )


@pytest.mark.parametrize(
    ("step", "done"),
    [
        ("tile:0,0", "laying the tile at 0,0"),
        ("rock:0,0", "putting an asteroid token on 0,0"),
        ("rocket:0,0", "placing the rocket on 0,0"),
        ("shield:0,0", "placing the spare shield on 0,0"),
        ("fly:0,0;0,1", "flying by 0,0 0,1"),
        ("fly:-", "not flying"),
        ("aim:3", "aiming at pilot 3"),
        ("trace:0,0;0,1", "shooting by 0,0 0,1"),
        ("trace:-", "firing at nothing"),
        ("drift:0,0>0,1", "drifting the asteroid from 0,0 to 0,1"),
        ("drift:0,0>-", "taking off the asteroid on 0,0"),
        ("stay", "leaving the asteroids where they are"),
    ],
)
def test_a_better_step_in_words(step: str, done: str) -> None:
    position = GAME.parse(LINE)
    facts = Facts("asked", chosen=Choice(position.legal()[0], 0.4, None), other=Choice(step, 0.7, None))
    told = position.explain(position.legal()[0], lambda view, seat, number: facts)
    assert told.endswith(f". The best step, {done}, is 30 % of the win ahead.")


def test_of_a_random_turn_it_is_said_what_is_done() -> None:
    position = GAME.parse(LINE)
    step = "fly:0,-1;0,-2;0,-3;0,-4;1,-5;0,-5"
    told = position.explain(step, lambda view, seat, number: Facts("random"))
    assert told.endswith(" and now holds 4 shields. This turn is a random one.")
