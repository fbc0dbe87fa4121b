"""The board as text: everything is on it, in 80 columns, and colours add nothing that is not said without them."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given

from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim import picture
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from tests.strategies import positions

GAME = GAMES["skyclaim"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

START = """\
     a    b    c    d    e    f    g    h    i    j    k
 11  2    1    4    3   [1x ][1m ][2s'] 3    3    4    4    11 South to move
 10  4    3    4    #   [3  ][3  ][5  ] 4    1    5    5    10 turn 1 of 400
  9  #    2    1    5   [3  ][1g2][5  ] 5    1    #    2    9
  8  2    3    5    4    5    4    1    #    2    4    4    8        South North
  7  5    4    3    3    4    #    5    5    1    #    4    7  land      9     9
  6  1    4    3    4    2    1    2    3    1    1    5    6  drones  4/9   4/9
  5  #    2    5    2    1    4    1    5    5    #    3    5  stock     0     0
  4  4    5    #    5    2    1    1    5    2    1    #    4
  3  2    3    #    #   (3  )(4G2)(5  ) 4    5    4    2    3  69 of 121 wins
  2  1    2    1    3   (4  )(1  )(5  ) 3    3    2    3    2  cleared 0 of 8
  1  3    3    4    1   (4S')(5M )(4X ) 5    1    1    3    1
     a    b    c    d    e    f    g    h    i    j    k"""


def row(text: str, number: int) -> str:
    """The squares of a row, five characters each."""
    return next(line[4:59] for line in text.split("\n") if line.startswith(f"{number:>3} "))


def test_the_start() -> None:
    assert GAME.start(1).picture() == START


@given(positions)
def test_colours_say_the_same(position: SkyclaimPosition) -> None:
    for view in (position, position.observe(1), position.observe(2)):
        plain = view.picture()
        lines = plain.split("\n")
        assert len(lines) == 13
        assert max(map(len, lines)) <= 80
        assert all(line == line.rstrip() for line in lines)
        assert "\x1b" not in plain
        assert ESCAPE.sub("", view.picture(colour=True)) == plain


def test_a_square_shows_all_that_stands_on_it() -> None:
    empty = "/".join(["11"] * 10)
    line = f"{'/'.join(['12345123451'] * 11)} Sa1=1!1,Hb1*2=12345!2,rc1*3,mk11!7 {empty}/NSS8 S 9 d1:10,e1:3 - 5 -"
    position = GAME.parse(line, {"Salvage": True})
    # where what stands there takes three characters, the closing bracket gives way
    assert row(position.picture(), 1).startswith("""[1S'](2H2"(3r3) 4*10 5*3 """)
    assert "stock     0     7" in position.picture()
    assert "cleared 8 or more\n" in position.picture()
    assert position.picture().count("salvage") == 1


@pytest.mark.parametrize(
    ("turn", "text"),
    [(999, "turn 999 of 10000"), (1000, "turn 1000/10000"), (10000, "turn 10000/10000")],
)
def test_a_late_turn_of_many_has_room(turn: int, text: str) -> None:
    words = GAME.start(1).line().split(" ")
    words[7] = str(turn)
    lines = GAME.parse(" ".join(words), {"TurnLimit": 10000}).picture().split("\n")
    assert lines[2].endswith(f" 10 {text}")
    assert max(map(len, lines)) <= 80


def test_an_observation_shows_what_is_seen() -> None:
    position = GAME.start(1, {"Fog": "dark"})
    text = position.observe(1).picture()
    assert row(text, 11) == " ?   " * 11
    assert row(text, 1) == " ?    ?    ?    1   (4S')(5M )(4X ) 5    ?    ?    ?   "
    assert "land      9    0+" in text
    assert "drones  4/9  0/9+" in text
    assert "stock     0     ?" in text
    assert "fog dark" in text


def test_the_end_is_told() -> None:
    position = GAME.start(1, {"TurnLimit": 1})
    position.apply("claim:e1")
    assert "11 South wins\n" in position.picture()
    assert "10 by turns\n" in position.picture()


def test_the_roster_names_rides_power_and_missiles() -> None:
    line = f"{'/'.join(['12345123451'] * 11)} Sa1=13!1,Hb1*2=12345,Gc1=5,Mf1!2,tk11 {'/'.join(['11'] * 11)} S 0 - - 5 -"
    assert picture.roster(GAME.parse(line).board) == [
        "South  a1   scout        rides 1 3, 1 missile",
        "South  b1   hunter       power 2, rides every colour",
        "South  c1   shield",
        "South  f1   Command      2 missiles",
        "North  k11  turret",
    ]


def test_the_legend_explains_every_letter() -> None:
    text = picture.legend()
    for letter, name in picture.NAMES_OF_KINDS.items():
        assert f"{letter} {name}" in text
    assert max(map(len, text.split("\n"))) <= 80
    assert ESCAPE.sub("", picture.legend(colour=True)) == text


def luminance(number: int) -> float:
    """The relative luminance (WCAG) of a colour of the 256."""
    if number >= 232:
        rgb = [8 + 10 * (number - 232)] * 3
    else:
        levels = (0, 95, 135, 175, 215, 255)
        rgb = [levels[(number - 16) // part % 6] for part in (36, 6, 1)]
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("paper", picture.PAPER)
def test_the_stars_stand_out_from_every_ground(paper: int) -> None:
    for star in "12345":
        assert (luminance(picture.STAR_INK[star]) + 0.05) / (luminance(paper) + 0.05) >= 3


def test_the_stars_differ_in_brightness_alone() -> None:
    # lightness (CIE L*): 7 apart for who sees no hues; the digits are there in any case
    lights = sorted(116 * luminance(picture.STAR_INK[star]) ** (1 / 3) - 16 for star in "12345")
    assert all(light - dark >= 7 for dark, light in pairwise(lights))
