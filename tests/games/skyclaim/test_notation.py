"""A line and its position say the same (rules 11), whoever wrote the line."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from skyclaim_engine._board import KINDS
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import INDEX, NAMES
from tests.positions import Options, crowded
from tests.strategies import numbers, option_sets, positions

GAME = GAMES["skyclaim"]
STARS = "12345123451/23451234512/34512345123/45123451234/51234512345/1234#123451/23451234512/34512345123/45123451234/\
51234512345/12345123451"
LAND = "4NNN4/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4"
EMPTY = "11/11/11/11/11/11/11/11/11/11/11"
LINE = f"{STARS} Se1=3!1,Mf1!42,Gf3*2,ha5*2=12345!2,te9,mf11 {LAND} N 7 - - 12 0123456789abcdef"


@given(positions)
def test_a_position_comes_back_from_its_line(position: SkyclaimPosition) -> None:
    read = GAME.parse(position.line(), position.options)
    assert read == position
    assert read.line() == position.line()
    assert read.key == position.key
    assert read.raw() == position.raw()
    assert (read.result, read.stream, read.turn, read.seat) == (
        position.result, position.stream, position.turn, position.seat,
    )  # fmt: skip


@given(positions)
def test_an_observation_of_the_mover_comes_back_from_its_line(position: SkyclaimPosition) -> None:
    seen = position.observe(position.board.mover + 1)
    read = GAME.parse(seen.line(), position.options, observation=True)
    assert read == seen
    assert read.line() == seen.line()
    assert read.raw() == seen.raw()
    assert read.stream is None
    assert read.observe(position.board.mover + 1) == seen


@given(numbers, option_sets)
def test_another_program_writes_the_same_line(number: int, options: Options) -> None:
    line = crowded(Random(number), options).line()
    assert GAME.parse(line, options).line() == line


@given(numbers, option_sets)
def test_the_order_of_drones_and_wrecks_does_not_matter(number: int, options: Options) -> None:
    rng = Random(number)
    line = crowded(rng, options).line()
    words = line.split(" ")
    for place in (1, 5):
        entries = words[place].split(",")
        words[place] = ",".join(rng.sample(entries, len(entries)))
    assert GAME.parse(" ".join(words), options).line() == line


def test_what_a_line_says() -> None:
    position = GAME.parse(LINE)
    board = position.board
    assert [(NAMES[square], "SN"[side], KINDS[kind], *rest) for square, side, kind, *rest in board.drones] == [
        ("e1", "S", "S", 1, 0b00100, 1),
        ("f1", "S", "M", 1, 0, 0),
        ("f3", "S", "G", 2, 0, 0),
        ("a5", "N", "H", 2, 0b11111, 2),
        ("e9", "N", "T", 1, 0, 0),
        ("f11", "N", "M", 1, 0, 0),
    ]
    assert board.stock == (42, 0)
    assert (board.mover, board.cleared, board.turn, board.wrecks) == (1, 7, 12, {})
    assert [board.stars[INDEX[name]] for name in ("a1", "k1", "a11", "e6", "f6")] == [1, 1, 1, 6, 1]
    assert [board.land[INDEX[name]] for name in ("e1", "g3", "d1", "e9", "f11")] == [1, 1, 0, 2, 2]
    assert board.land_owned == (9, 9)
    assert position.stream == 0x0123456789ABCDEF
    assert position.seat == 2
    assert position.turn == 12
    assert str(position) == position.line() == LINE


def test_wrecks_and_the_light_of_fog() -> None:
    lit = "11/11/11/11/11/11/11/B10/4SSS4/4SSS4/3NSSS4"
    line = f"{STARS} Mf1,mf11 {LAND} S 0 a4:7,d4:10 {lit} 3 -"
    board = GAME.parse(line, {"Salvage": True, "Fog": "dark"}).board
    assert board.wrecks == {INDEX["a4"]: 7, INDEX["d4"]: 10}
    assert [board.lit[INDEX[name]] for name in ("a4", "d1", "e1", "e11")] == [3, 2, 1, 0]
    assert GAME.parse(line, {"Salvage": True, "Fog": "dark"}).line() == line


def test_no_light_in_a_line_with_fog_is_the_land_owned_now() -> None:
    position = GAME.parse(LINE, {"Fog": "seam"})
    assert position.line() == LINE.replace(" - - ", f" - {LAND} ")
    assert position == GAME.parse(position.line(), {"Fog": "seam"})


def test_no_light_in_an_observation_is_the_own_land_alone() -> None:
    """The other side's light is not shown to anyone, and so not made up either."""
    line = LINE.rsplit(" ", 1)[0] + " -"
    seen = GAME.parse(line, {"Fog": "seam"}, observation=True)
    own = LAND.replace("4SSS4", "11")
    assert seen.line() == line.replace(" - - ", f" - {own} ")
    assert GAME.parse(seen.line(), {"Fog": "seam"}, observation=True) == seen


def test_light_without_fog_is_dropped() -> None:
    assert GAME.parse(LINE.replace(" - - ", f" - {LAND.replace('S', 'B')} ")).line() == LINE


def test_a_full_stock_and_every_power() -> None:
    line = LINE.replace("!42", "!99").replace("*2", "*3")
    assert GAME.parse(line).line() == line


def test_a_board_with_nothing_on_it_is_over() -> None:
    position = GAME.parse(f"{STARS} - {EMPTY} N 0 - - 1 -")
    assert position.result is not None
    assert position.result.lines == ("result N wins asteroid",)
    assert position.legal() == []
    assert position.deciders == ()


@pytest.mark.parametrize("text", [f"  {LINE}", f"{LINE}\r\n", LINE.replace(" ", "  "), LINE.replace(" ", "\t")])
def test_white_space_between_the_fields_does_not_matter(text: str) -> None:
    assert GAME.parse(text).line() == LINE


@pytest.mark.parametrize(
    ("line", "result"),
    [
        (LINE.replace(" 12 ", " 401 "), "draw turns"),
        (LINE.replace(" 12 ", " 401 ").replace("11/11/11/11/11", "11/11/11/11/S10"), "S wins turns"),
        (LINE.replace(" 12 ", " 401 ").replace("11/11/11/11/11", "11/11/11/11/N10"), "N wins turns"),
        (LINE.replace(" 12 ", " 400 "), None),
        (LINE.replace(",mf11", ""), "S wins asteroid"),
        (LINE.replace("Mf1!42,", ""), "N wins asteroid"),
        (LINE.replace("te9", "Xe10"), "S wins siege"),
        (LINE.replace("te9", "Xe10,gg10"), None),
        (LINE.replace("te9", "Xe10,Gg10"), "S wins siege"),
        (LINE.replace("Se1=3!1", "xe1"), "N wins siege"),
        (LINE.replace(LAND, "/".join(["11"] * 4 + ["SSS8"] + ["SSSSSSSSSSS"] * 6)), "S wins land"),
        (LINE.replace(LAND, "/".join(["11"] * 4 + ["SS9"] + ["SSSSSSSSSSS"] * 6)), None),
        (LINE.replace(LAND, "/".join(["NNNNNNNNNNN"] * 7 + ["11"] * 4)), "N wins land"),
        # both have won: the side to move is looked at first, whatever the reasons are
        (LINE.replace("te9", "Xe10").replace("Se1=3!1", "xe1"), "N wins siege"),
        (LINE.replace("te9", "Xe10").replace("Se1=3!1", "xe1").replace(" N 7", " S 7"), "S wins siege"),
        (LINE.replace(LAND, "/".join(["NNNNNNNNNNN"] * 7 + ["11"] * 4)).replace(" N 7", " S 7"), "N wins land"),
        (LINE.replace("te9", "Xe10").replace(" 12 ", " 401 "), "S wins siege"),
    ],
)
def test_a_line_may_be_of_a_game_that_is_over(line: str, result: str | None) -> None:
    position = GAME.parse(line)
    assert (position.result and position.result.lines) == (result and (f"result {result}",))
    assert (position.legal() == []) == (result is not None)
    assert position.line() == line
