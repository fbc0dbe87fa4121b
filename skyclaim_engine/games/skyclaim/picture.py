"""The board as lines of text, South at the bottom, at most 80 columns wide; with terminal colours if wanted.

A square is five characters: the owner's brackets around the star, and behind the star what stands there.

    3       open land, a star of colour 3
    (3S')   South's land, South's scout with one missile
    [3g2]   North's land, North's shield of power 2
    3*7     a wreck that fades in 7 turns

Colours repeat what the characters say already, so that nothing is lost without them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..._board import KINDS, Board
from .squares import COLUMNS, NAMES

NAMES_OF_SIDES = ("South", "North")
NAMES_OF_KINDS = {
    "M": "Command", "S": "scout", "G": "shield", "R": "raider", "H": "hunter", "W": "warp drone", "X": "siege drone",
    "B": "bomb", "T": "turret",
}  # fmt: skip
STARS = " 12345#?"
DARK = 7
MISSILES = ("", "'", '"')
BRACKETS = ((" ", " "), ("(", ")"), ("[", "]"))
DRONE_LIMIT, DRIFT_FROM = 9, 8
#: characters that there are beside the board in 80 columns
BESIDE = 17

#: 256-colour numbers. The five stars are told apart with every kind of colour blindness, on each of the backgrounds.
STAR_INK = {"1": 210, "2": 227, "3": 28, "4": 117, "5": 135, "#": 250, "?": 244}
OPEN, SOUTH_LAND, NORTH_LAND, NOTHING_SEEN = 234, 52, 17, 16
PAPER = (OPEN, SOUTH_LAND, NORTH_LAND)
BRACKET_INK = (OPEN, 173, 75)
#: letter and ground of the drones: red on gold, white on blue
DRONE_INK = ((124, 220), (231, 26))
WRECK_INK = 214


def draw(board: Board, colour: bool = False) -> str:
    """The board and, beside it, how things stand. Of an observation only what it shows."""
    columns = " " * 4 + "".join(f" {letter}   " for letter in COLUMNS)
    squares = _squares(board, colour)
    lines = [columns.rstrip()]
    for y, beside in zip(range(10, -1, -1), [*_standing(board), *[""] * 11], strict=False):
        row = "".join(squares[11 * y : 11 * y + 11])
        lines.append(f"{y + 1:>3} {row} {y + 1:<2} {beside}".rstrip())
    lines.append(columns.rstrip())
    return "\n".join(lines)


def legend(colour: bool = False) -> str:
    """What the characters of the picture mean."""
    south, north = (f"{_paint(f' {letter} ', colour, *DRONE_INK[i], bold=True)}" for i, letter in enumerate(("S", "g")))
    stars = " ".join(_paint(c, colour, STAR_INK[c], OPEN, bold=True) for c in "12345")
    kinds = [f"{letter} {name}" for letter, name in NAMES_OF_KINDS.items()]
    return "\n".join((
        f"stars    {stars} are the five colours; # is an asteroid, ? is in the dark",
        "land     (3  ) is South's, [3  ] is North's, the rest is open",
        f"drones  {south}South's are capital letters,{north}North's are small",
        f"         {', '.join(kinds[:5])},",
        f"         {', '.join(kinds[5:])}",
        "         behind the letter: 2 or 3 is its power, ' one missile, \" two missiles",
        "wreck    *7 is a wreck that fades in 7 turns",
    ))  # fmt: skip


def roster(board: Board) -> list[str]:
    """Every drone with its square, power, missiles and the star colours that it rides for free; a line each."""
    lines = []
    for side in (0, 1):
        for square, owner, kind, power, rides, missiles in board.drones:
            if owner == side:
                letter = KINDS[kind]
                facts = [f"power {power}"] if power > 1 else []
                if rides and letter in "SHWB":
                    facts.append("rides every colour" if rides == 31 else f"rides {_colours(rides)}")
                if letter == "M":
                    missiles = board.stock[side]
                if missiles:
                    facts.append(f"{missiles} missile{'s' * (missiles > 1)}")
                name = NAMES_OF_KINDS[letter]
                lines.append(f"{NAMES_OF_SIDES[side]:6} {NAMES[square]:4} {name:12} {', '.join(facts)}".rstrip())
    return lines


def _colours(rides: int) -> str:
    return " ".join(str(c) for c in range(1, 6) if rides >> c - 1 & 1)


def _squares(board: Board, colour: bool) -> list[str]:
    """The 121 squares, five characters each (not counting colours)."""
    land, wrecks = board.land, board.wrecks
    drones = {drone[0]: drone[1:] for drone in board.drones}
    squares = []
    for square, code in enumerate(board.stars):
        star, owner = STARS[code], land[square]
        what, ink = "", (WRECK_INK, PAPER[owner])
        if square in drones:
            side, kind, power, _, missiles = drones[square]
            letter = KINDS[kind].lower() if side else KINDS[kind]
            what, ink = letter + (str(power) if power > 1 else "") + MISSILES[missiles], DRONE_INK[side]
        elif square in wrecks:
            what = f"*{wrecks[square]}"
        squares.append(_square(star, owner, what, ink, colour))
    return squares


def _square(star: str, owner: int, what: str, ink: tuple[int, int], colour: bool) -> str:
    """One square; the closing bracket gives way where ``what`` takes three characters."""
    left, right = BRACKETS[owner]
    rest = (" " * (2 - len(what)) + right)[: 3 - len(what)]
    paper = NOTHING_SEEN if star == "?" else PAPER[owner]
    bracket = BRACKET_INK[owner]
    return (
        _paint(left, colour, bracket, paper)
        + _paint(star, colour, STAR_INK[star], paper, bold=True)
        + _paint(what, colour, *ink, bold=True)
        + _paint(rest, colour, bracket, paper)
    )


def _paint(text: str, colour: bool, ink: int, paper: int, bold: bool = False) -> str:
    if not colour or not text:
        return text
    return f"\x1b[{'1;' * bold}38;5;{ink};48;5;{paper}m{text}\x1b[0m"


def _standing(board: Board) -> Iterable[str]:
    """The lines beside the board, BESIDE characters at most: whose turn it is, and the count of what matters."""
    hidden = board.seen_by != 0 and DARK in board.stars
    other = 2 - board.seen_by  # the side that an observation does not show whole
    more = ["+" if hidden and side == other else "" for side in (0, 1)]
    own = [[KINDS[drone[2]] for drone in board.drones if drone[1] == side] for side in (0, 1)]
    drones = [f"{len(kinds) - kinds.count('T')}/{DRONE_LIMIT}" for kinds in own]
    stock = [str(board.stock[side]) if "M" in own[side] or not hidden else "?" for side in (0, 1)]
    salvage, fog, land_to_win, _, turn_limit = board.rules
    yield from _headlines(board, turn_limit)
    yield ""
    yield "      South North"
    yield "land  " + _pair(f"{board.land_owned[0]}{more[0]}", f"{board.land_owned[1]}{more[1]}")
    yield "drones" + _pair(drones[0] + more[0], drones[1] + more[1])
    yield "stock " + _pair(*stock)
    yield ""
    yield f"{land_to_win} of 121 wins"
    yield "cleared " + (f"{DRIFT_FROM} or more" if board.cleared >= DRIFT_FROM else f"{board.cleared} of {DRIFT_FROM}")
    yield ", ".join(["salvage"] * salvage + ["fog seam"] * (fog == 1) + ["fog dark"] * (fog == 2))


def _pair(south: str, north: str) -> str:
    return f"{south:>5}{north:>6}"


def _headlines(board: Board, turn_limit: int) -> tuple[str, str]:
    if not board.over:
        turn = f"turn {board.turn} of {turn_limit}"
        return f"{NAMES_OF_SIDES[board.mover]} to move", turn if len(turn) <= BESIDE else turn.replace(" of ", "/")
    return "a draw" if board.winner is None else f"{NAMES_OF_SIDES[board.winner]} wins", f"by {board.reason}"
